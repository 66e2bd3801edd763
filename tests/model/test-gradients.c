/* The gradient of the whole model against central differences of the loss, in fp32. */
#include "engine/model/task.h"
#include "tests/model/tiny.h"
#include "tests/suite.h"

#include <math.h>
#include <stdio.h>

/* Larger than a real start, and with no zero or one, so that every term counts. */
static float *random_weights(const OlShape *shape, guint64 seed)
{
  float *all = g_new(float, shape->parameters), *next = all;
  for (guint unit = 0; unit < shape->n_units; unit++)
    for (guint t = 0; t < shape->units[unit].n_tensors; t++) {
      const OlShapeTensor *tensor = &shape->units[unit].tensors[t];
      double spread = tensor->columns > 1 ? 1 / sqrt(tensor->columns) : 0.2;
      for (guint64 i = 0; i < tensor->elements; i++)
        *next++ = (float)(spread * (double)ol_task_initial_normal(seed, tensor->name, i) +
                          (tensor->init == OL_INIT_ONE ? 1 : 0));
    }
  return all;
}

static double loss_at(Tiny *tiny, const float *weights, const float *direction, double distance)
{
  float *moved = g_new(float, tiny->shape->parameters);
  for (guint64 i = 0; i < tiny->shape->parameters; i++)
    moved[i] = weights[i] + (float)distance * direction[i];
  tiny_set_weights(tiny, moved);
  g_free(moved);
  return tiny_forward(tiny);
}

/* Along a random direction within elements [first, first + n). The distance is chosen so that the
 * loss moves by a few thousandths: far above fp32's noise, far below its curvature. */
static void check_direction(Tiny *tiny, const char *what, const float *weights,
                            const float *gradient, guint64 first, guint64 n, guint64 seed)
{
  float *direction = g_new0(float, tiny->shape->parameters);
  double slope = 0, squares = 0;
  for (guint64 i = first; i < first + n; i++) {
    direction[i] = ol_task_initial_normal(seed, "direction", i);
    slope += (double)direction[i] * gradient[i];
    squares += (double)gradient[i] * gradient[i];
  }
  double norm = sqrt(squares), distance = MIN(0.01, 2e-3 / norm);
  double difference =
      (loss_at(tiny, weights, direction, distance) - loss_at(tiny, weights, direction, -distance)) /
      (2 * distance);
  ck_assert_msg(fabs(difference - slope) <= 1e-2 * MAX(fabs(slope), norm),
                "%s: slope %.6g by gradient, %.6g by differences (gradient's norm %.3g)", what,
                slope, difference, norm);
  g_free(direction);
}

START_TEST(gradients_are_slopes)
{
  OlRunConfig config = tiny_config(2, 24, 3, 11, 16, 3, OL_PRECISION_FP32);
  Tiny *tiny = tiny_new(&config, 1);
  const char *text = g_getenv("OL_TEST_SEED");
  guint64 seed = text ? g_ascii_strtoull(text, NULL, 10) : (guint64)g_get_real_time();
  printf("OL_TEST_SEED=%" G_GUINT64_FORMAT "\n", seed);
  float *weights = random_weights(tiny->shape, seed);
  tiny_set_sums(tiny, seed, 0);
  tiny_set_weights(tiny, weights);
  tiny_forward(tiny);
  tiny_backward(tiny);
  float *gradient = tiny_read_gradients(tiny);

  for (guint i = 0; i < 5; i++)
    check_direction(tiny, "everything", weights, gradient, 0, tiny->shape->parameters, seed + i);
  guint64 first = 0;
  for (guint unit = 0; unit < tiny->shape->n_units; unit++) {
    const OlShapeUnit *u = &tiny->shape->units[unit];
    for (guint t = 0; t < u->n_tensors; t++)
      check_direction(tiny, u->tensors[t].name, weights, gradient, first + u->tensors[t].first,
                      u->tensors[t].elements, seed + 9);
    first += u->parameters;
  }
  g_free(weights);
  g_free(gradient);
  tiny_free(tiny);
}
END_TEST

int main(void)
{
  TCase *tests = tcase_create("gradients");
  tcase_set_timeout(tests, 120);
  tcase_add_test(tests, gradients_are_slopes);
  return run_suite("gradients", tests);
}
