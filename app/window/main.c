/* offload-lab: the window. */
#include "app/window/application.h"

#include "engine/base/intl.h"

#include <signal.h>

/* ./lab knows this status, and goes on in the terminal. */
#define NO_DISPLAY 3

int main(int argc, char **argv)
{
  g_autoptr(OlApplication) application = NULL;

  ol_intl_open();
  /* An engine that is gone shows as a write that fails, not as the end of the window. */
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);     /* nor does a file that may not grow any more */
  g_set_prgname("offload-lab"); /* which windows are marked with from here on */
  if (!gtk_init_check()) {
    g_printerr(_("offload-lab: no display could be opened (DISPLAY, WAYLAND_DISPLAY)\n"));
    return NO_DISPLAY;
  }
  application = ol_application_new();
  return g_application_run(G_APPLICATION(application), argc, argv);
}
