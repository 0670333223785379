/* SPDX-License-Identifier: MIT */
#include "app/session/session.h"

#include "app/export/parts/label_colour.h"
#include "app/files/display_name.h"
#include "app/photo/input/photo_input.h"

#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

G_DEFINE_QUARK (fs - session - error - quark, fs_session_error)

static void
label_clear (gpointer data)
{
  FsSessionLabel *label = data;
  g_free (label->name);
}

FsSession *
fs_session_new (void)
{
  FsSession *session = g_new0 (FsSession, 1);
  session->settings = FS_SETTINGS_DEFAULT;
  session->labels = g_array_new (FALSE, FALSE, sizeof (FsSessionLabel));
  g_array_set_clear_func (session->labels, label_clear);
  session->strokes = g_ptr_array_new_with_free_func ((GDestroyNotify)fs_stroke_unref);
  session->edge = fs_edge_edits_new ();
  return session;
}

void
fs_session_free (FsSession *session)
{
  if (!session)
    return;
  g_free (session->photo);
  g_array_unref (session->labels);
  g_ptr_array_unref (session->strokes);
  g_ptr_array_unref (session->edge);
  g_free (session);
}

void
fs_session_add_label (FsSession *session, const char *name, uint32_t colour)
{
  g_return_if_fail (session && name);

  FsSessionLabel label = { g_strdup (name), colour };
  g_array_append_val (session->labels, label);
}

void
fs_session_add_usual_labels (FsSession *session)
{
  fs_session_add_label (session, "Background", fs_label_colour (FS_SEED_BACKGROUND));
  fs_session_add_label (session, "Object", fs_label_colour (FS_SEED_OBJECT));
}

void
fs_session_copy_labels (FsSession *session, const FsSession *from)
{
  g_return_if_fail (session && from && session != from);

  g_array_set_size (session->labels, 0);
  for (guint i = 0; i < from->labels->len; i++) {
    const FsSessionLabel *label = &g_array_index (from->labels, FsSessionLabel, i);
    fs_session_add_label (session, label->name, label->colour);
  }
}

FsSession *
fs_session_new_labelled (const FsSession *from)
{
  FsSession *session = fs_session_new ();
  fs_session_copy_labels (session, from);
  session->done = from->done;
  return session;
}

char *
fs_session_unnamed (uint8_t label)
{
  g_return_val_if_fail (label >= FS_SEED_OBJECT, NULL);

  return label == FS_SEED_OBJECT ? g_strdup ("Object") : g_strdup_printf ("Object %d", label - 1);
}

/* So that there are at least `max`. */
static void
add_labels (FsSession *session, guint max)
{
  for (guint label = session->labels->len + 1; label <= max; label++) {
    g_autofree char *name = fs_session_unnamed ((uint8_t)label);
    fs_session_add_label (session, name, fs_label_colour ((uint8_t)label));
  }
}

void
fs_session_complete_labels (FsSession *session)
{
  g_return_if_fail (session);

  guint max = 0;
  for (guint i = 0; i < session->strokes->len; i++) {
    const FsStroke *stroke = session->strokes->pdata[i];
    max = MAX (max, stroke->label);
    if (stroke->guess)
      max = MAX (max, fs_guess_get_last_object (stroke->guess));
  }
  add_labels (session, max);
}

