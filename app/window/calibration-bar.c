#include "app/window/calibration-bar.h"

#include "app/window/bar.h"

/* In ems of chart text. */
#define HEIGHT   1.5
#define SHORTEST 8.0
#define INSET    0.3 /* of the bar below and above: the line is longer */
#define LINE     0.18

#define FILL_ALPHA 0.55

struct _OlCalibrationBar {
  GtkWidget parent_instance;
  double near_share, sure_share;
};

G_DEFINE_FINAL_TYPE(OlCalibrationBar, ol_calibration_bar, GTK_TYPE_WIDGET)

static void draw(GtkWidget *widget, OlCanvas *canvas)
{
  OlCalibrationBar *self = OL_CALIBRATION_BAR(widget);
  double em = canvas->em, line = LINE * em;
  OlBox all = {0, INSET * em, canvas->width, canvas->height - 2 * INSET * em};
  OlBox near = {0, all.y, self->near_share * all.width, all.height};
  double x = CLAMP(self->sure_share * all.width, line / 2, all.width - line / 2);

  ol_bar_begin_frame(canvas, all);
  ol_paint_fill(canvas, near, 0, ol_colour_with_alpha(ol_style_accent(canvas->style), FILL_ALPHA));
  ol_bar_end_frame(canvas, all);
  ol_paint_line(canvas, x, 0, x, canvas->height, line, ol_style_text(canvas->style), FALSE);
}

static void snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
  ol_bar_snapshot(widget, snapshot, draw);
}

static void measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                    int *natural, int *minimum_baseline, int *natural_baseline)
{
  *minimum = *natural = ol_bar_size(widget, orientation, SHORTEST, HEIGHT);
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
  ol_bar_watch(GTK_WIDGET(self));
}

GtkWidget *ol_calibration_bar_new(double near_share, double sure_share)
{
  OlCalibrationBar *self = g_object_new(OL_TYPE_CALIBRATION_BAR, NULL);

  self->near_share = near_share;
  self->sure_share = sure_share;
  return GTK_WIDGET(self);
}
