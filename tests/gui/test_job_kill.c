/* SPDX-License-Identifier: MIT */
/* A folder labelled as one job, by a person whose program is killed again and again: every stroke
 * that was finished is in a session or a journal, what the next start brings back is saved by
 * itself, and in the end each photo is as far as the person was told. SCALE=10 kills 100 times. */
#include "app/folder/folder_classes.h"
#include "app/folder/folder_list.h"
#include "app/session/journals.h"
#include "tests/gui/scene.h"
#include "tests/gui/stage.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define N_KILLS  10
#define N_PHOTOS 4

static const char *own_path;

/* One line of the child. */
typedef struct {
  guint32 photo, n_strokes, is_done;
} Said;

/* ---- The child ---- */

static guint
shown_photo (Stage *stage)
{
  FsProject *project = fs_window_get_project (stage->window);
  const char *path = project != NULL ? fs_project_get_photo_path (project) : "/0";
  return (guint)atoi (strrchr (path, '/') + 1);
}

static void
say (Stage *stage)
{
  FsProject *project = fs_window_get_project (stage->window);
  Said said = { shown_photo (stage), fs_document_get_n_finished (stage_document (stage)),
                (guint32)fs_project_is_done (project) };
  if (write (STDOUT_FILENO, &said, sizeof said) != sizeof said)
    _exit (3);
}

static gboolean
is_ready (gpointer data)
{
  return fs_window_is_editable (data) && !fs_message_bar_has_task (fs_window_get_messages (data));
}

static gboolean
is_saved (gpointer data)
{
  return is_ready (data) && !fs_project_is_unsaved (fs_window_get_project (data));
}

/* Returns only with `is_last`: it is killed. */
static void
be_a_person (const char *folder, guint32 seed, gboolean is_last)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  Stage *stage = stage_new ();
  g_autoptr (GFile) file = g_file_new_for_path (folder);
  fs_application_open (stage->application, GTK_WINDOW (stage->window), file);
  stage_wait (is_ready, stage->window);
  if (is_last) {
    stage_wait (is_saved, stage->window);
    return;
  }
  for (;;) {
    const int choice = g_rand_int_range (random, 0, 10);
    stage_wait (is_ready, stage->window);
    if (choice == 0)
      stage_type (stage, GDK_KEY_Return, 0);
    else if (choice == 1)
      stage_type (stage, GDK_KEY_Page_Down, 0);
    else if (choice == 2)
      stage_pause ((guint)g_rand_int_range (random, 0, 1500));
    else
      stage_stroke (stage, choice % 2 ? GDK_BUTTON_PRIMARY : GDK_BUTTON_SECONDARY,
                    g_rand_double_range (random, 10, 300), g_rand_double_range (random, 10, 230),
                    g_rand_double_range (random, 10, 300), g_rand_double_range (random, 10, 230),
                    5);
    /* Else another photo has come meanwhile. */
    if (choice > 2 && is_ready (stage->window))
      say (stage);
  }
}

/* ---- The parent ---- */

typedef struct {
  char *folder;
  guint n_strokes[N_PHOTOS + 1]; /* as it was told */
} Job;

static GPid
start_child (const Job *job, guint32 seed, const char *what, int *fd)
{
  GPid pid;
  g_autoptr (GError) error = NULL;
  g_autofree char *number = g_strdup_printf ("%u", seed);
  const char *argv[] = { own_path, what, job->folder, number, NULL };
  g_spawn_async_with_pipes (NULL, (char **)argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL, &pid,
                            NULL, fd, NULL, &error);
  g_assert_no_error (error);
  return pid;
}

static void
take_all (Job *job, int fd)
{
  Said said;
  while (read (fd, &said, sizeof said) == sizeof said)
    if (said.photo >= 1 && said.photo <= N_PHOTOS)
      job->n_strokes[said.photo] = said.n_strokes;
  close (fd);
}

