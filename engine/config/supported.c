/* What is valid, but not what this engine can run. A row goes when its idea comes. */
#include "engine/config/fields-private.h"

static const struct {
  const char *path;
  double least, most; /* what it can run, as ol_field_get_number() gives it */
} runs[] = {
    {"parallel.tensor", 1, 1},
};

gboolean ol_run_config_check_supported(const OlRunConfig *config, GError **error)
{
  g_autoptr(OlFaults) faults = ol_faults_new(NULL);
  for (guint i = 0; i < G_N_ELEMENTS(runs); i++) {
    const OlField *field = ol_field_find(runs[i].path);
    double value = ol_field_get_number(field, config);
    if (value >= runs[i].least && value <= runs[i].most)
      continue;
    g_autofree char *asked = ol_field_dup_spelling(field, value);
    g_autofree char *least = ol_field_dup_spelling(field, runs[i].least);
    g_autofree char *most = ol_field_dup_spelling(field, runs[i].most);
    gboolean one = runs[i].least == runs[i].most;
    ol_faults_add(faults, field->path, "%s is valid, but this engine cannot run it yet; set %s%s%s",
                  asked, least, one ? "" : " or ", one ? "" : most);
  }
  return ol_faults_none(faults, OL_ERROR_NOT_YET, error);
}
