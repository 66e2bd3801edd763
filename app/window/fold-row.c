#include "app/window/fold-row.h"

struct _OlFoldRow {
  GtkWidget parent_instance;
  GtkWidget *first, *last;
};

G_DEFINE_FINAL_TYPE(OlFoldRow, ol_fold_row, GTK_TYPE_WIDGET)

typedef struct {
  int minimum, natural;
} Extent;

static Extent measure_child(GtkWidget *child, GtkOrientation orientation, int for_size)
{
  Extent extent = {0, 0};

  if (gtk_widget_get_visible(child))
    gtk_widget_measure(child, orientation, for_size, &extent.minimum, &extent.natural, NULL, NULL);
  return extent;
}

/* The last part's width beside the first, or -1: it goes below. */
static int width_beside(OlFoldRow *self, int width)
{
  Extent first = measure_child(self->first, GTK_ORIENTATION_HORIZONTAL, -1);
  Extent last = measure_child(self->last, GTK_ORIENTATION_HORIZONTAL, -1);

  return first.natural + last.natural <= width ? last.natural : -1;
}

static Extent measure_height(OlFoldRow *self, int width)
{
  int beside = width < 0 ? 0 : width_beside(self, width);
  Extent first = measure_child(self->first, GTK_ORIENTATION_VERTICAL,
                               width < 0 || beside < 0 ? width : width - beside);
  Extent last =
      measure_child(self->last, GTK_ORIENTATION_VERTICAL, width < 0 || beside < 0 ? width : beside);

  if (beside < 0)
    return (Extent){first.minimum + last.minimum, first.natural + last.natural};
  return (Extent){MAX(first.minimum, last.minimum), MAX(first.natural, last.natural)};
}

static void measure(GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
                    int *natural, int *minimum_baseline, int *natural_baseline)
{
  OlFoldRow *self = OL_FOLD_ROW(widget);
  Extent all;

  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    Extent first = measure_child(self->first, orientation, -1);
    Extent last = measure_child(self->last, orientation, -1);
    all = (Extent){MAX(first.minimum, last.minimum), first.natural + last.natural};
  } else {
    all = measure_height(self, for_size);
  }
  *minimum = all.minimum;
  *natural = all.natural;
  *minimum_baseline = *natural_baseline = -1;
}

static void place(GtkWidget *child, int x, int y, int width, int height)
{
  if (gtk_widget_get_visible(child))
    gtk_widget_size_allocate(child, &(GtkAllocation){x, y, width, height}, -1);
}

static void size_allocate(GtkWidget *widget, int width, int height, int baseline)
{
  OlFoldRow *self = OL_FOLD_ROW(widget);
  int beside = width_beside(self, width), top;
  gboolean mirrored = gtk_widget_get_direction(widget) == GTK_TEXT_DIR_RTL;

  if (beside >= 0) {
    place(self->first, mirrored ? beside : 0, 0, width - beside, height);
    place(self->last, mirrored ? 0 : width - beside, 0, beside, height);
    return;
  }
  top = measure_child(self->first, GTK_ORIENTATION_VERTICAL, width).natural;
  top = MIN(top, height);
  place(self->first, 0, 0, width, top);
  place(self->last, 0, top, width, height - top);
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
  G_OBJECT_CLASS(ol_fold_row_parent_class)->dispose(object);
}

static void ol_fold_row_class_init(OlFoldRowClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);

  G_OBJECT_CLASS(class)->dispose = dispose;
  widget_class->measure = measure;
  widget_class->size_allocate = size_allocate;
  widget_class->get_request_mode = get_request_mode;
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
