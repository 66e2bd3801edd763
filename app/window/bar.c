#include "app/window/bar.h"

#include "app/window/chart-look.h"

/* In ems of chart text. */
#define ROUND 0.24
#define EDGE  0.08

void ol_bar_snapshot(GtkWidget *widget, GtkSnapshot *snapshot, OlBarDraw draw)
{
  g_autoptr(OlChartStyle) style = ol_chart_look_dup_style(widget);
  int width = gtk_widget_get_width(widget), height = gtk_widget_get_height(widget);
  cairo_t *cairo =
      gtk_snapshot_append_cairo(snapshot, &GRAPHENE_RECT_INIT(0, 0, (float)width, (float)height));
  OlCanvas canvas;

  ol_canvas_init(&canvas, cairo, NULL, style, width, height);
  draw(widget, &canvas);
  ol_canvas_clear(&canvas);
  cairo_destroy(cairo);
}

int ol_bar_size(GtkWidget *widget, GtkOrientation orientation, double width_em, double height_em)
{
  g_autoptr(OlChartStyle) style = ol_chart_look_dup_style(widget);

  return (int)(style->text_size * (orientation == GTK_ORIENTATION_VERTICAL ? height_em : width_em));
}

void ol_bar_watch(GtkWidget *widget)
{
  ol_chart_look_watch(widget, G_CALLBACK(gtk_widget_queue_draw));
}

void ol_bar_begin_frame(OlCanvas *canvas, OlBox box)
{
  cairo_save(canvas->cairo);
  ol_paint_round_path(canvas, box, ROUND * canvas->em);
  cairo_clip(canvas->cairo);
}

void ol_bar_end_frame(OlCanvas *canvas, OlBox box)
{
  cairo_restore(canvas->cairo);
  ol_paint_outline(canvas, box, ROUND * canvas->em, EDGE * canvas->em,
                   ol_colour_mix(ol_style_line(canvas->style), ol_style_text(canvas->style), 0.35));
}
