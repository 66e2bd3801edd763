/* Texts that quote a run: "the step took {host:step.seconds}". Private to lessons/. */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* What takes the place of {run:metric}; NULL leaves the quote as it stands. run and metric are NULL
 * when a brace opens no such quote. */
typedef char *(*OlQuoteReplace)(const char *run, const char *metric, gpointer data);

/* `text` with its quotes replaced. Caller frees. */
char *ol_quotes_replace(const char *text, OlQuoteReplace replace, gpointer data);

/* Besides metrics, a run's settings may be quoted: "config.model.layers" is the key model.layers of
 * the config that the run was made with. The key path, or NULL when `metric` is no setting. */
const char *ol_quote_setting(const char *metric);

/* The scalar at a dotted key path, or NULL. Borrowed. */
JsonNode *ol_setting_find(JsonObject *config, const char *key_path);

G_END_DECLS
