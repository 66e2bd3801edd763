/* What a class looks at but for the bench: the question with its options, the tally and the
 * explanation, in type as large as there is room for. */
#pragma once

#include "app/window/lesson-work.h"
#include "lessons/class-session.h"
#include <adwaita.h>

G_BEGIN_DECLS

#define OL_TYPE_CLASS_BOARD (ol_class_board_get_type())
G_DECLARE_FINAL_TYPE(OlClassBoard, ol_class_board, OL, CLASS_BOARD, AdwBin)

/* The session outlives it. Signal "changed": somebody voted by a click. */
GtkWidget *ol_class_board_new(OlClassSession *session);
/* `work`: of the question's lesson, whose runs the explanation quotes; NULL for a quiz. */
void ol_class_board_refresh(OlClassBoard *board, OlLessonWork *work);
/* The size of text that suits the room, in logical pixels, and the desktop's own, below which it
 * does not go. */
void ol_class_board_set_text(OlClassBoard *board, double size, double least);

G_END_DECLS
