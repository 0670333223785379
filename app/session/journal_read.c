/* SPDX-License-Identifier: MIT */
#include "app/session/journal_read.h"

#include "app/files/display_name.h"
#include "app/finder/guess_png.h"
#include "app/session/journal_record.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

G_DEFINE_QUARK (fs - journal - error - quark, fs_journal_error)

/* Bytes that may be summed in the search for the next whole record, beside those of the file: a
 * hostile one could make every place worth a look. */
#define SEARCH_BYTES ((gsize)16 << 20)
#define SUM_COST     2048 /* of a sum of nothing, in bytes */

/* Records of later versions are distinguished from chance by their kinds as well. */
#define MAX_KIND 64

typedef struct {
  const uint8_t *payload;
  gsize n_bytes;
} Payload;

typedef struct {
  const uint8_t *bytes;
  gsize n_bytes;
  gsize budget;
  FsJournalContent *content;
} Reader;

void
fs_journal_content_free (FsJournalContent *content)
{
  if (!content)
    return;
  g_free (content->photo);
  g_free (content->session_path);
  fs_session_free (content->session);
  g_free (content);
}

static float
read_float (const uint8_t *bytes)
{
  guint32 bits = fs_journal_u32 (bytes);
  float value;
  memcpy (&value, &bits, sizeof value);
  return value;
}

static double
read_double (const uint8_t *bytes)
{
  guint64 bits = fs_journal_u32 (bytes) | (guint64)fs_journal_u32 (bytes + 4) << 32;
  double value;
  memcpy (&value, &bits, sizeof value);
  return value;
}

/* An absolute path, or NULL. */
static char *
read_path (const uint8_t *bytes, gsize n_bytes)
{
  if (n_bytes == 0 || n_bytes > FS_JOURNAL_MAX_PATH_BYTES || bytes[0] != '/'
      || memchr (bytes, '\0', n_bytes))
    return NULL;
  return g_strndup ((const char *)bytes, n_bytes);
}

static gboolean
take_path (char **path, const uint8_t *bytes, gsize n_bytes)
{
  char *read = read_path (bytes, n_bytes);
  if (!read)
    return FALSE;
  g_free (*path);
  *path = read;
  return TRUE;
}

/* A photo that was found elsewhere has the size of the first. */
static gboolean
read_photo (FsJournalContent *content, Payload p)
{
  FsSession *session = content->session;
  if (p.n_bytes < 8)
    return FALSE;
  guint32 width = fs_journal_u32 (p.payload), height = fs_journal_u32 (p.payload + 4);
  if (width < 1 || width > FS_SESSION_MAX_SIDE_PX || height < 1 || height > FS_SESSION_MAX_SIDE_PX)
    return FALSE;
  if (session->width > 0 && (session->width != (int)width || session->height != (int)height))
    return FALSE;
  session->width = (int)width;
  session->height = (int)height;
  session->sha256[0] = '\0';
  return take_path (&content->photo, p.payload + 8, p.n_bytes - 8);
}

static gboolean
read_sum (char sum[FS_SESSION_SHA256_LENGTH + 1], Payload p)
{
  if (p.n_bytes != FS_SESSION_SHA256_LENGTH)
    return FALSE;
  for (gsize i = 0; i < p.n_bytes; i++)
    if (!g_ascii_isdigit (p.payload[i]) && !(p.payload[i] >= 'a' && p.payload[i] <= 'f'))
      return FALSE;
  memcpy (sum, p.payload, p.n_bytes);
  sum[p.n_bytes] = '\0';
  return TRUE;
}

static gboolean
read_settings (FsJournalContent *content, Payload p)
{
  if (p.n_bytes != FS_JOURNAL_SETTINGS_BYTES)
    return FALSE;
  guint32 neighbours = fs_journal_u32 (p.payload), model = fs_journal_u32 (p.payload + 12);
  guint32 star = fs_journal_u32 (p.payload + 16), stability = fs_journal_u32 (p.payload + 20);
  double smoothness = read_double (p.payload + 4);
  if ((neighbours != 4 && neighbours != 8) || model >= FS_N_MODELS || star > 1 || stability > 1
      || !(smoothness >= 0 && smoothness <= FS_SMOOTHNESS_MAX))
    return FALSE;
  content->session->settings = (FsSettings){ .neighbours = (FsNeighbours)neighbours,
                                             .smoothness = smoothness,
                                             .model = (FsModelKind)model,
                                             .star = star != 0,
                                             .stability = stability != 0 };
  for (guint i = 0; i < content->session->strokes->len; i++)
    ((FsStroke *)content->session->strokes->pdata[i])->after = 0;
  return TRUE;
}

