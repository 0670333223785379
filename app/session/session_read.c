/* SPDX-License-Identifier: MIT */
#include "app/session/session.h"

#include "app/files/display_name.h"
#include "app/files/json_text.h"
#include "app/finder/guess_png.h"
#include "app/session/session_reader.h"

#include <glib/gi18n.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The most values that the limits on strokes and samples allow: a sample is an array of four
 * numbers, a stroke an object with up to five members, an edit of the edge one with two, of which
 * one has seven, a label one with two. */
#define MAX_NESTED (FS_SESSION_MAX_SAMPLES + 2 * FS_SESSION_MAX_STROKES + 300)
#define MAX_VALUES (5 * FS_SESSION_MAX_SAMPLES + 9 * FS_SESSION_MAX_STROKES + 1000)

typedef FsSessionReader Reader;
typedef FsSessionPlace Place;

G_DEFINE_AUTOPTR_CLEANUP_FUNC (json_t, json_decref)

/* --- values ---------------------------------------------------------------------------------- */

/* One line of UTF-8 of 1 … max_bytes bytes. */
static const char *
read_line (Reader *reader, json_t *value, const char *where, gsize max_bytes)
{
  const char *text = json_string_value (value);
  if (!text) {
    fs_session_invalid (reader, "%s is not a string", where);
    return NULL;
  }
  gsize n = json_string_length (value);
  if (n == 0 || n > max_bytes) {
    fs_session_invalid (reader, "%s has %" G_GSIZE_FORMAT " bytes, not 1 … %" G_GSIZE_FORMAT, where,
                        n, max_bytes);
    return NULL;
  }
  if (!fs_session_is_line (text)) {
    fs_session_invalid (reader, "%s has a control character", where);
    return NULL;
  }
  return text;
}

/* --- photo, settings, labels ------------------------------------------------------------------ */

/* The rule is in session.h. */
static gboolean
is_plain_relative (const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, "/", -1);
  guint n_ups = 0;
  while (parts[n_ups] && strcmp (parts[n_ups], "..") == 0)
    n_ups++;
  if (n_ups > FS_SESSION_MAX_UPS || !parts[n_ups])
    return FALSE;
  for (char **part = parts + n_ups; *part; part++)
    if (**part == '\0' || strcmp (*part, ".") == 0 || strcmp (*part, "..") == 0)
      return FALSE;
  return TRUE;
}

static gboolean
is_sha256 (const char *digits)
{
  return strlen (digits) == FS_SESSION_SHA256_LENGTH
         && strspn (digits, "0123456789abcdef") == FS_SESSION_SHA256_LENGTH;
}

static gboolean
read_photo_name (Reader *reader, json_t *photo, FsSession *session)
{
  const char *name =
      read_line (reader, json_object_get (photo, "name"), "photo.name", FS_SESSION_MAX_PHOTO_BYTES);
  if (!name)
    return FALSE;
  if (!is_plain_relative (name))
    return fs_session_invalid (reader, "photo.name is not a plain relative name");
  session->photo = g_strdup (name);

  const char *sum = json_string_value (json_object_get (photo, "sha256"));
  if (!sum || !is_sha256 (sum))
    return fs_session_invalid (reader, "photo.sha256 is not 64 digits 0 … 9, a … f");
  memcpy (session->sha256, sum, sizeof session->sha256);
  json_t *pixels = json_object_get (photo, "pixels");
  if (!pixels)
    return TRUE;
  sum = json_string_value (pixels);
  if (!sum || !is_sha256 (sum))
    return fs_session_invalid (reader, "photo.pixels is not 64 digits 0 … 9, a … f");
  memcpy (session->pixels, sum, sizeof session->pixels);
  return TRUE;
}

static gboolean
read_photo (Reader *reader, json_t *photo, FsSession *session)
{
  static const char *const keys[] = { "name", "sha256", "pixels", "width", "height", NULL };
  gint64 width = 0, height = 0;
  if (!fs_session_check_keys (reader, photo, "photo", keys)
      || !read_photo_name (reader, photo, session)
      || !fs_session_read_whole (reader, json_object_get (photo, "width"), "photo.width", 1,
                                 FS_SESSION_MAX_SIDE_PX, &width)
      || !fs_session_read_whole (reader, json_object_get (photo, "height"), "photo.height", 1,
                                 FS_SESSION_MAX_SIDE_PX, &height))
    return FALSE;
  session->width = (int)width;
  session->height = (int)height;
  return TRUE;
}

