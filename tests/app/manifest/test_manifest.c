/* SPDX-License-Identifier: MIT */
/* Manifests: what was put is read again, from a log as well, and also after the disk was full. */
#include "app/manifest/manifest.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <sys/resource.h>

#define N_RECORDS 40

static char *folder;
static const FsManifestNames names = { NULL, "m", "m.log", "files", "file" };

static FsManifestNames
name_all (void)
{
  FsManifestNames all = names;
  all.folder = folder;
  return all;
}

static gboolean
put_number (FsManifest *manifest, int number)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *key = g_strdup_printf ("a%%b/kéy \xff %d", number);
  json_t *record = json_pack ("{s:i}", "number", number);
  gboolean done = fs_manifest_put (manifest, key, record, &error);
  g_assert_true (done == (error == NULL));
  json_decref (record);
  return done;
}

static void
take_number (const char *key, const json_t *record, gpointer data)
{
  gboolean *is_there = data;
  const int number = (int)json_integer_value (json_object_get (record, "number"));
  g_autofree char *expected = g_strdup_printf ("a%%b/kéy \xff %d", number);
  g_assert_cmpstr (key, ==, expected);
  g_assert_cmpint (number, >=, 0);
  g_assert_cmpint (number, <, N_RECORDS);
  is_there[number] = TRUE;
}

static void
assert_numbers (const gboolean *expected)
{
  const FsManifestNames all = name_all ();
  g_autoptr (FsManifest) manifest = fs_manifest_read (&all);
  gboolean is_there[N_RECORDS] = { FALSE };
  fs_manifest_foreach (manifest, take_number, is_there);
  for (int i = 0; i < N_RECORDS; i++)
    g_assert_true (is_there[i] == expected[i]);
}

static void
limit_files (rlim_t n_bytes)
{
  struct rlimit limit;
  g_assert_cmpint (getrlimit (RLIMIT_FSIZE, &limit), ==, 0);
  limit.rlim_cur = MIN (n_bytes, limit.rlim_max);
  g_assert_cmpint (setrlimit (RLIMIT_FSIZE, &limit), ==, 0);
}

/* A line that does not fit is taken back, so that those behind it can be read; before and after the
 * log has become the manifest. */
static void
test_full (void)
{
  const FsManifestNames all = name_all ();
  g_autoptr (GError) error = NULL;
  g_autoptr (FsManifest) manifest = fs_manifest_read_locked (&all, &error);
  g_assert_no_error (error);
  gboolean is_put[N_RECORDS] = { FALSE };
  int n_refused = 0;
  for (int i = 0; i < N_RECORDS; i++) {
    limit_files (i % 8 == 7 ? RLIM_INFINITY : 600);
    is_put[i] = put_number (manifest, i);
    n_refused += !is_put[i];
    limit_files (RLIM_INFINITY);
    assert_numbers (is_put);
  }
  g_assert_cmpint (n_refused, >, 3);
  g_assert_cmpint (n_refused, <, N_RECORDS - 8);
  g_assert_null (fs_manifest_read_locked (&all, &error));
  g_assert_nonnull (error);
}

static void
test_dropped (void)
{
  const FsManifestNames all = name_all ();
  g_autoptr (GError) error = NULL;
  gboolean expected[N_RECORDS] = { FALSE, TRUE, TRUE };
  g_autoptr (FsManifest) manifest = fs_manifest_read_locked (&all, &error);
  g_assert_no_error (error);
  fs_manifest_clear (manifest);
  for (int i = 0; i < 4; i++)
    g_assert_true (put_number (manifest, i));
  g_assert_true (fs_manifest_save (manifest, &error));
  g_assert_true (fs_manifest_drop (manifest, "a%b/kéy \xff 0", &error));
  g_assert_true (fs_manifest_drop (manifest, "a%b/kéy \xff 3", &error));
  g_assert_true (fs_manifest_drop (manifest, "none", &error));
  assert_numbers (expected);
  g_assert_true (fs_manifest_save (manifest, &error));
  assert_numbers (expected);
  json_t *record = json_pack ("{s:i}", "number", 5);
  fs_manifest_set (manifest, "a%b/kéy \xff 5", record);
  json_decref (record);
  assert_numbers (expected);
  g_assert_true (fs_manifest_save (manifest, &error));
  expected[5] = TRUE;
  assert_numbers (expected);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  signal (SIGXFSZ, SIG_IGN);
  folder = g_dir_make_tmp ("manifest-XXXXXX", NULL);
  g_test_add_func ("/app/manifest/full", test_full);
  g_test_add_func ("/app/manifest/dropped", test_dropped);
  int code = g_test_run ();
  g_autofree char *file = g_build_filename (folder, "m", NULL);
  g_autofree char *log = g_build_filename (folder, "m.log", NULL);
  g_unlink (file);
  g_unlink (log);
  g_rmdir (folder);
  g_free (folder);
  return code;
}
