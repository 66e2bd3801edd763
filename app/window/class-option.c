#include "app/window/class-option.h"

#include "app/window/words-label.h"
#include "engine/base/intl.h"

#define N_ROUNDS 2

struct _OlClassOption {
  GtkBox parent_instance;
  char letter[2];
  char *text;
  gboolean is_right;
  GtkWidget *button, *mark, *less, *tally;
  GtkLabel *reason;
  GtkWidget *bars[N_ROUNDS];
  GtkLabel *counts[N_ROUNDS];
  OlClassRound rounds[N_ROUNDS];
};

G_DEFINE_FINAL_TYPE(OlClassOption, ol_class_option, GTK_TYPE_BOX)

enum { VOTED, TAKEN_BACK, N_SIGNALS };
static guint signals[N_SIGNALS];

/* "B: it hides; 6 votes, after discussion 20; right" */
static void refresh_name(OlClassOption *self)
{
  GString *name = g_string_new(NULL);
  const OlClassRound *first = &self->rounds[0], *second = &self->rounds[1];

  g_string_append_printf(name, "%s: %s", self->letter, self->text);
  if (first->is_shown)
    g_string_append_printf(name, ol_ngettext("; %u vote", "; %u votes", first->votes),
                           first->votes);
  if (second->is_shown)
    g_string_append_printf(
        name, ol_ngettext("; after discussion %u", "; after discussion %u", second->votes),
        second->votes);
  if (self->is_right)
    g_string_append(name, _("; right"));
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                 name->str, -1);
  g_string_free(name, TRUE);
}

static void on_clicked(OlClassOption *self)
{
  g_signal_emit(self, signals[VOTED], 0);
}

static void on_less(OlClassOption *self)
{
  g_signal_emit(self, signals[TAKEN_BACK], 0);
}

void ol_class_option_set_open(OlClassOption *self, gboolean open)
{
  gtk_widget_set_can_target(self->button, open);
  gtk_widget_set_focusable(self->button, open);
  gtk_widget_set_visible(self->less, open);
}

void ol_class_option_set_rounds(OlClassOption *self, const OlClassRound rounds[2], guint widest)
{
  for (guint i = 0; i < N_ROUNDS; i++) {
    g_autofree char *count = g_strdup_printf("%u", rounds[i].votes);
    self->rounds[i] = rounds[i];
    gtk_widget_set_visible(self->bars[i], rounds[i].is_shown);
    gtk_widget_set_visible(GTK_WIDGET(self->counts[i]), rounds[i].is_shown);
    gtk_label_set_text(self->counts[i], count);
    gtk_progress_bar_set_fraction(GTK_PROGRESS_BAR(self->bars[i]),
                                  widest > 0 ? (double)rounds[i].votes / widest : 0);
    /* A bar of nothing would still be as wide as its round ends. */
    if (rounds[i].votes == 0)
      gtk_widget_add_css_class(self->bars[i], "nothing");
    else
      gtk_widget_remove_css_class(self->bars[i], "nothing");
  }
  gtk_widget_set_visible(self->tally, rounds[0].is_shown || rounds[1].is_shown);
  refresh_name(self);
}

void ol_class_option_set_right(OlClassOption *self, gboolean right)
{
  self->is_right = right;
  if (right)
    gtk_widget_add_css_class(GTK_WIDGET(self), "right");
  else
    gtk_widget_remove_css_class(GTK_WIDGET(self), "right");
  gtk_widget_set_visible(self->mark, right);
  refresh_name(self);
}

void ol_class_option_set_reason(OlClassOption *self, const char *reason)
{
  gtk_label_set_text(self->reason, reason ? reason : "");
  gtk_widget_set_visible(GTK_WIDGET(self->reason), reason != NULL);
}

static void finalize(GObject *object)
{
  g_free(OL_CLASS_OPTION(object)->text);
  G_OBJECT_CLASS(ol_class_option_parent_class)->finalize(object);
}

