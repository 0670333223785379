/* SPDX-License-Identifier: MIT */
#include "app/session/session_photo.h"

#include "app/files/display_name.h"
#include "app/files/same_file.h"
#include "app/files/task_source.h"

#include <glib/gi18n.h>
#include <string.h>

/* Names that are looked at in one folder, whatever they are of. */
enum { MAX_NAMES = 100000 };

void
fs_session_photo_clear (FsSessionPhoto *found)
{
  g_clear_pointer (&found->photo, fs_photo_free);
  g_clear_pointer (&found->path, g_free);
}

/* --- Sums ------------------------------------------------------------------------------------- */

static void
add_be32 (GChecksum *sum, guint32 value)
{
  const guint8 bytes[] = { (guint8)(value >> 24), (guint8)(value >> 16), (guint8)(value >> 8),
                           (guint8)value };
  g_checksum_update (sum, bytes, sizeof bytes);
}

char *
fs_session_sum_pixels (const FsImage *image)
{
  enum { PIXELS_AT_ONCE = 4096 };
  g_return_val_if_fail (image, NULL);

  guint8 bytes[4 * PIXELS_AT_ONCE];
  const gsize n = (gsize)image->width * (gsize)image->height;
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  add_be32 (sum, (guint32)image->width);
  add_be32 (sum, (guint32)image->height);
  for (gsize at = 0; at < n; at += PIXELS_AT_ONCE) {
    const gsize n_here = MIN (n - at, PIXELS_AT_ONCE);
    for (gsize i = 0; i < n_here; i++) {
      const uint32_t pixel = image->pixels[at + i];
      bytes[4 * i] = (guint8)FS_PIXEL_R (pixel);
      bytes[4 * i + 1] = (guint8)FS_PIXEL_G (pixel);
      bytes[4 * i + 2] = (guint8)FS_PIXEL_B (pixel);
      bytes[4 * i + 3] = (guint8)FS_PIXEL_A (pixel);
    }
    g_checksum_update (sum, bytes, (gssize)(4 * n_here));
  }
  return g_strdup (g_checksum_get_string (sum));
}

FsSessionFit
fs_session_fit_photo (const FsSession *session, const char *path, const FsImage *image,
                      GCancellable *cancellable, GError **error)
{
  g_return_val_if_fail (session && path && image, FS_SESSION_FIT_NONE);

  if (image->width != session->width || image->height != session->height)
    return FS_SESSION_FIT_NONE;
  g_autofree char *sum = fs_session_sum_photo (path, cancellable, error);
  if (!sum)
    return FS_SESSION_FIT_NONE;
  if (strcmp (sum, session->sha256) == 0)
    return FS_SESSION_FIT_FILE;
  if (!session->pixels[0])
    return FS_SESSION_FIT_SIZE;
  g_autofree char *pixels = fs_session_sum_pixels (image);
  return strcmp (pixels, session->pixels) == 0 ? FS_SESSION_FIT_PIXELS : FS_SESSION_FIT_CHANGED;
}

typedef struct {
  FsSessionSums sums; /* the result */
  char *photo_path;
  FsImage *image;
} SumJob;

static void
sum_job_free (gpointer data)
{
  SumJob *job = data;
  fs_image_unref (job->image);
  g_free (job->photo_path);
  g_free (job->sums.sha256);
  g_free (job->sums.pixels);
  g_free (job);
}

static void
sum_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  SumJob *job = data;
  GError *error = NULL;
  job->sums.sha256 = fs_session_sum_photo (job->photo_path, cancellable, &error);
  if (job->sums.sha256 && !g_cancellable_is_cancelled (cancellable))
    job->sums.pixels = fs_session_sum_pixels (job->image);
  if (error)
    g_task_return_error (task, error);
  else
    g_task_return_boolean (task, TRUE);
}

void
fs_session_sums_async (GObject *source, const char *photo_path, const FsImage *image,
                       GCancellable *cancellable, GAsyncReadyCallback callback)
{
  g_return_if_fail (source && photo_path && image);

  g_autoptr (GTask) task = g_task_new (source, cancellable, callback, NULL);
  g_task_set_source_tag (task, fs_session_sums_async);
  SumJob *job = g_new0 (SumJob, 1);
  job->photo_path = g_strdup (photo_path);
  job->image = fs_image_ref ((FsImage *)image);
  g_task_set_task_data (task, job, sum_job_free);
  fs_task_hold_source (task);
  g_task_run_in_thread (task, sum_in_thread);
}

