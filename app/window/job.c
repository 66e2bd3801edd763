#include "app/window/job.h"

#include <stdatomic.h>

#define WHOLE 1000 /* thousandths, for what two threads share */

struct _OlJob {
  GObject parent_instance;
  char *words;
  OlJobWork work;
  gpointer data;
  GDestroyNotify free_data;
  atomic_int done; /* thousandths */
  atomic_bool given_up;
};

G_DEFINE_FINAL_TYPE(OlJob, ol_job, G_TYPE_OBJECT)

enum { DONE, N_SIGNALS };
static guint signals[N_SIGNALS];

static void finalize(GObject *object)
{
  OlJob *self = OL_JOB(object);

  if (self->free_data)
    self->free_data(self->data);
  g_free(self->words);
  G_OBJECT_CLASS(ol_job_parent_class)->finalize(object);
}

static void ol_job_class_init(OlJobClass *class)
{
  G_OBJECT_CLASS(class)->finalize = finalize;
  signals[DONE] = g_signal_new("done", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                               NULL, G_TYPE_NONE, 1, G_TYPE_POINTER);
}

static void ol_job_init(OlJob *self)
{
}

OlJob *ol_job_new(const char *words, OlJobWork work, gpointer data, GDestroyNotify free_data)
{
  OlJob *self = g_object_new(OL_TYPE_JOB, NULL);

  self->words = g_strdup(words);
  self->work = work;
  self->data = data;
  self->free_data = free_data;
  return self;
}

static gboolean tell(double share, gpointer data)
{
  OlJob *self = data;

  atomic_store(&self->done, (int)(share * WHOLE));
  return !atomic_load(&self->given_up);
}

static void work_in_thread(GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  OlJob *self = source;
  const OlWatch watch = {tell, self};
  GError *error = NULL;

  if (self->work(self->data, &watch, &error))
    g_task_return_boolean(task, TRUE);
  else
    g_task_return_error(task, error);
}

static void on_done(GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr(GError) error = NULL;

  g_application_release(g_application_get_default());
  g_task_propagate_boolean(G_TASK(result), &error);
  g_signal_emit(source, signals[DONE], 0, error);
}

void ol_job_start(OlJob *self)
{
  g_autoptr(GTask) task = g_task_new(self, NULL, on_done, NULL);

  g_application_hold(g_application_get_default());
  g_task_run_in_thread(task, work_in_thread);
}

void ol_job_stop(OlJob *self)
{
  atomic_store(&self->given_up, TRUE);
}

const char *ol_job_get_words(OlJob *self)
{
  return self->words;
}

double ol_job_get_share(OlJob *self)
{
  return (double)atomic_load(&self->done) / WHOLE;
}

gpointer ol_job_get_data(OlJob *self)
{
  return self->data;
}
