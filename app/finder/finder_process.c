/* SPDX-License-Identifier: MIT */
#include "app/finder/finder_process.h"

#include "app/files/display_name.h"

#include <errno.h>
#include <glib-unix.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif

#define TAIL_BYTES      4096
#define BYTES_AT_ONCE   (64 * 1024)
#define LAST_READS      16 /* of what is left in a pipe when the child has ended */
#define POLL_MS         20
#define GRACE_US        (2 * G_USEC_PER_SEC)
#define MAX_SAID_LINES  3
#define MAX_SAID_LENGTH 400

/* The end of what came through a pipe. */
typedef struct {
  int fd; /* −1: closed */
  gsize n_tail;
  char tail[TAIL_BYTES];
} Pipe;

typedef struct {
  GPid pid;
  Pipe pipes[2]; /* standard error, standard output */
  GCancellable *cancellable;
  gint64 limit_us, kill_us; /* when; kill_us is 0 until it has been asked to end */
  gboolean is_killed;
  FsFinderEnd *end;
} Child;

/* In the child, before it becomes the finder. */
static void
become_group (gpointer user_data)
{
  setpgid (0, 0);
#ifdef __linux__
  prctl (PR_SET_PDEATHSIG, SIGKILL);
#endif
}

static void
append_tail (Pipe *pipe, const char *bytes, gsize n)
{
  if (n >= TAIL_BYTES) {
    memcpy (pipe->tail, bytes + n - TAIL_BYTES, TAIL_BYTES);
    pipe->n_tail = TAIL_BYTES;
    return;
  }
  const gsize n_stay = MIN (pipe->n_tail, TAIL_BYTES - n);
  memmove (pipe->tail, pipe->tail + pipe->n_tail - n_stay, n_stay);
  memcpy (pipe->tail + n_stay, bytes, n);
  pipe->n_tail = n_stay + n;
}

/* FALSE where nothing more is there now. */
static gboolean
drain (Pipe *pipe)
{
  char bytes[BYTES_AT_ONCE];
  if (pipe->fd < 0)
    return FALSE;
  gssize n = read (pipe->fd, bytes, sizeof bytes);
  if (n > 0) {
    append_tail (pipe, bytes, (gsize)n);
    return TRUE;
  }
  if (n < 0 && (errno == EAGAIN || errno == EINTR))
    return FALSE;
  close (pipe->fd);
  pipe->fd = -1;
  return FALSE;
}

static void
wait_for_news (Child *child)
{
  GPollFD fds[3];
  guint n = 0;
  for (int i = 0; i < 2; i++)
    if (child->pipes[i].fd >= 0)
      fds[n++] = (GPollFD){ .fd = child->pipes[i].fd, .events = G_IO_IN | G_IO_HUP | G_IO_ERR };
  if (child->kill_us == 0 && g_cancellable_make_pollfd (child->cancellable, &fds[n])) {
    n++;
    g_poll (fds, n, POLL_MS);
    g_cancellable_release_fd (child->cancellable);
  } else {
    g_poll (fds, n, POLL_MS);
  }
  for (int i = 0; i < 2; i++)
    drain (&child->pipes[i]);
}

static void
ask_to_end (Child *child, FsFinderEnding ending)
{
  child->end->ending = ending;
  child->kill_us = g_get_monotonic_time () + GRACE_US;
  kill (-child->pid, SIGTERM);
}

static void
look_at_clock (Child *child)
{
  const gint64 now_us = g_get_monotonic_time ();
  if (child->kill_us == 0 && g_cancellable_is_cancelled (child->cancellable))
    ask_to_end (child, FS_FINDER_CANCELLED);
  else if (child->kill_us == 0 && now_us >= child->limit_us)
    ask_to_end (child, FS_FINDER_TIMED_OUT);
  else if (child->kill_us > 0 && !child->is_killed && now_us >= child->kill_us) {
    child->is_killed = TRUE;
    kill (-child->pid, SIGKILL);
  }
}

/* The process stays a zombie, so that its group's number is nobody else's. */
static gboolean
has_ended (const Child *child)
{
  siginfo_t info = { 0 };
  int result;
  do
    result = waitid (P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT);
  while (result < 0 && errno == EINTR);
  return result < 0 || info.si_pid == child->pid;
}

