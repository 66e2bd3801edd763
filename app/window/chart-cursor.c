#include "app/window/chart-cursor.h"

#define LINE_WIDTH 1.5
#define DASH       4.0
#define OUTLINE_EM 0.12 /* of the hovered span */
#define CORNER_EM  0.35

struct _OlChartCursor {
  GtkWidget parent_instance;
  OlChartArea *area;
};

G_DEFINE_FINAL_TYPE(OlChartCursor, ol_chart_cursor, GTK_TYPE_WIDGET)

typedef struct {
  GtkSnapshot *snapshot;
  GdkRGBA colour;
  double width, height, left, right; /* of the widget; edges of the plot */
  const OlChartView *view;
  const OlChartStyle *style;
} Canvas;

static double x_at(const Canvas *canvas, gint64 time_ns)
{
  return CLAMP(ol_chart_x_at(canvas->view, canvas->style, canvas->width, time_ns), canvas->left,
               canvas->right);
}

/* Times are those of the run that is drawn. */
static void draw_marked(const Canvas *canvas, gint64 begin_ns, gint64 end_ns)
{
  double left = x_at(canvas, begin_ns), right = x_at(canvas, end_ns);
  GdkRGBA tint = canvas->colour;

  tint.alpha = 0.16f;
  gtk_snapshot_append_color(
      canvas->snapshot, &tint,
      &GRAPHENE_RECT_INIT((float)left, 0, (float)(right - left), (float)canvas->height));
}

static void draw_line(const Canvas *canvas, gint64 time_ns)
{
  float x = (float)(x_at(canvas, time_ns) - LINE_WIDTH / 2);

  if (time_ns < canvas->view->begin_ns || time_ns > canvas->view->end_ns)
    return;
  gtk_snapshot_push_repeat(canvas->snapshot,
                           &GRAPHENE_RECT_INIT(x, 0, LINE_WIDTH, (float)canvas->height),
                           &GRAPHENE_RECT_INIT(x, 0, LINE_WIDTH, 2 * DASH));
  gtk_snapshot_append_color(canvas->snapshot, &canvas->colour,
                            &GRAPHENE_RECT_INIT(x, 0, LINE_WIDTH, DASH));
  gtk_snapshot_pop(canvas->snapshot);
}

static void draw_hovered(const Canvas *canvas)
{
  float line = (float)(OUTLINE_EM * canvas->style->text_size);
  const float widths[4] = {line, line, line, line};
  const GdkRGBA colours[4] = {canvas->colour, canvas->colour, canvas->colour, canvas->colour};
  cairo_rectangle_t box;
  GskRoundedRect outline;

  if (!ol_chart_mark(canvas->width, canvas->height, canvas->view, canvas->style,
                     canvas->view->hovered_span, &box))
    return;
  gsk_rounded_rect_init_from_rect(
      &outline,
      &GRAPHENE_RECT_INIT((float)box.x, (float)box.y, (float)box.width, (float)box.height),
      (float)(CORNER_EM * canvas->style->text_size));
  gtk_snapshot_append_border(canvas->snapshot, &outline, widths, colours);
}

static void snapshot(GtkWidget *widget, GtkSnapshot *snapshot)
{
  OlChartCursor *self = OL_CHART_CURSOR(widget);
  OlLabSession *session = ol_chart_area_get_session(self->area);
  const OlChartStyle *style = ol_chart_area_get_style(self->area);
  OlColour accent = ol_style_accent(style);
  Canvas canvas = {.snapshot = snapshot,
                   .colour = {(float)accent.r, (float)accent.g, (float)accent.b, 1},
                   .width = gtk_widget_get_width(widget),
                   .height = gtk_widget_get_height(widget),
                   .view = ol_chart_area_get_view(self->area),
                   .style = style};
  gint64 begin, end, offset = ol_chart_area_get_offset_ns(self->area);

  ol_chart_plot_edges(canvas.view, style, canvas.width, &canvas.left, &canvas.right);
  if (!canvas.view->trace || canvas.right <= canvas.left)
    return;
  if (ol_lab_session_get_marked(session, &begin, &end))
    draw_marked(&canvas, begin - offset, end - offset);
  if (canvas.view->cursor_ns >= 0)
    draw_line(&canvas, canvas.view->cursor_ns);
  if (ol_chart_area_get_chart(self->area) == OL_CHART_LANES)
    draw_hovered(&canvas);
}

static void ol_chart_cursor_class_init(OlChartCursorClass *class)
{
  GTK_WIDGET_CLASS(class)->snapshot = snapshot;
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_PRESENTATION);
}

static void ol_chart_cursor_init(OlChartCursor *self)
{
  gtk_widget_set_can_target(GTK_WIDGET(self), FALSE);
  gtk_widget_set_can_focus(GTK_WIDGET(self), FALSE);
}

GtkWidget *ol_chart_cursor_new(OlChartArea *area)
{
  OlChartCursor *self = g_object_new(OL_TYPE_CHART_CURSOR, NULL);
  OlLabSession *session = ol_chart_area_get_session(area);

  self->area = area; /* lies below it in the same overlay, and so lives as long */
  g_signal_connect_object(session, "cursor-changed", G_CALLBACK(gtk_widget_queue_draw), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "view-changed", G_CALLBACK(gtk_widget_queue_draw), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "rank-changed", G_CALLBACK(gtk_widget_queue_draw), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "run-shown", G_CALLBACK(gtk_widget_queue_draw), self,
                          G_CONNECT_SWAPPED);
  return GTK_WIDGET(self);
}
