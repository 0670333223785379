/* SPDX-License-Identifier: MIT */
#include "app/batch/batch_photos.h"

#include "app/files/display_name.h"
#include "app/files/same_file.h"
#include "app/photo/photo.h"

#include <string.h>

#define SEEDS   "-seeds.png"
#define GUESS   "-guess.png"
#define SESSION ".fretsaw"

enum { MAX_LIST_BYTES = 64 << 20 };

static void
photo_free (gpointer data)
{
  FsBatchPhoto *photo = data;
  if (!photo)
    return;
  g_free (photo->path);
  g_free (photo->stem);
  g_free (photo->session);
  g_free (photo->seeds);
  g_free (photo->guess);
  g_free (photo);
}

static char *
stem_of (const char *path)
{
  g_autofree char *name = g_path_get_basename (path);
  const char *dot = strrchr (name, '.');
  return dot && dot > name ? g_strndup (name, (gsize)(dot - name)) : g_strdup (name);
}

/* --- photos ----------------------------------------------------------------------------------- */

static gboolean
is_evidence (const char *name, GHashTable *stems)
{
  static const char *const endings[] = { SEEDS, GUESS };
  for (gsize i = 0; i < G_N_ELEMENTS (endings); i++) {
    if (!g_str_has_suffix (name, endings[i]))
      continue;
    g_autofree char *stem = g_strndup (name, strlen (name) - strlen (endings[i]));
    if (g_hash_table_contains (stems, stem))
      return TRUE;
  }
  return FALSE;
}

static gboolean
add_folder (GPtrArray *paths, const char *folder, GError **error)
{
  g_autoptr (GError) reason = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, &reason);
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GHashTable) stems = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  if (!dir)
    return fs_batch_fail (error, FS_BATCH_ERROR_PHOTOS, folder, "cannot be read as a folder");
  for (const char *name; (name = g_dir_read_name (dir));)
    if (name[0] != '.' && fs_photo_has_name (name)) {
      g_ptr_array_add (names, g_strdup (name));
      g_hash_table_add (stems, stem_of (name));
    }
  guint n_before = paths->len;
  for (guint i = 0; i < names->len; i++) {
    g_autofree char *path = g_build_filename (folder, names->pdata[i], NULL);
    if (!is_evidence (names->pdata[i], stems))
      g_ptr_array_add (paths, g_steal_pointer (&path));
  }
  return paths->len > n_before
         || fs_batch_fail (error, FS_BATCH_ERROR_PHOTOS, folder, "has no photos");
}

static gboolean
add_list (GPtrArray *paths, const char *list, GError **error)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) reason = NULL;
  gsize n_bytes;
  if (!g_file_test (list, G_FILE_TEST_IS_REGULAR))
    return fs_batch_fail (error, FS_BATCH_ERROR_PHOTOS, list,
                          "is no photo, no folder, and no list of photos");
  if (!g_file_get_contents (list, &text, &n_bytes, &reason))
    return fs_batch_fail (error, FS_BATCH_ERROR_PHOTOS, list, "cannot be read as a list");
  if (n_bytes > MAX_LIST_BYTES || memchr (text, '\0', n_bytes))
    return fs_batch_fail (error, FS_BATCH_ERROR_PHOTOS, list,
                          "is no list of photos: a text file with a path a line");
  g_autofree char *folder = g_path_get_dirname (list);
  const gboolean has_mark = g_str_has_prefix (text, "\xef\xbb\xbf");
  g_auto (GStrv) lines = g_strsplit (has_mark ? text + 3 : text, "\n", -1);
  for (char **line = lines; *line; line++) {
    gsize n = strlen (*line);
    if (n > 0 && (*line)[n - 1] == '\r')
      (*line)[n - 1] = '\0';
    if (**line == '\0')
      continue;
    g_ptr_array_add (paths, g_path_is_absolute (*line) ? g_strdup (*line)
                                                       : g_build_filename (folder, *line, NULL));
  }
  return TRUE;
}

/* Sorted, each once; NULL where an input cannot be read. */
static GPtrArray *
list_paths (const FsBatchJob *job, GError **error)
{
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);
  for (const char *const *input = job->inputs; *input; input++) {
    if (g_file_test (*input, G_FILE_TEST_IS_DIR)) {
      if (!add_folder (paths, *input, error))
        return NULL;
    } else if (fs_photo_has_name (*input)) {
      g_ptr_array_add (paths, g_strdup (*input));
    } else if (!add_list (paths, *input, error)) {
      return NULL;
    }
  }
  fs_shard_sort (paths);
  for (guint i = 1; i < paths->len;)
    if (strcmp (paths->pdata[i - 1], paths->pdata[i]) == 0)
      g_ptr_array_remove_index (paths, i);
    else
      i++;
  return g_steal_pointer (&paths);
}

/* --- evidence --------------------------------------------------------------------------------- */

