#include "lessons/grading.h"

#include "engine/base/intl.h"
#include <math.h>
#include <string.h>

#define NEAR_OF_VALUE 0.2
#define NEAR_OF_RANGE 0.05

/* Fowler, Noll and Vo's FNV-1a, 64 bit: the letters of a name as a seed. */
static guint64 hash_name(guint64 hash, const char *name)
{
  for (const guchar *p = (const guchar *)name; *p != '\0'; p++)
    hash = (hash ^ *p) * G_GUINT64_CONSTANT(1099511628211);
  return hash * G_GUINT64_CONSTANT(1099511628211); /* the NUL: "ab"+"c" is not "a"+"bc" */
}

/* Vigna's splitmix64. Not GRand: the order must stay for ever, and GRand may change. */
static guint64 next_random(guint64 *state)
{
  guint64 z = *state += G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static guint64 hash_place(const OlLesson *lesson, const char *learner)
{
  return hash_name(hash_name(G_GUINT64_CONSTANT(14695981039346656037), learner), lesson->id);
}

static void shuffle(guint64 state, guint n, guint *order)
{
  for (guint i = 0; i < n; i++)
    order[i] = i;
  /* Fisher and Yates; at most 8 options, so the remainder's bias is below 2^-60. */
  for (guint i = n; i > 1; i--) {
    guint j = (guint)(next_random(&state) % i);
    guint kept = order[i - 1];
    order[i - 1] = order[j];
    order[j] = kept;
  }
}

void ol_grading_option_order(const OlLesson *lesson, const char *learner, guint *order)
{
  shuffle(hash_place(lesson, learner), lesson->question.n_options, order);
}

void ol_grading_review_order(const OlLesson *lesson, const char *learner, guint reviews,
                             guint *order)
{
  g_autofree char *time = g_strdup_printf("review %u", reviews + 1);
  shuffle(hash_name(hash_place(lesson, learner), time), lesson->question.n_options, order);
}

typedef struct {
  const char *unit;
  OlMeasure measure;
  double size;
} Unit;

static const Unit units[] = {
    {"B", OL_MEASURE_BYTES, 1},
    {"KiB", OL_MEASURE_BYTES, 1024},
    {"MiB", OL_MEASURE_BYTES, 1024 * 1024},
    {"GiB", OL_MEASURE_BYTES, 1024.0 * 1024 * 1024},
    {"s", OL_MEASURE_SECONDS, 1},
    {"ms", OL_MEASURE_SECONDS, 1e-3},
    {"µs", OL_MEASURE_SECONDS, 1e-6},
    {"%", OL_MEASURE_FRACTION, 0.01},
};

static const Unit *find_unit(const char *name)
{
  for (guint i = 0; i < G_N_ELEMENTS(units); i++)
    if (g_str_equal(units[i].unit, name))
      return &units[i];
  return NULL;
}

double ol_grading_unit_size(const char *unit)
{
  const Unit *known = find_unit(unit);
  return known != NULL ? known->size : 1;
}

gboolean ol_grading_unit_fits(const char *unit, OlMeasure measure)
{
  const Unit *known = find_unit(unit);
  if (measure == OL_MEASURE_NUMBER)
    return known == NULL || known->size == 1; /* "layers", or bytes a parameter */
  return known != NULL && known->measure == measure;
}

gboolean ol_grading_is_near(const OlPrediction *prediction, double predicted, double measured)
{
  if (prediction->kind == OL_PREDICTION_CHOICE)
    return predicted == measured;
  double close =
      MAX(NEAR_OF_VALUE * fabs(measured), NEAR_OF_RANGE * (prediction->to - prediction->from));
  return fabs(predicted - measured) <= MAX(close, prediction->step) + 1e-9;
}

/* What is counted has a singular; what is measured is written alike. */
const char *ol_grading_unit_words(const char *unit, double value)
{
  if (g_str_equal(unit, "layers"))
    return ol_ngettext("layer", "layers", value == 1 ? 1 : 2);
  return *unit != '\0' ? _(unit) : "";
}

/* Three significant figures, as people write them: 12, 0.71, 1340. */
static char *dup_amount(double value, const char *unit)
{
  g_autofree char *figure =
      fabs(value) >= 1000 ? g_strdup_printf("%.0f", value) : g_strdup_printf("%.3g", value);
  return g_strdup_printf("%s %s", figure, ol_grading_unit_words(unit, value));
}

/* What is said of a prediction, by whether it was one of time, and whether it was too much. */
static const char *const exact_words[] = {N_("you said %s, and so it was"),
                                          N_("you said %s, and so it did")};
static const char *const close_words[] = {N_("you said %s, it was %s: very close"),
                                          N_("you said %s, it took %s: very close")};
static const char *const off_words[][2] = {
    {N_("you said %s, it was %s: too little"), N_("you said %s, it was %s: too much")},
    {N_("you said %s, it took %s: too little"), N_("you said %s, it took %s: too much")}};
static const char *const times_words[][2] = {{N_("you said %s, it was %s: %s times too little"),
                                              N_("you said %s, it was %s: %s times too much")},
                                             {N_("you said %s, it took %s: %s times too little"),
                                              N_("you said %s, it took %s: %s times too much")}};

static char *dup_number_words(const OlPrediction *prediction, double predicted, double measured)
{
  double size = ol_grading_unit_size(prediction->unit);
  const Unit *unit = find_unit(prediction->unit);
  double actual = measured / size;
  g_autofree char *said = dup_amount(predicted, prediction->unit);
  g_autofree char *was = dup_amount(actual, prediction->unit);
  gboolean is_time = unit != NULL && unit->measure == OL_MEASURE_SECONDS;
  gboolean much = predicted > actual;
  if (g_str_equal(said, was))
    return g_strdup_printf(_(exact_words[is_time]), said);
  if (predicted <= 0 || actual <= 0)
    return g_strdup_printf(_(off_words[is_time][much]), said, was);
  double times = much ? predicted / actual : actual / predicted;
  if (times < 1.05)
    return g_strdup_printf(_(close_words[is_time]), said, was);
  g_autofree char *factor = g_strdup_printf(times < 10 ? "%.2g" : "%.0f", times);
  return g_strdup_printf(_(times_words[is_time][much]), said, was, factor);
}

/* `text` with its decimal comma as a point. NULL for what may be a comma between thousands: "1,000"
 * is a thousand to some and one to others. */
static char *dup_with_point(const char *text)
{
  char *number = g_strstrip(g_strdup(text));
  char *comma = strchr(number, ',');
  if (comma == NULL)
    return number;
  gsize decimals = strspn(comma + 1, "0123456789");
  gboolean leads = comma == number || (comma == number + 1 && *number == '0');
  if (decimals == 0 || (decimals == 3 && !leads)) {
    g_free(number);
    return NULL;
  }
  *comma = '.';
  return number;
}

static gboolean is_on_step(const OlPrediction *prediction, double value)
{
  if (prediction->step <= 0)
    return TRUE;
  double steps = (value - prediction->from) / prediction->step;
  return fabs(steps - round(steps)) < 1e-6 || value == prediction->to;
}

static gboolean is_unit(const char *typed, const char *unit)
{
  return g_ascii_strcasecmp(typed, unit) == 0 || strcmp(typed, _(unit)) == 0;
}

gboolean ol_grading_parse_prediction(const OlPrediction *prediction, const char *text,
                                     double *value)
{
  g_autofree char *number = dup_with_point(text);
  gsize length = number != NULL ? strspn(number, "+-.0123456789eE") : 0;
  if (length == 0)
    return FALSE; /* also a hexadecimal, "nan" and "inf", which strtod would take */
  char *end;
  *value = g_ascii_strtod(number, &end);
  g_strchug(end);
  if (end == number || (*end != '\0' && !is_unit(end, prediction->unit)))
    return FALSE;
  return *value >= prediction->from && *value <= prediction->to && is_on_step(prediction, *value);
}

static const char *choice_text(const OlPrediction *prediction, double index)
{
  guint n = g_strv_length(prediction->choices);
  return index >= 0 && index < n ? prediction->choices[(guint)index] : "…";
}

char *ol_grading_dup_prediction_words(const OlPrediction *prediction, double predicted,
                                      double measured)
{
  if (prediction->kind == OL_PREDICTION_NUMBER)
    return dup_number_words(prediction, predicted, measured);
  const char *said = choice_text(prediction, predicted);
  if (predicted == measured)
    return g_strdup_printf(_("you said “%s”, and so it is"), said);
  return g_strdup_printf(_("you said “%s”; it is “%s”"), said, choice_text(prediction, measured));
}
