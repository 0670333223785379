/* SPDX-License-Identifier: MIT */
#include "ui/open/open_job.h"

#include "app/edge/live_edge.h"
#include "app/files/display_name.h"
#include "app/photo/display_image.h"
#include "app/photo/input/photo_metadata.h"
#include "ui/open/photo_folder.h"
#include <gdk/gdk.h>
#include <glib/gi18n.h>

enum { MAX_PROFILE_BYTES = 16 << 20 };

#define SESSION_SUFFIX ".fretsaw"

void
fs_opened_free (FsOpened *opened)
{
  if (opened == NULL)
    return;
  fs_pyramid_free (opened->pyramid);
  fs_photo_free (opened->photo);
  fs_session_free (opened->session);
  g_free (opened->photo_path);
  g_free (opened->session_path);
  g_free (opened->saved_session);
  g_free (opened);
}

gboolean
fs_open_job_is_session (const char *path)
{
  return fs_name_has_ending (path, SESSION_SUFFIX);
}

typedef struct {
  GFile *file;
  char *photo;
  const FsSession *session;
  GBytes *display; /* the display's profile, or NULL */
  FsOpenStage *stage;
} Job;

static void
open_job_free (gpointer data)
{
  Job *job = data;
  g_object_unref (job->file);
  g_free (job->photo);
  g_clear_pointer (&job->display, g_bytes_unref);
  g_free (job);
}

static char *
base_name (const char *path)
{
  g_autofree char *shown = fs_display_name (path);
  return g_path_get_basename (shown);
}

/* ---- The photo of a session or of lost work ---- */

static gboolean
fail_for_photo (GError **error, GError *reason)
{
  g_set_error_literal (error, FS_SESSION_ERROR, FS_SESSION_ERROR_PHOTO, reason->message);
  g_error_free (reason);
  return FALSE;
}

static gboolean
fail_for_absence (const char *photo_path, GError **error)
{
  g_autofree char *name = base_name (photo_path);
  g_autofree char *path = fs_display_name (photo_path);
  g_set_error (error, FS_SESSION_ERROR, FS_SESSION_ERROR_PHOTO,
               _ ("“%s” is not there any more; it was at %s."), name, path);
  return FALSE;
}

static FsPhoto *
load_photo (const Job *job, const char *path, GCancellable *cancellable, GError **error)
{
  const FsPhotoLimits limits = { .bytes_per_pixel = FS_LIVE_EDGE_BYTES_PER_PIXEL,
                                 .permille = job->stage != NULL ? &job->stage->permille : NULL };
  return fs_photo_load (path, &limits, cancellable, error);
}

/* Loads the photo at `photo_path`, for lost work or as chosen by the user. */
static gboolean
load_painted (FsOpened *opened, const Job *job, const FsSession *session, GCancellable *cancellable,
              GError **error)
{
  GError *failure = NULL;
  g_autofree char *name = base_name (opened->photo_path);
  if (!g_file_test (opened->photo_path, G_FILE_TEST_EXISTS))
    return fail_for_absence (opened->photo_path, error);
  opened->photo = load_photo (job, opened->photo_path, cancellable, &failure);
  if (opened->photo == NULL)
    return fail_for_photo (error, failure);
  const FsImage *image = opened->photo->image;
  /* A damaged journal may lack the size. */
  if (session->width > 0 && (image->width != session->width || image->height != session->height)) {
    g_set_error (error, FS_SESSION_ERROR, FS_SESSION_ERROR_PHOTO,
                 _ ("“%s” has %d × %d pixels; the strokes were painted on %d × %d."), name,
                 image->width, image->height, session->width, session->height);
    return FALSE;
  }
  opened->fit = fs_session_fit_photo (session, opened->photo_path, image, cancellable, &failure);
  if (failure != NULL)
    return fail_for_photo (error, failure);
  /* Recovered work may lack the checksum. */
  if (session->sha256[0] == '\0')
    opened->fit = FS_SESSION_FIT_FILE;
  return TRUE;
}

/* Finds the session's photo: at its path, or in the session's folder by pixels or name. */
static gboolean
find_painted (FsOpened *opened, GCancellable *cancellable, GError **error)
{
  GError *failure = NULL;
  g_auto (FsSessionPhoto) found = { 0 };
  if (!fs_session_photo_find (opened->session, opened->session_path, NULL, FS_SESSION_FIT_CHANGED,
                              &found, cancellable, &failure)) {
    g_autofree char *named = fs_session_photo_path (opened->session, opened->session_path);
    opened->photo_path = g_canonicalize_filename (named, NULL);
    if (g_file_test (named, G_FILE_TEST_EXISTS))
      return fail_for_photo (error, failure);
    g_error_free (failure);
    return fail_for_absence (opened->photo_path, error);
  }
  opened->photo = g_steal_pointer (&found.photo);
  opened->photo_path = g_canonicalize_filename (found.path, NULL);
  opened->fit = found.fit;
  return TRUE;
}