void
fs_session_replace_guesses (FsSession *session, FsGuess *guess, const char *name)
{
  g_return_if_fail (session && guess);

  GPtrArray *old = session->strokes;
  /* [i] the new number of the first i strokes: states are numbered by their strokes. */
  g_autofree guint *n_new = g_new (guint, old->len + 1);
  n_new[0] = 0;
  session->strokes = g_ptr_array_new_with_free_func ((GDestroyNotify)fs_stroke_unref);
  g_ptr_array_add (session->strokes, fs_stroke_new_guess (guess, name));
  for (guint i = 0; i < old->len; i++) {
    FsStroke *stroke = old->pdata[i];
    if (stroke->shape != FS_STROKE_GUESS)
      g_ptr_array_add (session->strokes, fs_stroke_ref (stroke));
    n_new[i + 1] = session->strokes->len;
  }
  for (guint i = 1; i < session->strokes->len; i++) {
    FsStroke *stroke = session->strokes->pdata[i];
    stroke->after = n_new[MIN (stroke->after, old->len)];
  }
  for (guint i = 0; i < session->edge->len; i++) {
    FsEdgeEdit *edit = session->edge->pdata[i];
    edit->after_strokes = n_new[MIN (edit->after_strokes, old->len)];
  }
  g_ptr_array_unref (old);
}

gboolean
fs_session_is_line (const char *text)
{
  for (const char *at = text; *at; at = g_utf8_next_char (at))
    if (g_unichar_iscntrl (g_utf8_get_char (at)))
      return FALSE;
  return TRUE;
}

gboolean
fs_session_is_label_name (const char *name)
{
  gsize n = strlen (name);
  return n > 0 && n <= FS_SESSION_MAX_LABEL_BYTES && g_utf8_validate (name, (gssize)n, NULL)
         && fs_session_is_line (name);
}

gboolean
fs_session_name_label (FsSession *session, uint8_t label, const char *name)
{
  g_return_val_if_fail (session && session->labels->len >= 2 && name, FALSE);

  if (label == FS_SEED_NONE || !fs_session_is_label_name (name))
    return FALSE;
  add_labels (session, label);
  FsSessionLabel *named = &g_array_index (session->labels, FsSessionLabel, label - 1);
  char *copy = g_strdup (name);
  g_free (named->name);
  named->name = copy;
  return TRUE;
}

uint32_t
fs_session_get_colour (const FsSession *session, uint8_t label)
{
  g_return_val_if_fail (session && label > FS_SEED_NONE, 0);

  return label <= session->labels->len
             ? g_array_index (session->labels, FsSessionLabel, label - 1).colour
             : fs_label_colour (label);
}

gboolean
fs_session_equal_labels (const FsSession *a, const FsSession *b)
{
  g_return_val_if_fail (a && b, FALSE);

  guint max = MAX (a->labels->len, b->labels->len);
  g_autoptr (FsSession) all_a = fs_session_new_labelled (a), all_b = fs_session_new_labelled (b);
  add_labels (all_a, max);
  add_labels (all_b, max);
  for (guint i = 0; i < max; i++) {
    const FsSessionLabel *of_a = &g_array_index (all_a->labels, FsSessionLabel, i);
    const FsSessionLabel *of_b = &g_array_index (all_b->labels, FsSessionLabel, i);
    if (of_a->colour != of_b->colour || strcmp (of_a->name, of_b->name) != 0)
      return FALSE;
  }
  return TRUE;
}

char *
fs_session_photo_path (const FsSession *session, const char *session_path)
{
  g_return_val_if_fail (session && session->photo && session_path, NULL);

  g_autofree char *folder = g_path_get_dirname (session_path);
  g_autofree char *name = g_filename_from_utf8 (session->photo, -1, NULL, NULL, NULL);
  return g_build_filename (folder, name ? name : session->photo, NULL);
}

/* The number of leading folders that two paths share. */
static guint
count_common (char **a, char **b)
{
  guint n = 0;
  while (a[n] && b[n] && strcmp (a[n], b[n]) == 0)
    n++;
  return n;
}

