/* Long work on a thread of its own, so that the window goes on meanwhile: what it is, how far it
 * has come, and a way to stop it. The program stays until it has come to its end, also when the
 * window is closed: what the learner asked for is not lost. */
#pragma once

#include "engine/base/watch.h"
#include <gio/gio.h>

G_BEGIN_DECLS

/* On the thread. FALSE with an error; OL_ERROR_STOPPED when the watch ended it. */
typedef gboolean (*OlJobWork)(gpointer data, const OlWatch *watch, GError **error);

#define OL_TYPE_JOB (ol_job_get_type())
G_DECLARE_FINAL_TYPE(OlJob, ol_job, OL, JOB, GObject)

/* Signal "done" (GError *, or NULL when it went well). `words`: "Saving run.png". Takes `data`. */
OlJob *ol_job_new(const char *words, OlJobWork work, gpointer data, GDestroyNotify free_data);
void ol_job_start(OlJob *job);
void ol_job_stop(OlJob *job);

const char *ol_job_get_words(OlJob *job);
double ol_job_get_share(OlJob *job); /* 0 … 1, as far as the work tells */
gpointer ol_job_get_data(OlJob *job);

G_END_DECLS
