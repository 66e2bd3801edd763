/* offload-lab: the window. */
#include "app/window/application.h"

#include <signal.h>

int main(int argc, char **argv)
{
  g_autoptr(OlApplication) application = NULL;

  /* An engine that is gone shows as a write that fails, not as the end of the window. */
  signal(SIGPIPE, SIG_IGN);
  application = ol_application_new();
  return g_application_run(G_APPLICATION(application), argc, argv);
}
