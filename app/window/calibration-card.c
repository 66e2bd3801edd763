#include "app/window/calibration-card.h"

#include "app/window/calibration-bar.h"
#include "app/window/words-label.h"
#include "engine/base/intl.h"
#include "lessons/lesson-words.h"

struct _OlCalibrationCard {
  GtkBox parent_instance;
  GtkLabel *verdict, *key;
  GtkWidget *grid;
};

G_DEFINE_FINAL_TYPE(OlCalibrationCard, ol_calibration_card, GTK_TYPE_BOX)

static void add_bin(OlCalibrationCard *self, OlSureness sureness, const OlCalibrationBin *bin)
{
  GtkGrid *grid = GTK_GRID(self->grid);
  GtkWidget *name = gtk_label_new(ol_sureness_get_words(sureness));
  g_autofree char *text = ol_calibration_bin_dup_words(bin);
  GtkWidget *words = GTK_WIDGET(ol_words_label_new(text, bin->n > 0 ? NULL : "dim-label"));
  int row = (int)sureness;

  gtk_label_set_xalign(GTK_LABEL(name), 0);
  gtk_widget_set_valign(words, GTK_ALIGN_CENTER);
  gtk_grid_attach(grid, name, 0, row, 1, 1);
  gtk_grid_attach(grid, words, 2, row, 1, 1);
  if (bin->n == 0)
    return;
  GtkWidget *bar = ol_calibration_bar_new((double)bin->near / bin->n, bin->sure);
  gtk_widget_set_hexpand(bar, TRUE);
  gtk_widget_set_valign(bar, GTK_ALIGN_CENTER);
  gtk_grid_attach(grid, bar, 1, row, 1, 1);
}

void ol_calibration_card_show(OlCalibrationCard *self, const OlSummary *summary)
{
  g_autofree char *verdict = ol_summary_dup_verdict(summary);
  GtkWidget *child;
  guint n = 0;

  while ((child = gtk_widget_get_first_child(self->grid)))
    gtk_grid_remove(GTK_GRID(self->grid), child);
  for (int i = 0; i < OL_N_SURENESSES; i++) {
    add_bin(self, (OlSureness)i, &summary->bins[i]);
    n += summary->bins[i].n;
  }
  gtk_label_set_text(self->verdict, verdict);
  gtk_widget_set_visible(self->grid, n > 0);
  gtk_label_set_text(self->key,
                     n > 0 ? _("Bar: how often you were near. Line: how sure you were. They "
                               "should meet.")
                           : _("Say how sure you are when you predict in a lesson, and this shows "
                               "how right you were."));
}

static void ol_calibration_card_class_init(OlCalibrationCardClass *class)
{
}

static void ol_calibration_card_init(OlCalibrationCard *self)
{
  gtk_orientable_set_orientation(GTK_ORIENTABLE(self), GTK_ORIENTATION_VERTICAL);
  gtk_widget_add_css_class(GTK_WIDGET(self), "card");
  gtk_widget_add_css_class(GTK_WIDGET(self), "padded");
  self->verdict = ol_words_label_new(NULL, "heading");
  self->grid = gtk_grid_new();
  self->key = ol_words_label_new(NULL, "row-words");
  gtk_widget_add_css_class(self->grid, "calibration");
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->verdict));
  gtk_box_append(GTK_BOX(self), self->grid);
  gtk_box_append(GTK_BOX(self), GTK_WIDGET(self->key));
}

GtkWidget *ol_calibration_card_new(void)
{
  return g_object_new(OL_TYPE_CALIBRATION_CARD, NULL);
}
