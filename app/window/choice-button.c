#include "app/window/choice-button.h"

#include "engine/base/intl.h"

struct _OlChoiceButton {
  GtkToggleButton parent_instance;
  GtkLabel *badge;
  char letter[2];
  char *text;
};

G_DEFINE_FINAL_TYPE(OlChoiceButton, ol_choice_button, GTK_TYPE_TOGGLE_BUTTON)

static const struct {
  const char *css_class, *words; /* colour is never the only difference */
} verdicts[] = {
    [OL_VERDICT_NONE] = {NULL, ""},
    [OL_VERDICT_RIGHT] = {"right", N_(", right")},
    [OL_VERDICT_WRONG] = {"wrong", N_(", not right")},
};

void ol_choice_button_set_verdict(OlChoiceButton *self, OlVerdict verdict)
{
  g_autofree char *name =
      g_strdup_printf("%s: %s%s", self->letter, self->text,
                      *verdicts[verdict].words ? _(verdicts[verdict].words) : "");

  for (guint i = 0; i < G_N_ELEMENTS(verdicts); i++)
    if (verdicts[i].css_class)
      gtk_widget_remove_css_class(GTK_WIDGET(self), verdicts[i].css_class);
  if (verdicts[verdict].css_class)
    gtk_widget_add_css_class(GTK_WIDGET(self), verdicts[verdict].css_class);
  gtk_label_set_text(self->badge, verdict == OL_VERDICT_RIGHT   ? "✓"
                                  : verdict == OL_VERDICT_WRONG ? "✗"
                                                                : self->letter);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static void finalize(GObject *object)
{
  g_free(OL_CHOICE_BUTTON(object)->text);
  G_OBJECT_CLASS(ol_choice_button_parent_class)->finalize(object);
}

static void ol_choice_button_class_init(OlChoiceButtonClass *class)
{
  G_OBJECT_CLASS(class)->finalize = finalize;
}

static void ol_choice_button_init(OlChoiceButton *self)
{
  gtk_widget_add_css_class(GTK_WIDGET(self), "choice");
}

GtkWidget *ol_choice_button_new(guint position, const char *text)
{
  OlChoiceButton *self = g_object_new(OL_TYPE_CHOICE_BUTTON, NULL);
  GtkWidget *row = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0), *words = gtk_label_new(text);

  self->letter[0] = (char)('A' + position);
  self->text = g_strdup(text);
  self->badge = GTK_LABEL(gtk_label_new(self->letter));
  gtk_widget_add_css_class(GTK_WIDGET(self->badge), "badge");
  gtk_widget_set_valign(GTK_WIDGET(self->badge), GTK_ALIGN_CENTER);
  gtk_label_set_wrap(GTK_LABEL(words), TRUE);
  gtk_label_set_wrap_mode(GTK_LABEL(words), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign(GTK_LABEL(words), 0);
  gtk_widget_set_hexpand(words, TRUE);
  gtk_box_append(GTK_BOX(row), GTK_WIDGET(self->badge));
  gtk_box_append(GTK_BOX(row), words);
  gtk_button_set_child(GTK_BUTTON(self), row);
  ol_choice_button_set_verdict(self, OL_VERDICT_NONE);
  return GTK_WIDGET(self);
}
