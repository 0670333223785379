/* SPDX-License-Identifier: MIT */
/* The real window, killed at random moments while a person paints: no finished edit is lost.
 *
 * A child of this program opens the window, takes what the last one left, paints, undoes and
 * changes settings, and says on a pipe after each edit what it has; the parent kills it, also while
 * it starts and while strokes are coming back. The next child must have what the last one said, or
 * one edit more. SCALE=50 kills 300 times. */
#include "app/session/journals.h"
#include "tests/gui/scene.h"
#include "tests/gui/stage.h"
#include "ui/window/recovery.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define N_KILLS      6
#define KILLS_A_WORK 8 /* then a new work is begun: bringing back takes a final mask a stroke */
#define N_STROKES    60

static const char *own_path;

/* ---- What a work is ---- */

typedef enum { SAID_START, SAID_READY, SAID_EDIT } SaidKind;

/* One line of the child; written at once, so that it is read whole. */
typedef struct {
  guint32 kind, n_strokes, n_undone;
  guint64 sum; /* over all strokes, the undone ones included */
} Said;

static guint64
add_to_sum (guint64 sum, const FsStroke *stroke)
{
  const uint8_t *bytes = (const uint8_t *)stroke->samples->data;
  sum = (sum ^ stroke->label) * 1099511628211u;
  for (gsize i = 0; i < stroke->samples->len * sizeof (FsSample); i++)
    sum = (sum ^ bytes[i]) * 1099511628211u;
  return sum;
}

/* ---- The child: a person at the window ---- */

static void
say (SaidKind kind, FsDocument *document)
{
  Said said = { .kind = kind };
  if (document != NULL) {
    said.n_strokes = fs_document_get_n_strokes (document);
    said.n_undone = fs_document_get_n_undone (document);
    for (guint i = 0; i < said.n_strokes; i++)
      said.sum = add_to_sum (said.sum, fs_document_get_stroke (document, i));
    for (guint i = 0; i < said.n_undone; i++)
      said.sum = add_to_sum (said.sum, fs_document_get_undone (document, i));
  }
  if (write (STDOUT_FILENO, &said, sizeof said) != sizeof said)
    _exit (3);
}

static void
edit (Stage *stage, GRand *random)
{
  FsDocument *document = stage_document (stage);
  FsSettings settings = fs_document_get_settings (document);
  int choice = g_rand_int_range (random, 0, 12);
  if (choice == 0 && fs_document_can_undo (document)) {
    stage_activate (stage, "undo");
  } else if (choice == 1 && fs_document_can_redo (document)) {
    stage_activate (stage, "redo");
  } else if (choice == 2) {
    settings.smoothness = g_rand_double_range (random, 0.5, 2);
    fs_document_set_settings (document, &settings);
  } else {
    stage_stroke (stage, choice % 2 ? GDK_BUTTON_PRIMARY : GDK_BUTTON_SECONDARY,
                  g_rand_double_range (random, 10, 300), g_rand_double_range (random, 10, 230),
                  g_rand_double_range (random, 10, 300), g_rand_double_range (random, 10, 230),
                  g_rand_int_range (random, 1, 12));
  }
}

static gboolean
is_recovered (gpointer window)
{
  return fs_window_is_editable (window);
}

static void
press_recover (GtkWidget *widget, gpointer data)
{
  if (GTK_IS_BUTTON (widget)
      && g_strcmp0 (gtk_button_get_label (GTK_BUTTON (widget)), "_Recover") == 0)
    gtk_button_clicked (GTK_BUTTON (widget));
  else if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), press_recover, data);
}

/* Never returns: it is killed, or ends when it has painted enough. */
static G_NORETURN void
be_a_person (const char *photo, guint32 seed)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (seed);
  say (SAID_START, NULL);
  Stage *stage = stage_new ();
  fs_recovery_offer (GTK_APPLICATION (stage->application), stage->window);
  FsMessageBar *messages = fs_window_get_messages (stage->window);
  if (fs_message_bar_get_question (messages) != NULL)
    press_recover (GTK_WIDGET (messages), NULL);
  else
    stage_open (stage, photo);
  stage_wait (is_recovered, stage->window);
  say (SAID_READY, stage_document (stage));
  for (int i = 0; i < N_STROKES; i++) {
    edit (stage, random);
    say (SAID_EDIT, stage_document (stage));
  }
  /* Rests until it is killed. */
  for (;;)
    g_main_context_iteration (NULL, TRUE);
}

