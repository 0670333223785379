/* SPDX-License-Identifier: MIT */
#include "app/frames/many/sequence_list.h"

#include "app/files/display_name.h"
#include "app/files/same_file.h"
#include "app/frames/list/frames.h"

#include <string.h>

#define SESSION ".fretsaw"
#define SEEDS   "-seeds.png"

static void
files_free (gpointer data)
{
  FsSequenceFiles *files = data;
  g_free (files->path);
  g_free (files->name);
  g_free (files->out);
  g_free (files->cutouts);
  g_free (files->overlays);
  g_free (files->report);
  g_free (files->session);
  g_free (files->seeds);
  g_free (files->guess);
  g_free (files);
}

/* --- the files of one ------------------------------------------------------------------------- */

static char *
name_sequence (const char *path)
{
  g_autofree char *whole = g_canonicalize_filename (path, NULL);
  g_autofree char *name = g_path_get_basename (whole);
  const char *dot = g_file_test (path, G_FILE_TEST_IS_DIR) ? NULL : strrchr (name, '.');
  return dot && dot > name ? g_strndup (name, (gsize)(dot - name)) : g_steal_pointer (&name);
}

/* FOLDER/NAME.ENDING; NULL without a folder. */
static char *
name_file (const char *folder, const char *name, const char *ending)
{
  g_autofree char *file = g_strconcat (name, ending, NULL);
  return folder ? g_build_filename (folder, file, NULL) : NULL;
}

/* The same, if it is there. */
static char *
find_input (const char *folder, const char *name, const char *ending)
{
  g_autofree char *path = name_file (folder, name, ending);
  return path && g_file_test (path, G_FILE_TEST_EXISTS) ? g_steal_pointer (&path) : NULL;
}

static void
find_strokes (FsSequenceFiles *files, const FsFramesJob *each)
{
  g_autofree char *whole = g_canonicalize_filename (files->path, NULL);
  g_autofree char *folder = g_path_get_dirname (whole);
  const gboolean by_default = !each->session && !each->seeds;
  files->session = find_input (by_default ? folder : each->session, files->name, SESSION);
  if (!files->session && by_default)
    files->seeds = find_input (folder, files->name, SEEDS);
  else if (!files->session)
    files->seeds = find_input (each->seeds, files->name, ".png");
}

static FsSequenceFiles *
list_files (const char *path, const FsFramesJob *each)
{
  FsSequenceFiles *files = g_new0 (FsSequenceFiles, 1);
  files->path = g_strdup (path);
  files->name = name_sequence (path);
  files->out = name_file (each->out, files->name, "");
  files->cutouts = name_file (each->cutouts, files->name, "");
  files->overlays = name_file (each->overlays, files->name, "");
  files->report = name_file (each->report, files->name, ".json");
  files->guess = find_input (each->guess, files->name, "");
  if (!each->skin)
    find_strokes (files, each);
  return files;
}

/* --- all of them ------------------------------------------------------------------------------ */

/* A wrong name would cost every sequence its strokes. */
static gboolean
check_folders (const FsFramesJob *each, GError **error)
{
  const char *inputs[] = { each->session, each->seeds, each->guess, each->photo };
  const char *outputs[] = { each->out, each->cutouts, each->overlays };
  for (gsize i = 0; i < G_N_ELEMENTS (inputs); i++)
    if (inputs[i] && !g_file_test (inputs[i], G_FILE_TEST_IS_DIR))
      return fs_frames_fail (error, FS_FRAMES_ERROR_OTHER, inputs[i],
                             "is no folder: of several sequences sessions, seeds, guesses and "
                             "photos are in folders");
  for (gsize i = 0; i < G_N_ELEMENTS (outputs); i++)
    for (gsize k = 0; k < i; k++)
      if (fs_same_file (outputs[i], outputs[k]))
        return fs_frames_fail (error, FS_FRAMES_ERROR_OTHER, outputs[i],
                               "masks, cut-outs and overlays need a folder each");
  return TRUE;
}

static gboolean
check_path (const char *path, GError **error)
{
  if (strchr (path, '%') && !g_file_test (path, G_FILE_TEST_EXISTS))
    return fs_frames_fail (error, FS_FRAMES_ERROR_OTHER, path,
                           "several sequences are folders or videos: a pattern is cut by itself");
  g_autofree char *name = name_sequence (path);
  return (*path != '\0' && strcmp (name, "/") != 0)
         || fs_frames_fail (error, FS_FRAMES_ERROR_OTHER, path, "has no name for the outputs");
}

/* Strokes lie beside the sequences, where a shell's pattern finds them too. */
static gboolean
is_strokes (const char *path)
{
  return (g_str_has_suffix (path, SESSION) || g_str_has_suffix (path, SEEDS))
         && g_file_test (path, G_FILE_TEST_IS_REGULAR);
}

/* The outputs of two sequences would have one name. */
static gboolean
refuse_name (const FsSequenceFiles *files, const FsSequenceFiles *other, GError **error)
{
  g_autofree char *shown = fs_display_name (other->path);
  return fs_frames_fail (error, FS_FRAMES_ERROR_OTHER, files->path,
                         "has the same name as %s, and so have their outputs: rename one, or cut "
                         "them into two folders",
                         shown);
}

GPtrArray *
fs_sequence_list_make (const FsSequencesJob *job, GError **error)
{
  g_return_val_if_fail (job && job->inputs && job->each.out, NULL);
  if (!check_folders (&job->each, error))
    return NULL;
  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (files_free);
  g_autoptr (GHashTable) names = g_hash_table_new (g_str_hash, g_str_equal);
  for (const char *const *input = job->inputs; *input; input++) {
    if (is_strokes (*input))
      continue;
    if (!check_path (*input, error))
      return NULL;
    FsSequenceFiles *files = list_files (*input, &job->each);
    const FsSequenceFiles *other = g_hash_table_lookup (names, files->name);
    g_autofree char *whole = g_canonicalize_filename (files->path, NULL);
    g_autofree char *whole_other = other ? g_canonicalize_filename (other->path, NULL) : NULL;
    if (other && strcmp (whole, whole_other) == 0) {
      files_free (files);
      continue;
    }
    g_ptr_array_add (list, files);
    if (other) {
      refuse_name (files, other, error);
      return NULL;
    }
    g_hash_table_insert (names, files->name, files);
  }
  if (list->len == 0) {
    fs_frames_fail (error, FS_FRAMES_ERROR_OTHER, job->inputs[0],
                    "is no sequence, but its strokes");
    return NULL;
  }
  return g_steal_pointer (&list);
}
