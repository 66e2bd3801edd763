/* Loading devices at run time: what is missing is said, whatever lies in the folder; and the
 * argument checks of the CUDA device, which need no GPU. */
#include "engine/base/error.h"
#include "engine/device/cuda/arguments.h"
#include "engine/device/plugin.h"
#include "tests/suite.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>

static void expect_words(const GError *error, OlErrorCode code, const char *const *words)
{
  ck_assert_ptr_nonnull(error);
  ck_assert_msg(g_error_matches(error, OL_ERROR, (int)code), "code %d: %s", error->code,
                error->message);
  ck_assert(g_utf8_validate(error->message, -1, NULL));
  for (; *words; words++)
    ck_assert_msg(strstr(error->message, *words) != NULL, "no “%s” in: %s", *words, error->message);
}

static void expect_refusal(const char *name, OlErrorCode code, const char *const *words)
{
  g_autoptr(GError) error = NULL;
  ck_assert_ptr_null(ol_device_plugin_load(name, &error));
  expect_words(error, code, words);
}

START_TEST(names_that_cannot_be_are_refused)
{
  static const char *const names[] = {NULL,  "",        "Cuda",   "../cuda",
                                      "a/b", "cuda.so", "cuda\n", "-cuda"};
  for (guint i = 0; i < G_N_ELEMENTS(names); i++)
    expect_refusal(names[i], OL_ERROR_BAD_INPUT, (const char *const[]){"name of a device", NULL});
  g_autofree char *endless = g_strnfill(100000, 'a');
  expect_refusal(endless, OL_ERROR_BAD_INPUT, (const char *const[]){"name of a device", NULL});
}
END_TEST

/* A folder of our own that OFFLOAD_LAB_PLUGINS names, with `bytes` in cuda.so. */
typedef struct {
  char *folder, *path;
} Folder;

static Folder folder_new(const void *bytes, gsize n)
{
  Folder folder = {g_dir_make_tmp("ol-plugin-XXXXXX", NULL), NULL};
  folder.path = g_build_filename(folder.folder, "cuda.so", NULL);
  ck_assert(!bytes || g_file_set_contents(folder.path, bytes, (gssize)n, NULL));
  g_setenv("OFFLOAD_LAB_PLUGINS", folder.folder, TRUE);
  return folder;
}

static void folder_free(Folder *folder)
{
  g_unsetenv("OFFLOAD_LAB_PLUGINS");
  g_remove(folder->path);
  g_rmdir(folder->folder);
  g_free(folder->path);
  g_free(folder->folder);
}

START_TEST(a_missing_plugin_is_named)
{
  Folder folder = folder_new(NULL, 0);
  expect_refusal("cuda", OL_ERROR_DEVICE,
                 (const char *const[]){"device cuda", "plug-in is missing", folder.path,
                                       "set hardware.device to virtual", NULL});
  folder_free(&folder);
}
END_TEST

/* Text, nothing at all, and an ELF file that ends too soon. */
START_TEST(a_damaged_plugin_is_refused)
{
  g_autofree char *self = NULL;
  gsize length;
  ck_assert(g_file_get_contents("/proc/self/exe", &self, &length, NULL));
  const struct {
    const char *bytes;
    gsize n;
  } damages[] = {{"not a shared object\n", 20}, {"", 0}, {self, 100}, {self, 1}};
  for (guint i = 0; i < G_N_ELEMENTS(damages); i++) {
    Folder folder = folder_new(damages[i].bytes, damages[i].n);
    expect_refusal("cuda", OL_ERROR_DEVICE,
                   (const char *const[]){"device cuda", "cannot be opened", folder.path, NULL});
    folder_free(&folder);
  }
}
END_TEST

START_TEST(a_folder_in_its_place_is_refused)
{
  Folder folder = folder_new(NULL, 0);
  ck_assert_int_eq(g_mkdir(folder.path, 0700), 0);
  expect_refusal("cuda", OL_ERROR_DEVICE, (const char *const[]){"cannot be opened", NULL});
  g_rmdir(folder.path);
  folder_free(&folder);
}
END_TEST

