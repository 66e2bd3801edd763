#include "lessons/prediction-place.h"

#include "engine/config/hardware.h"
#include "engine/model/shape.h"
#include "lessons/grading.h"

#include <math.h>
#include <string.h>

#define FINE_STEPS    200
#define PER_PARAMETER ".bytes_per_parameter"

/* peak.gpu.total, home.host.master: the tier is in the name. */
static gboolean read_amount(char **parts, OlPredictionPlace *place)
{
  if (g_strv_length(parts) != 3 ||
      !(g_str_equal(parts[0], "peak") || g_str_equal(parts[0], "home")))
    return FALSE;
  int tier = ol_tier_from_nick(parts[1], -1), payload = ol_payload_from_nick(parts[2], -1);
  if (tier < 0 || (payload < 0 && !g_str_equal(parts[2], "total")))
    return FALSE;
  place->tier = (OlTier)tier;
  place->first = payload >= 0 ? (OlPayload)payload : 0;
  place->unit_bytes = 1;
  return TRUE;
}

static double count_parameters(const OlRunConfig *config)
{
  OlShape *shape = ol_shape_new(config);
  double parameters = 0;
  for (guint i = 0; i < shape->n_units; i++)
    parameters += (double)shape->units[i].model_parameters;
  ol_shape_free(shape);
  return parameters;
}

/* state.bytes_per_parameter: where that is at home is a matter of the config. All that lies in
 * several memories is in none of their boxes. */
static gboolean read_per_parameter(const char *metric, const OlRunConfig *config,
                                   OlPredictionPlace *place)
{
  const struct {
    const char *what;
    OlPayload first;
    OlTier tier;
    gboolean everything;
  } kinds[] = {
      {"weights", OL_PAYLOAD_WEIGHTS, config->placement.weights, FALSE},
      {"gradients", OL_PAYLOAD_GRADIENTS, config->placement.gradients, FALSE},
      {"state", OL_PAYLOAD_MASTER, config->placement.optimizer, FALSE},
      {"total", 0, OL_TIER_GPU, TRUE},
  };
  for (guint i = 0; i < G_N_ELEMENTS(kinds); i++) {
    g_autofree char *name = g_strconcat(kinds[i].what, PER_PARAMETER, NULL);
    if (!g_str_equal(metric, name))
      continue;
    if (kinds[i].everything && config->placement.optimizer != OL_TIER_GPU)
      return FALSE;
    place->tier = kinds[i].tier;
    place->first = kinds[i].first;
    place->unit_bytes = count_parameters(config);
    return TRUE;
  }
  return FALSE;
}

gboolean ol_prediction_find_place(const OlLesson *lesson, const char *data_folder,
                                  OlPredictionPlace *place)
{
  const OlPrediction *asked = lesson->prediction;
  const OlLessonRun *run = asked != NULL && asked->kind == OL_PREDICTION_NUMBER
                               ? ol_lesson_find_run(lesson, asked->run)
                               : NULL;
  if (run == NULL || run->config == NULL)
    return FALSE;
  g_auto(GStrv) parts = g_strsplit(asked->metric, ".", -1);
  if (!read_amount(parts, place) && !read_per_parameter(asked->metric, run->config, place))
    return FALSE;
  g_autoptr(OlMachine) machine = ol_machine_new(run->config, data_folder, NULL);
  if (machine == NULL)
    return FALSE;
  place->unit_bytes *= ol_grading_unit_size(asked->unit);
  place->capacity = (double)machine->capacity[place->tier];
  return place->capacity > 0 && place->unit_bytes > 0;
}

double ol_prediction_get_step(const OlPrediction *prediction)
{
  return prediction->step > 0 ? prediction->step : (prediction->to - prediction->from) / FINE_STEPS;
}

double ol_prediction_snap(const OlPrediction *prediction, double value)
{
  double step = ol_prediction_get_step(prediction);
  double within = CLAMP(value, prediction->from, prediction->to);
  double snapped = prediction->from + round((within - prediction->from) / step) * step;
  return MIN(snapped, prediction->to);
}
