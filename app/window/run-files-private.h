/* The two files of OlRunFiles: run-files.c opens, run-files-save.c saves. */
#pragma once

#include "app/window/run-files.h"
#include "app/window/saving.h"

G_BEGIN_DECLS

struct _OlRunFiles {
  GObject parent_instance;
  AdwApplicationWindow *window; /* with what is in it: they live as long as this */
  OlBench *bench;
  OlJobBar *bar;
  OlLabSession *session;
  GtkFileChooserNative *chooser; /* while it is open */
  GFile *folder;                 /* where the last file was, or NULL */
  OlSave save;                   /* what is being saved, while it is asked where */
  OlTableKind table;
  char *proposal; /* the name that the chooser began with */
};

/* Something for a toast. */
void ol_run_files_tell(OlRunFiles *files, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* Something that must not go away unread. */
void ol_run_files_explain(OlRunFiles *files, const char *heading, const char *body);
/* FALSE, and told, while another job goes on. `done` (OlRunFiles *, const GError *, OlJob *). */
gboolean ol_run_files_start(OlRunFiles *files, OlJob *job, GCallback done);

/* Begins where the last file was. `chosen` (OlRunFiles *, int response). */
void ol_run_files_show_chooser(OlRunFiles *files, GtkFileChooserNative *chooser, GCallback chosen);
/* The file that was chosen, or NULL. The chooser is gone then. Caller unrefs. */
GFile *ol_run_files_take_chosen(OlRunFiles *files, int response);

void ol_run_files_on_save_picture(GSimpleAction *action, GVariant *parameter, gpointer files);
void ol_run_files_on_save_table(GSimpleAction *action, GVariant *table, gpointer files);
void ol_run_files_on_save_run(GSimpleAction *action, GVariant *parameter, gpointer files);
void ol_run_files_on_save_trace(GSimpleAction *action, GVariant *parameter, gpointer files);

G_END_DECLS
