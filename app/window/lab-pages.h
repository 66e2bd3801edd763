/* Pages that take the place of lesson and bench: what is open is a lesson, with its bench, or one
 * of these. A page is a row of the table in lab-pages.c.
 *
 * A page asks the window by its actions: win.open-lesson (s: lesson id), win.open-page (s: page
 * id), win.tell (s: for a toast), win.progress-changed (what the learner has done is not what it
 * was). */
#pragma once

#include "app/window/engine-slot.h"
#include "app/window/lesson-list.h"
#include "lessons/progress.h"
#include <adwaita.h>

G_BEGIN_DECLS

/* What a page is made from; all of it outlives the page. */
typedef struct {
  GPtrArray *courses; /* OlCourse */
  OlProgress *progress;
  const char *data_folder;
  OlEngineSlot *engine;
} OlLabPageNeeds;

typedef struct {
  const char *id;
  OlLabPlace place;                                /* its row in the list of lessons */
  GtkWidget *(*make)(const OlLabPageNeeds *needs); /* when it is first opened */
  void (*open)(GtkWidget *page);                   /* it comes in sight, and takes the focus */
  char *(*dup_news)(const OlLabPageNeeds *needs);  /* "2 due", or NULL; the function may be NULL */
  /* Both NULL for a page where nothing is edited. */
  gboolean (*is_changed)(GtkWidget *page);  /* something was, and is not saved */
  void (*forget)(GtkWidget *page);          /* that it was */
  gboolean (*is_teaching)(GtkWidget *page); /* a class is under way; or NULL */
} OlLabPageKind;

#define OL_TYPE_LAB_PAGES (ol_lab_pages_get_type())
G_DECLARE_FINAL_TYPE(OlLabPages, ol_lab_pages, OL, LAB_PAGES, AdwBin)

guint ol_lab_pages_count(void);
const OlLabPageKind *ol_lab_pages_get_kind(guint page);
int ol_lab_pages_find(const char *id); /* or -1 */

/* columns: lesson and bench. Shows those at first. */
GtkWidget *ol_lab_pages_new(GtkWidget *columns, const OlLabPageNeeds *needs);
void ol_lab_pages_show(OlLabPages *pages, int page); /* -1: the columns */
/* Once it was shown; else NULL. */
GtkWidget *ol_lab_pages_get(OlLabPages *pages, guint page);
/* What there is to do on a page, in a few words, or NULL. Caller frees. */
char *ol_lab_pages_dup_news(OlLabPages *pages, guint page);
/* Whether something on a page was changed and not saved since; and that this does not matter. */
gboolean ol_lab_pages_are_changed(OlLabPages *pages);
void ol_lab_pages_forget(OlLabPages *pages);
gboolean ol_lab_pages_are_teaching(OlLabPages *pages);

G_END_DECLS