static guint
count_in_session (const Job *job, int photo)
{
  g_autofree char *name = g_strdup_printf ("%d.fretsaw", photo);
  g_autofree char *path = g_build_filename (job->folder, name, NULL);
  g_autoptr (GError) error = NULL;
  if (!g_file_test (path, G_FILE_TEST_EXISTS))
    return 0;
  g_autoptr (FsSession) session = fs_session_read (path, &error);
  g_assert_no_error (error);
  return session->strokes->len;
}

/* Of session and journal the one that has more. */
static void
check_strokes (const Job *job)
{
  g_autofree char *folder = fs_journals_folder ();
  g_autoptr (GPtrArray) lost = fs_journals_find_lost (folder);
  for (int photo = 1; photo <= N_PHOTOS; photo++) {
    guint n = count_in_session (job, photo);
    for (guint i = 0; i < lost->len; i++) {
      const FsJournalContent *content = ((FsLostWork *)lost->pdata[i])->content;
      g_assert_false (content->damaged);
      if (atoi (strrchr (content->photo, '/') + 1) == photo)
        n = MAX (n, content->session->strokes->len - content->n_undone);
    }
    g_assert_cmpuint (n, >=, job->n_strokes[photo]);
  }
}

static void
test_kill (void)
{
  Job job = { g_dir_make_tmp ("fretsaw-job-XXXXXX", NULL), { 0 } };
  const char *scale = g_getenv ("SCALE");
  const int n_kills = N_KILLS * MAX (scale != NULL ? atoi (scale) : 1, 1);
  g_autoptr (GRand) random = g_rand_new_with_seed (11);
  for (int i = 1; i <= N_PHOTOS; i++) {
    g_autofree char *name = g_strdup_printf ("%d.png", i);
    g_free (scene_write (job.folder, name));
  }
  g_autoptr (FsFolderClasses) classes = fs_folder_classes_new (), saved = NULL;
  fs_folder_classes_add (classes, "disc");
  saved = fs_folder_classes_save (job.folder, NULL, classes, NULL);
  guint n_all = 0;
  for (int i = 0; i < n_kills; i++) {
    int fd, status;
    GPid pid = start_child (&job, (guint32)i, "--person", &fd);
    g_usleep ((gulong)g_rand_int_range (random, 300000, 3000000));
    kill (pid, SIGKILL);
    g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
    g_assert_true (WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL);
    take_all (&job, fd);
    check_strokes (&job);
  }
  /* The last start saves what it brings back. */
  int fd, status;
  GPid pid = start_child (&job, 0, "--last", &fd);
  g_assert_cmpint (waitpid (pid, &status, 0), ==, pid);
  g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) == 0);
  take_all (&job, fd);
  g_autoptr (FsFolderList) list = fs_folder_list_read (job.folder, NULL, NULL, NULL);
  for (int photo = 1; photo <= N_PHOTOS; photo++) {
    const guint n = count_in_session (&job, photo);
    g_assert_cmpuint (n, >=, job.n_strokes[photo]);
    g_assert_true (n == 0 || fs_folder_list_get (list, (guint)photo - 1)->state != FS_FOLDER_EMPTY);
    n_all += n;
  }
  g_test_message ("%d kills, %u strokes", n_kills, n_all);
  g_assert_cmpuint (n_all, >, 0);
  g_autoptr (GDir) dir = g_dir_open (job.folder, 0, NULL);
  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir)) {
    g_autofree char *path = g_build_filename (job.folder, name, NULL);
    g_unlink (path);
  }
  g_rmdir (job.folder);
  g_free (job.folder);
}

int
main (int argc, char **argv)
{
  own_path = argv[0];
  if (argc == 4 && argv[1][0] == '-') {
    gtk_init (NULL, NULL);
    be_a_person (argv[2], (guint32)g_ascii_strtoull (argv[3], NULL, 10),
                 strcmp (argv[1], "--last") == 0);
    _exit (0);
  }
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/job-kill/kill", test_kill);
  return g_test_run ();
}
