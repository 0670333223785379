/* SPDX-License-Identifier: MIT */
/* Exports: exact, whole or absent, whatever fails on the way. */
#include "app/export/export.h"
#include "app/photo/photo.h"
#include "tests/app/files/faulty_calls.h"
#include "tests/app/photo/made_files.h"
#include "tests/app/photo/photo_child.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <locale.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
  char *folder;
  char *path; /* of the export: folder/out.png */
  FsImage *image;
  uint8_t *mask;
} Fixture;

#define WIDTH  301
#define HEIGHT 203

static void
fixture_fill (Fixture *fixture, int width, int height)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (7);
  const int n = width * height;
  fixture->image = fs_image_new (width, height);
  fixture->image->has_alpha = TRUE;
  fixture->mask = g_malloc ((gsize)n);
  for (int i = 0; i < n; i++) {
    fixture->image->pixels[i] = g_rand_int (random);
    fixture->mask[i] = (uint8_t)g_rand_boolean (random);
  }
  fixture->image->pixels[0] = FS_PIXEL (3, 200, 100, 51);
  fixture->mask[0] = 1;
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  faulty_calls = (FaultyCalls){ .no_tmpfile = GPOINTER_TO_INT (data) };
  fixture->folder = made_folder ();
  fixture->path = g_build_filename (fixture->folder, "out.png", NULL);
  fixture_fill (fixture, WIDTH, HEIGHT);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  faulty_calls = (FaultyCalls){ 0 };
  g_chmod (fixture->folder, 0700);
  made_folder_remove (fixture->folder);
  g_free (fixture->folder);
  g_free (fixture->path);
  g_free (fixture->mask);
  fs_image_unref (fixture->image);
}

static FsExport
export_of (const Fixture *fixture, FsExportKind kind)
{
  return (FsExport){ .image = fixture->image, .mask = fixture->mask, .kind = kind };
}

static void
write_to (const Fixture *fixture, const char *path, FsExportKind kind)
{
  const FsExport what = export_of (fixture, kind);
  g_autoptr (GError) error = NULL;
  g_assert_true (fs_export_write (&what, path, NULL, NULL, NULL, &error));
  g_assert_no_error (error);
}

static int
count_files (const char *folder)
{
  int n = 0;
  GDir *dir = g_dir_open (folder, 0, NULL);
  while (g_dir_read_name (dir))
    n++;
  g_dir_close (dir);
  return n;
}

static void
assert_holds (const char *path, const char *text)
{
  g_autofree char *now = NULL;
  g_assert_true (g_file_get_contents (path, &now, NULL, NULL));
  g_assert_cmpstr (now, ==, text);
}

/* --- what is in the file ---------------------------------------------------------------------- */

static void
assert_cutout (const Fixture *fixture, const char *path, gboolean keep_hidden)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsPhoto) photo = fs_photo_load (path, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_null (photo->warning);
  g_assert_cmpint (photo->image->width, ==, fixture->image->width);
  g_assert_cmpint (photo->image->height, ==, fixture->image->height);
  const int n = photo->image->width * photo->image->height;
  for (int i = 0; i < n; i++) {
    const uint32_t pixel = fixture->image->pixels[i] & (fixture->mask[i] ? 0xffffffff : 0xffffff);
    const gboolean is_empty = FS_PIXEL_A (pixel) == 0 && !keep_hidden;
    g_assert_cmphex (photo->image->pixels[i], ==, is_empty ? 0 : pixel);
  }
}

static void
test_cutout (Fixture *fixture, gconstpointer data)
{
  write_to (fixture, fixture->path, FS_EXPORT_CUTOUT);
  assert_cutout (fixture, fixture->path, FALSE);
  g_assert_cmpint (count_files (fixture->folder), ==, 1);
}

static void
test_hidden_colours (Fixture *fixture, gconstpointer data)
{
  FsExport what = export_of (fixture, FS_EXPORT_CUTOUT);
  what.keep_hidden = TRUE;
  g_assert_true (fs_export_write (&what, fixture->path, NULL, NULL, NULL, NULL));
  assert_cutout (fixture, fixture->path, TRUE);
}