static gboolean
load_session (FsOpened *opened, const Job *job, const char *path, GCancellable *cancellable,
              GError **error)
{
  opened->session = fs_session_read (path, error);
  if (opened->session == NULL)
    return FALSE;
  opened->session_path = g_canonicalize_filename (path, NULL);
  if (job->photo == NULL)
    return find_painted (opened, cancellable, error);
  opened->photo_path = g_canonicalize_filename (job->photo, NULL);
  return load_painted (opened, job, opened->session, cancellable, error);
}

/* ---- The job ---- */

static gboolean
load_file (FsOpened *opened, const Job *job, const char *path, GCancellable *cancellable,
           GError **error)
{
  if (job->session == NULL && fs_open_job_is_session (path))
    return load_session (opened, job, path, cancellable, error);
  opened->photo_path = g_canonicalize_filename (job->photo != NULL ? job->photo : path, NULL);
  if (job->session != NULL)
    return load_painted (opened, job, job->session, cancellable, error);
  opened->photo = load_photo (job, opened->photo_path, cancellable, error);
  if (opened->photo != NULL && fs_photo_folder_is_own (opened->photo_path))
    opened->saved_session = fs_photo_folder_find_session (opened->photo_path);
  return opened->photo != NULL;
}

static FsOpened *
open_file (const Job *job, GCancellable *cancellable, GError **error)
{
  const char *path = g_file_peek_path (job->file);
  if (path == NULL) {
    g_autofree char *parsed = g_file_get_parse_name (job->file);
    g_autofree char *name = fs_display_name (parsed);
    g_set_error (error, FS_PHOTO_ERROR, FS_PHOTO_ERROR_READ,
                 _ ("“%s” is not on this computer. Copy it to a folder here, then open that copy."),
                 name);
    return NULL;
  }
  g_autoptr (FsOpened) opened = g_new0 (FsOpened, 1);
  if (!load_file (opened, job, path, cancellable, error))
    return NULL;
  if (job->stage != NULL)
    g_atomic_int_set (&job->stage->is_decoded, 1);
  g_autoptr (FsImage) shown = fs_display_image_new (opened->photo, job->display);
  opened->pyramid = fs_pyramid_new (shown);
  if (opened->pyramid == NULL) {
    g_autofree char *name = base_name (opened->photo_path);
    g_set_error (error, FS_PHOTO_ERROR, FS_PHOTO_ERROR_LIMIT,
                 _ ("%s: there is not enough memory to show it"), name);
    return NULL;
  }
  return g_steal_pointer (&opened);
}

static void
open_in_thread (GTask *task, gpointer source, gpointer data, GCancellable *cancellable)
{
  GError *error = NULL;
  FsOpened *opened = open_file (data, cancellable, &error);
  if (opened != NULL)
    g_task_return_pointer (task, opened, (GDestroyNotify)fs_opened_free);
  else
    g_task_return_error (task, error);
}

/* The ICC profile of the display; NULL where none is known, which means sRGB. Source: "ICC Profiles
 * in X Specification" 0.4: the property _ICC_PROFILE of the root window, which is of the first
 * monitor. */
static GBytes *
get_display_profile (void)
{
  GdkScreen *screen = gdk_screen_get_default ();
  guchar *bytes = NULL;
  gint n_bytes = 0;
  if (screen == NULL
      || !gdk_property_get (gdk_screen_get_root_window (screen),
                            gdk_atom_intern_static_string ("_ICC_PROFILE"), GDK_NONE, 0,
                            MAX_PROFILE_BYTES, FALSE, NULL, NULL, &n_bytes, &bytes)
      || bytes == NULL)
    return NULL;
  g_autoptr (GBytes) icc = g_bytes_new_with_free_func (bytes, (gsize)n_bytes, g_free, bytes);
  return fs_icc_is_for (icc, "RGB ") ? g_steal_pointer (&icc) : NULL;
}

void
fs_open_job_start (const FsOpenRequest *request, GCancellable *cancellable,
                   GAsyncReadyCallback callback, gpointer user_data)
{
  g_autoptr (GTask) task = g_task_new (NULL, cancellable, callback, user_data);
  g_task_set_source_tag (task, fs_open_job_start);
  Job *job = g_new0 (Job, 1);
  job->file = g_object_ref (request->file);
  job->photo = g_strdup (request->photo);
  job->session = request->session;
  job->display = get_display_profile ();
  job->stage = request->stage;
  g_task_set_task_data (task, job, open_job_free);
  g_task_run_in_thread (task, open_in_thread);
}

FsOpened *
fs_open_job_finish (GAsyncResult *result, GError **error)
{
  return g_task_propagate_pointer (G_TASK (result), error);
}
