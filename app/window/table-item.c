#include "app/window/table-item.h"

struct _OlTableItem {
  GObject parent_instance;
  char *cells[OL_TABLE_MOST_COLUMNS];
  int span;
  OlNumber number;
};

G_DEFINE_FINAL_TYPE(OlTableItem, ol_table_item, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void finalize(GObject *object)
{
  OlTableItem *self = OL_TABLE_ITEM(object);

  for (guint i = 0; i < OL_TABLE_MOST_COLUMNS; i++)
    g_free(self->cells[i]);
  G_OBJECT_CLASS(ol_table_item_parent_class)->finalize(object);
}

static void ol_table_item_class_init(OlTableItemClass *class)
{
  G_OBJECT_CLASS(class)->finalize = finalize;
  signals[CHANGED] = g_signal_new("changed", G_TYPE_FROM_CLASS(class), G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);
}

static void ol_table_item_init(OlTableItem *self)
{
  self->span = -1;
}

OlTableItem *ol_table_item_new(void)
{
  return g_object_new(OL_TYPE_TABLE_ITEM, NULL);
}

void ol_table_item_take(OlTableItem *self, OlTableRow *row)
{
  gboolean changed = FALSE;

  self->span = row->span;
  self->number = row->number;
  for (guint i = 0; i < OL_TABLE_MOST_COLUMNS; i++) {
    if (g_strcmp0(self->cells[i], row->cells[i]) == 0)
      continue;
    g_free(self->cells[i]);
    self->cells[i] = g_steal_pointer(&row->cells[i]);
    changed = TRUE;
  }
  if (changed)
    g_signal_emit(self, signals[CHANGED], 0);
}

const char *ol_table_item_get_cell(OlTableItem *self, guint column)
{
  return column < OL_TABLE_MOST_COLUMNS && self->cells[column] ? self->cells[column] : "";
}

int ol_table_item_get_span(OlTableItem *self)
{
  return self->span;
}

const OlNumber *ol_table_item_get_number(OlTableItem *self)
{
  return &self->number;
}