static void
test_mask (Fixture *fixture, gconstpointer data)
{
  write_to (fixture, fixture->path, FS_EXPORT_MASK);
  g_autoptr (GError) error = NULL;
  g_autofree uint8_t *grey = fs_seeds_load (fixture->path, WIDTH, HEIGHT, NULL, &error);
  g_assert_no_error (error);
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    g_assert_cmpint (grey[i], ==, fixture->mask[i] ? 255 : 0);
}

static void
test_labels (Fixture *fixture, gconstpointer data)
{
  for (int i = 0; i < WIDTH * HEIGHT; i++)
    fixture->mask[i] = (uint8_t)i;
  write_to (fixture, fixture->path, FS_EXPORT_LABELS);
  g_autoptr (GError) error = NULL;
  g_autofree uint8_t *labels = fs_seeds_load (fixture->path, WIDTH, HEIGHT, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpmem (labels, WIDTH * HEIGHT, fixture->mask, WIDTH * HEIGHT);
}

static void
test_one_pixel (Fixture *fixture, gconstpointer data)
{
  g_clear_pointer (&fixture->image, fs_image_unref);
  g_clear_pointer (&fixture->mask, g_free);
  fixture_fill (fixture, 1, 1);
  write_to (fixture, fixture->path, FS_EXPORT_CUTOUT);
  assert_cutout (fixture, fixture->path, FALSE);
}

static void
test_text (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_assert_true (fs_export_write_text (fixture->path, "one\n", -1, &error));
  assert_holds (fixture->path, "one\n");
  g_assert_true (fs_export_write_text (fixture->path, "two, longer\n", 3, &error));
  assert_holds (fixture->path, "two");
  g_assert_no_error (error);
  g_assert_cmpint (count_files (fixture->folder), ==, 1);
}

/* --- where it lands --- */

static void
test_symlink_stays (Fixture *fixture, gconstpointer data)
{
  g_autofree char *inner = g_build_filename (fixture->folder, "inner", NULL);
  g_autofree char *target = g_build_filename (inner, "target.png", NULL);
  g_autofree char *second = g_build_filename (fixture->folder, "second", NULL);
  g_assert_cmpint (g_mkdir (inner, 0700), ==, 0);
  g_assert_cmpint (symlink ("second", fixture->path), ==, 0);
  g_assert_cmpint (symlink ("inner/target.png", second), ==, 0);

  for (int i = 0; i < 2; i++) { /* first the target is missing, then it is there */
    write_to (fixture, fixture->path, FS_EXPORT_CUTOUT);
    g_assert_true (g_file_test (fixture->path, G_FILE_TEST_IS_SYMLINK));
    g_assert_true (g_file_test (second, G_FILE_TEST_IS_SYMLINK));
    g_assert_false (g_file_test (target, G_FILE_TEST_IS_SYMLINK));
    assert_cutout (fixture, target, FALSE);
    g_assert_cmpint (count_files (inner), ==, 1);
  }
}

static void
test_permissions (Fixture *fixture, gconstpointer data)
{
  struct stat facts;
  const mode_t old = umask (027);
  write_to (fixture, fixture->path, FS_EXPORT_MASK);
  g_assert_cmpint (stat (fixture->path, &facts), ==, 0);
  g_assert_cmpint (facts.st_mode & 0777, ==, 0640);

  g_assert_cmpint (chmod (fixture->path, 0604), ==, 0);
  write_to (fixture, fixture->path, FS_EXPORT_MASK);
  g_assert_cmpint (stat (fixture->path, &facts), ==, 0);
  g_assert_cmpint (facts.st_mode & 0777, ==, 0604);
  umask (old);
}

/* --- failures --- */

static void
assert_fails (const Fixture *fixture, const char *path, const char *has)
{
  const FsExport what = export_of (fixture, FS_EXPORT_CUTOUT);
  g_autoptr (GError) error = NULL;
  g_assert_false (fs_export_write (&what, path, NULL, NULL, NULL, &error));
  g_assert_error (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE);
  g_test_message ("%s", error->message);
  g_assert_true (photo_message_is_sound (error->message, path));
  g_assert_nonnull (strstr (error->message, has));
}

static void
test_bad_places (Fixture *fixture, gconstpointer data)
{
  g_autofree char *nowhere = g_build_filename (fixture->folder, "no", "such", "out.png", NULL);
  g_autofree char *loop = g_build_filename (fixture->folder, "loop", NULL);
  g_assert_cmpint (symlink ("loop", loop), ==, 0);
  assert_fails (fixture, nowhere, "No such file");
  assert_fails (fixture, fixture->folder, "directory");
  assert_fails (fixture, "/dev/full", "device");
  assert_fails (fixture, loop, "symbolic links");
  g_assert_cmpint (count_files (fixture->folder), ==, 1);
}

/* A disk that is full after some bytes: the old file stays, nothing else remains. */
static void
test_disk_full (Fixture *fixture, gconstpointer data)
{
  for (int existed = 0; existed < 2; existed++)
    for (rlim_t limit = 0; limit < 200000; limit = limit * 3 + 100) {
      if (existed)
        g_free (made_file (fixture->folder, "out.png", "old", 3));
      const pid_t child = fork ();
      if (child == 0) {
        const struct rlimit size = { limit, limit };
        signal (SIGXFSZ, SIG_IGN);
        if (setrlimit (RLIMIT_FSIZE, &size) < 0)
          _exit (2);
        assert_fails (fixture, fixture->path, "File too large");
        _exit (0);
      }
      int status;
      g_assert_cmpint (waitpid (child, &status, 0), ==, child);
      g_assert_cmpint (status, ==, 0);
      if (existed)
        assert_holds (fixture->path, "old");
      g_assert_cmpint (count_files (fixture->folder), ==, existed);
    }
}

/* As nobody, because root may write everywhere. */
static void
test_read_only (Fixture *fixture, gconstpointer data)
{
  g_autofree char *file = made_file (fixture->folder, "locked.png", "old", 3);
  g_assert_cmpint (g_chmod (file, 0444), ==, 0);
  g_assert_cmpint (g_chmod (fixture->folder, 0777), ==, 0);
  for (int folder_too = 0; folder_too < 2; folder_too++) {
    if (folder_too)
      g_assert_cmpint (g_chmod (fixture->folder, 0555), ==, 0);
    const pid_t child = fork ();
    if (child == 0) {
      if (geteuid () == 0 && setuid (65534) < 0)
        _exit (2);
      assert_fails (fixture, file, "Permission denied");
      if (folder_too)
        assert_fails (fixture, fixture->path, "Permission denied");
      _exit (0);
    }
    int status;
    g_assert_cmpint (waitpid (child, &status, 0), ==, child);
    g_assert_cmpint (status, ==, 0);
    assert_holds (file, "old");
    g_assert_cmpint (count_files (fixture->folder), ==, 1);
  }
}

static void
test_short_writes (Fixture *fixture, gconstpointer data)
{
  faulty_calls.short_writes = TRUE;
  write_to (fixture, fixture->path, FS_EXPORT_CUTOUT);
  faulty_calls.short_writes = FALSE;
  assert_cutout (fixture, fixture->path, FALSE);
}

/* Each call on the way fails in turn: the old file stays, or none, and nothing else remains. */
static void
test_failing_calls (Fixture *fixture, gconstpointer data)
{
  static int *const calls[] = { &faulty_calls.write_errno, &faulty_calls.fsync_errno,
                                &faulty_calls.link_errno, &faulty_calls.rename_errno };
  static const int codes[] = { ENOSPC, EIO, EDQUOT };
  for (gsize i = 0; i < G_N_ELEMENTS (calls) * G_N_ELEMENTS (codes) * 2; i++) {
    int *const call = calls[i / 2 % G_N_ELEMENTS (calls)];
    const int code = codes[i / 2 / G_N_ELEMENTS (calls)];
    const gboolean existed = i % 2;
    /* A nameless file is linked, and renamed only over an old one; a named one is never linked. */
    if (faulty_calls.no_tmpfile ? call == &faulty_calls.link_errno
                                : call == &faulty_calls.rename_errno && !existed)
      continue;
    g_unlink (fixture->path);
    if (existed)
      g_free (made_file (fixture->folder, "out.png", "old", 3));
    *call = code;
    assert_fails (fixture, fixture->path, g_strerror (code));
    *call = 0;
    if (existed)
      assert_holds (fixture->path, "old");
    g_assert_cmpint (count_files (fixture->folder), ==, existed);
  }
}

static void
cancel_half_way (double fraction, gpointer data)
{
  if (fraction >= 0.5)
    g_cancellable_cancel (data);
}

static void
test_cancel (Fixture *fixture, gconstpointer data)
{
  const FsExport what = export_of (fixture, FS_EXPORT_CUTOUT);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  g_free (made_file (fixture->folder, "out.png", "old", 3));
  for (int i = 0; i < 2; i++) { /* on the way, then before it starts */
    g_autoptr (GError) error = NULL;
    g_assert_false (
        fs_export_write (&what, fixture->path, cancellable, cancel_half_way, cancellable, &error));
    g_assert_error (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_CANCELLED);
    g_assert_true (photo_message_is_sound (error->message, fixture->path));
    assert_holds (fixture->path, "old");
    g_assert_cmpint (count_files (fixture->folder), ==, 1);
  }
}

/* Killed at any moment, the destination is the old file or the whole new one. */
static void
test_kill (Fixture *fixture, gconstpointer data)
{
  const int n_kills = g_test_slow () ? 1000 : 60;
  int n_new = 0;
  for (int i = 0; i < n_kills; i++) {
    const gboolean existed = i % 2;
    g_unlink (fixture->path);
    if (existed)
      g_free (made_file (fixture->folder, "out.png", "old", 3));
    const pid_t child = fork ();
    if (child == 0) {
      write_to (fixture, fixture->path, FS_EXPORT_CUTOUT);
      _exit (0);
    }
    g_usleep ((gulong)g_test_rand_int_range (0, 25000));
    kill (child, SIGKILL);
    g_assert_cmpint (waitpid (child, NULL, 0), ==, child);

    g_autofree char *now = NULL;
    gsize n_bytes = 0;
    const gboolean there = g_file_get_contents (fixture->path, &now, &n_bytes, NULL);
    g_assert_true (there || !existed);
    if (there && !(existed && n_bytes == 3)) {
      assert_cutout (fixture, fixture->path, FALSE);
      n_new++;
    }
  }
  g_test_message ("%d of %d were written before the kill", n_new, n_kills);
}

/* What a killed process has left goes with the next write; what somebody writes to, is new or is
 * called otherwise stays. */
static void
test_stale_parts (Fixture *fixture, gconstpointer data)
{
  static const char *const names[] = { ".fretsaw-0123456789abcdef.part",  /* left behind  */
                                       ".fretsaw-00000000ffffffff.part",  /* being written */
                                       ".fretsaw-aaaaaaaaaaaaaaaa.part",  /* new          */
                                       ".fretsaw-0123456789abcdeg.part",  /* not a part   */
                                       ".fretsaw-0123456789abcdef.part~", /* nor this     */
                                       "out.png" };
  const struct timespec old[2] = { { .tv_sec = time (NULL) - 3600 },
                                   { .tv_sec = time (NULL) - 3600 } };
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = made_file (fixture->folder, names[i], "left", 4);
    g_assert_true (i == 2 || utimensat (AT_FDCWD, path, old, 0) == 0);
  }
  g_autofree char *locked = g_build_filename (fixture->folder, names[1], NULL);
  int fd = open (locked, O_RDONLY | O_CLOEXEC);
  g_assert_cmpint (flock (fd, LOCK_EX), ==, 0);
  write_to (fixture, fixture->path, FS_EXPORT_CUTOUT);
  close (fd);
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++) {
    g_autofree char *path = g_build_filename (fixture->folder, names[i], NULL);
    g_assert_true (g_file_test (path, G_FILE_TEST_EXISTS) == (i != 0));
  }
}