static gboolean
read_done (Reader *reader, json_t *done, FsSession *session)
{
  if (done && !json_is_boolean (done))
    return fs_session_invalid (reader, "done is not true or false");
  session->done = json_is_true (done);
  return TRUE;
}

static gboolean
read_settings (Reader *reader, json_t *settings, FsSession *session)
{
  static const char *const keys[] = {
    "neighbours", "smoothness", "model", "star", "stability", NULL
  };
  if (!fs_session_check_keys (reader, settings, "settings", keys))
    return FALSE;
  json_t *value = json_object_get (settings, "neighbours");
  if (value) {
    if (!json_is_integer (value)
        || (json_integer_value (value) != 4 && json_integer_value (value) != 8))
      return fs_session_invalid (reader, "settings.neighbours is not 4 or 8");
    session->settings.neighbours = (FsNeighbours)json_integer_value (value);
  }
  value = json_object_get (settings, "smoothness");
  if (value) {
    double smoothness = json_number_value (value);
    if (!json_is_number (value) || !(smoothness >= 0 && smoothness <= FS_SMOOTHNESS_MAX))
      return fs_session_invalid (reader, "settings.smoothness is not a number in 0 … 100");
    session->settings.smoothness = smoothness;
  }
  session->settings.model = FS_MODEL_KMEANS;
  value = json_object_get (settings, "model");
  if (value
      && (!json_is_string (value)
          || !fs_model_from_name (json_string_value (value), &session->settings.model)))
    return fs_session_invalid (reader, "settings.model is not the name of a model");
  value = json_object_get (settings, "star");
  if (value && !json_is_boolean (value))
    return fs_session_invalid (reader, "settings.star is not true or false");
  session->settings.star = !json_is_false (value);
  value = json_object_get (settings, "stability");
  if (value && !json_is_boolean (value))
    return fs_session_invalid (reader, "settings.stability is not true or false");
  session->settings.stability = json_is_true (value);
  return TRUE;
}

/* "#rrggbb". */
static gboolean
parse_colour (const char *text, uint32_t *colour)
{
  if (!text || text[0] != '#' || strlen (text) != 7)
    return FALSE;
  *colour = 0;
  for (int i = 1; i < 7; i++) {
    int digit = g_ascii_xdigit_value (text[i]);
    if (digit < 0)
      return FALSE;
    *colour = *colour << 4 | (uint32_t)digit;
  }
  return TRUE;
}

static gboolean
read_label (Reader *reader, json_t *label, guint i, FsSession *session)
{
  static const char *const keys[] = { "name", "colour", NULL };
  g_autofree char *where = g_strdup_printf ("labels[%u]", i);
  g_autofree char *where_name = g_strdup_printf ("labels[%u].name", i);
  if (!fs_session_check_keys (reader, label, where, keys))
    return FALSE;
  const char *name =
      read_line (reader, json_object_get (label, "name"), where_name, FS_SESSION_MAX_LABEL_BYTES);
  if (!name)
    return FALSE;
  uint32_t colour;
  if (!parse_colour (json_string_value (json_object_get (label, "colour")), &colour))
    return fs_session_invalid (reader, "%s.colour is not \"#rrggbb\"", where);
  fs_session_add_label (session, name, colour);
  return TRUE;
}

static gboolean
read_label_names (Reader *reader, json_t *labels, FsSession *session)
{
  if (!json_is_array (labels))
    return fs_session_invalid (reader, "labels is not an array");
  size_t n = json_array_size (labels);
  if (n < 2 || n > FS_SEED_MAX)
    return fs_session_invalid (reader, "labels has %" G_GSIZE_FORMAT " entries, not 2 … %d", n,
                               FS_SEED_MAX);
  for (guint i = 0; i < n; i++)
    if (!read_label (reader, json_array_get (labels, i), i, session))
      return FALSE;
  return TRUE;
}

/* --- strokes ---------------------------------------------------------------------------------- */

/* Reads `after` of stroke i; the default is 0. */
static gboolean
read_after (Reader *reader, json_t *value, guint i, FsStroke *stroke)
{
  g_autofree char *where = g_strdup_printf ("strokes[%u].after", i);
  gint64 after = 0;
  if (value && !fs_session_read_whole (reader, value, where, 0, i, &after))
    return FALSE;
  if (after > 0 && after < reader->newest_base)
    return fs_session_invalid (reader, "%s is a mask from before an outline or a guess", where);
  stroke->after = (guint)after;
  return TRUE;
}