/* ---- The parent ---- */

typedef struct {
  GPid pid;
  int fd; /* what the child says */
} Child;

static Child
start_child (const char *photo, guint32 seed)
{
  Child child;
  g_autoptr (GError) error = NULL;
  g_autofree char *number = g_strdup_printf ("%u", seed);
  const char *argv[] = { own_path, "--person", photo, number, NULL };
  g_spawn_async_with_pipes (NULL, (char **)argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD, NULL, NULL,
                            &child.pid, NULL, &child.fd, NULL, &error);
  g_assert_no_error (error);
  return child;
}

static void
kill_child (Child *child)
{
  int status;
  kill (child->pid, SIGKILL);
  g_assert_cmpint (waitpid (child->pid, &status, 0), ==, child->pid);
  /* One that has crashed by itself is another finding. */
  g_assert_true (WIFSIGNALED (status) && WTERMSIG (status) == SIGKILL);
}

static gboolean
hear (const Child *child, Said *said)
{
  ssize_t n;
  do
    n = read (child->fd, said, sizeof *said);
  while (n < 0 && errno == EINTR);
  g_assert_true (n == 0 || n == sizeof *said);
  return n > 0;
}

/* What the journal that was left says; kind SAID_START: there is none. With `spoil` its last bytes
 * are gone. */
static Said
look_at_journal (gboolean spoil)
{
  Said found = { .kind = SAID_START };
  g_autofree char *folder = fs_journals_folder ();
  g_autoptr (GPtrArray) lost = fs_journals_find_lost (folder);
  g_assert_cmpuint (lost->len, <=, 1);
  if (lost->len == 0)
    return found;
  const FsLostWork *work = lost->pdata[0];
  const FsSession *session = work->content->session;
  found.kind = SAID_EDIT;
  found.n_undone = work->content->n_undone;
  found.n_strokes = session->strokes->len - found.n_undone;
  for (guint i = 0; i < session->strokes->len; i++)
    found.sum = add_to_sum (found.sum, session->strokes->pdata[i]);
  if (spoil) {
    const char *path = fs_journal_get_path (work->journal);
    g_assert_cmpint (truncate (path, (off_t)fs_journal_get_size (work->journal) - 5), ==, 0);
  }
  return found;
}

static guint64
sum_of_first (guint n)
{
  g_autofree char *folder = fs_journals_folder ();
  g_autoptr (GPtrArray) lost = fs_journals_find_lost (folder);
  guint64 sum = 0;
  for (guint i = 0; lost->len > 0 && i < n; i++)
    sum = add_to_sum (sum, ((FsLostWork *)lost->pdata[0])->content->session->strokes->pdata[i]);
  return sum;
}

/* Whether `found` is what was said last, or has one edit more. */
static gboolean
is_kept (const Said *said, const Said *found)
{
  guint n_said = said->n_strokes + said->n_undone, n_found = found->n_strokes + found->n_undone;
  if (n_found == n_said && found->sum == said->sum)
    return ABS ((int)found->n_strokes - (int)said->n_strokes) <= 1;
  /* A stroke more, which has forgotten what was undone. */
  return said->n_undone == 0 && found->n_undone == 0 && n_found == n_said + 1
         && sum_of_first (n_said) == said->sum;
}

/* A stroke after an undo that nobody heard of: all that had not been undone is there. */
static gboolean
is_repainted (const Said *said, const Said *found)
{
  return said->n_undone > 0 && found->n_undone == 0 && found->n_strokes == said->n_strokes + 1;
}

static gboolean
nothing_is_lost (const Said *said, const Said *found)
{
  if (said->kind == SAID_START || (said->n_strokes == 0 && said->n_undone == 0))
    return TRUE;
  return found->kind == SAID_EDIT && (is_kept (said, found) || is_repainted (said, found));
}