static void
reap (Child *child)
{
  int status = 0;
  kill (-child->pid, SIGKILL);
  while (waitpid (child->pid, &status, 0) < 0 && errno == EINTR)
    continue;
  if (child->kill_us > 0)
    return;
  child->end->ending = WIFSIGNALED (status) ? FS_FINDER_DIED : FS_FINDER_EXITED;
  child->end->code = WIFSIGNALED (status) ? WTERMSIG (status) : WEXITSTATUS (status);
}

/* --- what it said ----------------------------------------------------------------------------- */

/* Progress bars write over their line: what follows the last return is what one sees. */
static char *
clean_line (const char *line)
{
  g_autofree char *text = g_strchomp (g_strdup (line));
  const char *last = strrchr (text, '\r');
  g_autofree char *shown = fs_display_name (last ? last + 1 : text);
  return g_strdup (g_strstrip (shown));
}

/* The last lines that are not empty, the first of them first. */
static char *
last_lines (const Pipe *pipe)
{
  g_autofree char *text = g_malloc0 (pipe->n_tail + 1);
  memcpy (text, pipe->tail, pipe->n_tail);
  for (gsize i = 0; i < pipe->n_tail; i++)
    if (text[i] == '\0')
      text[i] = ' ';
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autofree char *said = g_strdup ("");
  int n = 0;
  for (int i = (int)g_strv_length (lines) - 1; i >= 0 && n < MAX_SAID_LINES; i--) {
    g_autofree char *line = clean_line (lines[i]);
    if (line[0] == '\0')
      continue;
    char *longer = n++ > 0 ? g_strconcat (line, " | ", said, NULL) : g_strdup (line);
    g_free (said);
    said = longer;
  }
  const glong length = g_utf8_strlen (said, -1);
  if (length <= MAX_SAID_LENGTH)
    return g_steal_pointer (&said);
  return g_strconcat ("…", g_utf8_offset_to_pointer (said, length - MAX_SAID_LENGTH), NULL);
}

static char *
gather_said (Child *child)
{
  char *said = last_lines (&child->pipes[0]);
  if (said[0] != '\0')
    return said;
  g_free (said);
  return last_lines (&child->pipes[1]);
}

/* --- a run ------------------------------------------------------------------------------------ */

static gboolean
start_child (Child *child, const char *const *argv, const char *temporary, GError **error)
{
  g_auto (GStrv) copy = g_strdupv ((char **)argv), environment = g_get_environ ();
  if (temporary)
    environment = g_environ_setenv (environment, "TMPDIR", temporary, TRUE);
  if (!g_spawn_async_with_pipes (NULL, copy, environment,
                                 G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD, become_group,
                                 NULL, &child->pid, NULL, &child->pipes[1].fd, &child->pipes[0].fd,
                                 error))
    return FALSE;
  for (int i = 0; i < 2; i++)
    g_unix_set_fd_nonblocking (child->pipes[i].fd, TRUE, NULL);
  return TRUE;
}

gboolean
fs_finder_process_run (const char *const *argv, const char *temporary, int time_limit_s,
                       GCancellable *cancellable, FsFinderEnd *end, GError **error)
{
  g_return_val_if_fail (argv && argv[0] && end, FALSE);

  *end = (FsFinderEnd){ 0 };
  g_autofree Child *child = g_new0 (Child, 1);
  *child = (Child){ .pipes = { { .fd = -1 }, { .fd = -1 } },
                    .cancellable = cancellable,
                    .end = end,
                    .limit_us = g_get_monotonic_time () + time_limit_s * G_USEC_PER_SEC };
  if (!start_child (child, argv, temporary, error))
    return FALSE;
  while (!has_ended (child)) {
    look_at_clock (child);
    wait_for_news (child);
  }
  reap (child);
  for (int i = 0; i < 2; i++) {
    for (int n = 0; n < LAST_READS && drain (&child->pipes[i]); n++)
      continue;
    if (child->pipes[i].fd >= 0)
      close (child->pipes[i].fd);
  }
  end->said = gather_said (child);
  return TRUE;
}

void
fs_finder_end_clear (FsFinderEnd *end)
{
  g_clear_pointer (&end->said, g_free);
}