static gboolean
read_shape (Reader *reader, json_t *value, const char *where, FsStrokeShape *shape)
{
  const char *name = json_string_value (value);
  *shape = FS_STROKE_BRUSH;
  if (!value)
    return TRUE;
  if (name && strcmp (name, "pen") == 0)
    *shape = FS_STROKE_PEN;
  else if (name && strcmp (name, "outline") == 0)
    *shape = FS_STROKE_OUTLINE;
  else if (name && strcmp (name, "guess") == 0)
    *shape = FS_STROKE_GUESS;
  else
    return fs_session_invalid (reader, "%s.shape is not \"pen\", \"outline\" or \"guess\"", where);
  return TRUE;
}

/* An outline has none of the keys that only brushes have. */
static gboolean
read_outline (Reader *reader, json_t *value, guint i, FsStroke *stroke)
{
  if (stroke->label != FS_SEED_BACKGROUND)
    return fs_session_invalid (reader, "strokes[%u].label of an outline is not %d", i,
                               FS_SEED_BACKGROUND);
  if (json_object_get (value, "radius_px") || json_object_get (value, "after"))
    return fs_session_invalid (reader,
                               "strokes[%u] is an outline, which has no radius_px and no after", i);
  if (!fs_session_read_samples (reader, json_object_get (value, "samples"),
                                (Place){ "strokes", i, 0 }, stroke))
    return FALSE;
  if (stroke->samples->len < FS_OUTLINE_POINTS_MIN)
    return fs_session_invalid (reader, "strokes[%u] is an outline of fewer than %u samples", i,
                               FS_OUTLINE_POINTS_MIN);
  reader->newest_base = i + 1;
  return TRUE;
}

typedef FsGuess *(*ReadPng) (const uint8_t *bytes, gsize n_bytes, int width, int height,
                             const char **reason);

static FsGuess *
read_png (Reader *reader, json_t *value, const char *where, ReadPng read, const FsSession *session,
          GBytes **png)
{
  const char *text = json_string_value (value), *reason = NULL;
  gsize n_bytes = 0, n = text ? json_string_length (value) : 0;
  g_autofree guchar *bytes = n >= 4 && n % 4 == 0 ? g_base64_decode (text, &n_bytes) : NULL;
  /* The decoder passes over what is no digit. */
  FsGuess *guess = NULL;
  if (n_bytes < n / 4 * 3 - 2 || n_bytes == 0)
    fs_session_invalid (reader, "%s is not base64", where);
  else if (!(guess = read (bytes, n_bytes, session->width, session->height, &reason)))
    fs_session_invalid (reader, "%s %s", where, reason);
  else
    *png = g_bytes_new_take (g_steal_pointer (&bytes), n_bytes);
  return guess;
}

/* A stroke that sets the guess of one of both keys, or, without any, dismisses one. */
static FsStroke *
read_planes (Reader *reader, json_t *value, const char *where, const FsSession *session)
{
  json_t *png = json_object_get (value, "png"), *objects = json_object_get (value, "objects");
  if (!png && !objects)
    return fs_stroke_new_guess (NULL, NULL);
  g_autofree char *where_plane = g_strdup_printf ("%s.%s", where, png ? "png" : "objects");
  GBytes *bytes = NULL;
  g_autoptr (FsGuess) guess =
      read_png (reader, png ? png : objects, where_plane,
                png ? fs_guess_from_png : fs_guess_objects_from_png, session, &bytes);
  if (!guess)
    return NULL;
  FsStroke *stroke = fs_stroke_new_guess (guess, NULL);
  stroke->png = bytes;
  return stroke;
}

static gboolean
check_guess (Reader *reader, const FsGuess *guess, const char *where, const FsSession *session)
{
  reader->n_guess_px += (gsize)fs_guess_get_width (guess) * (gsize)fs_guess_get_height (guess);
  if (reader->n_guess_px > FS_SESSION_MAX_GUESS_PX)
    return fs_session_refuse (reader, FS_SESSION_ERROR_LIMIT, "has guesses of more than %d pixels",
                              FS_SESSION_MAX_GUESS_PX);
  if (fs_guess_get_last_object (guess) > session->labels->len)
    return fs_session_invalid (reader, "%s.objects has the number %d, and there are %u labels",
                               where, fs_guess_get_last_object (guess), session->labels->len);
  return TRUE;
}

