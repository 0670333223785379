/* SPDX-License-Identifier: MIT */
#include "app/session/project_save.h"

#include "app/files/display_name.h"
#include "app/live/document_edge.h"
#include "app/session/pasted.h"
#include "app/session/session_photo.h"

#include <glib/gi18n.h>
#include <string.h>

/* In base64 a third more: half of what a session may have. */
#define MAX_GUESS_BYTES (gsize) (FS_SESSION_MAX_BYTES / 8 * 3)

/* A session holds the present guess; older ones, which undo could bring back, from the newest on
 * while there is room, and where there is not they are dismissed. */
static void
limit_guesses (GPtrArray *strokes)
{
  gboolean is_present = TRUE;
  gsize n_bytes = 0, n_pixels = 0;
  for (guint i = strokes->len; i-- > 0;) {
    FsStroke *stroke = strokes->pdata[i];
    if (stroke->shape != FS_STROKE_GUESS)
      continue;
    GBytes *png = fs_stroke_get_png (stroke);
    if (png) {
      n_bytes += g_bytes_get_size (png);
      n_pixels +=
          (gsize)fs_guess_get_width (stroke->guess) * (gsize)fs_guess_get_height (stroke->guess);
    }
    if (!is_present && (n_bytes > MAX_GUESS_BYTES || n_pixels > FS_SESSION_MAX_GUESS_PX)) {
      fs_stroke_unref (stroke);
      strokes->pdata[i] = fs_stroke_new_guess (NULL, NULL);
    }
    is_present = FALSE;
  }
}

/* A stroke's samples stand still once it has ended; its previous mask may be forgotten. */
static FsStroke *
copy_stroke (const FsStroke *stroke)
{
  if (stroke->shape == FS_STROKE_GUESS) {
    FsStroke *guess = fs_stroke_new_guess (stroke->guess, stroke->name);
    guess->png = stroke->png ? g_bytes_ref (stroke->png) : NULL;
    return guess;
  }
  FsStroke *copy = fs_stroke_new (stroke->label, stroke->radius_px);
  g_array_unref (copy->samples);
  copy->samples = g_array_ref (stroke->samples);
  copy->shape = stroke->shape;
  copy->after = stroke->after;
  return copy;
}

FsProjectSave *
fs_project_save_new (FsDocument *document, const FsSession *named, const char *path,
                     const char *photo_path, const char *sha256)
{
  FsProjectSave *save = g_new0 (FsProjectSave, 1);
  const FsImage *image = fs_document_get_image (document);
  save->path = g_canonicalize_filename (path, NULL);
  save->photo_path = g_strdup (photo_path);
  save->image = fs_image_ref (fs_document_get_image (document));
  save->session = fs_session_new_labelled (named);
  save->session->width = image->width;
  save->session->height = image->height;
  save->session->settings = fs_document_get_settings (document);
  if (sha256)
    g_strlcpy (save->session->sha256, sha256, sizeof save->session->sha256);
  /* The one that is being painted is not a stroke yet. */
  guint n = fs_document_get_n_finished (document), n_edge = 0;
  const GPtrArray *edge = fs_document_get_edge_edits (document, &n_edge);
  for (guint i = 0; i < n; i++)
    g_ptr_array_add (save->session->strokes, copy_stroke (fs_document_get_stroke (document, i)));
  for (guint i = 0; i < n_edge; i++)
    g_ptr_array_add (save->session->edge, fs_edge_edit_ref (edge->pdata[i]));
  fs_session_complete_labels (save->session);
  return save;
}

void
fs_project_save_free (FsProjectSave *save)
{
  fs_image_unref (save->image);
  fs_session_free (save->session);
  g_free (save->path);
  g_free (save->photo_path);
  g_free (save);
}

static gboolean
take_photo_along (FsProjectSave *save, GError **error)
{
  if (!fs_pasted_is (save->photo_path))
    return TRUE;
  char *copy = fs_pasted_copy_to_session (save->photo_path, save->path, error);
  if (!copy)
    return FALSE;
  g_free (save->photo_path);
  save->photo_path = copy;
  return TRUE;
}

/* The first n elements of an array, or all of them; borrowed. */
static GPtrArray *
borrow_first (const GPtrArray *from, guint n)
{
  GPtrArray *first = g_ptr_array_new ();
  for (guint i = 0; i < MIN (n, from->len); i++)
    g_ptr_array_add (first, from->pdata[i]);
  return first;
}

/* Returns whether the file is a session with nothing in it that this one lacks: its strokes and
 * edits of the edge are the first ones here, and all else is the same. A program that ended between
 * the writing of a session and the end of its journal leaves such a file, which the journal does
 * not know. */
static gboolean
is_contained (const FsProjectSave *save)
{
  g_autoptr (FsSession) there = fs_session_read (save->path, NULL);
  if (!there || (there->done && !save->session->done))
    return FALSE;
  g_autoptr (GPtrArray) strokes = borrow_first (save->session->strokes, there->strokes->len);
  g_autoptr (GPtrArray) edge = borrow_first (save->session->edge, there->edge->len);
  FsSession begun = *save->session;
  begun.strokes = strokes;
  begun.edge = edge;
  begun.done = there->done;
  begun.photo = there->photo;
  g_strlcpy (begun.sha256, there->sha256, sizeof begun.sha256);
  g_strlcpy (begun.pixels, there->pixels, sizeof begun.pixels);
  g_autofree char *text = fs_session_to_text (&begun), *other = fs_session_to_text (there);
  return strcmp (text, other) == 0;
}

/* Refuses to replace what another program has written. */
static gboolean
check_replaced (const FsProjectSave *save, GError **error)
{
  g_autoptr (GError) changed = NULL;
  if (save->replaced_sha256[0])
    fs_session_check_file (save->path, save->replaced_sha256, &changed);
  if (save->is_new && g_file_test (save->path, G_FILE_TEST_EXISTS)) {
    g_autofree char *name = fs_display_name (save->path);
    g_set_error (&changed, FS_SESSION_ERROR, FS_SESSION_ERROR_CHANGED,
                 _ ("%s: is there already, and is not what was opened or saved here"), name);
  }
  if (!changed
      || (g_error_matches (changed, FS_SESSION_ERROR, FS_SESSION_ERROR_CHANGED)
          && is_contained (save)))
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&changed));
  return FALSE;
}

gboolean
fs_project_save_write (FsProjectSave *save, GCancellable *cancellable, GError **error)
{
  FsSession *session = save->session;
  limit_guesses (session->strokes);
  if (!check_replaced (save, error))
    return FALSE;
  if (!take_photo_along (save, error))
    return FALSE;
  session->photo = fs_session_name_photo (save->path, save->photo_path, error);
  if (!session->photo)
    return FALSE;
  if (!session->sha256[0]) {
    g_autofree char *sum = fs_session_sum_photo (save->photo_path, cancellable, error);
    if (!sum)
      return FALSE;
    g_strlcpy (session->sha256, sum, sizeof session->sha256);
  }
  if (!session->pixels[0]) {
    g_autofree char *sum = fs_session_sum_pixels (save->image);
    g_strlcpy (session->pixels, sum, sizeof session->pixels);
  }
  return fs_session_write (session, save->path, error);
}
