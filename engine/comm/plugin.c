#include "engine/comm/plugin.h"

#include "engine/base/intl.h"
#include "engine/base/plugin.h"

OlComm *ol_comm_new_mpi(guint n_ranks, GError **error)
{
  static const OlPluginKind kind = {N_("ranks over"), OL_COMM_PLUGIN_SYMBOL, OL_COMM_PLUGINS_BUILD,
                                    N_("leave --comm mpi out, so that ranks are threads")};
  OlCommPlugin plugin = (OlCommPlugin)ol_plugin_open(&kind, "mpi", error);
  return plugin ? plugin(OL_COMM_PLUGIN_VERSION, n_ranks, error) : NULL;
}
