/* Profiles, scale and capacities, against the worked example of the design (section 4). */
#include "engine/base/error.h"
#include "engine/config/hardware.h"
#include "tests/suite.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static OlMachine *new_machine(const OlRunConfig *config)
{
  GError *error = NULL;
  OlMachine *machine = ol_machine_new(config, NULL, &error);
  ck_assert_msg(machine != NULL, "%s", error ? error->message : "");
  return machine;
}

static OlRunConfig *default_with(const char *const *set)
{
  g_autoptr(OlRunConfig) base = ol_run_config_new_default();
  OlRunConfig *config = ol_run_config_with_assignments(base, set, NULL);
  ck_assert_ptr_nonnull(config);
  return config;
}

START_TEST(scale_of_the_worked_example)
{
  g_autoptr(OlRunConfig) config = ol_run_config_new_default();
  g_autoptr(OlMachine) machine = new_machine(config);
  ck_assert(machine->scale_clock);
  ck_assert_double_eq_tol(machine->mu, 1706.67, 0.01); /* 40·2048² / 6·128² */
  ck_assert_double_eq(machine->kappa, 16);
  ck_assert_double_eq_tol(machine->capacity[OL_TIER_GPU], 46.9e6, 0.05e6);
  ck_assert_double_eq_tol(machine->capacity[OL_TIER_HOST], 256e9 / 1706.6667, 1e3);
  ck_assert_double_eq_tol(machine->capacity[OL_TIER_NVME], 960e9 / 1706.6667, 1e4);
}
END_TEST

/* Nanoseconds a parameter: compute 0.35, gradients down 0.083, update 0.19, read 1.85, write 3.0.
 */
START_TEST(rates_of_the_worked_example)
{
  g_autoptr(OlHardware) a100 = ol_hardware_load(NULL, "a100-pcie4", NULL);
  ck_assert_ptr_nonnull(a100);
  double achieved = a100->peak_flops * a100->utilisation;
  ck_assert_double_eq_tol(achieved, 140e12, 0.5e12);
  ck_assert_double_eq_tol(6 * 8192 / achieved * 1e9, 0.35, 0.005);
  ck_assert_double_eq_tol(2 / a100->gpu_to_host * 1e9, 0.083, 0.001);
  ck_assert_double_eq_tol(2 / a100->host_to_gpu * 1e9, 0.083, 0.001);
  ck_assert_double_eq_tol(28 / a100->host_bandwidth * 1e9, 0.19, 0.005);
  ck_assert_double_eq_tol(12 / a100->nvme_read * 1e9, 1.85, 0.005);
  ck_assert_double_eq_tol(12 / a100->nvme_write * 1e9, 3.0, 0.005);
  ck_assert_double_ge(a100->host_threads * a100->host_rate_per_thread, a100->host_bandwidth);
}
END_TEST

START_TEST(learners_layers_change_no_scale)
{
  g_autoptr(OlRunConfig) config =
      default_with((const char *const[]){"model.layers=9", "hardware.gpu_mib=10", NULL});
  g_autoptr(OlMachine) machine = new_machine(config);
  ck_assert_double_eq_tol(machine->mu, 1706.67, 0.01);
  ck_assert_uint_eq(machine->capacity[OL_TIER_GPU], 10u << 20);
  g_autoptr(OlRunConfig) full = ol_machine_dup_full_size(machine, config);
  ck_assert_uint_eq(full->model.layers, 60); /* 9 · 40 / 6 */
}
END_TEST

START_TEST(full_size_is_the_big_model)
{
  g_autoptr(OlRunConfig) config =
      default_with((const char *const[]){"hardware.host_mib=5", "hardware.slowdown=1000", NULL});
  g_autoptr(OlMachine) machine = new_machine(config);
  g_autoptr(OlRunConfig) full = ol_machine_dup_full_size(machine, config);
  ck_assert_uint_eq(full->model.layers, 40);
  ck_assert_uint_eq(full->model.width, 2048);
  ck_assert_uint_eq(full->model.sequence, 2048);
  ck_assert_uint_eq(full->model.vocabulary, 64 * 16);
  ck_assert_uint_eq(full->model.heads, config->model.heads);
  ck_assert_uint_eq(full->batch.micro_batch, config->batch.micro_batch);
  ck_assert_ptr_null(full->hardware.stands_for);
  ck_assert_double_eq(full->hardware.host_mib, 0);
  ck_assert_double_eq(full->hardware.slowdown, 0);
  g_autoptr(OlMachine) there = new_machine(full);
  ck_assert_double_eq(there->mu, 1);
  ck_assert_uint_eq(there->capacity[OL_TIER_GPU], G_GUINT64_CONSTANT(80000000000));
}
END_TEST

