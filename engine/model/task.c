/* Everything random in a run: training samples and initial weights, from counters alone, so that
 * any part can be made anywhere, in any order. Integers and IEEE operations in a fixed order only:
 * no libm, so that fixtures and hashes are the same on every build. */
#include "engine/model/task.h"

#include <math.h>
#include <string.h>

/* Steele, Lea, Flood, "Fast splittable pseudorandom number generators" (2014): the step of their
 * sequence and its mixing function, in the variant known as splitmix64. */
#define GOLDEN 0x9e3779b97f4a7c15u

static guint64 mix(guint64 x)
{
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/* A new key from a key and a counter. */
static guint64 derive(guint64 key, guint64 counter)
{
  return mix(key + (counter + 1) * GOLDEN);
}

/* FNV-1a, 64 bit. */
static guint64 hash_name(const char *name)
{
  guint64 hash = 0xcbf29ce484222325u;
  for (const char *c = name; *c; c++)
    hash = (hash ^ (guchar)*c) * 0x100000001b3u;
  return hash;
}

/* Token ids are places in this text. */
static const char symbols[] = "0123456789+=;";
G_STATIC_ASSERT(sizeof symbols - 1 <= OL_TASK_SUMS_VOCABULARY);

/* Operands have two digits, and so has every sum: a sum takes as many tokens as any other. */
#define SMALLEST_OPERAND 10u
#define N_OPERANDS       40u
#define SUM_LENGTH       9u /* "17+25=42;" */

static guint operand(guint64 key, guint64 counter)
{
  return SMALLEST_OPERAND + (guint)((derive(key, counter) >> 32) * N_OPERANDS >> 32);
}

/* Character `at` of sum `index` of a sample. */
static char sum_character(guint64 key, gsize index, gsize at)
{
  guint a = operand(key, 2 * index), b = operand(key, 2 * index + 1);
  guint sum = a + b;
  const char text[SUM_LENGTH] = {(char)('0' + a / 10),   (char)('0' + a % 10),   '+',
                                 (char)('0' + b / 10),   (char)('0' + b % 10),   '=',
                                 (char)('0' + sum / 10), (char)('0' + sum % 10), ';'};
  return text[at];
}

/* Character `position` of the endless line; it begins with a separator. */
static int32_t sums_token(guint64 key, gsize position)
{
  char c = position == 0
               ? ';'
               : sum_character(key, (position - 1) / SUM_LENGTH, (position - 1) % SUM_LENGTH);
  return (int32_t)(strchr(symbols, c) - symbols);
}

guint64 ol_task_random(guint64 seed, const char *name, guint step, guint64 sample)
{
  return derive(derive(derive(hash_name(name), seed), step), sample);
}

void ol_task_sums_sample(guint64 seed, guint step, guint64 sample, guint sequence, int32_t *inputs,
                         int32_t *targets)
{
  guint64 key = ol_task_random(seed, "sums", step, sample);
  for (guint i = 0; i < sequence; i++) {
    inputs[i] = i == 0 ? sums_token(key, 0) : targets[i - 1];
    targets[i] = sums_token(key, i + 1);
  }
}

/* ln u for u in (0, 1], to a few units of the last place. */
static double natural_log(double u)
{
  int exponent;
  double m = frexp(u, &exponent); /* exact: m in [1/2, 1) */
  if (m < 0.70710678118654752) {
    m *= 2;
    exponent--;
  }
  /* ln m = 2·artanh t; t² <= 0.0295, so the first term left out is below 1e-18. */
  double t = (m - 1) / (m + 1), z = t * t, series = 0;
  for (int k = 23; k >= 1; k -= 2)
    series = series * z + 1.0 / k;
  return exponent * 0.69314718055994531 + 2 * t * series;
}

/* cos 2πu for u in [0, 1), folded to a quarter turn; Taylor to x²⁰, the next term is below 2e-17.
 */
static double cosine_of_turn(double u)
{
  double sign = 1;
  if (u > 0.5)
    u = 1 - u;
  if (u > 0.25) {
    u = 0.5 - u;
    sign = -1;
  }
  double x = 6.2831853071795865 * u, z = x * x, series = 1;
  for (int k = 20; k >= 2; k -= 2)
    series = 1 - z * series / ((double)k * (k - 1));
  return sign * series;
}

/* Box and Muller (1958): √(-2 ln u) · cos 2πv from two uniform numbers. */
float ol_task_initial_normal(guint64 seed, const char *tensor, guint64 index)
{
  guint64 key = derive(derive(hash_name("weights"), seed), hash_name(tensor));
  double u = (double)((derive(key, 2 * index) >> 11) + 1) * 0x1p-53; /* (0, 1] */
  double v = (double)(derive(key, 2 * index + 1) >> 11) * 0x1p-53;   /* [0, 1) */
  return (float)(sqrt(-2 * natural_log(u)) * cosine_of_turn(v));
}
