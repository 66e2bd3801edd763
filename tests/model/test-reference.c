/* Loss, gradients and five AdamW steps against PyTorch's, stored by tests/reference. */
#include "tests/model/tiny.h"
#include "tests/suite.h"

#include <math.h>
#include <string.h>

typedef struct {
  char *file;
  OlRunConfig config;
  OlAdamSettings adam;
  guint steps;
  const char *next; /* what has not been read yet */
  gsize left;
} Reference;

static void read_bytes(Reference *reference, void *target, gsize bytes)
{
  ck_assert_uint_ge(reference->left, bytes);
  memcpy(target, reference->next, bytes);
  reference->next += bytes;
  reference->left -= bytes;
}

static Reference open_reference(void)
{
  Reference reference = {0};
  const char *path = g_getenv("OL_TEST_REFERENCE");
  ck_assert_msg(path != NULL, "OL_TEST_REFERENCE names no file");
  ck_assert_msg(g_file_get_contents(path, &reference.file, &reference.left, NULL), "%s", path);
  reference.next = reference.file;
  char magic[8];
  guint32 sizes[7];
  read_bytes(&reference, magic, sizeof magic);
  ck_assert_mem_eq(magic, "OLREF001", sizeof magic);
  read_bytes(&reference, sizes, sizeof sizes);
  read_bytes(&reference, &reference.adam, 5 * sizeof(double));
  reference.config =
      tiny_config(sizes[0], sizes[1], sizes[2], sizes[3], sizes[4], sizes[5], OL_PRECISION_FP32);
  reference.steps = sizes[6];
  return reference;
}

static void compare_gradients(const OlShape *shape, const float *got, const float *want)
{
  for (guint unit = 0; unit < shape->n_units; unit++)
    for (guint t = 0; t < shape->units[unit].n_tensors; t++) {
      const OlShapeTensor *tensor = &shape->units[unit].tensors[t];
      double squares = 0, error = 0;
      for (guint64 i = 0; i < tensor->elements; i++, got++, want++) {
        squares += (double)*want * *want;
        error += ((double)*got - *want) * ((double)*got - *want);
      }
      ck_assert_msg(sqrt(error) <= 1e-4 * sqrt(squares) + 1e-7, "%s: off by %.3g of %.3g",
                    tensor->name, sqrt(error), sqrt(squares));
    }
}

START_TEST(as_pytorch)
{
  Reference reference = open_reference();
  Tiny *tiny = tiny_new(&reference.config, 1);
  guint64 parameters = tiny->shape->parameters;
  gsize step_tokens = 2 * tiny_tokens(tiny);
  int32_t *tokens = g_new(int32_t, reference.steps * step_tokens);
  float *weights = g_new(float, parameters), *gradients = g_new(float, parameters);
  double *losses = g_new(double, reference.steps + 1);
  read_bytes(&reference, tokens, reference.steps * step_tokens * sizeof *tokens);
  read_bytes(&reference, weights, parameters * sizeof *weights);
  read_bytes(&reference, gradients, parameters * sizeof *gradients);
  read_bytes(&reference, losses, (reference.steps + 1) * sizeof *losses);
  ck_assert_uint_eq(reference.left, 0);

  tiny_set_weights(tiny, weights);
  for (guint step = 0; step < reference.steps; step++) {
    tiny_set_tokens(tiny, tokens + step * step_tokens);
    ck_assert_double_eq_tol(tiny_forward(tiny), losses[step], 1e-5);
    tiny_backward(tiny);
    if (step == 0) {
      float *ours = tiny_read_gradients(tiny);
      compare_gradients(tiny->shape, ours, gradients);
      g_free(ours);
    }
    tiny_update(tiny, &reference.adam, step);
  }
  ck_assert_double_eq_tol(tiny_forward(tiny), losses[reference.steps], 1e-5);

  g_free(tokens);
  g_free(weights);
  g_free(gradients);
  g_free(losses);
  g_free(reference.file);
  tiny_free(tiny);
}
END_TEST

int main(void)
{
  TCase *tests = tcase_create("reference");
  tcase_add_test(tests, as_pytorch);
  return run_suite("reference", tests);
}
