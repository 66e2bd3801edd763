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

static void check_names(char **names, const char *joined)
{
  g_autofree char *found = g_strjoinv(" ", names);
  ck_assert_str_eq(found, joined);
}

static void check_between(const char *name, const char *figure, double value, double least,
                          double most)
{
  ck_assert_msg(value >= least && value <= most, "%s: %s is %g, not from %g to %g", name, figure,
                value, least, most);
}

/* Bounds that a machine on sale keeps: they catch a unit, a bit for a byte, a power of ten. */
static void check_plausible(const OlHardware *h)
{
  check_between(h->id, "peak", h->peak_flops, 10e12, 3e15);
  check_between(h->id, "utilisation", h->utilisation, 0.25, 0.7);
  check_between(h->id, "GPU memory", h->gpu_bytes, 4e9, 300e9);
  check_between(h->id, "GPU bandwidth", h->gpu_bandwidth, 100e9, 10e12);
  /* Tensor cores outrun memory by tens to hundreds of flop a byte. */
  check_between(h->id, "flop a byte", h->peak_flops / h->gpu_bandwidth, 50, 400);
  /* From PCIe 3 x8, 7.9 GB/s, to PCIe 5 x16, 63; on no link does all of it arrive. */
  check_between(h->id, "down", h->gpu_to_host, 0.6 * 7.9e9, 0.95 * 63e9);
  check_between(h->id, "up", h->host_to_gpu, 0.6 * 7.9e9, 0.95 * 63e9);
  check_between(h->id, "pageable", h->pageable, 0.1 * h->host_to_gpu, 0.6 * h->host_to_gpu);
  check_between(h->id, "host memory", h->host_bytes / h->gpus_per_host, h->gpu_bytes, 4e12);
  check_between(h->id, "host bandwidth", h->host_bandwidth, 30e9, 1.2e12);
  check_between(h->id, "a thread", h->host_rate_per_thread, 4e9, 25e9);
  check_between(h->id, "threads", h->host_threads * h->host_rate_per_thread, h->host_bandwidth,
                1e13);
  /* A drive holds the states of what host memory holds, and is slower than memory and its writes.
   */
  check_between(h->id, "drive", h->nvme_bytes, h->host_bytes, 1e14);
  check_between(h->id, "read", h->nvme_read, 0.3e9, 0.5 * h->host_bandwidth);
  check_between(h->id, "write", h->nvme_write, 0.3e9, h->nvme_read);
  check_between(h->id, "latency", h->nvme_latency, h->link_latency, 1e-3);
  check_between(h->id, "launch", h->launch_latency, 1e-6, h->link_latency);
}

START_TEST(all_machines_are_plausible)
{
  g_auto(GStrv) profiles = ol_hardware_list(NULL);
  check_names(profiles, "a100-pcie4 h100-sxm-pcie5 h200 laptop-sata rtx4090-pcie4 v100-pcie3");
  for (char **name = profiles; *name; name++) {
    GError *error = NULL;
    g_autoptr(OlHardware) hardware = ol_hardware_load(NULL, *name, &error);
    ck_assert_msg(hardware != NULL, "%s", error ? error->message : "");
    ck_assert_str_eq(hardware->id, *name);
    check_plausible(hardware);
  }
}
END_TEST

/* The paper trains 10 B parameters on this machine at 40 TFLOP/s, so its GPU can do more; its Adam
 * moves 28 B a parameter in about 2.6 s. */
START_TEST(v100_is_the_machine_of_zero_offload)
{
  g_autoptr(OlHardware) v100 = ol_hardware_load(NULL, "v100-pcie3", NULL);
  ck_assert_double_gt(v100->peak_flops * v100->utilisation, 40e12);
  ck_assert_double_eq_tol(10e9 * 28 / v100->host_bandwidth, 2.6, 0.1);
  ck_assert_double_eq(v100->gpu_to_host, 12e9);
}
END_TEST

/* Each is named after 12 · layers · width²; the shapes borrowed from Llama 2, whose blocks have a
 * third product, come out some 8 % smaller. */
static const struct {
  const char *name;
  double billions, mu, kappa;
} models[] = {
    {"gpt-10b", 10, 8533.3, 32}, {"gpt-13b", 13, 8000, 40},  {"gpt-175b", 175, 49152, 64},
    {"gpt-2b", 2, 1706.7, 16},   {"gpt-70b", 70, 40960, 64}, {"gpt-7b", 7, 5461.3, 32},
};

START_TEST(all_models_have_the_size_of_their_name)
{
  g_auto(GStrv) names = ol_model_reference_list(NULL);
  check_names(names, "gpt-10b gpt-13b gpt-175b gpt-2b gpt-70b gpt-7b");
  GError *error = NULL;
  g_autoptr(OlModelReference) model = ol_model_reference_load(NULL, models[_i].name, &error);
  ck_assert_msg(model != NULL, "%s", error ? error->message : "");
  ck_assert_uint_eq(model->width % model->heads, 0);
  ck_assert_uint_eq(model->width % model->reference_width, 0);
  check_between(models[_i].name, "parameters", 12e-9 * model->layers * pow(model->width, 2),
                0.9 * models[_i].billions, 1.05 * models[_i].billions);
}
END_TEST

START_TEST(all_models_are_larger_than_their_reference)
{
  g_autofree char *stands_for = g_strconcat("hardware.stands_for=", models[_i].name, NULL);
  g_autoptr(OlRunConfig) config = default_with((const char *const[]){stands_for, NULL});
  g_autoptr(OlMachine) machine = new_machine(config);
  ck_assert_double_gt(machine->mu, 1);
  ck_assert_double_gt(machine->kappa, 1);
  ck_assert_double_eq_tol(machine->mu, models[_i].mu, 0.1);
  ck_assert_double_eq(machine->kappa, models[_i].kappa);
  /* What an A100 holds is still a memory here, not a page or two. */
  ck_assert_uint_gt(machine->capacity[OL_TIER_GPU], 1 << 20);
}
END_TEST

START_TEST(unknown_names_list_the_known_ones)
{
  g_autoptr(OlRunConfig) config =
      default_with((const char *const[]){"hardware.profile=h100", NULL});
  g_autoptr(GError) error = NULL, nowhere = NULL;
  ck_assert_ptr_null(ol_machine_new(config, NULL, &error));
  ck_assert(g_error_matches(error, OL_ERROR, OL_ERROR_BAD_INPUT));
  ck_assert_str_eq(
      error->message,
      "hardware.profile: must be one of a100-pcie4, h100-sxm-pcie5, h200, laptop-sata, "
      "rtx4090-pcie4, v100-pcie3; it is \"h100\"");
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
  tcase_add_test(tcase, all_machines_are_plausible);
  tcase_add_test(tcase, v100_is_the_machine_of_zero_offload);
  tcase_add_loop_test(tcase, all_models_have_the_size_of_their_name, 0, G_N_ELEMENTS(models));
  tcase_add_loop_test(tcase, all_models_are_larger_than_their_reference, 0, G_N_ELEMENTS(models));
  tcase_add_test(tcase, unknown_names_list_the_known_ones);
  tcase_add_loop_test(tcase, broken_files_name_their_key, 0, G_N_ELEMENTS(edits));
  return run_suite("hardware", tcase);
}
