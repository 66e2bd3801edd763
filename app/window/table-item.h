/* One row of a table: its cells as text, which may change while it is in sight. */
#pragma once

#include "app/charts/chart-table.h"
#include <glib-object.h>

G_BEGIN_DECLS

#define OL_TYPE_TABLE_ITEM (ol_table_item_get_type())
G_DECLARE_FINAL_TYPE(OlTableItem, ol_table_item, OL, TABLE_ITEM, GObject)

/* Signal: "changed" (a cell's text). */
OlTableItem *ol_table_item_new(void);
/* Takes the cells out of `row`. */
void ol_table_item_take(OlTableItem *item, OlTableRow *row);

const char *ol_table_item_get_cell(OlTableItem *item, guint column); /* "" beyond the last */
int ol_table_item_get_span(OlTableItem *item);                       /* or -1 */
/* That the row tells; of kind OL_NUMBER_NONE: none. Borrowed. */
const OlNumber *ol_table_item_get_number(OlTableItem *item);

G_END_DECLS