static gboolean
read_guess (Reader *reader, json_t *value, guint i, FsSession *session)
{
  static const char *const keys[] = { "shape", "name", "png", "objects", NULL };
  g_autofree char *where = g_strdup_printf ("strokes[%u]", i);
  g_autofree char *where_name = g_strdup_printf ("strokes[%u].name", i);
  if (!fs_session_check_keys (reader, value, where, keys))
    return FALSE;
  if (json_object_get (value, "png") && json_object_get (value, "objects"))
    return fs_session_invalid (reader, "%s has both png and objects", where);
  json_t *name = json_object_get (value, "name");
  const char *text = name ? read_line (reader, name, where_name, FS_GUESS_NAME_BYTES) : NULL;
  if (name && !text)
    return FALSE;
  g_autoptr (FsStroke) stroke = read_planes (reader, value, where, session);
  if (!stroke || (stroke->guess && !check_guess (reader, stroke->guess, where, session)))
    return FALSE;
  if (name && !stroke->guess)
    return fs_session_invalid (reader, "%s has a name, and no png", where);
  stroke->name = g_strdup (text);
  g_ptr_array_add (session->strokes, g_steal_pointer (&stroke));
  reader->newest_base = i + 1;
  return TRUE;
}

static gboolean
read_stroke (Reader *reader, json_t *value, guint i, FsSession *session)
{
  static const char *const keys[] = { "label", "shape", "radius_px", "after", "samples", NULL };
  g_autofree char *where = g_strdup_printf ("strokes[%u]", i);
  FsStrokeShape shape;
  if (!read_shape (reader, json_object_get (value, "shape"), where, &shape))
    return FALSE;
  if (shape == FS_STROKE_GUESS)
    return read_guess (reader, value, i, session);
  if (!fs_session_check_keys (reader, value, where, keys))
    return FALSE;
  json_t *label = json_object_get (value, "label");
  if (!json_is_integer (label) || json_integer_value (label) < 0
      || json_integer_value (label) > session->labels->len)
    return fs_session_invalid (reader, "%s.label is not 0 or one of the %u labels", where,
                               session->labels->len);
  FsStroke *stroke = fs_stroke_new ((uint8_t)json_integer_value (label), 1);
  g_ptr_array_add (session->strokes, stroke);
  stroke->shape = shape;
  if (stroke->shape == FS_STROKE_OUTLINE)
    return read_outline (reader, value, i, stroke);
  if (!fs_session_read_radius (reader, json_object_get (value, "radius_px"), where, stroke)
      || !read_after (reader, json_object_get (value, "after"), i, stroke))
    return FALSE;
  return fs_session_read_samples (reader, json_object_get (value, "samples"),
                                  (Place){ "strokes", i, 0 }, stroke);
}

static gboolean
read_strokes (Reader *reader, json_t *strokes, FsSession *session)
{
  if (!json_is_array (strokes))
    return fs_session_invalid (reader, "strokes is not an array");
  size_t n = json_array_size (strokes);
  if (n > FS_SESSION_MAX_STROKES)
    return fs_session_refuse (reader, FS_SESSION_ERROR_LIMIT, "has more than %d strokes",
                              FS_SESSION_MAX_STROKES);
  for (guint i = 0; i < n; i++)
    if (!read_stroke (reader, json_array_get (strokes, i), i, session))
      return FALSE;
  return TRUE;
}

/* --- the whole -------------------------------------------------------------------------------- */

static gboolean
read_root (Reader *reader, json_t *root, FsSession *session)
{
  static const char *const keys[] = { "format", "photo",   "done", "settings",
                                      "labels", "strokes", "edge", NULL };
  const char *format = json_string_value (json_object_get (root, "format"));
  if (!format || strcmp (format, FS_SESSION_FORMAT) != 0)
    return fs_session_refuse (reader, FS_SESSION_ERROR_FORMAT,
                              _ ("is not a session that this version reads (format \"%s\")"),
                              FS_SESSION_FORMAT);
  return fs_session_check_keys (reader, root, "the session", keys)
         && read_photo (reader, json_object_get (root, "photo"), session)
         && read_done (reader, json_object_get (root, "done"), session)
         && read_settings (reader, json_object_get (root, "settings"), session)
         && read_label_names (reader, json_object_get (root, "labels"), session)
         && read_strokes (reader, json_object_get (root, "strokes"), session)
         && fs_session_read_edge (reader, json_object_get (root, "edge"), session);
}

