/* The header bar: run and stop, the scale model, where we are, and the menu. */
#pragma once

#include "app/window/lab-session.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

typedef enum { OL_SUGGEST_NOTHING, OL_SUGGEST_RUN, OL_SUGGEST_LESSON } OlSuggestion;

#define OL_TYPE_LAB_HEADER (ol_lab_header_get_type())
G_DECLARE_FINAL_TYPE(OlLabHeader, ol_lab_header, OL, LAB_HEADER, GtkBox)

GtkWidget *ol_lab_header_new(OlLabSession *session, OlProgress *progress);
/* busy: a run of any lesson is under way. */
void ol_lab_header_refresh(OlLabHeader *header, OlLessonWork *work, gboolean busy);
/* In place of the lesson: a page, with this title, which has nothing to run. */
void ol_lab_header_show_page(OlLabHeader *header, const char *title, gboolean busy);
/* Folded columns get a switch, which says which one is in sight. */
void ol_lab_header_set_columns(OlLabHeader *header, gboolean folded, gboolean lesson_in_sight);
/* No room for words that can be read elsewhere; when very narrow, not even for a lesson's name. */
void ol_lab_header_set_narrow(OlLabHeader *header, gboolean narrow, gboolean very);
/* Narrower still, words between the buttons would be cut: none are shown. */
void ol_lab_header_set_title_shown(OlLabHeader *header, gboolean shown);
void ol_lab_header_suggest(OlLabHeader *header, OlSuggestion suggestion);

G_END_DECLS
