#include "app/window/lab-window-private.h"

#include "app/window/bench.h"

/* Widths below which columns fold, in ems of the window's text: what fits is a matter of letters,
 * not of pixels. */
#define ALL_FITS_EM    74  /* sidebar, lesson and bench */
#define COLUMNS_FIT_EM 56  /* lesson and bench */
#define NAMES_FIT_EM   40  /* the lesson's name in the header */
#define TITLE_FITS_EM  27  /* the program's name there */
#define TALL_EM        40  /* height with room for more than what must stay in sight */
#define CHARTS_FIT_EM  54  /* height with room for both time charts and what is above them */
#define LINE_EM        1.2 /* height of a line */

void ol_lab_window_show_asked_column(OlLabWindow *self)
{
  /* Side by side both are in sight, and the leaflet would only move the focus. */
  if (adw_leaflet_get_folded(self->columns))
    adw_leaflet_set_visible_child(self->columns,
                                  self->bench_asked ? self->bench : GTK_WIDGET(self->column));
}

static double get_em(OlLabWindow *self)
{
  PangoContext *context = gtk_widget_get_pango_context(GTK_WIDGET(self->page));
  PangoFontMetrics *metrics = pango_context_get_metrics(context, NULL, NULL);
  double line =
      (double)(pango_font_metrics_get_ascent(metrics) + pango_font_metrics_get_descent(metrics)) /
      PANGO_SCALE;

  pango_font_metrics_unref(metrics);
  return line / LINE_EM;
}

/* Folds columns by how many letters fit. Not while the window lays itself out. */
static gboolean fold(gpointer data)
{
  OlLabWindow *self = data;
  double fitting = gtk_widget_get_width(GTK_WIDGET(self)) / get_em(self);
  double tall = gtk_widget_get_height(GTK_WIDGET(self)) / get_em(self);

  self->fold_source = 0;
  adw_flap_set_fold_policy(self->flap, fitting < ALL_FITS_EM ? ADW_FLAP_FOLD_POLICY_ALWAYS
                                                             : ADW_FLAP_FOLD_POLICY_NEVER);
  adw_leaflet_set_can_unfold(self->columns, fitting >= COLUMNS_FIT_EM);
  ol_lab_window_show_asked_column(self);
  ol_lab_header_set_narrow(self->header, fitting < COLUMNS_FIT_EM, fitting < NAMES_FIT_EM);
  ol_lab_header_set_title_shown(self->header, fitting >= TITLE_FITS_EM);
  ol_bench_set_room(OL_BENCH(self->bench), fitting < COLUMNS_FIT_EM, tall < CHARTS_FIT_EM);
  ol_sandbox_place_set_short(self->place, tall < TALL_EM);
  ol_lab_window_refresh(self);
  return G_SOURCE_REMOVE;
}

static void on_layout(OlLabWindow *self)
{
  if (!self->fold_source)
    self->fold_source = g_idle_add_full(G_PRIORITY_HIGH_IDLE, fold, self, NULL);
}

static void on_realized(OlLabWindow *self)
{
  g_signal_connect_object(gtk_native_get_surface(GTK_NATIVE(self)), "layout", G_CALLBACK(on_layout),
                          self, G_CONNECT_SWAPPED);
}

void ol_lab_window_watch_room(OlLabWindow *self)
{
  g_signal_connect(self, "realize", G_CALLBACK(on_realized), NULL);
  g_signal_connect_object(self->columns, "notify::folded", G_CALLBACK(on_layout), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(self->columns, "notify::visible-child", G_CALLBACK(on_layout), self,
                          G_CONNECT_SWAPPED);
}