/* Activations keep their ratio to weights: layers·(32·n·h + 2·a·s·n) over 12·layers·h². */
START_TEST(full_size_keeps_the_ratio_of_activations)
{
  g_autoptr(OlRunConfig) config = ol_run_config_new_default();
  g_autoptr(OlMachine) machine = new_machine(config);
  g_autoptr(OlRunConfig) full = ol_machine_dup_full_size(machine, config);
  const OlRunConfig *sizes[] = {config, full};
  double ratio[2];
  for (int i = 0; i < 2; i++) {
    double h = sizes[i]->model.width, s = sizes[i]->model.sequence, a = sizes[i]->model.heads;
    double n = s * sizes[i]->batch.micro_batch;
    ratio[i] = (32 * n * h + 2 * a * s * n) / (12 * h * h);
  }
  ck_assert_double_eq_tol(ratio[0], ratio[1], 1e-9);
}
END_TEST

START_TEST(nothing_stood_for_is_full_size_already)
{
  g_autoptr(OlRunConfig) config =
      default_with((const char *const[]){"hardware.stands_for=null", "hardware.gpu_mib=7", NULL});
  g_autoptr(OlMachine) machine = new_machine(config);
  ck_assert_double_eq(machine->mu, 1);
  ck_assert_double_eq(machine->kappa, 1);
  ck_assert_uint_eq(machine->capacity[OL_TIER_HOST], G_GUINT64_CONSTANT(256000000000));
  g_autoptr(OlRunConfig) full = ol_machine_dup_full_size(machine, config);
  g_autofree char *a = ol_run_config_dup_text(config, FALSE);
  g_autofree char *b = ol_run_config_dup_text(full, FALSE);
  ck_assert_str_eq(a, b);
}
END_TEST

START_TEST(clock_follows_the_device)
{
  g_autoptr(OlRunConfig) set = default_with((const char *const[]){"hardware.clock=machine", NULL});
  g_autoptr(OlRunConfig) cuda = default_with((const char *const[]){"hardware.device=cuda", NULL});
  g_autoptr(OlMachine) by_key = new_machine(set);
  g_autoptr(OlMachine) by_device = new_machine(cuda);
  ck_assert(!by_key->scale_clock);
  ck_assert(!by_device->scale_clock);
}
END_TEST

START_TEST(all_files_of_the_lab_load)
{
  g_auto(GStrv) profiles = ol_hardware_list(NULL);
  g_auto(GStrv) models = ol_model_reference_list(NULL);
  ck_assert_str_eq(profiles[0], "a100-pcie4");
  ck_assert_str_eq(profiles[1], "rtx4090-pcie4");
  ck_assert_str_eq(models[0], "gpt-10b");
  ck_assert_str_eq(models[1], "gpt-2b");
  for (char **name = profiles; *name; name++) {
    GError *error = NULL;
    g_autoptr(OlHardware) hardware = ol_hardware_load(NULL, *name, &error);
    ck_assert_msg(hardware != NULL, "%s", error ? error->message : "");
    ck_assert_str_eq(hardware->id, *name);
  }
  for (char **name = models; *name; name++) {
    GError *error = NULL;
    g_autoptr(OlModelReference) model = ol_model_reference_load(NULL, *name, &error);
    ck_assert_msg(model != NULL, "%s", error ? error->message : "");
    ck_assert_uint_eq(model->width % model->heads, 0);
    ck_assert_uint_eq(model->width % model->reference_width, 0);
  }
}
END_TEST

