/* A line at the window's foot that tells of a job under way and can stop it. Work that is done in
 * the blink of an eye never shows. */
#pragma once

#include "app/window/job.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_JOB_BAR (ol_job_bar_get_type())
G_DECLARE_FINAL_TYPE(OlJobBar, ol_job_bar, OL, JOB_BAR, GtkBox)

GtkWidget *ol_job_bar_new(void);
/* Starts a job and tells of it until it is done. One at a time: FALSE while another goes on. */
gboolean ol_job_bar_start(OlJobBar *bar, OlJob *job);
/* The words of the job that goes on, or NULL. */
const char *ol_job_bar_get_words(OlJobBar *bar);

G_END_DECLS
