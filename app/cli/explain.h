/* What an answer in the terminal was worth. */
#pragma once

#include "lessons/course.h"

G_BEGIN_DECLS

typedef void (*OlExplainPrint)(const char *why, gpointer data);

/* Right or not, and why: of the option at the place `shown`, and when that is wrong of every right
 * one, by its letter. order: [n], place shown → option; NULL: as they stand. `print` prints a
 * reason, NULL where there is none. */
void ol_explain_answer(const OlOption *options, guint n, const guint *order, guint shown,
                       OlExplainPrint print, gpointer data);

G_END_DECLS