/* Lets a child paint for a random time, and kills it. `said`: what is known to be finished. */
static void
paint_and_kill (const char *photo, GRand *random, Said *said, gint64 *start_us)
{
  Said found = look_at_journal (FALSE), heard;
  gint64 begun = g_get_monotonic_time ();
  Child child = start_child (photo, g_rand_int (random));
  gboolean early = g_rand_int_range (random, 0, 3) == 0;
  if (early) {
    /* While it starts, or while strokes come back. */
    g_usleep ((gulong)g_rand_int_range (random, 0, (gint32)*start_us));
  } else {
    do
      g_assert_true (hear (&child, &heard));
    while (heard.kind == SAID_START);
    *start_us = CLAMP (g_get_monotonic_time () - begun, 1000, 20 * G_USEC_PER_SEC);
    if (found.kind == SAID_EDIT) {
      g_assert_cmpuint (heard.n_strokes, ==, found.n_strokes);
      g_assert_cmpuint (heard.n_undone, ==, found.n_undone);
      g_assert_cmpuint (heard.sum, ==, found.sum);
    }
    *said = heard;
    g_usleep ((gulong)g_rand_int_range (random, 0, 1500000));
  }
  kill_child (&child);
  while (hear (&child, &heard))
    if (heard.kind != SAID_START)
      *said = heard;
  close (child.fd);
}

static void
forget_work (void)
{
  g_autofree char *folder = fs_journals_folder ();
  g_autoptr (GPtrArray) lost = fs_journals_find_lost (folder);
  for (guint i = 0; i < lost->len; i++)
    fs_journal_remove (g_steal_pointer (&((FsLostWork *)lost->pdata[i])->journal));
}

static char *
write_photo (void)
{
  g_autofree char *folder = g_dir_make_tmp ("fretsaw-XXXXXX", NULL);
  return scene_write (folder, "scene.png");
}

static void
remove_photo (char *photo)
{
  g_autofree char *folder = g_path_get_dirname (photo);
  g_unlink (photo);
  g_rmdir (folder);
  g_free (photo);
}

static void
test_kill (void)
{
  const char *scale = g_getenv ("SCALE");
  int n_kills = N_KILLS * MAX (1, scale != NULL ? atoi (scale) : 1);
  g_autoptr (GRand) random = g_rand_new_with_seed (17);
  char *photo = write_photo ();
  gint64 start_us = G_USEC_PER_SEC;
  guint n_edits = 0;
  Said said = { .kind = SAID_START };
  for (int i = 0; i < n_kills; i++) {
    if (i % KILLS_A_WORK == 0) {
      forget_work ();
      said = (Said){ .kind = SAID_START };
    }
    paint_and_kill (photo, random, &said, &start_us);
    Said found = look_at_journal (FALSE);
    if (!nothing_is_lost (&said, &found))
      g_error ("kill %d: %u strokes and %u undone ones were finished; %u and %u are left", i,
               said.n_strokes, said.n_undone, found.n_strokes, found.n_undone);
    if (found.kind == SAID_EDIT) {
      n_edits += found.n_strokes;
      said = found;
    }
  }
  g_test_message ("%d kills, %u strokes found again", n_kills, n_edits);
  g_assert_cmpuint (n_edits, >, 0);
  forget_work ();
  remove_photo (photo);
}

static guint
n_all (const Said *said)
{
  return said->n_strokes + said->n_undone;
}

/* A journal without its last stroke is noticed. Other records, which may follow it, are no loss. */
static void
test_notices_loss (void)
{
  char *photo = write_photo ();
  Said said = { .kind = SAID_START }, found, heard;
  Child child = start_child (photo, 1);
  while (said.n_strokes < 3 && hear (&child, &heard))
    said = heard;
  kill_child (&child);
  while (hear (&child, &heard))
    said = heard;
  close (child.fd);
  found = look_at_journal (TRUE);
  g_assert_true (nothing_is_lost (&said, &found));
  while (n_all (&found) >= n_all (&said))
    found = look_at_journal (TRUE);
  g_assert_false (nothing_is_lost (&said, &found));
  forget_work ();
  remove_photo (photo);
}

int
main (int argc, char **argv)
{
  own_path = argv[0];
  if (argc == 4 && strcmp (argv[1], "--person") == 0) {
    gtk_init (NULL, NULL);
    be_a_person (argv[2], (guint32)g_ascii_strtoull (argv[3], NULL, 10));
  }
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/kill/notices-loss", test_notices_loss);
  g_test_add_func ("/kill/nothing-is-lost", test_kill);
  return g_test_run ();
}