static gboolean
read_sample (const uint8_t *bytes, FsSample *sample)
{
  *sample = (FsSample){ read_float (bytes), read_float (bytes + 4), read_float (bytes + 8),
                        fs_journal_u32 (bytes + 12) };
  return fabsf (sample->x) <= FS_SESSION_MAX_PLACE_PX
         && fabsf (sample->y) <= FS_SESSION_MAX_PLACE_PX && sample->pressure >= 0
         && sample->pressure <= 1;
}

static gboolean
read_samples (FsStroke *stroke, const uint8_t *bytes, guint n_samples)
{
  for (guint i = 0; i < n_samples; i++) {
    FsSample sample;
    if (!read_sample (bytes + (gsize)i * FS_JOURNAL_SAMPLE_BYTES, &sample))
      return FALSE;
    g_array_append_val (stroke->samples, sample);
  }
  return TRUE;
}

static guint
count_done (const FsJournalContent *content)
{
  return content->session->strokes->len - content->n_undone;
}

static guint
count_edge_done (const FsJournalContent *content)
{
  return content->session->edge->len - content->n_edge_undone;
}

static void
drop_undone (FsJournalContent *content)
{
  g_ptr_array_set_size (content->session->strokes, (int)count_done (content));
  g_ptr_array_set_size (content->session->edge, (int)count_edge_done (content));
  content->n_undone = content->n_edge_undone = 0;
}

static void
add_stroke (FsJournalContent *content, FsStroke *stroke)
{
  drop_undone (content);
  g_ptr_array_add (content->session->strokes, stroke);
}

/* All but the samples. */
static FsStroke *
read_stroke_head (const FsJournalContent *content, const uint8_t *bytes)
{
  guint32 label = fs_journal_u32 (bytes), shape = fs_journal_u32 (bytes + 4);
  guint32 after = fs_journal_u32 (bytes + 12), n_samples = fs_journal_u32 (bytes + 16);
  float radius_px = read_float (bytes + 8);
  if (after > count_done (content) && content->damaged)
    after = 0;
  if (label > FS_SEED_MAX || shape > FS_STROKE_OUTLINE || after > count_done (content)
      || n_samples == 0 || !(radius_px > 0 && radius_px <= FS_SESSION_MAX_RADIUS_PX))
    return NULL;
  if (shape == FS_STROKE_OUTLINE
      && (label != FS_SEED_BACKGROUND || after != 0 || n_samples < FS_OUTLINE_POINTS_MIN))
    return NULL;
  FsStroke *stroke = fs_stroke_new ((uint8_t)label, radius_px);
  stroke->shape = (FsStrokeShape)shape;
  stroke->after = after;
  return stroke;
}

static gboolean
read_stroke (FsJournalContent *content, Payload p)
{
  if (p.n_bytes < FS_JOURNAL_STROKE_BYTES)
    return FALSE;
  g_autoptr (FsStroke) stroke = read_stroke_head (content, p.payload);
  guint32 n_samples = fs_journal_u32 (p.payload + 16);
  if (!stroke || p.n_bytes - FS_JOURNAL_STROKE_BYTES != (gsize)n_samples * FS_JOURNAL_SAMPLE_BYTES
      || !read_samples (stroke, p.payload + FS_JOURNAL_STROKE_BYTES, n_samples))
    return FALSE;
  add_stroke (content, g_steal_pointer (&stroke));
  return TRUE;
}

