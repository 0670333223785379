/* SPDX-License-Identifier: MIT */
/* Photos whose reading is ended by the machine's memory or by the user: one sentence, nothing else.
 */
#include "app/photo/photo.h"
#include "tests/app/photo/made_files.h"
#include "tests/app/photo/photo_child.h"

#include <locale.h>
#include <malloc.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB (G_GINT64_CONSTANT (1) << 20)

static char *folder;

/* --- memory that ends ------------------------------------------------------------------------ */

#ifdef HAVE_HEIF
/* In a child: what the encoders leave would be room for what is tested. */
static GByteArray *
make_elsewhere (const MadeHeif *spec)
{
  g_autofree char *path = g_build_filename (folder, "elsewhere", NULL);
  const pid_t child = fork ();
  if (child == 0) {
    g_autoptr (GByteArray) bytes = made_heif (spec);
    g_free (made_file (folder, "elsewhere", bytes->data, bytes->len));
    _exit (0);
  }
  int status;
  g_assert_cmpint (waitpid (child, &status, 0), ==, child);
  g_assert_cmpint (status, ==, 0);
  g_autofree char *bytes = NULL;
  gsize n_bytes;
  g_assert_true (g_file_get_contents (path, &bytes, &n_bytes, NULL));
  return g_byte_array_new_take ((guint8 *)g_steal_pointer (&bytes), n_bytes);
}
#endif

static void
test_memory_ends (void)
{
  if (photo_child_slowness > 1) {
    g_test_skip ("a sanitizer needs more address space than the test leaves");
    return;
  }
  const MadeJpeg specs[] = { { 3000, 3000, MADE_JPEG_YCC }, { 2000, 2000, MADE_JPEG_YCC, TRUE } };
  g_autoptr (GPtrArray) all = g_ptr_array_new_with_free_func ((GDestroyNotify)g_byte_array_unref);
  g_ptr_array_add (all, made_jpeg (&specs[0]));
  g_ptr_array_add (all, made_jpeg (&specs[1]));
  g_ptr_array_add (all, made_png (3000, 3000, FALSE));
#ifdef HAVE_TIFF
  const MadeTiff tiff = { 3000, 3000, .bits = 8, .n_samples = 3, .rows = 16 };
  g_ptr_array_add (all, made_tiff (&tiff));
#endif
#ifdef HAVE_WEBP
  const MadeWebp webp = { 3000, 3000, .lossy = TRUE };
  g_ptr_array_add (all, made_webp (&webp));
#endif
#ifdef HAVE_HEIF
  for (int av1 = 0; av1 < 2; av1++) {
    const MadeHeif heif = { 3000, 3000, .av1 = av1 };
    if (made_heif_can (&heif))
      g_ptr_array_add (all, make_elsewhere (&heif));
  }
#endif
  for (guint i = 0; i < all->len; i++) {
    const GByteArray *bytes = all->pdata[i];
    g_autofree char *path = made_file (folder, "memory", bytes->data, bytes->len);
    /* What was given back above is no room for the child. */
    malloc_trim (0);
    const pid_t child = fork ();
    if (child == 0) {
      const FsPhotoLimits no_forecast = { .max_memory_bytes = G_MAXUINT64 };
      struct rlimit limit;
      g_autofree char *statm = NULL;
      if (!g_file_get_contents ("/proc/self/statm", &statm, NULL, NULL))
        _exit (2);
      const guint64 now = g_ascii_strtoull (statm, NULL, 10) * (guint64)sysconf (_SC_PAGESIZE);
      limit.rlim_cur = limit.rlim_max = now + 20 * (guint64)MIB;
      if (setrlimit (RLIMIT_AS, &limit) < 0)
        _exit (2);
      photo_assert_refused (path, &no_forecast, FS_PHOTO_ERROR_LIMIT, "not enough memory");
      _exit (0);
    }
    int status;
    g_assert_cmpint (waitpid (child, &status, 0), ==, child);
    g_assert_cmpint (status, ==, 0);
  }
}

/* --- giving up ------------------------------------------------------------------------------- */

static gpointer
cancel_soon (gpointer data)
{
  g_usleep (3000);
  g_cancellable_cancel (data);
  return NULL;
}

static void
assert_cancelled (GByteArray *bytes)
{
  g_autofree char *path = made_file (folder, "long", bytes->data, bytes->len);
  g_autoptr (GCancellable) cancellable = g_cancellable_new ();
  GError *error = NULL;
  g_byte_array_unref (bytes);
  /* On a busy machine the decoder may be done before the other thread starts. */
  for (int attempt = 0; attempt < 50 && !error; attempt++) {
    g_cancellable_reset (cancellable);
    GThread *thread = g_thread_new ("cancel", cancel_soon, cancellable);
    fs_photo_free (fs_photo_load (path, NULL, cancellable, &error));
    g_thread_join (thread);
  }
  g_assert_error (error, FS_PHOTO_ERROR, FS_PHOTO_ERROR_CANCELLED);
  g_assert_true (photo_message_is_sound (error->message, path));
  g_clear_error (&error);

  g_assert_null (fs_photo_load (path, NULL, cancellable, &error));
  g_assert_error (error, FS_PHOTO_ERROR, FS_PHOTO_ERROR_CANCELLED);
  g_clear_error (&error);
}

static void
test_cancel (void)
{
  const MadeJpeg baseline = { 6000, 4000, MADE_JPEG_YCC };
  const MadeJpeg progressive = { 6000, 4000, MADE_JPEG_YCC, .progressive = TRUE };
  assert_cancelled (made_jpeg (&baseline));
  assert_cancelled (made_jpeg (&progressive));
  assert_cancelled (made_png (6000, 4000, FALSE));
#ifdef HAVE_TIFF
  const MadeTiff tiff = { 3000, 2000, .bits = 8, .n_samples = 3, .rows = 16 };
  assert_cancelled (made_tiff (&tiff));
#endif
#ifdef HAVE_WEBP
  const MadeWebp webp = { 3000, 2000, .lossy = TRUE };
  assert_cancelled (made_webp (&webp));
#endif
#ifdef HAVE_HEIF
  for (int av1 = 0; av1 < 2; av1++) {
    const MadeHeif heif = { 2000, 1000, .av1 = av1 };
    if (made_heif_can (&heif))
      assert_cancelled (made_heif (&heif));
  }
#endif
}

int
main (int argc, char **argv)
{
  setlocale (LC_ALL, "");
  g_test_init (&argc, &argv, NULL);
  folder = made_folder ();
  g_test_add_func ("/photo/memory-ends", test_memory_ends);
  g_test_add_func ("/photo/cancel", test_cancel);
  const int failed = g_test_run ();
  made_folder_remove (folder);
  g_free (folder);
  return failed;
}
