/* The window's insides: classroom-window.c shows, classroom-actions.c does what keys and buttons
 * ask for. */
#pragma once

#include "app/window/bench.h"
#include "app/window/class-board.h"
#include "app/window/class-foot.h"
#include "app/window/class-text.h"
#include "app/window/class-top.h"
#include "app/window/classroom-window.h"
#include "app/window/text-saver.h"
#include "lessons/progress.h"

G_BEGIN_DECLS

struct _OlClassroomWindow {
  AdwApplicationWindow parent_instance;
  OlClassSession *session;
  OlProgress *progress; /* nobody's */
  GPtrArray *works;     /* OlLessonWork of every question in order; NULL for one of a quiz */
  OlLabSession *lab;
  OlClassTop *top;
  OlClassBoard *board;
  OlClassFoot *foot;
  GtkWidget *bench; /* or NULL */
  GtkStack *stack;
  GtkWidget *blank;
  AdwToastOverlay *toasts;
  OlTextSaver *saver;
  OlClassText *top_text, *foot_text, *bench_text;
  guint fit_source, keep_source, awake; /* awake: what keeps the screen so, or 0 */
  gboolean is_kept;                     /* all votes are in the record */
  gboolean was_told;                    /* that they are not */
  guint held_key;                       /* key that is down: what repeats is no second press */
};

/* What is in sight may be different; `voted`: and so may be the results. */
void ol_classroom_window_refresh(OlClassroomWindow *self, gboolean voted);
void ol_classroom_window_tell(OlClassroomWindow *self, const char *text);
OlLessonWork *ol_classroom_window_get_work(OlClassroomWindow *self); /* NULL: of a quiz */
gboolean ol_classroom_window_is_running(OlClassroomWindow *self);
void ol_classroom_window_leave(OlClassroomWindow *self);

/* classroom-actions.c */
void ol_classroom_window_install_actions(GtkWidgetClass *widget_class);
void ol_classroom_window_add_keys(OlClassroomWindow *self);
void ol_classroom_window_set_blank(OlClassroomWindow *self, gboolean blank);

G_END_DECLS
