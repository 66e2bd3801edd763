#include "app/window/progress-keeper.h"

#define RETRY_SECONDS 4

struct _OlProgressKeeper {
  GObject parent_instance;
  OlProgress *progress;
  char *why;
  guint retry;
};

G_DEFINE_FINAL_TYPE(OlProgressKeeper, ol_progress_keeper, G_TYPE_OBJECT)

enum { CHANGED, RECOVERED, N_SIGNALS };
static guint signals[N_SIGNALS];

static gboolean on_retry(gpointer data)
{
  OlProgressKeeper *self = data;

  self->retry = 0; /* another one follows when this fails */
  ol_progress_save(self->progress, NULL);
  return G_SOURCE_REMOVE;
}

/* Somebody has tried to save. */
static void on_attempt(gpointer data, const char *why)
{
  OlProgressKeeper *self = data;
  gboolean recovered = self->why && !why;

  if (why && !self->retry)
    self->retry = g_timeout_add_seconds(RETRY_SECONDS, on_retry, self);
  else if (!why)
    g_clear_handle_id(&self->retry, g_source_remove);
  if (g_strcmp0(why, self->why) == 0)
    return;
  g_free(self->why);
  self->why = g_strdup(why);
  g_signal_emit(self, signals[CHANGED], 0);
  if (recovered)
    g_signal_emit(self, signals[RECOVERED], 0);
}

OlProgress *ol_progress_keeper_get(OlProgressKeeper *self)
{
  return self->progress;
}

const char *ol_progress_keeper_get_why(OlProgressKeeper *self)
{
  return self->why;
}

gboolean ol_progress_keeper_save(OlProgressKeeper *self)
{
  return ol_progress_save(self->progress, NULL);
}

static void finalize(GObject *object)
{
  OlProgressKeeper *self = OL_PROGRESS_KEEPER(object);

  g_clear_handle_id(&self->retry, g_source_remove);
  g_clear_pointer(&self->progress, ol_progress_free);
  g_free(self->why);
  G_OBJECT_CLASS(ol_progress_keeper_parent_class)->finalize(object);
}

static void ol_progress_keeper_class_init(OlProgressKeeperClass *class)
{
  GType type = G_TYPE_FROM_CLASS(class);

  G_OBJECT_CLASS(class)->finalize = finalize;
  signals[CHANGED] =
      g_signal_new("changed", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[RECOVERED] =
      g_signal_new("recovered", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

static void ol_progress_keeper_init(OlProgressKeeper *self)
{
}

OlProgressKeeper *ol_progress_keeper_new(const char *learner, GError **error)
{
  OlProgressKeeper *self = g_object_new(OL_TYPE_PROGRESS_KEEPER, NULL);

  self->progress = ol_progress_load(NULL, learner, error);
  ol_progress_set_watch(self->progress, on_attempt, self);
  return self;
}