static char *
relative_name (const char *session_path, const char *photo_path)
{
  g_autofree char *from = g_path_get_dirname (session_path);
  g_autofree char *folder = g_canonicalize_filename (from, "/");
  g_autofree char *photo = g_canonicalize_filename (photo_path, "/");
  g_auto (GStrv) folders = g_strsplit (folder, "/", -1);
  g_auto (GStrv) parts = g_strsplit (photo, "/", -1);
  guint n_common = count_common (folders, parts);
  guint n_ups = strcmp (folder, "/") == 0 ? 0 : g_strv_length (folders) - n_common;
  if (n_ups > FS_SESSION_MAX_UPS || strlen (photo) > FS_SESSION_MAX_PHOTO_BYTES / 2)
    return NULL;
  GString *name = g_string_new (NULL);
  for (guint i = 0; i < n_ups; i++)
    g_string_append (name, "../");
  for (char **part = parts + n_common; *part; part++)
    g_string_append_printf (name, "%s%s", *part, part[1] ? "/" : "");
  return g_string_free (name, FALSE);
}

char *
fs_session_name_photo (const char *session_path, const char *photo_path, GError **error)
{
  g_return_val_if_fail (session_path && photo_path, NULL);

  g_autofree char *raw = relative_name (session_path, photo_path);
  g_autofree char *name = raw ? g_filename_to_utf8 (raw, -1, NULL, NULL, NULL) : NULL;
  if (name)
    return g_steal_pointer (&name);
  g_autofree char *shown = fs_display_name (session_path);
  g_autofree char *photo = fs_display_name (photo_path);
  g_set_error (
      error, FS_SESSION_ERROR, FS_SESSION_ERROR_PHOTO,
      raw ? _ ("%s: cannot name the photo %s, whose name is not UTF-8")
          : _ ("%s: the path from here to the photo %s is too long; save it nearer to the photo"),
      shown, photo);
  return NULL;
}

gboolean
fs_session_check_name (const char *photo_path, GError **error)
{
  g_return_val_if_fail (photo_path, FALSE);

  g_autofree char *raw = g_path_get_basename (photo_path);
  g_autofree char *name = g_filename_to_utf8 (raw, -1, NULL, NULL, NULL);
  if (name && fs_session_is_line (name))
    return TRUE;
  g_autofree char *shown = fs_display_name (photo_path);
  g_set_error (error, FS_SESSION_ERROR, FS_SESSION_ERROR_PHOTO,
               name ? _ ("%s: strokes on it cannot be saved, because its name has a control "
                         "character; give it another name first")
                    : _ ("%s: strokes on it cannot be saved, because its name is not UTF-8; give "
                         "it another name first"),
               shown);
  return FALSE;
}

char *
fs_session_sum_photo (const char *path, GCancellable *cancellable, GError **error)
{
  enum { CHUNK = 1 << 16 };
  g_return_val_if_fail (path, NULL);

  g_autoptr (FsPhotoInput) input = fs_photo_input_new (path, NULL, cancellable, error);
  if (!input)
    return NULL;
  g_autoptr (GChecksum) sum = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree guchar *bytes = g_malloc (CHUNK);
  gssize n;
  while ((n = fs_photo_input_read (input, bytes, CHUNK, error)) > 0)
    g_checksum_update (sum, bytes, n);
  return n < 0 ? NULL : g_strdup (g_checksum_get_string (sum));
}

gboolean
fs_session_check_file (const char *path, const char *sha256, GError **error)
{
  g_return_val_if_fail (path && sha256, FALSE);

  GStatBuf facts;
  gboolean is_there = g_stat (path, &facts) == 0;
  if (!is_there && errno == ENOENT)
    return TRUE;
  gboolean is_empty = is_there && S_ISREG (facts.st_mode) && facts.st_size == 0;
  g_autofree char *sum = is_empty ? NULL : fs_session_sum_photo (path, NULL, error);
  if (!sum && !is_empty)
    return FALSE;
  if (g_strcmp0 (sum, sha256) == 0)
    return TRUE;
  g_autofree char *name = fs_display_name (path);
  g_set_error (error, FS_SESSION_ERROR, FS_SESSION_ERROR_CHANGED,
               _ ("%s: was changed by another program since it was opened or saved here"), name);
  return FALSE;
}
