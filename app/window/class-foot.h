/* What can be done in class now, below what is shown: a key each and what it does, to be clicked as
 * well. Each is an action of the window (class.…). */
#pragma once

#include "lessons/class-session.h"
#include <gtk/gtk.h>

G_BEGIN_DECLS

#define OL_TYPE_CLASS_FOOT (ol_class_foot_get_type())
G_DECLARE_FINAL_TYPE(OlClassFoot, ol_class_foot, OL, CLASS_FOOT, GtkBox)

GtkWidget *ol_class_foot_new(void);
/* is_running: a run is under way. */
void ol_class_foot_refresh(OlClassFoot *foot, const OlClassSession *session, gboolean is_running);

G_END_DECLS
