/* SPDX-License-Identifier: MIT */
#include "app/replay/label_export.h"

#include "app/files/display_name.h"
#include "app/files/same_file.h"
#include "app/replay/replay.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

#define SESSION_ENDING ".fretsaw"

static gboolean
list_folder (GPtrArray *list, const char *folder, GError **error)
{
  g_autoptr (GError) reason = NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, &reason);
  g_autoptr (GPtrArray) found = g_ptr_array_new ();
  g_autofree char *shown = fs_display_name (folder);
  if (!dir) {
    g_set_error (error, FS_SESSION_ERROR, FS_SESSION_ERROR_READ, _ ("%s: cannot be read: %s"),
                 shown, reason->message);
    return FALSE;
  }
  for (const char *name; (name = g_dir_read_name (dir));)
    if (fs_name_has_ending (name, SESSION_ENDING) && name[0] != '.')
      g_ptr_array_add (found, g_build_filename (folder, name, NULL));
  fs_shard_sort (found);
  for (guint i = 0; i < found->len; i++)
    g_ptr_array_add (list, found->pdata[i]);
  if (found->len == 0)
    g_set_error (error, FS_SESSION_ERROR, FS_SESSION_ERROR_READ, _ ("%s: holds no session"), shown);
  return found->len > 0;
}

char **
fs_label_export_list (const char *const *paths, const FsShard *shard, GError **error)
{
  g_return_val_if_fail (paths && shard, NULL);

  g_autoptr (GPtrArray) list = g_ptr_array_new_with_free_func (g_free);
  for (; *paths; paths++) {
    if (!g_file_test (*paths, G_FILE_TEST_IS_DIR))
      g_ptr_array_add (list, g_strdup (*paths));
    else if (!list_folder (list, *paths, error))
      return NULL;
  }
  if (shard->n > 0) {
    fs_shard_sort (list);
    fs_shard_keep (shard, list);
  }
  char **sessions = g_new0 (char *, list->len + 1);
  for (guint i = 0; i < list->len; i++)
    sessions[i] = g_strdup (list->pdata[i]);
  return sessions;
}

static gint64
find_date (const char *const *sessions)
{
  gint64 date_s = 0;
  for (; *sessions; sessions++) {
    GStatBuf info;
    if (g_stat (*sessions, &info) == 0)
      date_s = MAX (date_s, (gint64)info.st_mtime);
  }
  return date_s;
}

static FsLabelClasses *
new_classes (const FsLabelExportJob *job, GError **error)
{
  if (job->classes)
    return fs_label_classes_read (job->classes, error);
  FsLabelClasses *classes = fs_label_classes_new ();
  for (const char *const *name = job->class_names; name && *name; name++)
    fs_label_classes_find (classes, *name);
  return classes;
}

static FsLabelWriter *
new_writer (const FsLabelExportJob *job, GError **error)
{
  FsLabelClasses *classes = new_classes (job, error);
  if (!classes)
    return NULL;
  FsLabelOptions options = job->options;
  if (options.date_s == 0)
    options.date_s = find_date (job->sessions);
  return fs_label_writer_new (job->format, &options, classes, error);
}

/* The sessions by the names of the files that they have in a folder: of several with the same, the
 * first. Only the photos' names of other shards are looked at. */
static GHashTable *
find_owners (const FsLabelExportJob *job)
{
  if (!job->all || !job->format->is_folder)
    return NULL;
  GHashTable *owners = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  for (const char *const *path = job->all; *path; path++) {
    g_autoptr (FsSession) session = fs_session_read (*path, NULL);
    g_autofree char *stem = session ? fs_label_writer_make_stem (session->photo) : NULL;
    if (stem && !g_hash_table_contains (owners, stem))
      g_hash_table_insert (owners, g_steal_pointer (&stem), (gpointer)*path);
  }
  return owners;
}

/* Refuses a session whose photo has the file names of another's. */
static gboolean
check_owner (GHashTable *owners, const char *path, GError **error)
{
  g_autoptr (FsSession) session = owners ? fs_session_read (path, NULL) : NULL;
  g_autofree char *stem = session ? fs_label_writer_make_stem (session->photo) : NULL;
  const char *owner = stem ? g_hash_table_lookup (owners, stem) : NULL;
  if (!owner || strcmp (owner, path) == 0)
    return TRUE;
  g_autofree char *shown = fs_display_name (path);
  g_autofree char *other = fs_display_name (owner);
  g_set_error (error, FS_LABEL_ERROR, FS_LABEL_ERROR_NAME,
               _ ("%s: would have the same files in the set as %s, which is in it already"), shown,
               other);
  return FALSE;
}

static void
add_session (const FsLabelExportJob *job, FsLabelWriter *writer, GHashTable *owners,
             FsLabelExportStep *step, FsLabelExportResult *sum)
{
  g_autoptr (GError) error = NULL;
  const FsReplayJob replay = {
    .session = step->session, .photo = job->photo, .at_once = TRUE, .set = writer
  };
  FsReplayResult result = { 0 };
  if (!check_owner (owners, step->session, &error) || !fs_replay_run (&replay, &result, &error))
    sum->n_failed++;
  step->n_done++;
  step->n_objects = result.n_objects;
  step->warning = result.warning;
  step->note = result.note;
  step->error = error;
  if (job->step)
    job->step (step, job->user_data);
  fs_replay_result_clear (&result);
}

/* Refuses COCO's file in the place of a session, of any shard, or of the list of classes. */
static gboolean
spare_inputs (const FsLabelExportJob *job, GError **error)
{
  const char *const *out = &job->options.path;
  if (job->format->is_folder)
    return TRUE;
  for (const char *const *path = job->all ? job->all : job->sessions; *path; path++)
    if (!fs_same_file_spare (*path, out, 1, error))
      return FALSE;
  return fs_same_file_spare (job->classes, out, 1, error);
}

gboolean
fs_label_export_run (const FsLabelExportJob *job, GCancellable *cancellable,
                     FsLabelExportResult *result, GError **error)
{
  g_return_val_if_fail (job && job->sessions && job->format && job->options.path && result, FALSE);

  *result = (FsLabelExportResult){ 0 };
  g_autoptr (FsLabelWriter) writer = spare_inputs (job, error) ? new_writer (job, error) : NULL;
  if (!writer)
    return FALSE;
  g_autoptr (GHashTable) owners = find_owners (job);
  FsLabelExportStep step = { .n_all = g_strv_length ((char **)job->sessions) };
  for (const char *const *session = job->sessions; *session; session++) {
    if (g_cancellable_set_error_if_cancelled (cancellable, error))
      return FALSE;
    step.session = *session;
    add_session (job, writer, owners, &step, result);
  }
  result->n_photos = fs_label_writer_get_n_photos (writer);
  result->n_objects = fs_label_writer_get_n_objects (writer);
  return result->n_photos == 0 || fs_label_writer_end (writer, error);
}
