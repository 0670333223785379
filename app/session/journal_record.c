/* SPDX-License-Identifier: MIT */
#include "app/session/journal_record.h"

#include <string.h>

G_STATIC_ASSERT (sizeof (FsSample) == FS_JOURNAL_SAMPLE_BYTES);

guint32
fs_journal_u32 (const uint8_t *bytes)
{
  return (guint32)bytes[0] | (guint32)bytes[1] << 8 | (guint32)bytes[2] << 16
         | (guint32)bytes[3] << 24;
}

guint32
fs_journal_crc (const uint8_t *bytes, gsize n_bytes)
{
  guint32 table[256], crc = 0xffffffffu;
  for (guint32 i = 0; i < 256; i++) {
    table[i] = i;
    for (int bit = 0; bit < 8; bit++)
      table[i] = table[i] >> 1 ^ (table[i] & 1 ? 0xedb88320u : 0);
  }
  for (gsize i = 0; i < n_bytes; i++)
    crc = crc >> 8 ^ table[(crc ^ bytes[i]) & 0xff];
  return ~crc;
}

static void
put_u32 (uint8_t *bytes, guint32 value)
{
  for (int i = 0; i < 4; i++)
    bytes[i] = (uint8_t)(value >> 8 * i);
}

void
fs_journal_record_add_u32 (GByteArray *record, guint32 value)
{
  uint8_t bytes[4];
  put_u32 (bytes, value);
  g_byte_array_append (record, bytes, sizeof bytes);
}

static void
add_float (GByteArray *record, float value)
{
  guint32 bits;
  memcpy (&bits, &value, sizeof bits);
  fs_journal_record_add_u32 (record, bits);
}

static void
add_double (GByteArray *record, double value)
{
  guint64 bits;
  memcpy (&bits, &value, sizeof bits);
  fs_journal_record_add_u32 (record, (guint32)bits);
  fs_journal_record_add_u32 (record, (guint32)(bits >> 32));
}

GByteArray *
fs_journal_record_new (FsJournalKind kind)
{
  GByteArray *record = g_byte_array_new ();
  fs_journal_record_add_u32 (record, kind);
  fs_journal_record_add_u32 (record, 0);
  return record;
}

void
fs_journal_record_add_settings (GByteArray *record, const FsSettings *settings)
{
  fs_journal_record_add_u32 (record, settings->neighbours);
  add_double (record, settings->smoothness);
  fs_journal_record_add_u32 (record, settings->model);
  fs_journal_record_add_u32 (record, settings->star ? 1 : 0);
  fs_journal_record_add_u32 (record, settings->stability ? 1 : 0);
}

void
fs_journal_record_add_edge_settings (GByteArray *record, const FsEdgeSettings *settings,
                                     gboolean continues)
{
  const int fields[] = { settings->width_px,  settings->shift_tenths, settings->contrast,
                         settings->smooth_px, settings->clean,        settings->specks_px,
                         settings->holes_px };
  for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
    fs_journal_record_add_u32 (record, (guint32)fields[i]);
  fs_journal_record_add_u32 (record, continues ? 1 : 0);
}

void
fs_journal_record_add_stroke (GByteArray *record, const FsStroke *stroke)
{
  fs_journal_record_add_u32 (record, stroke->label);
  fs_journal_record_add_u32 (record, stroke->shape);
  add_float (record, stroke->radius_px);
  fs_journal_record_add_u32 (record, stroke->after);
  fs_journal_record_add_u32 (record, stroke->samples->len);
  for (guint i = 0; i < stroke->samples->len; i++) {
    const FsSample *sample = &g_array_index (stroke->samples, FsSample, i);
    add_float (record, sample->x);
    add_float (record, sample->y);
    add_float (record, sample->pressure);
    fs_journal_record_add_u32 (record, sample->time_ms);
  }
}

GByteArray *
fs_journal_record_of_guess (FsStroke *stroke)
{
  GBytes *png = fs_stroke_get_png (stroke);
  if (stroke->guess && !png)
    return NULL;
  gboolean has_objects = stroke->guess && fs_guess_get_numbers (stroke->guess);
  GByteArray *record = fs_journal_record_new (has_objects ? FS_JOURNAL_OBJECTS : FS_JOURNAL_GUESS);
  const char *name = stroke->name ? stroke->name : "";
  fs_journal_record_add_u32 (record, (guint32)strlen (name));
  g_byte_array_append (record, (const guint8 *)name, (guint)strlen (name));
  if (png)
    g_byte_array_append (record, g_bytes_get_data (png, NULL), (guint)g_bytes_get_size (png));
  return record;
}

void
fs_journal_record_seal (GByteArray *record)
{
  put_u32 (record->data + 4, record->len - FS_JOURNAL_HEAD_BYTES);
  fs_journal_record_add_u32 (record, fs_journal_crc (record->data, record->len));
}