static gboolean
check_limits (Reader *reader, const char *text, gsize n_bytes)
{
  if (n_bytes > FS_SESSION_MAX_BYTES)
    return fs_session_refuse (reader, FS_SESSION_ERROR_LIMIT,
                              "has %" G_GSIZE_FORMAT " bytes; at most %d are read", n_bytes,
                              FS_SESSION_MAX_BYTES);
  FsJsonScan scan = fs_json_scan (text, n_bytes);
  if (scan.depth > FS_SESSION_MAX_DEPTH)
    return fs_session_refuse (reader, FS_SESSION_ERROR_LIMIT,
                              "is nested %u deep; at most %d are read", scan.depth,
                              FS_SESSION_MAX_DEPTH);
  if (scan.n_nested > MAX_NESTED || scan.n_values > MAX_VALUES)
    return fs_session_refuse (reader, FS_SESSION_ERROR_LIMIT,
                              "has more values than %d samples in %d strokes need",
                              FS_SESSION_MAX_SAMPLES, FS_SESSION_MAX_STROKES);
  return TRUE;
}

FsSession *
fs_session_parse (const char *name, const char *text, gsize n_bytes, GError **error)
{
  g_return_val_if_fail (name && (text || n_bytes == 0), NULL);

  Reader reader = { .name = name, .error = error };
  if (!check_limits (&reader, text, n_bytes))
    return NULL;
  g_autofree char *reason = NULL;
  g_autoptr (json_t) root = fs_json_parse (text, n_bytes, FS_JSON_UNIQUE_NAMES, &reason);
  if (!root) {
    fs_session_refuse (&reader, FS_SESSION_ERROR_FORMAT, _ ("is damaged, or not a session: %s"),
                       reason);
    return NULL;
  }
  g_autoptr (FsSession) session = fs_session_new ();
  return read_root (&reader, root, session) ? g_steal_pointer (&session) : NULL;
}

static gboolean
open_file (Reader *reader, const char *path, int *fd, gsize *n_bytes)
{
  /* Without O_NONBLOCK opening a FIFO waits for a writer for ever. */
  *fd = open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  struct stat facts;
  if (*fd < 0 || fstat (*fd, &facts) < 0)
    return fs_session_refuse (reader, FS_SESSION_ERROR_READ, _ ("cannot be opened: %s"),
                              g_strerror (errno));
  if (!S_ISREG (facts.st_mode))
    return fs_session_refuse (reader, FS_SESSION_ERROR_READ, _ ("is not a file"));
  if (facts.st_size > FS_SESSION_MAX_BYTES)
    return fs_session_refuse (reader, FS_SESSION_ERROR_LIMIT,
                              "has %" G_GINT64_FORMAT " bytes; at most %d are read",
                              (gint64)facts.st_size, FS_SESSION_MAX_BYTES);
  if (facts.st_size == 0)
    return fs_session_refuse (reader, FS_SESSION_ERROR_FORMAT, _ ("is empty"));
  *n_bytes = (gsize)facts.st_size;
  return TRUE;
}

/* Up to *n_bytes, which becomes the number read: a file may shrink meanwhile. */
static char *
read_file_bytes (Reader *reader, int fd, gsize *n_bytes)
{
  g_autofree char *text = g_try_malloc (*n_bytes + 1);
  if (!text) {
    fs_session_refuse (reader, FS_SESSION_ERROR_LIMIT, _ ("there is not enough memory for it"));
    return NULL;
  }
  gsize n = 0;
  while (n < *n_bytes) {
    ssize_t got = read (fd, text + n, *n_bytes - n);
    if (got < 0 && errno == EINTR)
      continue;
    if (got < 0) {
      fs_session_refuse (reader, FS_SESSION_ERROR_READ, _ ("cannot be read: %s"),
                         g_strerror (errno));
      return NULL;
    }
    if (got == 0)
      break;
    n += (gsize)got;
  }
  *n_bytes = n;
  return g_steal_pointer (&text);
}

FsSession *
fs_session_read (const char *path, GError **error)
{
  g_return_val_if_fail (path, NULL);

  Reader reader = { .name = path, .error = error };
  int fd = -1;
  gsize n_bytes = 0;
  gboolean opened = open_file (&reader, path, &fd, &n_bytes);
  g_autofree char *text = opened ? read_file_bytes (&reader, fd, &n_bytes) : NULL;
  if (fd >= 0)
    close (fd);
  FsSession *session = text ? fs_session_parse (path, text, n_bytes, error) : NULL;
  g_autofree char *sum = NULL;
  if (!session)
    return NULL;
  sum = g_compute_checksum_for_data (G_CHECKSUM_SHA256, (const guchar *)text, n_bytes);
  g_strlcpy (session->file_sha256, sum, sizeof session->file_sha256);
  return session;
}
