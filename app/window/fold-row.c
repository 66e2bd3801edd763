#include "app/window/fold-row.h"

struct _OlFoldRow {
  GtkWidget parent_instance;
  GtkWidget *first, *last, *end; /* end: NULL when there is none */
};

G_DEFINE_FINAL_TYPE(OlFoldRow, ol_fold_row, GTK_TYPE_WIDGET)

typedef struct {
  int minimum, natural;
} Extent;

static Extent measure_child(GtkWidget *child, GtkOrientation orientation, int for_size)
{
  Extent extent = {0, 0};

  if (child && gtk_widget_get_visible(child))
    gtk_widget_measure(child, orientation, for_size, &extent.minimum, &extent.natural, NULL, NULL);
  return extent;
}

static int end_width(OlFoldRow *self)
{
  return measure_child(self->end, GTK_ORIENTATION_HORIZONTAL, -1).natural;
}

/* The last part's width beside the first, in what the end leaves, or -1: it goes below. */
static int width_beside(OlFoldRow *self, int width)
{
  Extent first = measure_child(self->first, GTK_ORIENTATION_HORIZONTAL, -1);
  Extent last = measure_child(self->last, GTK_ORIENTATION_HORIZONTAL, -1);

  return first.natural + last.natural + end_width(self) <= width ? last.natural : -1;
}

/* Of the first line: the first part, the end, and the last part if it is beside them. */
static Extent measure_line(OlFoldRow *self, int width, int beside)
{
  int end_wide = end_width(self), rest = width < 0 ? -1 : MAX(width - end_wide - MAX(beside, 0), 0);
  Extent line = measure_child(self->first, GTK_ORIENTATION_VERTICAL, rest);
  Extent end = measure_child(self->end, GTK_ORIENTATION_VERTICAL, width < 0 ? -1 : end_wide);
  Extent last = {0, 0};

  if (beside >= 0)
    last = measure_child(self->last, GTK_ORIENTATION_VERTICAL, width < 0 ? -1 : beside);
  return (Extent){MAX(line.minimum, MAX(end.minimum, last.minimum)),
                  MAX(line.natural, MAX(end.natural, last.natural))};
}

static Extent measure_height(OlFoldRow *self, int width)
{
  int beside = width < 0 ? 0 : width_beside(self, width);
  Extent line = measure_line(self, width, beside);
  Extent below = {0, 0};

  if (beside < 0)
    below = measure_child(self->last, GTK_ORIENTATION_VERTICAL, width);
  return (Extent){line.minimum + below.minimum, line.natural + below.natural};
}

static void measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                    int *natural, int *minimum_baseline, int *natural_baseline)
{
  OlFoldRow *self = OL_FOLD_ROW(widget);
  Extent all;

  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    Extent first = measure_child(self->first, orientation, -1);
    Extent last = measure_child(self->last, orientation, -1);
    int end = end_width(self);
    all = (Extent){MAX(first.minimum + end, last.minimum), first.natural + last.natural + end};
  } else {
    all = measure_height(self, for_size);
  }
  *minimum = all.minimum;
  *natural = all.natural;
  *minimum_baseline = *natural_baseline = -1;
}

/* From the side that is read first. */
static void place(OlFoldRow *self, GtkWidget *child, GtkAllocation box)
{
  if (gtk_widget_get_direction(GTK_WIDGET(self)) == GTK_TEXT_DIR_RTL)
    box.x = gtk_widget_get_width(GTK_WIDGET(self)) - box.x - box.width;
  if (child && gtk_widget_get_visible(child))
    gtk_widget_size_allocate(child, &box, -1);
}

static void size_allocate(GtkWidget *widget, int width, int height, int baseline)
{
  OlFoldRow *self = OL_FOLD_ROW(widget);
  int beside = width_beside(self, width), end = end_width(self);
  int first = MAX(width - end - MAX(beside, 0), 0);
  int line = beside >= 0 ? height : MIN(measure_line(self, width, beside).natural, height);

  place(self, self->first, (GtkAllocation){0, 0, first, line});
  place(self, self->end, (GtkAllocation){width - end, 0, end, line});
  if (beside >= 0)
    place(self, self->last, (GtkAllocation){first, 0, beside, line});
  else
    place(self, self->last, (GtkAllocation){0, line, width, height - line});
}

static GtkSizeRequestMode get_request_mode(GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void dispose(GObject *object)
{
  OlFoldRow *self = OL_FOLD_ROW(object);

  g_clear_pointer(&self->first, gtk_widget_unparent);
  g_clear_pointer(&self->last, gtk_widget_unparent);
  g_clear_pointer(&self->end, gtk_widget_unparent);
  G_OBJECT_CLASS(ol_fold_row_parent_class)->dispose(object);
}

static void ol_fold_row_class_init(OlFoldRowClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);

  G_OBJECT_CLASS(class)->dispose = dispose;
  widget_class->measure = measure;
  widget_class->size_allocate = size_allocate;
  widget_class->get_request_mode = get_request_mode;
  /* As a box: nothing of its own to be read. */
  gtk_widget_class_set_accessible_role(widget_class, GTK_ACCESSIBLE_ROLE_GROUP);
}

static void ol_fold_row_init(OlFoldRow *self)
{
}

GtkWidget *ol_fold_row_new(GtkWidget *first, GtkWidget *last)
{
  OlFoldRow *self = g_object_new(OL_TYPE_FOLD_ROW, NULL);

  self->first = first;
  self->last = last;
  gtk_widget_set_parent(first, GTK_WIDGET(self));
  gtk_widget_set_parent(last, GTK_WIDGET(self));
  return GTK_WIDGET(self);
}

void ol_fold_row_set_end(OlFoldRow *self, GtkWidget *end)
{
  g_return_if_fail(!self->end);
  self->end = end;
  gtk_widget_set_parent(end, GTK_WIDGET(self));
}
