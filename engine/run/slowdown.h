/* The slow-down s of a scale model: the smallest of 1, 2, 5 × 10^k at which no run of an experiment
 * is late and all real work stays under 0.6 of the cores. Several ranks share the cores, so each
 * gets its part of one and waits for its turn there. */
#pragma once

#include "engine/config/run-config.h"
#include "engine/run/calibration.h"

G_BEGIN_DECLS

/* A run later than this share of a modelled step says nothing about time (design section 4). */
#define OL_LATE_SHARE 0.02

/* `seconds_a_step` > 0: also that long a step in the quickest run, but never more than 5 s in the
 * slowest (the window asks for 0.5). Configs with a set slow-down must agree. */
gboolean ol_slowdown_choose(const OlRunConfig *const *configs, guint n, const char *data_folder,
                            double seconds_a_step, double *slowdown, GError **error);

/* The same on a machine that is known, of configs that set none. */
gboolean ol_slowdown_choose_for(const OlCalibration *calibration, const OlRunConfig *const *configs,
                                guint n, const char *data_folder, double seconds_a_step,
                                double *slowdown, GError **error);

/* The next of 1, 2, 5 × 10^k that is at least `value`. */
double ol_slowdown_round_up(double value);

G_END_DECLS