static gboolean
read_guess (FsJournalContent *content, gboolean has_objects, Payload p)
{
  const FsSession *session = content->session;
  gsize n_name = p.n_bytes >= 4 ? fs_journal_u32 (p.payload) : G_MAXSIZE;
  if (session->width == 0 || n_name > FS_GUESS_NAME_BYTES || n_name > p.n_bytes - 4)
    return FALSE;
  g_autofree char *name = g_strndup ((const char *)p.payload + 4, n_name);
  const uint8_t *png = p.payload + 4 + n_name;
  gsize n_png = p.n_bytes - 4 - n_name;
  const char *reason;
  g_autoptr (FsGuess) guess = NULL;
  if (has_objects)
    guess = fs_guess_objects_from_png (png, n_png, session->width, session->height, &reason);
  else if (n_png > 0)
    guess = fs_guess_from_png (png, n_png, session->width, session->height, &reason);
  if ((has_objects || n_png > 0) && !guess)
    return FALSE;
  FsStroke *stroke = fs_stroke_new_guess (guess, name);
  stroke->png = n_png > 0 ? g_bytes_new (png, n_png) : NULL;
  add_stroke (content, stroke);
  return TRUE;
}

static gboolean
read_zone (FsJournalContent *content, Payload p)
{
  if (p.n_bytes < FS_JOURNAL_STROKE_BYTES)
    return FALSE;
  g_autoptr (FsStroke) zone = read_stroke_head (content, p.payload);
  guint32 n_samples = fs_journal_u32 (p.payload + 16);
  if (!zone || zone->shape == FS_STROKE_OUTLINE || zone->label >= FS_EDGE_N_ZONES
      || p.n_bytes - FS_JOURNAL_STROKE_BYTES != (gsize)n_samples * FS_JOURNAL_SAMPLE_BYTES
      || !read_samples (zone, p.payload + FS_JOURNAL_STROKE_BYTES, n_samples))
    return FALSE;
  zone->after = 0;
  drop_undone (content);
  g_ptr_array_add (content->session->edge, fs_edge_edit_new_zone (zone, count_done (content)));
  return TRUE;
}

static gboolean
read_edge_settings (FsJournalContent *content, Payload p)
{
  if (p.n_bytes != FS_JOURNAL_EDGE_BYTES)
    return FALSE;
  guint32 f[FS_JOURNAL_EDGE_BYTES / 4];
  for (guint i = 0; i < G_N_ELEMENTS (f); i++)
    f[i] = fs_journal_u32 (p.payload + (gsize)4 * i);
  FsEdgeSettings settings = { .width_px = (int)f[0],
                              .shift_tenths = (int)f[1],
                              .contrast = (int)f[2],
                              .smooth_px = (int)f[3],
                              .clean = (int)f[4],
                              .specks_px = (int)f[5],
                              .holes_px = (int)f[6] };
  if (!fs_edge_settings_are_valid (&settings) || f[7] > 1)
    return FALSE;
  GPtrArray *edge = content->session->edge;
  drop_undone (content);
  const FsEdgeEdit *newest = edge->len > 0 ? edge->pdata[edge->len - 1] : NULL;
  if (f[7] == 1 && newest && !newest->zone && newest->after_strokes == count_done (content))
    g_ptr_array_set_size (edge, (int)edge->len - 1);
  g_ptr_array_add (edge, fs_edge_edit_new_settings (&settings, count_done (content)));
  return TRUE;
}

static gboolean
read_undo (FsJournalContent *content, Payload p)
{
  guint n = count_done (content), n_edge = count_edge_done (content);
  gboolean is_edge = fs_edge_edits_undo_next (content->session->edge, n_edge, n);
  if (p.n_bytes != 0 || n + n_edge == 0)
    return FALSE;
  content->n_edge_undone += is_edge ? 1 : 0;
  content->n_undone += is_edge ? 0 : 1;
  return TRUE;
}

static gboolean
read_redo (FsJournalContent *content, Payload p)
{
  gboolean is_edge = fs_edge_edits_redo_next (content->session->edge, count_edge_done (content),
                                              count_done (content));
  if (p.n_bytes != 0 || (content->n_undone == 0 && !is_edge))
    return FALSE;
  content->n_edge_undone -= is_edge ? 1 : 0;
  content->n_undone -= is_edge ? 0 : 1;
  return TRUE;
}

static gboolean
read_label (FsJournalContent *content, Payload p)
{
  if (p.n_bytes <= FS_JOURNAL_LABEL_BYTES
      || p.n_bytes > FS_JOURNAL_LABEL_BYTES + FS_SESSION_MAX_LABEL_BYTES)
    return FALSE;
  gsize n_name = p.n_bytes - FS_JOURNAL_LABEL_BYTES;
  guint32 label = fs_journal_u32 (p.payload), colour = fs_journal_u32 (p.payload + 4);
  g_autofree char *name = g_strndup ((const char *)p.payload + FS_JOURNAL_LABEL_BYTES, n_name);
  if (label > FS_SEED_MAX || colour > 0xffffff || strlen (name) != n_name
      || !fs_session_name_label (content->session, (uint8_t)label, name))
    return FALSE;
  g_array_index (content->session->labels, FsSessionLabel, label - 1).colour = colour;
  content->has_labels = TRUE;
  return TRUE;
}

