#include "app/sandbox/slider-stops.h"

#include <math.h>

#define SINGLE     8 /* up to here every whole number */
#define TWENTIETHS 20

static void add_within(GArray *stops, double value, double from, double to)
{
  if (value >= from && value <= to)
    g_array_append_val(stops, value);
}

static void add_whole(GArray *stops, double from, double to)
{
  for (double value = 0; value <= SINGLE; value++)
    add_within(stops, value, from, to);
  for (double doubling = SINGLE; doubling < to; doubling *= 2)
    for (int quarter = 1; quarter <= 4; quarter++)
      add_within(stops, doubling + doubling * quarter / 4, from, to);
}

static void add_decades(GArray *stops, double from, double to)
{
  static const double figures[] = {1, 2, 5};

  if (from == 0)
    add_within(stops, 0, from, to);
  for (double k = floor(log10(from > 0 ? from : to / 1000)); pow(10, k) <= to; k++)
    for (guint i = 0; i < G_N_ELEMENTS(figures); i++)
      /* Divided, a power below 1 gives the nearest double: 0.002 and not 0.002000…04. */
      add_within(stops, k < 0 ? figures[i] / pow(10, -k) : figures[i] * pow(10, k), from, to);
}

GArray *ol_slider_stops_new(const OlField *field, const OlFieldWords *words, OlFormKind kind)
{
  GArray *stops = g_array_new(FALSE, FALSE, sizeof(double));
  double to = kind == OL_FORM_SCALE_UP ? words->to_full_size : words->to;

  if (words->from == words->to)
    return stops;
  if (field->kind == OL_FIELD_COUNT || words->unit)
    add_whole(stops, words->from, to);
  else if (words->from == 0 && to == 1)
    for (int i = 0; i <= TWENTIETHS; i++)
      add_within(stops, (double)i / TWENTIETHS, 0, 1);
  else
    add_decades(stops, words->from, to);
  return stops;
}

guint ol_slider_stops_find(const GArray *stops, double value)
{
  guint nearest = 0;
  double least = INFINITY;

  if (isnan(value))
    return 0;
  for (guint i = 0; i < stops->len; i++) {
    double stop = g_array_index(stops, double, i);
    double distance = fabs(stop - value) / (fabs(stop) + fabs(value) + 1e-300);
    if (distance < least) {
      least = distance;
      nearest = i;
    }
  }
  return nearest;
}