/* --- on a worker --- */

typedef struct {
  GMainLoop *loop;
  GThread *thread;
  GError *error;
  gboolean done;
  gboolean written;
  int n_reports;
  double last;
} Waiting;

static void
on_progress (double fraction, gpointer data)
{
  Waiting *waiting = data;
  g_assert_true (g_thread_self () == waiting->thread);
  g_assert_false (waiting->done);
  g_assert_cmpfloat (fraction, >=, waiting->last);
  g_assert_cmpfloat (fraction, <=, 1);
  waiting->last = fraction;
  waiting->n_reports++;
}

static void
on_written (GObject *source, GAsyncResult *result, gpointer data)
{
  Waiting *waiting = data;
  g_assert_true (g_thread_self () == waiting->thread);
  waiting->written = fs_export_write_finish (result, &waiting->error);
  waiting->done = TRUE;
  g_main_loop_quit (waiting->loop);
}

/* The caller's image reference and mask may go at once, and its context need not be the default. */
static void
test_async (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GMainContext) context = g_main_context_new ();
  g_main_context_push_thread_default (context);
  Waiting waiting = { .loop = g_main_loop_new (context, FALSE),
                      .thread = g_thread_self (),
                      .last = -1 };
  g_autofree uint8_t *mask = g_memdup2 (fixture->mask, WIDTH * HEIGHT);
  const FsExport what = { fs_image_ref (fixture->image), mask, FS_EXPORT_CUTOUT };
  fs_export_write_async (&what, fixture->path, NULL, on_progress, on_written, &waiting);
  fs_image_unref (what.image);
  memset (mask, 9, WIDTH * HEIGHT);
  g_main_loop_run (waiting.loop);
  g_main_context_pop_thread_default (context);

  g_assert_no_error (waiting.error);
  g_assert_true (waiting.written);
  g_assert_cmpfloat (waiting.last, ==, 1);
  g_assert_cmpint (waiting.n_reports, <, HEIGHT / 2);
  while (g_main_context_iteration (context, FALSE))
    ;
  assert_cutout (fixture, fixture->path, FALSE);
  g_main_loop_unref (waiting.loop);
}