/* FOLDER/STEM.ENDING, if it is there. */
static char *
find_file (const char *folder, const char *stem, const char *ending)
{
  g_autofree char *name = g_strconcat (stem, ending, NULL);
  g_autofree char *path = folder ? g_build_filename (folder, name, NULL) : NULL;
  return path && g_file_test (path, G_FILE_TEST_EXISTS) ? g_steal_pointer (&path) : NULL;
}

static void
find_evidence (FsBatchPhoto *photo, const FsBatchJob *job)
{
  if (job->sessions || job->seeds || job->guesses) {
    photo->session = find_file (job->sessions, photo->stem, SESSION);
    if (photo->session)
      return;
    photo->seeds = find_file (job->seeds, photo->stem, ".png");
    photo->guess = find_file (job->guesses, photo->stem, ".png");
    return;
  }
  /* Skin colours take the place of guesses and sessions. */
  g_autofree char *folder = g_path_get_dirname (photo->path);
  if (!job->cut.skin)
    photo->session = find_file (folder, photo->stem, SESSION);
  if (photo->session)
    return;
  photo->seeds = find_file (folder, photo->stem, SEEDS);
  if (!job->cut.skin)
    photo->guess = find_file (folder, photo->stem, GUESS);
}

/* A wrong name would cost every photo its evidence. */
static gboolean
check_folders (const FsBatchJob *job, GError **error)
{
  const char *folders[] = { job->sessions, job->seeds, job->guesses };
  for (gsize i = 0; i < G_N_ELEMENTS (folders); i++)
    if (folders[i] && !g_file_test (folders[i], G_FILE_TEST_IS_DIR))
      return fs_batch_fail (error, FS_BATCH_ERROR_PHOTOS, folders[i],
                            "is no folder: with --out, sessions, seeds and guesses are in folders");
  return TRUE;
}

/* Their outputs would have one name, on file systems that ignore case too. What is no file has no
 * outputs. */
static gboolean
check_stems (const GPtrArray *photos, GError **error)
{
  g_autoptr (GHashTable) paths = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (guint i = 0; i < photos->len; i++) {
    const FsBatchPhoto *photo = photos->pdata[i];
    const char *other = g_hash_table_lookup (paths, photo->stem);
    if (!g_file_test (photo->path, G_FILE_TEST_IS_REGULAR))
      continue;
    if (other) {
      g_autofree char *name = fs_display_name (other);
      return fs_batch_fail (error, FS_BATCH_ERROR_PHOTOS, photo->path,
                            "has the same name as %s without the ending, and so have their "
                            "outputs: rename one, or cut them into two folders",
                            name);
    }
    g_hash_table_insert (paths, g_strdup (photo->stem), photo->path);
  }
  return TRUE;
}

/* Refuses a report in the place of a file that is read. A new file is none of these. */
static gboolean
spare_photo (const FsBatchJob *job, const FsBatchPhoto *photo, GError **error)
{
  return fs_same_file_spare (photo->path, &job->report, 1, error)
         && fs_same_file_spare (photo->session, &job->report, 1, error)
         && fs_same_file_spare (photo->seeds, &job->report, 1, error)
         && fs_same_file_spare (photo->guess, &job->report, 1, error);
}

static gboolean
spare_inputs (const FsBatchJob *job, GError **error)
{
  for (const char *const *input = job->inputs; *input; input++)
    if (!fs_same_file_spare (*input, &job->report, 1, error))
      return FALSE;
  return fs_same_file_spare (job->cut.background, &job->report, 1, error);
}

GPtrArray *
fs_batch_photos_list (const FsBatchJob *job, GError **error)
{
  g_return_val_if_fail (job && job->inputs, NULL);
  g_autoptr (GPtrArray) paths = check_folders (job, error) ? list_paths (job, error) : NULL;
  if (!paths)
    return NULL;
  g_autoptr (GPtrArray) photos = g_ptr_array_new_with_free_func (photo_free);
  for (guint i = 0; i < paths->len; i++) {
    FsBatchPhoto *photo = g_new0 (FsBatchPhoto, 1);
    photo->path = g_strdup (paths->pdata[i]);
    photo->stem = stem_of (photo->path);
    g_ptr_array_add (photos, photo);
  }
  if (!check_stems (photos, error))
    return NULL;
  g_autoptr (GPtrArray) own = g_ptr_array_new_with_free_func (photo_free);
  const gboolean may_replace = job->report && g_file_test (job->report, G_FILE_TEST_EXISTS);
  if (may_replace && !spare_inputs (job, error))
    return NULL;
  for (guint i = 0; i < photos->len; i++) {
    FsBatchPhoto *photo = photos->pdata[i];
    const gboolean is_own = fs_shard_takes (&job->shard, i);
    if (is_own || may_replace)
      find_evidence (photo, job);
    if (may_replace && !spare_photo (job, photo, error))
      return NULL;
    if (!is_own)
      continue;
    photos->pdata[i] = NULL;
    g_ptr_array_add (own, photo);
  }
  return g_steal_pointer (&own);
}
