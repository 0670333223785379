/* SPDX-License-Identifier: MIT */
/* Sessions as a set of labels: steps, failures, lists of sessions, and the end in the middle. */
#include "app/replay/label_export.h"
#include "tests/app/photo/made_files.h"
#include "tests/app/replay/made_sessions.h"

#include <glib/gstdio.h>
#include <string.h>

typedef struct {
  guint n_steps, n_failed, n_objects;
  GCancellable *cancellable; /* cancelled after a step; or NULL */
} Seen;

static void
on_step (const FsLabelExportStep *step, gpointer user_data)
{
  Seen *seen = user_data;
  g_assert_cmpuint (step->n_done, ==, ++seen->n_steps);
  g_assert_nonnull (step->session);
  seen->n_failed += step->error ? 1 : 0;
  seen->n_objects += step->n_objects;
  if (seen->cancellable)
    g_cancellable_cancel (seen->cancellable);
}

static FsLabelExportJob
make_job (const char *const *sessions, const char *path, Seen *seen)
{
  return (FsLabelExportJob){ .sessions = sessions,
                             .format = &fs_label_coco,
                             .options = { .path = path },
                             .step = on_step,
                             .user_data = seen };
}

static void
test_run (MadeSession *made, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *gone = g_build_filename (made->folder, "gone.fretsaw", NULL);
  g_autofree char *path = g_build_filename (made->folder, "set.json", NULL);
  const char *const sessions[] = { gone, made->session, NULL };
  Seen seen = { 0 };
  FsLabelExportResult result;
  const FsLabelExportJob job = make_job (sessions, path, &seen);
  g_assert_true (fs_label_export_run (&job, NULL, &result, &error));
  g_assert_cmpuint (seen.n_steps, ==, 2);
  g_assert_cmpuint (seen.n_failed, ==, 1);
  g_assert_cmpuint (seen.n_objects, ==, 1);
  g_assert_cmpuint (result.n_photos, ==, 1);
  g_assert_cmpuint (result.n_objects, ==, 1);
  g_assert_cmpuint (result.n_failed, ==, 1);
  g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS));
}

/* Names that come first keep their numbers. */
static void
test_class_names (MadeSession *made, gconstpointer data)
{
  g_autofree char *path = g_build_filename (made->folder, "indexed", NULL), *text = NULL;
  g_autofree char *list = g_build_filename (path, "classes.txt", NULL);
  const char *const sessions[] = { made->session, NULL }, *const names[] = { "a", "b", NULL };
  Seen seen = { 0 };
  FsLabelExportResult result;
  FsLabelExportJob job = make_job (sessions, path, &seen);
  job.format = &fs_label_indexed;
  job.class_names = names;
  g_assert_true (fs_label_export_run (&job, NULL, &result, NULL));
  g_assert_true (g_file_get_contents (list, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "a\nb\nObject\n");
}

/* The set that is there stays as it was. */
static void
test_cancelled (MadeSession *made, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_autofree char *path = made_file (made->folder, "set.json", "before", 6), *text = NULL;
  const char *const sessions[] = { made->session, made->session, NULL };
  Seen seen = { .cancellable = cancellable };
  FsLabelExportResult result;
  const FsLabelExportJob job = make_job (sessions, path, &seen);
  g_assert_false (fs_label_export_run (&job, cancellable, &result, &error));
  g_assert_error (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
  g_assert_cmpuint (seen.n_steps, ==, 1);
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_cmpstr (text, ==, "before");
}

/* Where no session is left nothing is written. */
static void
test_nothing (MadeSession *made, gconstpointer data)
{
  g_autofree char *gone = g_build_filename (made->folder, "gone.fretsaw", NULL);
  g_autofree char *path = g_build_filename (made->folder, "set.json", NULL);
  const char *const sessions[] = { gone, NULL };
  Seen seen = { 0 };
  FsLabelExportResult result;
  const FsLabelExportJob job = make_job (sessions, path, &seen);
  g_assert_true (fs_label_export_run (&job, NULL, &result, NULL));
  g_assert_cmpuint (result.n_photos, ==, 0);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

static void
test_list (void)
{
  g_autofree char *folder = made_folder ();
  static const char *const files[] = { "b.fretsaw", "a.FRETSAW", "c.png", ".d.fretsaw",
                                       "B.fretsaw" };
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++)
    g_free (made_file (folder, files[i], "", 0));
  const char *const paths[] = { "z.fretsaw", folder, "y.fretsaw", NULL };
  static const char *const listed[] = { "z.fretsaw", "B.fretsaw", "a.FRETSAW", "b.fretsaw",
                                        "y.fretsaw" };
  const FsShard all = { 0 };
  g_auto (GStrv) list = fs_label_export_list (paths, &all, NULL);
  g_assert_cmpuint (g_strv_length (list), ==, G_N_ELEMENTS (listed));
  for (gsize i = 0; i < G_N_ELEMENTS (listed); i++)
    g_assert_true (g_str_has_suffix (list[i], listed[i]));

  guint n = 0;
  for (guint k = 1; k <= 3; k++) {
    const FsShard shard = { k, 3 };
    g_auto (GStrv) share = fs_label_export_list (paths, &shard, NULL);
    n += g_strv_length (share);
  }
  g_assert_cmpuint (n, ==, G_N_ELEMENTS (listed));

  g_autoptr (GError) error = NULL;
  g_autofree char *empty = g_build_filename (folder, "empty", NULL);
  const char *const none[] = { empty, NULL };
  g_mkdir (empty, 0700);
  g_assert_null (fs_label_export_list (none, &all, &error));
  g_assert_error (error, FS_SESSION_ERROR, FS_SESSION_ERROR_READ);
  g_rmdir (empty);
  made_folder_remove (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add ("/label-export/run", MadeSession, NULL, made_set_up, test_run, made_tear_down);
  g_test_add ("/label-export/class-names", MadeSession, NULL, made_set_up, test_class_names,
              made_tear_down);
  g_test_add ("/label-export/cancelled", MadeSession, NULL, made_set_up, test_cancelled,
              made_tear_down);
  g_test_add ("/label-export/nothing", MadeSession, NULL, made_set_up, test_nothing,
              made_tear_down);
  g_test_add_func ("/label-export/list", test_list);
  return g_test_run ();
}
