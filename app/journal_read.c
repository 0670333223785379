/* SPDX-License-Identifier: MIT */
#include "app/journal.h"

#include "app/display_name.h"
#include "app/journal_record.h"

#include <glib/gi18n.h>
#include <math.h>
#include <string.h>

typedef struct {
  const uint8_t *payload;
  gsize n_bytes;
} Payload;

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
  if (content->photo && (session->width != (int)width || session->height != (int)height))
    return FALSE;
  session->width = (int)width;
  session->height = (int)height;
  session->sha256[0] = '\0';
  return take_path (&content->photo, p.payload + 8, p.n_bytes - 8);
}

static gboolean
read_sum (FsJournalContent *content, Payload p)
{
  if (p.n_bytes != FS_SESSION_SHA256_LENGTH)
    return FALSE;
  for (gsize i = 0; i < p.n_bytes; i++)
    if (!g_ascii_isdigit (p.payload[i]) && !(p.payload[i] >= 'a' && p.payload[i] <= 'f'))
      return FALSE;
  memcpy (content->session->sha256, p.payload, p.n_bytes);
  content->session->sha256[p.n_bytes] = '\0';
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

/* All but the samples. */
static FsStroke *
read_stroke_head (const FsJournalContent *content, const uint8_t *bytes)
{
  guint32 label = fs_journal_u32 (bytes), shape = fs_journal_u32 (bytes + 4);
  guint32 after = fs_journal_u32 (bytes + 12), n_samples = fs_journal_u32 (bytes + 16);
  float radius_px = read_float (bytes + 8);
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
  g_ptr_array_set_size (content->session->strokes, (int)count_done (content));
  content->n_undone = 0;
  g_ptr_array_add (content->session->strokes, g_steal_pointer (&stroke));
  return TRUE;
}

static gboolean
read_undo (FsJournalContent *content, Payload p)
{
  if (p.n_bytes != 0 || count_done (content) == 0)
    return FALSE;
  content->n_undone++;
  return TRUE;
}

static gboolean
read_redo (FsJournalContent *content, Payload p)
{
  if (p.n_bytes != 0 || content->n_undone == 0)
    return FALSE;
  content->n_undone--;
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
read_record (FsJournalContent *content, guint32 kind, Payload p)
{
  if (kind != FS_JOURNAL_PHOTO && !content->photo)
    return FALSE;
  switch (kind) {
  case FS_JOURNAL_PHOTO:
    return read_photo (content, p);
  case FS_JOURNAL_SUM:
    return read_sum (content, p);
  case FS_JOURNAL_SESSION:
    return take_path (&content->session_path, p.payload, p.n_bytes);
  case FS_JOURNAL_SETTINGS:
    return read_settings (content, p);
  case FS_JOURNAL_STROKE:
    return read_stroke (content, p);
  case FS_JOURNAL_UNDO:
    return read_undo (content, p);
  case FS_JOURNAL_REDO:
    return read_redo (content, p);
  case FS_JOURNAL_LABEL:
    return read_label (content, p);
  default:
    return FALSE;
  }
}

/* The bytes of the record that begins at `bytes`, or 0 where it is not whole. */
static gsize
check_record (const uint8_t *bytes, gsize n_bytes)
{
  const gsize around = FS_JOURNAL_HEAD_BYTES + FS_JOURNAL_CRC_BYTES;
  if (n_bytes < around)
    return 0;
  gsize n_payload = fs_journal_u32 (bytes + 4);
  if (n_payload > n_bytes - around)
    return 0;
  gsize n_checked = FS_JOURNAL_HEAD_BYTES + n_payload;
  if (fs_journal_crc (bytes, n_checked) != fs_journal_u32 (bytes + n_checked))
    return 0;
  return n_checked + FS_JOURNAL_CRC_BYTES;
}

static FsJournalContent *
new_content (void)
{
  FsJournalContent *content = g_new0 (FsJournalContent, 1);
  content->session = fs_session_new ();
  fs_session_add_usual_labels (content->session);
  return content;
}

FsJournalContent *
fs_journal_parse (const char *name, const uint8_t *bytes, gsize n_bytes, GError **error)
{
  g_return_val_if_fail (name && (bytes || n_bytes == 0), NULL);

  const gsize n_format = strlen (FS_JOURNAL_FORMAT);
  g_autoptr (FsJournalContent) content = new_content ();
  if (n_bytes >= n_format && memcmp (bytes, FS_JOURNAL_FORMAT, n_format) == 0) {
    gsize at = n_format, n;
    while ((n = check_record (bytes + at, n_bytes - at)) > 0
           && read_record (content, fs_journal_u32 (bytes + at),
                           (Payload){ bytes + at + FS_JOURNAL_HEAD_BYTES,
                                      fs_journal_u32 (bytes + at + 4) }))
      at += n;
    content->n_bytes = at;
    content->torn = at < n_bytes;
  }
  fs_session_complete_labels (content->session);
  if (content->photo)
    return g_steal_pointer (&content);
  g_autofree char *shown = fs_display_name (name);
  g_set_error (error, FS_JOURNAL_ERROR, FS_JOURNAL_ERROR_FORMAT,
               _ ("%s: is not a journal that this version reads"), shown);
  return NULL;
}
