#include "app/cli/listener.h"

#include "app/cli/cli.h"
#include "engine/base/intl.h"
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#define LONGEST_COMMAND 4096 /* bytes */

struct OlListener {
  OlControl *control;
  OlLines *input;
  sigset_t signals;
  int signal_fd; /* readable when one has come */
  int over;      /* eventfd: the run has ended */
  pthread_t thread;
  gboolean running;
  atomic_bool run_begun, quiet;
};

/* The next one takes its usual way: it ends the process. So does the first one while the plan is
 * still being made, which can take long and is nothing to be stopped in order. */
static void take_signal(OlListener *listener)
{
  struct signalfd_siginfo info;
  if (read(listener->signal_fd, &info, sizeof info) != sizeof info)
    return;
  pthread_sigmask(SIG_UNBLOCK, &listener->signals, NULL);
  if (!atomic_load(&listener->run_begun))
    raise((int)info.ssi_signo);
  if (!atomic_load(&listener->quiet))
    ol_cli_complain(_("stopping; once more to end at once"));
  ol_control_stop(listener->control);
}

/* Obeys the lines that are there; the end of input is a stop. */
static void obey(OlListener *listener)
{
  char *line;

  while ((line = ol_lines_next(listener->input, NULL))) {
    g_autofree char *command = g_strstrip(line);
    g_autoptr(GError) error = NULL;
    if (*command && !ol_control_command(listener->control, command, &error))
      ol_cli_complain("%s", error->message);
  }
  if (listener->input->pending->len > LONGEST_COMMAND) {
    ol_cli_complain(_("a command of over %d bytes is passed over"), LONGEST_COMMAND);
    g_string_truncate(listener->input->pending, 0);
  }
  if (listener->input->at_end)
    ol_control_stop(listener->control);
}

static void *listen_to_all(void *data)
{
  OlListener *listener = data;
  struct pollfd fds[] = {{.fd = listener->over, .events = POLLIN},
                         {.fd = listener->signal_fd, .events = POLLIN},
                         {.fd = listener->input ? listener->input->fd : -1, .events = POLLIN}};

  if (listener->input)
    obey(listener); /* what came in one piece with the config */
  for (;;) {
    if (listener->input && listener->input->at_end)
      fds[2].fd = -1; /* poll passes over it */
    poll(fds, G_N_ELEMENTS(fds), -1);
    if (fds[0].revents)
      return NULL;
    if (fds[1].revents)
      take_signal(listener);
    if (fds[2].revents) {
      ol_lines_read(listener->input);
      obey(listener);
    }
  }
}

static void list_signals(sigset_t *signals)
{
  sigemptyset(signals);
  sigaddset(signals, SIGINT);
  sigaddset(signals, SIGTERM);
}

void ol_listener_hold_signals(void)
{
  sigset_t signals;
  list_signals(&signals);
  pthread_sigmask(SIG_BLOCK, &signals, NULL);
}

OlListener *ol_listener_start(OlControl *control, OlLines *input)
{
  OlListener *listener = g_new0(OlListener, 1);

  listener->control = control;
  listener->input = input;
  list_signals(&listener->signals);
  pthread_sigmask(SIG_BLOCK, &listener->signals, NULL);
  listener->signal_fd = signalfd(-1, &listener->signals, SFD_CLOEXEC);
  listener->over = eventfd(0, EFD_CLOEXEC);
  listener->running = pthread_create(&listener->thread, NULL, listen_to_all, listener) == 0;
  if (!listener->running) /* nobody would hear: then signals keep their usual way */
    pthread_sigmask(SIG_UNBLOCK, &listener->signals, NULL);
  return listener;
}

void ol_listener_run_begins(OlListener *listener)
{
  atomic_store(&listener->run_begun, TRUE);
}

void ol_listener_be_quiet(OlListener *listener)
{
  atomic_store(&listener->quiet, TRUE);
}

void ol_listener_stop(OlListener *listener)
{
  if (listener->running) {
    eventfd_write(listener->over, 1);
    pthread_join(listener->thread, NULL);
  }
  pthread_sigmask(SIG_UNBLOCK, &listener->signals, NULL);
  close(listener->signal_fd);
  close(listener->over);
  g_free(listener);
}
