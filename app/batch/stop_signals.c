/* SPDX-License-Identifier: MIT */
#include "app/batch/stop_signals.h"

#include <signal.h>

enum { SIGNAL_US = 100000 };

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

static struct sigaction previous[G_N_ELEMENTS (signals)];

/* A signal's handler can reach nothing else. */
static volatile sig_atomic_t signal_came;

static void
on_signal (int number)
{
  signal_came = number;
}

void
fs_stop_signals_watch (void)
{
  signal_came = 0;
  for (gsize i = 0; i < G_N_ELEMENTS (signals); i++) {
    struct sigaction action = { .sa_handler = on_signal };
    sigaction (signals[i], NULL, &previous[i]);
    if (previous[i].sa_handler != SIG_IGN)
      sigaction (signals[i], &action, NULL);
  }
}

void
fs_stop_signals_leave (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (signals); i++)
    sigaction (signals[i], &previous[i], NULL);
}

int
fs_stop_signals_get (void)
{
  return signal_came;
}

gboolean
fs_stop_signals_explain (const char *line)
{
  if (!line && !signal_came)
    g_usleep (SIGNAL_US);
  return !line && signal_came;
}
