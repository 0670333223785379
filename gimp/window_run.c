/* SPDX-License-Identifier: MIT */
#include "gimp/window_run.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <libgimp/gimp.h>

#include <signal.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#include <unistd.h>

#define PULSE_MS 100

gboolean
fs_window_run_init (FsWindowRun *self, GError **error)
{
  self->folder = g_dir_make_tmp ("fretsaw-gimp-XXXXXX", error);
  return self->folder != NULL;
}

void
fs_window_run_clear (FsWindowRun *self)
{
  if (self->folder == NULL)
    return;
  GDir *dir = g_dir_open (self->folder, 0, NULL);
  for (const char *name; dir != NULL && (name = g_dir_read_name (dir)) != NULL;) {
    g_autofree char *path = g_build_filename (self->folder, name, NULL);
    g_unlink (path);
  }
  g_clear_pointer (&dir, g_dir_close);
  g_rmdir (self->folder);
  g_clear_pointer (&self->folder, g_free);
}

char *
fs_window_run_get_path (const FsWindowRun *self, const char *name)
{
  return g_build_filename (self->folder, name, NULL);
}

static char *
find_program (const char *program)
{
  const char *wanted = g_getenv ("FRETSAW");
  if (program != NULL && *program != '\0')
    return g_strdup (program);
  if (wanted != NULL && *wanted != '\0')
    return g_strdup (wanted);
  g_autofree char *installed = g_build_filename (FS_BIN_DIR, "fretsaw", NULL);
  return g_file_test (installed, G_FILE_TEST_IS_EXECUTABLE) ? g_steal_pointer (&installed)
                                                            : g_strdup ("fretsaw");
}

static gboolean
on_pulse (gpointer user_data)
{
  gimp_progress_pulse ();
  return G_SOURCE_CONTINUE;
}

typedef struct {
  GMainLoop *loop;
  int status;
} Waiting;

static void
on_program_ended (GPid pid, int status, gpointer user_data)
{
  Waiting *waiting = user_data;
  waiting->status = status;
  g_main_loop_quit (waiting->loop);
}

static int
wait_for (GPid pid)
{
  Waiting waiting = { .loop = g_main_loop_new (NULL, FALSE) };
  const guint pulse = g_timeout_add (PULSE_MS, on_pulse, NULL);
  g_child_watch_add (pid, on_program_ended, &waiting);
  g_main_loop_run (waiting.loop);
  g_source_remove (pulse);
  g_main_loop_unref (waiting.loop);
  g_spawn_close_pid (pid);
  return waiting.status;
}

/* In the new process: it gets SIGTERM when this one ends, also killed by GIMP's Cancel. */
static void
end_with_parent (gpointer parent)
{
#ifdef __linux__
  prctl (PR_SET_PDEATHSIG, SIGTERM);
  if (getppid () != GPOINTER_TO_INT (parent))
    _exit (1);
#endif
}

gboolean
fs_window_run_wait (const FsWindowRun *self, const char *program, gboolean *is_applied,
                    GError **error)
{
  g_autofree char *wanted = find_program (program);
  g_autofree char *photo = fs_window_run_get_path (self, FS_WINDOW_RUN_PHOTO);
  g_autofree char *cutout = fs_window_run_get_path (self, FS_WINDOW_RUN_CUTOUT);
  char *argv[] = { wanted, (char *)"--hand-over", self->folder, photo, NULL };
  g_auto (GStrv) environment =
      g_environ_setenv (g_get_environ (), FS_WINDOW_RUN_PRIVATE, "1", TRUE);
  GPid pid;
  *is_applied = FALSE;
  /* GIMP's pipes close on exec. */
  if (!g_spawn_async (NULL, argv, environment,
                      G_SPAWN_SEARCH_PATH | G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL,
                      end_with_parent, GINT_TO_POINTER (getpid ()), &pid, error)) {
    g_prefix_error (error, _ ("Fretsaw could not be started: "));
    return FALSE;
  }
  if (!g_spawn_check_wait_status (wait_for (pid), error)) {
    g_prefix_error (error, _ ("Fretsaw failed: "));
    return FALSE;
  }
  *is_applied = g_file_test (cutout, G_FILE_TEST_EXISTS);
  return TRUE;
}
