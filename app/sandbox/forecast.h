/* What a config will take, before anything runs: the peaks of each tier, whether it fits, and the
 * time of a step. A pure function of the plan and the simulator, quick enough for a slider. */
#pragma once

#include "engine/config/hardware.h"
#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct {
  double mu;    /* bytes there for one here */
  gboolean big; /* the config stands for something: `there` is not `here` */
  guint ranks;
  guint64 capacity[OL_N_TIERS];               /* of the largest rank, as all that follows */
  guint64 home[OL_N_TIERS][OL_N_PAYLOADS];    /* for the whole run */
  guint64 peak[OL_N_TIERS];                   /* what it would be if there were room */
  guint64 fullest[OL_N_TIERS][OL_N_PAYLOADS]; /* what that peak is made of */
  guint64 need[OL_N_TIERS];                   /* with the holes between blocks: what must fit */
  char *refusal;                              /* what the run would say too; NULL: it fits */
  double seconds_there; /* a step at full size, NAN when it does not fit there (or here) */
  double seconds_here;  /* a step of the run, NAN while not known */
  double slowdown;      /* that the run would choose; NAN while not known, and without a scale */
} OlForecast;

/* Plans, and simulates a step at full size. Refuses with OL_ERROR_BAD_INPUT what is unknown or too
 * large to be forecast; with G_IO_ERROR_CANCELLED. */
OlForecast *ol_forecast_new(const OlRunConfig *config, const char *data_folder,
                            GCancellable *cancellable, GError **error);
OlForecast *ol_forecast_copy(const OlForecast *forecast);
void ol_forecast_free(OlForecast *forecast);

/* Adds what depends on how fast this machine is: seconds_here and slowdown. The first time ever it
 * measures that, for some seconds. FALSE when it cannot be known. */
gboolean ol_forecast_add_clock(OlForecast *forecast, const OlRunConfig *config,
                               const char *data_folder);

gboolean ol_forecast_fits(const OlForecast *forecast, OlTier tier);

/* "Fits", or "Does not fit: GPU needs 60.2 MiB of 44.7 MiB"; `there`: bytes of what it stands for.
 * Caller frees. */
char *ol_forecast_dup_verdict(const OlForecast *forecast, gboolean there);
/* "A step: 1.21 s at full size · 0.71 s here", or why there is none. Caller frees. */
char *ol_forecast_dup_times(const OlForecast *forecast);
/* "18.1 of 44.7 MiB". Caller frees. */
char *ol_forecast_dup_bytes(const OlForecast *forecast, OlTier tier, gboolean there);
/* "GPU at its fullest:", and a line for each payload there: "weights 2.4 MiB". Caller frees. */
char *ol_forecast_dup_parts(const OlForecast *forecast, OlTier tier, gboolean there);

/* Units run a step, over all ranks: a plan has about a dozen nodes for each. */
#define OL_FORECAST_MOST_PASSES (1u << 17)
gboolean ol_forecast_check_size(const OlRunConfig *config, GError **error);

G_DEFINE_AUTOPTR_CLEANUP_FUNC(OlForecast, ol_forecast_free)

G_END_DECLS