static gboolean
read_done (FsJournalContent *content, Payload p)
{
  if (p.n_bytes != 4 || fs_journal_u32 (p.payload) > 1)
    return FALSE;
  content->session->done = fs_journal_u32 (p.payload) == 1;
  return TRUE;
}

static gboolean
read_record (FsJournalContent *content, guint32 kind, Payload p)
{
  if (kind != FS_JOURNAL_PHOTO && !content->photo && !content->damaged)
    return FALSE;
  switch (kind) {
  case FS_JOURNAL_PHOTO:
    return read_photo (content, p);
  case FS_JOURNAL_SUM:
    return read_sum (content->session->sha256, p);
  case FS_JOURNAL_SESSION:
    content->session->file_sha256[0] = '\0'; /* of another file nothing is known yet */
    return take_path (&content->session_path, p.payload, p.n_bytes);
  case FS_JOURNAL_SESSION_SUM:
    return read_sum (content->session->file_sha256, p);
  case FS_JOURNAL_SETTINGS:
    return read_settings (content, p);
  case FS_JOURNAL_STROKE:
    return read_stroke (content, p);
  case FS_JOURNAL_GUESS:
    return read_guess (content, FALSE, p);
  case FS_JOURNAL_OBJECTS:
    return read_guess (content, TRUE, p);
  case FS_JOURNAL_EDGE_STROKE:
    return read_zone (content, p);
  case FS_JOURNAL_EDGE_SETTINGS:
    return read_edge_settings (content, p);
  case FS_JOURNAL_UNDO:
    return read_undo (content, p);
  case FS_JOURNAL_REDO:
    return read_redo (content, p);
  case FS_JOURNAL_LABEL:
    return read_label (content, p);
  case FS_JOURNAL_DONE:
    return read_done (content, p);
  default:
    return FALSE;
  }
}

/* The bytes of the record that begins at `bytes`, or 0 where it is not whole. */
static gsize
check_record (const uint8_t *bytes, gsize n_bytes)
{
  const gsize overhead = FS_JOURNAL_HEAD_BYTES + FS_JOURNAL_CRC_BYTES;
  if (n_bytes < overhead)
    return 0;
  gsize n_payload = fs_journal_u32 (bytes + 4);
  if (n_payload > n_bytes - overhead)
    return 0;
  gsize n_checked = FS_JOURNAL_HEAD_BYTES + n_payload;
  if (fs_journal_crc (bytes, n_checked) != fs_journal_u32 (bytes + n_checked))
    return 0;
  return n_checked + FS_JOURNAL_CRC_BYTES;
}

/* ---- What cannot be read ---- */

/* A search for it costs as much as a sum of its bytes. */
static gboolean
begins_record (Reader *reader, gsize at)
{
  const gsize overhead = FS_JOURNAL_HEAD_BYTES + FS_JOURNAL_CRC_BYTES;
  gsize left = reader->n_bytes - at;
  if (left < overhead)
    return FALSE;
  guint32 kind = fs_journal_u32 (reader->bytes + at);
  gsize n_payload = fs_journal_u32 (reader->bytes + at + 4);
  if (kind == 0 || kind > MAX_KIND || n_payload > left - overhead
      || reader->budget < n_payload + SUM_COST)
    return FALSE;
  reader->budget -= n_payload + SUM_COST;
  return check_record (reader->bytes + at, left) > 0;
}

/* The start of the next whole record: the end of this one by its own length, or else the next place
 * that looks like one. */
static gsize
find_record (Reader *reader, gsize at)
{
  const gsize overhead = FS_JOURNAL_HEAD_BYTES + FS_JOURNAL_CRC_BYTES;
  if (reader->n_bytes - at > overhead) {
    gsize n_payload = fs_journal_u32 (reader->bytes + at + 4);
    if (n_payload <= reader->n_bytes - at - overhead
        && begins_record (reader, at + overhead + n_payload))
      return at + overhead + n_payload;
  }
  for (gsize next = at + 1; next < reader->n_bytes; next++)
    if (begins_record (reader, next))
      return next;
  return reader->n_bytes;
}