static void ol_class_option_class_init(OlClassOptionClass *class)
{
  GType type = G_TYPE_FROM_CLASS(class);

  G_OBJECT_CLASS(class)->finalize = finalize;
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_GROUP);
  signals[VOTED] =
      g_signal_new("voted", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[TAKEN_BACK] =
      g_signal_new("taken-back", type, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
}

/* The two bars, one above the other, and how many each is. */
static GtkWidget *make_tally(OlClassOption *self)
{
  static const char *const classes[] = {"first", "second"};
  const char *const names[] = {_("First vote"), _("Vote after discussion")};
  GtkWidget *grid = gtk_grid_new();

  for (int i = 0; i < N_ROUNDS; i++) {
    self->bars[i] = gtk_progress_bar_new();
    gtk_widget_add_css_class(self->bars[i], "class-bar");
    gtk_widget_add_css_class(self->bars[i], classes[i]);
    gtk_widget_set_hexpand(self->bars[i], TRUE);
    gtk_widget_set_valign(self->bars[i], GTK_ALIGN_CENTER);
    gtk_accessible_update_property(GTK_ACCESSIBLE(self->bars[i]), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                   names[i], -1);
    self->counts[i] = GTK_LABEL(gtk_label_new("0"));
    gtk_label_set_xalign(self->counts[i], 1);
    gtk_widget_add_css_class(GTK_WIDGET(self->counts[i]), "class-count");
    gtk_widget_add_css_class(GTK_WIDGET(self->counts[i]), classes[i]);
    gtk_grid_attach(GTK_GRID(grid), self->bars[i], 0, i, 1, 1);
    gtk_grid_attach(GTK_GRID(grid), GTK_WIDGET(self->counts[i]), 1, i, 1, 1);
  }
  gtk_widget_add_css_class(grid, "class-tally");
  gtk_widget_set_valign(grid, GTK_ALIGN_CENTER);
  gtk_widget_set_hexpand(grid, FALSE); /* all options' bars begin below each other */
  self->tally = grid;
  return grid;
}

static GtkWidget *make_words(OlClassOption *self)
{
  GtkWidget *words = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);

  self->reason = ol_words_label_new(NULL, "class-reason");
  gtk_widget_set_visible(GTK_WIDGET(self->reason), FALSE);
  gtk_box_append(GTK_BOX(words), GTK_WIDGET(ol_words_label_new(self->text, NULL)));
  gtk_box_append(GTK_BOX(words), GTK_WIDGET(self->reason));
  gtk_widget_set_hexpand(words, TRUE);
  gtk_widget_set_valign(words, GTK_ALIGN_CENTER);
  return words;
}

static GtkWidget *make_row(OlClassOption *self)
{
  GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0), *badge = gtk_label_new(self->letter);

  gtk_widget_add_css_class(badge, "badge");
  gtk_widget_set_valign(badge, GTK_ALIGN_CENTER);
  self->mark = gtk_label_new("✓");
  gtk_widget_add_css_class(self->mark, "class-mark");
  gtk_widget_set_visible(self->mark, FALSE);
  gtk_box_append(GTK_BOX(row), badge);
  gtk_box_append(GTK_BOX(row), self->mark);
  gtk_box_append(GTK_BOX(row), make_words(self));
  gtk_box_append(GTK_BOX(row), make_tally(self));
  return row;
}

static void ol_class_option_init(OlClassOption *self)
{
  gtk_widget_add_css_class(GTK_WIDGET(self), "class-option");
}

GtkWidget *ol_class_option_new(guint position, const char *text)
{
  OlClassOption *self = g_object_new(OL_TYPE_CLASS_OPTION, NULL);
  g_autofree char *less = NULL;

  self->letter[0] = (char)('A' + position);
  self->text = g_strdup(text);
  self->button = gtk_button_new();
  gtk_widget_add_css_class(self->button, "flat");
  gtk_widget_set_hexpand(self->button, TRUE);
  gtk_button_set_child(GTK_BUTTON(self->button), make_row(self));
  g_signal_connect_swapped(self->button, "clicked", G_CALLBACK(on_clicked), self);
  less = g_strdup_printf(_("Take a vote for %s back"), self->letter);
  self->less = gtk_button_new_from_icon_name("list-remove-symbolic");
  gtk_widget_add_css_class(self->less, "flat");
  gtk_widget_add_css_class(self->less, "class-less");
  gtk_widget_set_valign(self->less, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text(self->less, less);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->less), GTK_ACCESSIBLE_PROPERTY_LABEL, less,
                                 -1);
  g_signal_connect_swapped(self->less, "clicked", G_CALLBACK(on_less), self);
  gtk_box_append(GTK_BOX(self), self->button);
  gtk_box_append(GTK_BOX(self), self->less);
  ol_class_option_set_open(self, FALSE);
  ol_class_option_set_rounds(self, (OlClassRound[N_ROUNDS]){{FALSE}}, 0);
  return GTK_WIDGET(self);
}