START_TEST(shared_objects_are_told_apart)
{
  g_setenv("OFFLOAD_LAB_PLUGINS", OL_TEST_FIXTURES, TRUE);
  expect_refusal("stranger", OL_ERROR_DEVICE,
                 (const char *const[]){"device stranger", "no plug-in of this lab",
                                       OL_DEVICE_PLUGIN_SYMBOL, NULL});
  expect_refusal("lacking", OL_ERROR_DEVICE,
                 (const char *const[]){"device lacking: no driver on this machine", NULL});
  g_autoptr(GError) error = NULL;
  const OlDeviceOps *ops = ol_device_plugin_load("right", &error);
  ck_assert_msg(ops != NULL, "%s", error ? error->message : "");
  ck_assert_str_eq(ops->name, "right");
  ck_assert_ptr_eq(ol_device_plugin_load("right", NULL), ops);
  g_unsetenv("OFFLOAD_LAB_PLUGINS");
}
END_TEST

/* Every entry of the table from `open` on is a function. */
static void expect_complete(const OlDeviceOps *ops)
{
  void *const *entries = (void *const *)ops;
  for (gsize i = 0; i < sizeof *ops / sizeof *entries; i++)
    ck_assert_msg(entries[i] != NULL, "entry %zu of the table is empty", i);
}

/* What the machine has decides what is said; that something is said, and fits, is checked. */
START_TEST(the_cuda_plugin_loads_or_says_what_is_missing)
{
  g_autoptr(GError) error = NULL;
  const OlDeviceOps *ops = ol_device_plugin_load("cuda", &error);
  gboolean driver = g_file_test("/dev/nvidiactl", G_FILE_TEST_EXISTS);
  if (ops) {
    ck_assert_str_eq(ops->name, "cuda");
    expect_complete(ops);
    OlDeviceOptions options[] = {{0, 4096}, {1, 0}, {1, G_MAXUINT64}, {1u << 30, 4096}};
    for (guint i = 0; i < G_N_ELEMENTS(options); i++) {
      g_autoptr(GError) refused = NULL;
      ck_assert_ptr_null(ops->open(&options[i], &refused));
      expect_words(refused, OL_ERROR_BAD_INPUT, (const char *const[]){"cuda device", NULL});
    }
    return;
  }
  printf("%s\n", error->message);
  expect_words(error, OL_ERROR_DEVICE,
               (const char *const[]){"device cuda: ", "set hardware.device to virtual", NULL});
#ifdef OL_TEST_HAS_CUDA
  ck_assert_ptr_null(strstr(error->message, "plug-in is missing"));
  if (!driver)
    expect_words(error, OL_ERROR_DEVICE, (const char *const[]){"no NVIDIA driver", NULL});
#else
  (void)driver;
  expect_words(error, OL_ERROR_DEVICE, (const char *const[]){"plug-in is missing", NULL});
#endif
}
END_TEST

static const OlGpuRange gpu = {(const char *)0x10000, 0x1000};

static gboolean is_argument(guintptr at, gsize rows, gsize columns, gsize element)
{
  OlArgument argument = {"x", (const void *)at, rows, columns, element};
  return ol_arguments_check(&gpu, "add", &argument, 1, NULL);
}

START_TEST(arguments_lie_in_the_gpus_memory)
{
  ck_assert(is_argument(0x10000, 1, 0x1000, 1));
  ck_assert(is_argument(0x10ffc, 1, 1, 4));
  ck_assert(is_argument(0x11000, 0, 7, 4));
  ck_assert(!is_argument(0x0ffff, 1, 1, 1));
  ck_assert(!is_argument(0x10000, 1, 0x1001, 1));
  ck_assert(!is_argument(0x10ffd, 1, 1, 4));
  ck_assert(!is_argument(0x11001, 0, 7, 4));
  ck_assert(!is_argument(0, 1, 1, 1));
  ck_assert(!is_argument(0x10000, G_MAXSIZE / 2, 4, 1));
  ck_assert(!is_argument(0x10000, G_MAXSIZE / 4, 1, 8));
  ck_assert(!is_argument(G_MAXSIZE, 1, 2, 1));

  g_autoptr(GError) error = NULL;
  OlArgument arguments[] = {{"a", gpu.begin, 1, 4, 4}, {"b", gpu.begin + 0x1000, 3, 5, 2}};
  ck_assert(!ol_arguments_check(&gpu, "add", arguments, 2, &error));
  expect_words(error, OL_ERROR_DEVICE,
               (const char *const[]){"add: b at 0x11000", "3 × 5 elements of 2 B", NULL});
}
END_TEST

