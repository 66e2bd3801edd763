/* Ways of joining ranks that live in shared objects of their own (engine/base/plugin.h). */
#pragma once

#include "engine/comm/comm.h"

G_BEGIN_DECLS

/* What such a plug-in exports, and nothing else, under this symbol: ol_comm_new_mpi() itself. It
 * refuses another version of comm-private.h than its own. */
typedef OlComm *(*OlCommPlugin)(guint version, guint n_ranks, GError **error);
#define OL_COMM_PLUGIN_SYMBOL  "ol_comm_plugin"
#define OL_COMM_PLUGIN_VERSION 2u /* goes up when comm-private.h changes */

G_END_DECLS
