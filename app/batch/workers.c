/* SPDX-License-Identifier: MIT */
#include "app/batch/workers.h"

#include "app/batch/batch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_LINE_BYTES = 1 << 20, READ_BYTES = 4096, PATIENCE_MS = 5000, STEP_MS = 10 };

typedef struct {
  pid_t process; /* 0: none */
  int socket;
  gboolean is_busy;
  guint item;
  GString *answer; /* as far as it has come */
} Worker;

struct FsWorkers {
  FsWork work;
  int n;
  Worker *all;
};

FsWorkers *
fs_workers_new (int n, const FsWork *work)
{
  g_return_val_if_fail (n > 0 && work && work->work, NULL);
  FsWorkers *workers = g_new0 (FsWorkers, 1);
  workers->work = *work;
  workers->n = n;
  workers->all = g_new0 (Worker, (gsize)n);
  for (int i = 0; i < n; i++)
    workers->all[i].answer = g_string_new (NULL);
  return workers;
}

/* --- in a worker ------------------------------------------------------------------------------ */

static gboolean
send_all (int socket, const char *text, gsize n)
{
  while (n > 0) {
    gssize sent = send (socket, text, n, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      return FALSE;
    text += sent;
    n -= (gsize)sent;
  }
  return TRUE;
}

/* FALSE at the end of the other side. */
static gboolean
receive_item (int socket, guint *item)
{
  gssize n;
  do
    n = recv (socket, item, sizeof *item, MSG_WAITALL);
  while (n < 0 && errno == EINTR);
  return n == (gssize)sizeof *item;
}

/* Nothing of a worker, or of what it starts, reads or prints where the command does. */
static void
leave_terminal (void)
{
  int nothing = open ("/dev/null", O_RDWR | O_CLOEXEC);
  if (nothing < 0)
    return;
  dup2 (nothing, STDIN_FILENO);
  dup2 (nothing, STDOUT_FILENO);
  close (nothing);
}

static void
serve (FsWorkers *workers, int index, int socket, pid_t parent)
{
  signal (SIGINT, SIG_IGN);
  signal (SIGHUP, SIG_IGN);
  signal (SIGTERM, SIG_DFL);
  prctl (PR_SET_PDEATHSIG, SIGKILL);
  if (getppid () != parent)
    _exit (0);
  for (int i = 0; i < workers->n; i++)
    if (workers->all[i].process != 0)
      close (workers->all[i].socket);
  leave_terminal ();
  if (workers->work.begin)
    workers->work.begin (index, workers->work.data);
  guint item;
  while (receive_item (socket, &item)) {
    g_autofree char *line = workers->work.work (item, workers->work.data);
    g_autofree char *ended = g_strconcat (line, "\n", NULL);
    if (!send_all (socket, ended, strlen (ended)))
      break;
  }
  _exit (0);
}

/* --- in this process -------------------------------------------------------------------------- */

static gboolean
start_worker (FsWorkers *workers, int index, GError **error)
{
  Worker *worker = &workers->all[index];
  int sockets[2];
  const pid_t parent = getpid ();
  if (socketpair (AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) {
    g_set_error (error, FS_BATCH_ERROR, FS_BATCH_ERROR_WORKER, "no worker can be started: %s",
                 g_strerror (errno));
    return FALSE;
  }
  fflush (NULL);
  pid_t process = fork ();
  if (process == 0) {
    close (sockets[0]);
    serve (workers, index, sockets[1], parent);
  }
  const int code = errno;
  close (sockets[1]);
  if (process < 0) {
    close (sockets[0]);
    g_set_error (error, FS_BATCH_ERROR, FS_BATCH_ERROR_WORKER, "no worker can be started: %s",
                 g_strerror (code));
    return FALSE;
  }
  worker->process = process;
  worker->socket = sockets[0];
  worker->is_busy = FALSE;
  g_string_truncate (worker->answer, 0);
  return TRUE;
}

/* Its socket is closed; waits for the process. Returns how it ended, in words; g_free. */
static char *
reap (Worker *worker)
{
  int status = 0;
  while (waitpid (worker->process, &status, 0) < 0 && errno == EINTR)
    continue;
  worker->process = 0;
  worker->is_busy = FALSE;
  if (WIFSIGNALED (status))
    return g_strdup_printf ("its worker was ended by signal %d (%s)", WTERMSIG (status),
                            g_strsignal (WTERMSIG (status)));
  return g_strdup_printf ("its worker ended with status %d", WEXITSTATUS (status));
}

static void
drop_worker (Worker *worker)
{
  close (worker->socket);
  kill (worker->process, SIGKILL);
  g_free (reap (worker));
}

gboolean
fs_workers_have_idle (const FsWorkers *workers)
{
  for (int i = 0; i < workers->n; i++)
    if (!workers->all[i].is_busy)
      return TRUE;
  return FALSE;
}

gboolean
fs_workers_have_busy (const FsWorkers *workers)
{
  for (int i = 0; i < workers->n; i++)
    if (workers->all[i].is_busy)
      return TRUE;
  return FALSE;
}

gboolean
fs_workers_give (FsWorkers *workers, guint item, GError **error)
{
  int i = 0;
  while (i < workers->n && workers->all[i].is_busy)
    i++;
  g_return_val_if_fail (i < workers->n, FALSE);
  Worker *worker = &workers->all[i];
  /* One that was killed while it had nothing to do. */
  if (worker->process != 0 && !send_all (worker->socket, (const char *)&item, sizeof item))
    drop_worker (worker);
  else if (worker->process != 0)
    worker->is_busy = TRUE;
  if (!worker->is_busy) {
    if (!start_worker (workers, i, error))
      return FALSE;
    worker->is_busy = TRUE;
    send_all (worker->socket, (const char *)&item, sizeof item); /* its end is seen later */
  }
  worker->item = item;
  return TRUE;
}

/* TRUE where the answer is complete, or the worker has ended (*line is NULL then). */
static gboolean
read_answer (Worker *worker, char **line, char **reason)
{
  char bytes[READ_BYTES];
  gssize n = recv (worker->socket, bytes, sizeof bytes, MSG_DONTWAIT);
  if (n < 0 && (errno == EINTR || errno == EAGAIN))
    return FALSE;
  if (n > 0)
    g_string_append_len (worker->answer, bytes, n);
  if (n > 0 && worker->answer->str[worker->answer->len - 1] == '\n') {
    *line = g_strndup (worker->answer->str, worker->answer->len - 1);
    g_string_truncate (worker->answer, 0);
    worker->is_busy = FALSE;
    return TRUE;
  }
  if (n > 0 && worker->answer->len < MAX_LINE_BYTES)
    return FALSE;
  close (worker->socket);
  if (n > 0)
    kill (worker->process, SIGKILL);
  *reason = reap (worker);
  return TRUE;
}

gboolean
fs_workers_wait (FsWorkers *workers, int timeout_ms, guint *item, char **line, char **reason)
{
  g_autofree GPollFD *fds = g_new0 (GPollFD, (gsize)workers->n);
  g_autofree int *indices = g_new0 (int, (gsize)workers->n);
  guint n = 0;
  *line = *reason = NULL;
  for (int i = 0; i < workers->n; i++)
    if (workers->all[i].is_busy) {
      fds[n] = (GPollFD){ .fd = workers->all[i].socket, .events = G_IO_IN };
      indices[n++] = i;
    }
  if (n == 0 || g_poll (fds, n, timeout_ms) <= 0)
    return FALSE;
  for (guint i = 0; i < n; i++) {
    Worker *worker = &workers->all[indices[i]];
    if (fds[i].revents != 0 && read_answer (worker, line, reason)) {
      *item = worker->item;
      return TRUE;
    }
  }
  return FALSE;
}

/* TRUE once it has ended. */
static gboolean
has_ended (Worker *worker)
{
  if (worker->process != 0 && waitpid (worker->process, NULL, WNOHANG) != 0)
    worker->process = 0;
  return worker->process == 0;
}

void
fs_workers_free (FsWorkers *workers)
{
  if (!workers)
    return;
  for (int i = 0; i < workers->n; i++) {
    Worker *worker = &workers->all[i];
    if (worker->process == 0)
      continue;
    close (worker->socket); /* the end for one without an item */
    if (worker->is_busy)
      kill (worker->process, SIGTERM);
  }
  for (int i = 0; i < workers->n; i++) {
    Worker *worker = &workers->all[i];
    for (int ms = 0; ms < PATIENCE_MS && !has_ended (worker); ms += STEP_MS)
      g_usleep (STEP_MS * 1000);
    if (worker->process != 0) {
      kill (worker->process, SIGKILL);
      g_free (reap (worker));
    }
    g_string_free (worker->answer, TRUE);
  }
  g_free (workers->all);
  g_free (workers);
}