START_TEST(a_side_of_a_copy_is_in_or_out)
{
  static const struct {
    guintptr at;
    gsize bytes;
    gboolean fine, on_gpu;
  } sides[] = {{0x10000, 0x1000, TRUE, TRUE},   {0x10fff, 1, TRUE, TRUE},
               {0x0f000, 0x1000, TRUE, FALSE},  {0x11000, 0x1000, TRUE, FALSE},
               {0x0f000, 0x1001, FALSE, FALSE}, {0x10fff, 2, FALSE, FALSE},
               {0x0f000, 0x3000, FALSE, FALSE}, {0, 1, FALSE, FALSE}};
  for (guint i = 0; i < G_N_ELEMENTS(sides); i++) {
    g_autoptr(GError) error = NULL;
    gboolean on_gpu;
    gboolean fine = ol_arguments_check_side(&gpu, "copy", "target", (const void *)sides[i].at,
                                            sides[i].bytes, &on_gpu, &error);
    ck_assert_msg(fine == sides[i].fine && (!fine || on_gpu == sides[i].on_gpu), "side %u", i);
    if (!fine)
      expect_words(error, OL_ERROR_DEVICE, (const char *const[]){"copy: target", NULL});
  }
}
END_TEST

START_TEST(ids_and_heads_are_checked)
{
  static const int32_t ids[] = {0, 9, 3, -1}, large[] = {10};
  g_autoptr(GError) negative = NULL, beyond = NULL, heads = NULL;
  ck_assert(ol_arguments_check_ids("embed_forward", "ids", ids, 0, 3, 10, NULL));
  ck_assert(!ol_arguments_check_ids("embed_forward", "ids", ids, 4096, 4, 10, &negative));
  expect_words(negative, OL_ERROR_DEVICE,
               (const char *const[]){"embed_forward: ids[4099] is -1", NULL});
  ck_assert(!ol_arguments_check_ids("softmax_loss", "targets", large, 0, 1, 10, &beyond));
  expect_words(beyond, OL_ERROR_DEVICE,
               (const char *const[]){"targets[0] is 10", "vocabulary of 10", NULL});

  ck_assert(ol_arguments_check_heads("attention_forward", 2, 12, 3, NULL));
  ck_assert(!ol_arguments_check_heads("attention_forward", 2, 12, 0, NULL));
  ck_assert(!ol_arguments_check_heads("attention_forward", 0, 12, 3, NULL));
  ck_assert(!ol_arguments_check_heads("attention_forward", 2, 10, 3, &heads));
  expect_words(heads, OL_ERROR_DEVICE, (const char *const[]){"3 heads", NULL});
}
END_TEST

int main(void)
{
  TCase *all = tcase_create("all");
  tcase_set_timeout(all, 60);
  tcase_add_test(all, names_that_cannot_be_are_refused);
  tcase_add_test(all, a_missing_plugin_is_named);
  tcase_add_test(all, a_damaged_plugin_is_refused);
  tcase_add_test(all, a_folder_in_its_place_is_refused);
  tcase_add_test(all, shared_objects_are_told_apart);
  tcase_add_test(all, the_cuda_plugin_loads_or_says_what_is_missing);
  tcase_add_test(all, arguments_lie_in_the_gpus_memory);
  tcase_add_test(all, a_side_of_a_copy_is_in_or_out);
  tcase_add_test(all, ids_and_heads_are_checked);
  return run_suite("plugin", all);
}