const FsSessionSums *
fs_session_sums_finish (GAsyncResult *result, GError **error)
{
  const SumJob *job = g_task_get_task_data (G_TASK (result));
  return g_task_propagate_boolean (G_TASK (result), error) ? &job->sums : NULL;
}

/* --- Looking ---------------------------------------------------------------------------------- */

typedef struct {
  const FsSession *session;
  const char *folder; /* to look in */
  FsSessionFit min;
  GCancellable *cancellable;
  GHashTable *tried;    /* paths                                            */
  FsSessionPhoto *best; /* so far                                           */
  GError *error;        /* why the first photo that was expected is not it  */
} Search;

void
fs_session_photo_refuse (const char *path, FsSessionFit fit, GError **error)
{
  g_autofree char *name = fs_display_name (path);
  g_set_error (error, FS_SESSION_ERROR, FS_SESSION_ERROR_PHOTO,
               fit == FS_SESSION_FIT_NONE
                   ? _ ("%s: is not the photo that the session was painted on (its size differs)")
                   : _ ("%s: is not the photo that the session was painted on (its pixels differ)"),
               name);
}

static void
refuse_size (const Search *search, const char *path, const FsImage *image, GError **error)
{
  g_autofree char *name = fs_display_name (path);
  g_set_error (error, FS_SESSION_ERROR, FS_SESSION_ERROR_PHOTO,
               _ ("%s: has %d × %d pixels, the session's photo %d × %d"), name, image->width,
               image->height, search->session->width, search->session->height);
}

/* Takes the photo at `path` where it fits better than what there is. `error`: or why not. */
static void
try_photo (Search *search, const char *path, GError **error)
{
  g_autoptr (FsPhoto) photo = NULL;
  if (!g_hash_table_add (search->tried, g_strdup (path)))
    return;
  photo = fs_photo_load (path, NULL, search->cancellable, error);
  if (!photo)
    return;
  g_autoptr (GError) unread = NULL;
  const FsSessionFit fit =
      fs_session_fit_photo (search->session, path, photo->image, search->cancellable, &unread);
  if (unread && error)
    g_propagate_error (error, g_steal_pointer (&unread));
  else if (fit == FS_SESSION_FIT_NONE && error)
    refuse_size (search, path, photo->image, error);
  else if (fit < search->min && error)
    fs_session_photo_refuse (path, fit, error);
  if (fit < search->min || (search->best->photo && fit <= search->best->fit))
    return;
  fs_session_photo_clear (search->best);
  search->best->photo = g_steal_pointer (&photo);
  search->best->path = g_strdup (path);
  search->best->fit = fit;
}

static gboolean
is_found (const Search *search)
{
  return search->best->photo && search->best->fit >= FS_SESSION_FIT_PIXELS;
}

static void
try_name (Search *search, const char *name)
{
  g_autofree char *path = g_build_filename (search->folder, name, NULL);
  if (!is_found (search) && g_file_test (path, G_FILE_TEST_IS_REGULAR))
    try_photo (search, path, NULL);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *)a, *(char *const *)b);
}

static GPtrArray *
list_photos (const char *folder)
{
  GPtrArray *names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  for (int i = 0; dir && i < MAX_NAMES && (name = g_dir_read_name (dir)); i++)
    if (name[0] != '.' && fs_photo_has_name (name))
      g_ptr_array_add (names, g_strdup (name));
  g_ptr_array_sort (names, compare_names);
  return names;
}

/* Returns whether a photo is called as a session of this stem: "cat.jpg" for "cat", "cat-jpg" or
 * "cat.jpg". */
static gboolean
is_of_stem (const char *name, const char *stem)
{
  const char *dot = strrchr (name, '.');
  const gsize n = (gsize)(dot - name);
  if (strncmp (name, stem, n) != 0)
    return FALSE;
  return stem[n] == 0
         || ((stem[n] == '-' || stem[n] == '.') && strcmp (stem + n + 1, dot + 1) == 0);
}

static void
try_stem (Search *search, const char *session_path, const GPtrArray *names)
{
  g_autofree char *stem = g_path_get_basename (session_path);
  char *dot = strrchr (stem, '.');
  if (dot && dot != stem)
    *dot = 0;
  for (guint i = 0; i < names->len; i++)
    if (is_of_stem (names->pdata[i], stem))
      try_name (search, names->pdata[i]);
}

