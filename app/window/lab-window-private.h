/* The window's insides, shared by lab-window*.c. */
#pragma once

#include "app/window/engine-slot.h"
#include "app/window/lab-header.h"
#include "app/window/lab-pages.h"
#include "app/window/lab-session.h"
#include "app/window/lab-window.h"
#include "app/window/lesson-list.h"
#include "app/window/lesson-page.h"
#include "app/window/progress-files.h"
#include "app/window/run-files.h"
#include "app/window/sandbox-place.h"

G_BEGIN_DECLS

struct _OlLabWindow {
  AdwApplicationWindow parent_instance;
  OlProgressKeeper *keeper;
  OlProgress *progress; /* the keeper's */
  const char *data_folder;
  GPtrArray *courses;
  GPtrArray *works; /* OlLessonWork of every lesson, in order, then of every other place */
  OlEngineSlot *engine;
  guint current; /* in works, then the pages */
  OlLabSession *session;
  OlLabHeader *header;
  OlLessonList *list;
  OlLessonPage *page;
  OlSandboxPlace *place; /* the sandbox and the planner */
  GtkStack *column;      /* the lesson's page, or theirs */
  GtkWidget *bench;
  OlLabPages *pages;    /* lesson and bench, or what is in their place */
  gboolean bench_asked; /* the column that stays in sight when there is room for one only */
  OlRunFiles *files;
  OlProgressFiles *progress_files;
  AdwFlap *flap;
  AdwLeaflet *columns;
  AdwToastOverlay *toasts;
  AdwToast *asking; /* the last that has a button */
  guint fold_source;
};

static inline OlLessonWork *ol_lab_window_get_work(OlLabWindow *self)
{
  return ol_lab_session_get_work(self->session);
}

/* Which of the columns is in sight when they are folded, now or later. */
void ol_lab_window_show_column(OlLabWindow *self, gboolean bench);
/* Where the list lies over the columns it goes: what was asked for is beneath it. */
void ol_lab_window_leave_list(OlLabWindow *self);
/* In the list: a lesson, another place with a bench, or a page. */
void ol_lab_window_open_place(OlLabWindow *self, guint position);
/* The page that is open, or -1. */
int ol_lab_window_get_page(OlLabWindow *self);
/* Something that the list or the lesson shows may be different. */
void ol_lab_window_refresh(OlLabWindow *self);

/* lab-window-room.c: folds columns by how many letters fit. */
void ol_lab_window_watch_room(OlLabWindow *self);
void ol_lab_window_show_asked_column(OlLabWindow *self);

/* lab-window-actions.c */
void ol_lab_window_install_actions(GtkWidgetClass *widget_class);
void ol_lab_window_add_units(OlLabWindow *self);

/* lab-window-learning.c */
void ol_lab_window_install_learning(GtkWidgetClass *widget_class);
void ol_lab_window_watch_learning(OlLabWindow *self);

G_END_DECLS
