#include "app/sandbox/big-model.h"

#include "app/sandbox/full-size.h"
#include "engine/base/intl.h"
#include "engine/config/hardware.h"

#define FIRST_STEPS 2 /* one like the other: more would only be more of the same */

static const char *const paths[] = {"model.layers", "model.width", "model.heads", "model.sequence",
                                    "model.vocabulary"};
#define N_NUMBERS G_N_ELEMENTS(paths)

guint ol_config_key(const char *path)
{
  guint n;

  return (guint)(ol_field_find(path) - ol_fields_get(&n));
}

static void take_numbers(const OlModelReference *model, guint numbers[N_NUMBERS])
{
  numbers[0] = model->layers;
  numbers[1] = model->width;
  numbers[2] = model->heads;
  numbers[3] = model->sequence;
  numbers[4] = model->vocabulary;
}

gboolean ol_big_model_set(OlConfigDraft *draft, const char *name, const char *data_folder,
                          GError **error)
{
  g_autoptr(OlModelReference) model = ol_model_reference_load(data_folder, name, error);
  guint keys[N_NUMBERS], numbers[N_NUMBERS];
  g_auto(GStrv) typed = g_new0(char *, N_NUMBERS + 1);

  if (!model)
    return FALSE;
  take_numbers(model, numbers);
  for (guint i = 0; i < N_NUMBERS; i++) {
    keys[i] = ol_config_key(paths[i]);
    typed[i] = g_strdup_printf("%u", numbers[i]);
  }
  ol_config_draft_set_many(draft, keys, typed, N_NUMBERS);
  return TRUE;
}

OlRunConfig *ol_big_model_new_config(const char *data_folder)
{
  g_autoptr(OlRunConfig) plain = ol_run_config_new_default();
  g_autoptr(OlRunConfig) full = ol_full_size_dup_config(plain, data_folder, NULL);
  g_autoptr(OlConfigDraft) draft = NULL;
  OlRunConfig *big;

  if (!full)
    return g_steal_pointer(&plain);
  full->steps = FIRST_STEPS;
  draft = ol_config_draft_new(full);
  ol_big_model_set(draft, plain->hardware.stands_for, data_folder, NULL);
  big = ol_config_draft_try(draft, NULL);
  return big ? big : g_steal_pointer(&full);
}

static gboolean stands_in(const OlConfigDraft *draft, const OlModelReference *model)
{
  guint numbers[N_NUMBERS];

  take_numbers(model, numbers);
  for (guint i = 0; i < N_NUMBERS; i++)
    if (ol_config_draft_get_number(draft, ol_config_key(paths[i])) != numbers[i])
      return FALSE;
  return TRUE;
}

int ol_big_model_find(const OlConfigDraft *draft, char **names, const char *data_folder)
{
  for (int i = 0; names[i]; i++) {
    g_autoptr(OlModelReference) model = ol_model_reference_load(data_folder, names[i], NULL);
    if (model && stands_in(draft, model))
      return i;
  }
  return -1;
}

static char *dup_model_title(const OlRunConfig *config, const char *data_folder)
{
  g_autoptr(OlConfigDraft) draft = ol_config_draft_new(config);
  g_auto(GStrv) names = ol_model_reference_list(data_folder);
  int found = ol_big_model_find(draft, names, data_folder);
  g_autoptr(OlModelReference) model =
      found >= 0 ? ol_model_reference_load(data_folder, names[found], NULL) : NULL;

  return model ? g_strdup(model->title)
               : g_strdup_printf(_("%u layers of width %u"), config->model.layers,
                                 config->model.width);
}

char *ol_big_model_dup_title(const OlRunConfig *config, const char *data_folder)
{
  g_autoptr(OlHardware) hardware = ol_hardware_load(data_folder, config->hardware.profile, NULL);
  guint ranks = config->parallel.data * config->parallel.tensor * config->parallel.pipeline;
  const char *machine = hardware ? hardware->title : config->hardware.profile;
  g_autofree char *model = NULL;

  if (*config->name)
    return g_strdup(config->name);
  model = dup_model_title(config, data_folder);
  return ranks > 1 ? g_strdup_printf(_("%s on %u × %s"), model, ranks, machine)
                   : g_strdup_printf(_("%s on %s"), model, machine);
}