static gboolean
looks_like_edge (guint32 kind)
{
  return kind == FS_JOURNAL_EDGE_STROKE || kind == FS_JOURNAL_EDGE_SETTINGS;
}

/* Where it may be one or not, it counts as one unless that would forget what was undone. */
static gboolean
looks_like_stroke (const FsJournalContent *content, const uint8_t *bytes, gsize n_bytes)
{
  const gsize fixed = FS_JOURNAL_HEAD_BYTES + FS_JOURNAL_STROKE_BYTES + FS_JOURNAL_CRC_BYTES;
  if (n_bytes < fixed)
    return FALSE;
  guint32 kind = fs_journal_u32 (bytes);
  guint32 n_samples = fs_journal_u32 (bytes + FS_JOURNAL_HEAD_BYTES + 16);
  if (looks_like_edge (kind))
    return FALSE;
  return kind == FS_JOURNAL_STROKE || kind == FS_JOURNAL_GUESS || kind == FS_JOURNAL_OBJECTS
         || n_bytes - fixed == (gsize)n_samples * FS_JOURNAL_SAMPLE_BYTES
         || (content->n_undone + content->n_edge_undone == 0
             && (kind == 0 || kind > FS_JOURNAL_DONE) && check_record (bytes, n_bytes) == 0);
}

/* A name that is nearly the photo's is better than none: the user is asked where it is. */
static void
guess_photo (FsJournalContent *content, const uint8_t *bytes, gsize n_bytes)
{
  const gsize before = FS_JOURNAL_HEAD_BYTES + 8;
  if (content->photo || n_bytes <= before + FS_JOURNAL_CRC_BYTES + 1)
    return;
  gsize n = MIN (n_bytes - before - FS_JOURNAL_CRC_BYTES, FS_JOURNAL_MAX_PATH_BYTES);
  content->photo = g_strndup ((const char *)bytes + before, n);
  content->photo[0] = '/';
}

/* One that takes the place of the newest edit needs no placeholder. */
static void
add_edge_placeholder (FsJournalContent *content, const uint8_t *bytes, gsize n_bytes)
{
  g_autoptr (FsStroke) zone = fs_stroke_new (FS_EDGE_ZONE_NONE, 1);
  drop_undone (content);
  if (content->session->edge->len > 0 && fs_journal_u32 (bytes) == FS_JOURNAL_EDGE_SETTINGS
      && n_bytes >= FS_JOURNAL_HEAD_BYTES + FS_JOURNAL_EDGE_BYTES
      && fs_journal_u32 (bytes + FS_JOURNAL_HEAD_BYTES + FS_JOURNAL_EDGE_BYTES - 4) == 1)
    return;
  g_ptr_array_add (content->session->edge, fs_edge_edit_new_zone (zone, count_done (content)));
}

static void
skip_damage (Reader *reader, gsize from, gsize to)
{
  FsJournalContent *content = reader->content;
  if (from == strlen (FS_JOURNAL_FORMAT))
    guess_photo (content, reader->bytes + from, to - from);
  /* A placeholder without samples keeps the count of what follows, and is removed in the end. A
   * stroke that was hardly begun does not drop what can be redone. */
  else if (to < reader->n_bytes && looks_like_stroke (content, reader->bytes + from, to - from))
    add_stroke (content, fs_stroke_new (FS_SEED_NONE, 1));
  else if (to < reader->n_bytes && to - from >= FS_JOURNAL_HEAD_BYTES
           && looks_like_edge (fs_journal_u32 (reader->bytes + from)))
    add_edge_placeholder (content, reader->bytes + from, to - from);
  content->damaged = TRUE;
}

static gboolean
is_placeholder (const FsStroke *stroke)
{
  return stroke->shape != FS_STROKE_GUESS && stroke->samples->len == 0;
}

