/* SPDX-License-Identifier: MIT */
#include "app/finder/finder_interrupt.h"

#include <errno.h>
#include <fcntl.h>
#include <glib-unix.h>
#include <signal.h>
#include <unistd.h>

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

/* A signal's handler can reach nothing else. */
static int fds[2] = { -1, -1 };

static struct {
  GThread *watcher; /* NULL: signals do what they did */
  int came;         /* a signal; 0: none */
  struct sigaction previous[G_N_ELEMENTS (signals)];
} watch;

static void
put (guint8 byte)
{
  const int code = errno;
  while (write (fds[1], &byte, 1) < 0 && errno == EINTR)
    continue;
  errno = code;
}

static void
on_signal (int number)
{
  put ((guint8)number);
}

/* Until the end, a zero, has come. */
static gpointer
wait_for_signals (gpointer cancellable)
{
  guint8 byte = 1;
  while (byte != 0) {
    if (read (fds[0], &byte, 1) != 1 || byte == 0)
      continue;
    watch.came = byte;
    g_cancellable_cancel (cancellable);
  }
  return NULL;
}

GCancellable *
fs_finder_interrupt_begin (void)
{
  GCancellable *cancellable = g_cancellable_new ();
  watch.came = 0;
  watch.watcher = NULL;
  if (!g_unix_open_pipe (fds, FD_CLOEXEC, NULL))
    return cancellable;
  watch.watcher = g_thread_try_new ("fretsaw-signals", wait_for_signals, cancellable, NULL);
  for (gsize i = 0; watch.watcher && i < G_N_ELEMENTS (signals); i++) {
    struct sigaction action = { .sa_handler = on_signal, .sa_flags = SA_RESTART };
    sigaction (signals[i], NULL, &watch.previous[i]);
    /* nohup stays what it is. */
    if (watch.previous[i].sa_handler != SIG_IGN)
      sigaction (signals[i], &action, NULL);
  }
  return cancellable;
}

void
fs_finder_interrupt_end (void)
{
  for (gsize i = 0; watch.watcher && i < G_N_ELEMENTS (signals); i++)
    sigaction (signals[i], &watch.previous[i], NULL);
  if (watch.watcher) {
    put (0);
    g_thread_join (watch.watcher);
  }
  for (int i = 0; i < 2; i++) {
    if (fds[i] >= 0)
      close (fds[i]);
    fds[i] = -1;
  }
  if (watch.came != 0)
    raise (watch.came);
}
