#include "app/window/class-top.h"

#include "app/window/fold-row.h"
#include "app/window/words-label.h"
#include "engine/base/intl.h"

#define N_ROUNDS  2
#define MOST_KEYS 9u /* that vote: 1 to 9 */

struct _OlClassTop {
  GtkBox parent_instance;
  GtkLabel *place, *votes, *legend[N_ROUNDS];
  GtkWidget *keys[N_ROUNDS]; /* a piece of the bar with its words */
};

G_DEFINE_FINAL_TYPE(OlClassTop, ol_class_top, GTK_TYPE_BOX)

/* "First vote: 24 votes". Caller frees. */
static char *dup_legend(guint round, guint votes)
{
  return round == 0 ? g_strdup_printf(ol_ngettext("hatched: first vote, %u voter",
                                                  "hatched: first vote, %u voters", votes),
                                      votes)
                    : g_strdup_printf(ol_ngettext("solid: after discussion, %u voter",
                                                  "solid: after discussion, %u voters", votes),
                                      votes);
}

static char *dup_votes(const OlClassSession *session, guint round)
{
  guint votes = ol_class_session_get_total(session, round);
  guint last = MIN(ol_class_session_get_item(session)->n_options, MOST_KEYS);

  return g_strdup_printf(ol_ngettext("The vote is open · keys 1 to %u, or clicks · %u vote",
                                     "The vote is open · keys 1 to %u, or clicks · %u votes",
                                     votes),
                         last, votes);
}

void ol_class_top_refresh(OlClassTop *self, const OlClassSession *session)
{
  const OlClassItem *item = ol_class_session_get_item(session);
  int open = ol_class_session_get_open_round(session);
  gboolean on_board = ol_class_session_get_stage(session) != OL_CLASS_BENCH;
  g_autofree char *place =
      g_strdup_printf(_("%s · %u of %u"), item->group, ol_class_session_get_position(session) + 1,
                      ol_class_session_count(session));
  g_autofree char *votes = open >= 0 ? dup_votes(session, (guint)open) : NULL;

  gtk_label_set_text(self->place, place);
  gtk_label_set_text(self->votes, votes ? votes : "");
  gtk_widget_set_visible(GTK_WIDGET(self->votes), votes != NULL);
  for (guint i = 0; i < N_ROUNDS; i++) {
    g_autofree char *legend = dup_legend(i, ol_class_session_get_total(session, i));
    gtk_label_set_text(self->legend[i], legend);
    gtk_widget_set_visible(self->keys[i], on_board && ol_class_session_shows_round(session, i));
  }
}

static GtkWidget *make_key(OlClassTop *self, guint round)
{
  static const char *const classes[N_ROUNDS] = {"first", "second"};
  GtkWidget *key = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  GtkWidget *swatch =
      g_object_new(GTK_TYPE_BOX, "accessible-role", GTK_ACCESSIBLE_ROLE_PRESENTATION, "valign",
                   GTK_ALIGN_CENTER, NULL);

  gtk_widget_add_css_class(swatch, "class-swatch");
  gtk_widget_add_css_class(swatch, classes[round]);
  self->legend[round] = ol_words_label_new(NULL, NULL);
  gtk_box_append(GTK_BOX(key), swatch);
  gtk_box_append(GTK_BOX(key), GTK_WIDGET(self->legend[round]));
  self->keys[round] = key;
  return key;
}

static void ol_class_top_class_init(OlClassTopClass *class)
{
}

static void ol_class_top_init(OlClassTop *self)
{
  GtkWidget *right = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0), *row;

  self->place = ol_words_label_new(NULL, "class-place");
  self->votes =
      GTK_LABEL(g_object_new(GTK_TYPE_LABEL, "accessible-role", GTK_ACCESSIBLE_ROLE_STATUS, NULL));
  gtk_widget_add_css_class(right, "class-legend");
  gtk_box_append(GTK_BOX(right), GTK_WIDGET(self->votes));
  for (guint i = 0; i < N_ROUNDS; i++)
    gtk_box_append(GTK_BOX(right), make_key(self, i));
  row = ol_fold_row_new(GTK_WIDGET(self->place), right);
  gtk_widget_set_hexpand(row, TRUE);
  gtk_widget_add_css_class(GTK_WIDGET(self), "class-top");
  gtk_box_append(GTK_BOX(self), row);
}

GtkWidget *ol_class_top_new(void)
{
  return g_object_new(OL_TYPE_CLASS_TOP, NULL);
}
