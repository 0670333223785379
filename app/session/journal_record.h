/* SPDX-License-Identifier: MIT */
/* The bytes of a journal's records (journal.h).   Layer: app, private to journal*.c and its tests.
 * Threads: plain data.
 */
#ifndef FS_APP_SESSION_JOURNAL_RECORD_H
#define FS_APP_SESSION_JOURNAL_RECORD_H

#include "app/session/session.h"

G_BEGIN_DECLS

#define FS_JOURNAL_FORMAT "fretsaw-journal-1\n"

typedef enum {
  FS_JOURNAL_PHOTO = 1,
  FS_JOURNAL_SUM,
  FS_JOURNAL_SESSION,
  FS_JOURNAL_SETTINGS,
  FS_JOURNAL_STROKE,
  FS_JOURNAL_UNDO,
  FS_JOURNAL_REDO,
  FS_JOURNAL_LABEL,
  FS_JOURNAL_SESSION_SUM,
  FS_JOURNAL_GUESS,
  FS_JOURNAL_EDGE_STROKE,
  FS_JOURNAL_EDGE_SETTINGS,
  FS_JOURNAL_OBJECTS,
  FS_JOURNAL_DONE,
} FsJournalKind;

enum {
  FS_JOURNAL_HEAD_BYTES = 8, /* kind, length */
  FS_JOURNAL_CRC_BYTES = 4,
  FS_JOURNAL_SETTINGS_BYTES = 24, /* neighbours u32, smoothness f64, model, star, stability u32 */
  FS_JOURNAL_STROKE_BYTES = 20,   /* label, shape u32, radius_px f32, after, n_samples u32 */
  FS_JOURNAL_SAMPLE_BYTES = 16,   /* x, y, pressure f32, time_ms u32 */
  FS_JOURNAL_LABEL_BYTES = 8,     /* label, colour u32 */
  /* width_px, shift_tenths, contrast, smooth_px, clean, specks_px, holes_px i32, continues u32 */
  FS_JOURNAL_EDGE_BYTES = 32,
};

/* A record without payload yet. */
GByteArray *fs_journal_record_new (FsJournalKind kind);
void fs_journal_record_add_u32 (GByteArray *record, guint32 value);
void fs_journal_record_add_settings (GByteArray *record, const FsSettings *settings);
void fs_journal_record_add_edge_settings (GByteArray *record, const FsEdgeSettings *settings,
                                          gboolean continues);
void fs_journal_record_add_stroke (GByteArray *record, const FsStroke *stroke);
/* One whole GUESS or OBJECTS; NULL where there is no memory for its PNG. */
GByteArray *fs_journal_record_of_guess (FsStroke *stroke);
/* Sets the length and appends the CRC. */
void fs_journal_record_seal (GByteArray *record);

guint32 fs_journal_u32 (const uint8_t *bytes);
/* CRC-32 (IEEE 802.3), as zlib's. */
guint32 fs_journal_crc (const uint8_t *bytes, gsize n_bytes);

G_END_DECLS

#endif
