#include "app/window/calibration-bar.h"

#include "app/charts/canvas.h"
#include "app/window/chart-look.h"

/* In ems of chart text. */
#define HEIGHT   1.5
#define SHORTEST 8.0
#define INSET    0.3 /* of the bar below and above: the line is longer */
#define ROUND    0.24
#define EDGE     0.08
#define LINE     0.18

#define FILL_ALPHA 0.55

struct _OlCalibrationBar {
  GtkWidget parent_instance;
  double near_share, sure_share;
};

G_DEFINE_FINAL_TYPE(OlCalibrationBar, ol_calibration_bar, GTK_TYPE_WIDGET)

static void draw(OlCalibrationBar *self, OlCanvas *canvas)
{
  double em = canvas->em, line = LINE * em;
  OlBox all = {0, INSET * em, canvas->width, canvas->height - 2 * INSET * em};
  OlBox near = {0, all.y, self->near_share * all.width, all.height};
  double x = CLAMP(self->sure_share * all.width, line / 2, all.width - line / 2);
  OlColour accent = ol_style_accent(canvas->style), ink = ol_style_text(canvas->style);

  cairo_save(canvas->cairo);
  ol_paint_round_path(canvas, all, ROUND * em);
  cairo_clip(canvas->cairo);
  ol_paint_fill(canvas, near, 0, ol_colour_with_alpha(accent, FILL_ALPHA));
  cairo_restore(canvas->cairo);
  ol_paint_outline(canvas, all, ROUND * em, EDGE * em,
                   ol_colour_mix(ol_style_line(canvas->style), ink, 0.35));
  ol_paint_line(canvas, x, 0, x, canvas->height, line, ink, FALSE);
}

static void snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
  g_autoptr(OlChartStyle) style = ol_chart_look_dup_style(widget);
  int width = gtk_widget_get_width(widget), height = gtk_widget_get_height(widget);
  cairo_t *cairo =
      gtk_snapshot_append_cairo(snapshot, &GRAPHENE_RECT_INIT(0, 0, (float)width, (float)height));
  OlCanvas canvas;

  ol_canvas_init(&canvas, cairo, NULL, style, width, height);
  draw(OL_CALIBRATION_BAR(widget), &canvas);
  ol_canvas_clear(&canvas);
  cairo_destroy(cairo);
}

static void measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                    int *natural, int *minimum_baseline, int *natural_baseline)
{
  g_autoptr(OlChartStyle) style = ol_chart_look_dup_style(widget);
  double ems = orientation == GTK_ORIENTATION_VERTICAL ? HEIGHT : SHORTEST;

  *minimum = *natural = (int)(style->text_size * ems);
  *minimum_baseline = *natural_baseline = -1;
}

static void ol_calibration_bar_class_init(OlCalibrationBarClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);

  widget_class->snapshot = snapshot;
  widget_class->measure = measure;
  gtk_widget_class_set_css_name(widget_class, "calibration-bar");
  gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void ol_calibration_bar_init(OlCalibrationBar *self)
{
  ol_chart_look_watch(GTK_WIDGET(self), G_CALLBACK(gtk_widget_queue_draw));
}

GtkWidget *ol_calibration_bar_new(double near_share, double sure_share)
{
  OlCalibrationBar *self = g_object_new(OL_TYPE_CALIBRATION_BAR, NULL);

  self->near_share = near_share;
  self->sure_share = sure_share;
  return GTK_WIDGET(self);
}