static void
remove_edge_placeholders (FsJournalContent *content)
{
  GPtrArray *edge = content->session->edge;
  guint n_done = count_edge_done (content);
  for (guint i = edge->len; i-- > 0;) {
    const FsEdgeEdit *edit = edge->pdata[i];
    if (!edit->zone || edit->zone->samples->len > 0)
      continue;
    n_done -= i < n_done;
    g_ptr_array_remove_index (edge, i);
  }
  content->n_edge_undone = edge->len - n_done;
}

/* Edits of the edge after stroke i, which is removed. */
static void
renumber_edge (FsJournalContent *content, guint i)
{
  for (guint k = 0; k < content->session->edge->len; k++) {
    FsEdgeEdit *edit = content->session->edge->pdata[k];
    edit->after_strokes -= edit->after_strokes > i ? 1 : 0;
  }
}

/* Those before the first lost one stand where they stood, and may be referred to. */
static void
remove_placeholders (FsJournalContent *content)
{
  GPtrArray *strokes = content->session->strokes;
  guint n_done = count_done (content), first = strokes->len;
  for (guint i = strokes->len; i-- > 0;)
    if (is_placeholder (strokes->pdata[i])) {
      first = i;
      n_done -= i < n_done;
      renumber_edge (content, i);
      g_ptr_array_remove_index (strokes, i);
    }
  content->n_undone = strokes->len - n_done;
  for (guint i = first; i < strokes->len; i++) {
    FsStroke *stroke = strokes->pdata[i];
    stroke->after = stroke->after <= first ? stroke->after : 0;
  }
}

/* ---- All of it ---- */

static gboolean
is_power_of_two (int bits)
{
  return bits != 0 && (bits & (bits - 1)) == 0;
}

/* The start of its records; 0: it is not one, or of another version. One wrong bit does not make it
 * another one, nor does a first line that is none, if records follow. */
static gsize
check_format (Reader *reader)
{
  const gsize n_format = strlen (FS_JOURNAL_FORMAT), n_name = n_format - 2;
  int n_wrong = 0, wrong = 0;
  if (reader->n_bytes < n_format)
    return 0;
  for (gsize i = 0; i < n_format; i++) {
    int bits = reader->bytes[i] ^ (uint8_t)FS_JOURNAL_FORMAT[i];
    n_wrong += bits != 0;
    wrong |= bits;
  }
  if (n_wrong == 0)
    return n_format;
  if (memcmp (reader->bytes, FS_JOURNAL_FORMAT, n_name) == 0
      && !(n_wrong == 1 && is_power_of_two (wrong)))
    return 0;
  reader->content->damaged = TRUE;
  return begins_record (reader, n_format) ? n_format : find_record (reader, 0);
}

static void
read_records (Reader *reader, gsize at)
{
  FsJournalContent *content = reader->content;
  while (at < reader->n_bytes) {
    const uint8_t *record = reader->bytes + at;
    gsize n = check_record (record, reader->n_bytes - at);
    Payload p = { record + FS_JOURNAL_HEAD_BYTES,
                  n > 0 ? n - FS_JOURNAL_HEAD_BYTES - FS_JOURNAL_CRC_BYTES : 0 };
    if (n == 0 || !read_record (content, fs_journal_u32 (record), p)) {
      gsize next = n > 0 ? at + n : find_record (reader, at);
      skip_damage (reader, at, next);
      n = next - at;
    }
    at += n;
  }
}

FsJournalContent *
fs_journal_parse (const char *name, const uint8_t *bytes, gsize n_bytes, GError **error)
{
  g_return_val_if_fail (name && (bytes || n_bytes == 0), NULL);

  g_autoptr (FsJournalContent) content = g_new0 (FsJournalContent, 1);
  content->session = fs_session_new ();
  fs_session_add_usual_labels (content->session);
  Reader reader = { bytes, n_bytes, n_bytes + SEARCH_BYTES, content };
  gsize at = check_format (&reader);
  if (at > 0)
    read_records (&reader, at);
  remove_placeholders (content);
  remove_edge_placeholders (content);
  fs_session_complete_labels (content->session);
  if (!content->photo && content->session->strokes->len + content->session->edge->len > 0)
    content->photo = g_strdup ("/?");
  if (content->photo)
    return g_steal_pointer (&content);
  g_autofree char *shown = fs_display_name (name);
  g_set_error (error, FS_JOURNAL_ERROR, FS_JOURNAL_ERROR_FORMAT,
               _ ("%s: is not a journal that this version reads"), shown);
  return NULL;
}