static void
test_async_cancel (Fixture *fixture, gconstpointer data)
{
  for (int early = 0; early < 2; early++) {
    g_autoptr (GCancellable) cancellable = g_cancellable_new ();
    Waiting waiting = { .loop = g_main_loop_new (NULL, FALSE),
                        .thread = g_thread_self (),
                        .last = -1 };
    const FsExport what = export_of (fixture, FS_EXPORT_CUTOUT);
    if (early)
      g_cancellable_cancel (cancellable);
    fs_export_write_async (&what, fixture->path, cancellable, on_progress, on_written, &waiting);
    g_cancellable_cancel (cancellable);
    g_main_loop_run (waiting.loop);
    if (early)
      g_assert_error (waiting.error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_CANCELLED);
    g_assert_true (waiting.written == g_file_test (fixture->path, G_FILE_TEST_EXISTS));
    g_assert_true (waiting.written == (waiting.error == NULL));
    g_unlink (fixture->path);
    g_clear_error (&waiting.error);
    g_main_loop_unref (waiting.loop);
  }
}

static void
test_async_fails (Fixture *fixture, gconstpointer data)
{
  Waiting waiting = { .loop = g_main_loop_new (NULL, FALSE),
                      .thread = g_thread_self (),
                      .last = -1 };
  const FsExport what = export_of (fixture, FS_EXPORT_MASK);
  fs_export_write_async (&what, fixture->folder, NULL, NULL, on_written, &waiting);
  g_main_loop_run (waiting.loop);
  g_assert_error (waiting.error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE);
  g_assert_true (photo_message_is_sound (waiting.error->message, fixture->folder));
  g_clear_error (&waiting.error);
  g_main_loop_unref (waiting.loop);
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  /* Where the file system knows nameless files, and where it does not. */
#define ADD(path, func)                                                                            \
  g_test_add ("/export/" path, Fixture, NULL, set_up, func, tear_down);                            \
  g_test_add ("/export/named/" path, Fixture, GINT_TO_POINTER (1), set_up, func, tear_down)
  ADD ("cutout", test_cutout);
  ADD ("hidden-colours", test_hidden_colours);
  ADD ("mask", test_mask);
  ADD ("labels", test_labels);
  ADD ("one-pixel", test_one_pixel);
  ADD ("text", test_text);
  ADD ("symlink-stays", test_symlink_stays);
  ADD ("permissions", test_permissions);
  ADD ("bad-places", test_bad_places);
  ADD ("disk-full", test_disk_full);
  ADD ("read-only", test_read_only);
  ADD ("short-writes", test_short_writes);
  ADD ("failing-calls", test_failing_calls);
  ADD ("cancel", test_cancel);
  ADD ("kill", test_kill);
  ADD ("stale-parts", test_stale_parts);
  ADD ("async", test_async);
  ADD ("async-cancel", test_async_cancel);
  ADD ("async-fails", test_async_fails);
  return g_test_run ();
}