/* "GPT 2 B" and "GPT 10 B" are named after 12 · layers · width². */
START_TEST(models_have_the_size_of_their_name)
{
  g_autoptr(OlModelReference) small = ol_model_reference_load(NULL, "gpt-2b", NULL);
  g_autoptr(OlModelReference) large = ol_model_reference_load(NULL, "gpt-10b", NULL);
  ck_assert_double_eq_tol(12e-9 * small->layers * pow(small->width, 2), 2, 0.05);
  ck_assert_double_eq_tol(12e-9 * large->layers * pow(large->width, 2), 10, 0.1);
}
END_TEST

START_TEST(unknown_names_list_the_known_ones)
{
  g_autoptr(OlRunConfig) config =
      default_with((const char *const[]){"hardware.profile=h100", NULL});
  g_autoptr(GError) error = NULL, nowhere = NULL;
  ck_assert_ptr_null(ol_machine_new(config, NULL, &error));
  ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_BAD_INPUT));
  ck_assert_str_eq(error->message,
                   "hardware.profile: must be one of a100-pcie4, rtx4090-pcie4; it is \"h100\"");
  ck_assert_ptr_null(ol_machine_new(config, "/no/such/folder", &nowhere));
  ck_assert_ptr_nonnull(strstr(nowhere->message, "OFFLOAD_LAB_DATA"));
}
END_TEST

/* A copy of gpt-2b.json with one text changed. */
static const struct {
  const char *from, *to, *says;
} edits[] = {
    {"\"value\": 40,", "\"value\": 40.5,", "layers: value must be a whole number"},
    {"\"value\": 40,", "\"value\": \"40\",", "layers: value must be"},
    {"\"value\": 40,", "", "layers: value must be"},
    {"\"unit\": \"heads\",", "\"unit\": \"head\",", "heads: unit must be \"heads\""},
    {"\"source\": \"choice: 128 wide each\"", "\"source\": \"\"", "heads: source must say"},
    {"\"width\": {", "\"breadth\": {", "\"breadth\": unknown key"},
    {"\"title\": \"GPT 2 B\"", "\"title\": 2", "title: must be a text"},
    {"{", "[", ":2:10: "},
};

START_TEST(broken_files_name_their_key)
{
  g_autofree char *original = g_build_filename(ol_data_folder(), "models", "gpt-2b.json", NULL);
  g_autofree char *text = NULL;
  ck_assert(g_file_get_contents(original, &text, NULL, NULL));
  const char *at = strstr(text, edits[_i].from);
  ck_assert_ptr_nonnull(at);
  g_autofree char *broken = g_strdup_printf("%.*s%s%s", (int)(at - text), text, edits[_i].to,
                                            at + strlen(edits[_i].from));
  g_autofree char *folder = g_dir_make_tmp("ol-models-XXXXXX", NULL);
  g_autofree char *models = g_build_filename(folder, "models", NULL);
  g_autofree char *path = g_build_filename(models, "broken.json", NULL);
  ck_assert_int_eq(g_mkdir(models, 0700), 0);
  ck_assert(g_file_set_contents(path, broken, -1, NULL));
  g_autoptr(GError) error = NULL;
  ck_assert_ptr_null(ol_model_reference_load(folder, "broken", &error));
  ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_BAD_INPUT));
  ck_assert_msg(g_str_has_prefix(error->message, path) && strstr(error->message, edits[_i].says),
                "%s", error->message);
  g_remove(path);
  g_rmdir(models);
  g_rmdir(folder);
}
END_TEST

int main(void)
{
  TCase *tcase = tcase_create("hardware");
  tcase_add_test(tcase, scale_of_the_worked_example);
  tcase_add_test(tcase, rates_of_the_worked_example);
  tcase_add_test(tcase, learners_layers_change_no_scale);
  tcase_add_test(tcase, full_size_is_the_big_model);
  tcase_add_test(tcase, full_size_keeps_the_ratio_of_activations);
  tcase_add_test(tcase, nothing_stood_for_is_full_size_already);
  tcase_add_test(tcase, clock_follows_the_device);
  tcase_add_test(tcase, all_files_of_the_lab_load);
  tcase_add_test(tcase, models_have_the_size_of_their_name);
  tcase_add_test(tcase, unknown_names_list_the_known_ones);
  tcase_add_loop_test(tcase, broken_files_name_their_key, 0, G_N_ELEMENTS(edits));
  return run_suite("hardware", tcase);
}
