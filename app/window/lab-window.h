/* The window: header bar, lessons, lesson column and bench, and the actions that keys and buttons
 * share. */
#pragma once

#include "app/window/progress-keeper.h"
#include "lessons/course.h"
#include <adwaita.h>

G_BEGIN_DECLS

#define OL_TYPE_LAB_WINDOW (ol_lab_window_get_type())
G_DECLARE_FINAL_TYPE(OlLabWindow, ol_lab_window, OL, LAB_WINDOW, AdwApplicationWindow)

/* courses: of OlCourse, at least one lesson. What it is given must outlive it. Opens the first
 * lesson that is not done. */
OlLabWindow *ol_lab_window_new(GtkApplication *application, GPtrArray *courses,
                               OlProgressKeeper *keeper, const char *data_folder);
/* The application's, whichever of its windows is in front; or NULL. */
OlLabWindow *ol_lab_window_find(GtkApplication *application);
/* Opens a saved run on the bench or a config in the sandbox, or says why it cannot be. */
void ol_lab_window_open(OlLabWindow *window, GFile *file);
/* The help page about what has the focus, or about what is open. */
const char *ol_lab_window_get_help_page(OlLabWindow *window);
/* A short message that goes away by itself. */
void ol_lab_window_tell(OlLabWindow *window, const char *text);
/* The same with a button, and the action that it is for. */
void ol_lab_window_tell_with(OlLabWindow *window, const char *text, const char *button,
                             const char *action);
/* A run is under way. */
gboolean ol_lab_window_is_busy(OlLabWindow *window);
/* A class is under way, and ends with the window. */
gboolean ol_lab_window_is_teaching(OlLabWindow *window);
/* A quiz, a lesson or a class has something that is not saved. */
gboolean ol_lab_window_is_editing(OlLabWindow *window);

/* FALSE: something is not saved, and a question about it is above the window, which closes it in
 * the end or not. */
gboolean ol_lab_window_may_close(OlLabWindow *window);

G_END_DECLS