static gboolean
has_sum (const Search *search, const char *path)
{
  g_autofree char *sum = g_file_test (path, G_FILE_TEST_IS_REGULAR)
                             ? fs_session_sum_photo (path, search->cancellable, NULL)
                             : NULL;
  return sum && strcmp (sum, search->session->sha256) == 0;
}

/* First by their files' sums, which are quicker, then by their pixels'. */
static void
try_all (Search *search, const GPtrArray *names)
{
  for (guint i = 0; i < MIN (names->len, FS_SESSION_MAX_SUMMED) && !is_found (search); i++) {
    g_autofree char *path = g_build_filename (search->folder, names->pdata[i], NULL);
    if (!g_hash_table_contains (search->tried, path) && has_sum (search, path))
      try_photo (search, path, NULL);
  }
  if (!search->session->pixels[0])
    return;
  const guint n_before = g_hash_table_size (search->tried);
  for (guint i = 0; i < names->len && !is_found (search)
                    && g_hash_table_size (search->tried) < n_before + FS_SESSION_MAX_DECODED;
       i++)
    try_name (search, names->pdata[i]);
}

/* One that merely has the size counts only if it has the name, too. */
static void
search_folder (Search *search, const char *session_path)
{
  g_autoptr (GPtrArray) names = list_photos (search->folder);
  g_autofree char *name = g_filename_from_utf8 (search->session->photo, -1, NULL, NULL, NULL);
  g_autofree char *base = g_path_get_basename (name ? name : search->session->photo);
  try_name (search, base);
  try_stem (search, session_path, names);
  search->min = MAX (search->min, FS_SESSION_FIT_PIXELS);
  try_all (search, names);
}

static void
look (Search *search, const char *session_path, const char *where)
{
  g_autofree char *named = fs_session_photo_path (search->session, session_path);
  if (where && !g_file_test (where, G_FILE_TEST_IS_DIR)) {
    search->min = FS_SESSION_FIT_CHANGED;
    try_photo (search, where, &search->error);
    return;
  }
  if (!where && g_file_test (named, G_FILE_TEST_EXISTS))
    try_photo (search, named, &search->error);
  if (!search->best->photo && !g_cancellable_is_cancelled (search->cancellable))
    search_folder (search, session_path);
  search->best->moved = !where && search->best->path && strcmp (search->best->path, named) != 0;
}

gboolean
fs_session_photo_find (const FsSession *session, const char *session_path, const char *where,
                       FsSessionFit min, FsSessionPhoto *found, GCancellable *cancellable,
                       GError **error)
{
  g_return_val_if_fail (session && session->photo && session_path && found, FALSE);

  g_autofree char *session_folder = g_path_get_dirname (session_path);
  Search search = { .session = session,
                    .folder = where ? where : session_folder,
                    .min = MAX (min, FS_SESSION_FIT_CHANGED),
                    .cancellable = cancellable,
                    .tried = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
                    .best = found };
  look (&search, session_path, where);
  g_hash_table_unref (search.tried);
  if (found->photo) {
    g_clear_error (&search.error);
    return TRUE;
  }
  if (!search.error) {
    g_autofree char *named = fs_session_photo_path (session, session_path);
    g_autofree char *name = fs_display_name (where ? session_path : named);
    g_autofree char *folder = fs_display_name (search.folder);
    g_set_error (&search.error, FS_SESSION_ERROR, FS_SESSION_ERROR_PHOTO,
                 where ? _ ("%s: its photo is not in the folder %s")
                       : _ ("%s: is not there, and no photo in the folder %s is the one that the "
                            "session was painted on"),
                 name, folder);
  }
  g_propagate_error (error, search.error);
  return FALSE;
}

char *
fs_session_photo_note (const FsSessionPhoto *found)
{
  g_return_val_if_fail (found && found->path, NULL);

  g_autofree char *name = fs_display_name (found->path);
  if (found->fit == FS_SESSION_FIT_CHANGED)
    return g_strdup_printf (_ ("%s: has other pixels than the photo that the session was painted "
                               "on, but its size fits"),
                            name);
  if (found->fit == FS_SESSION_FIT_SIZE)
    return g_strdup_printf (_ ("%s: is not the file that the session was painted on (its SHA-256 "
                               "differs), but its size fits"),
                            name);
  return found->moved ? g_strdup_printf (_ ("%s: is the session's photo, which has moved"), name)
                      : NULL;
}
