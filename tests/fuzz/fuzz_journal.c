/* SPDX-License-Identifier: MIT */
/* Journals from anywhere: content that keeps every promise of journal.h, or one sentence. What was
 * read, as records again, reads the same. */
#include "app/session/journal.h"
#include "app/session/journal_record.h"
#include "tests/app/photo/photo_child.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <string.h>

#define NAME "some.journal"

static void
check_stroke (const FsStroke *stroke, guint i)
{
  if (stroke->shape == FS_STROKE_GUESS) {
    g_assert_true ((stroke->guess != NULL) == (stroke->png != NULL));
    return;
  }
  g_assert_cmpuint (stroke->label, <=, 2);
  g_assert_true (stroke->radius_px > 0 && stroke->radius_px <= FS_SESSION_MAX_RADIUS_PX);
  g_assert_cmpuint (stroke->samples->len, >, 0);
  g_assert_cmpuint (stroke->after, <=, i);
  for (guint k = 0; k < stroke->samples->len; k++) {
    const FsSample *sample = &g_array_index (stroke->samples, FsSample, k);
    g_assert_true (fabsf (sample->x) <= FS_SESSION_MAX_PLACE_PX);
    g_assert_true (fabsf (sample->y) <= FS_SESSION_MAX_PLACE_PX);
    g_assert_true (sample->pressure >= 0 && sample->pressure <= 1);
  }
}

static void
check_content (const FsJournalContent *content)
{
  const FsSession *session = content->session;
  g_assert_true (g_path_is_absolute (content->photo));
  g_assert_true (content->session_path == NULL || g_path_is_absolute (content->session_path));
  g_assert_cmpuint (content->n_undone, <=, session->strokes->len);
  g_assert_true ((session->width == 0) == (session->height == 0));
  g_assert_true (content->damaged || session->width >= 1);
  g_assert_true (session->width <= FS_SESSION_MAX_SIDE_PX);
  g_assert_true (session->height <= FS_SESSION_MAX_SIDE_PX);
  g_assert_true (session->settings.smoothness >= 0);
  for (guint i = 0; i < session->strokes->len; i++)
    check_stroke (session->strokes->pdata[i], i);
  g_assert_cmpuint (content->n_edge_undone, <=, session->edge->len);
  for (guint i = 0; i < session->edge->len; i++) {
    const FsEdgeEdit *edit = session->edge->pdata[i];
    g_assert_cmpuint (edit->after_strokes, <=, session->strokes->len);
    g_assert_true (edit->zone || fs_edge_settings_are_valid (&edit->settings));
    if (edit->zone)
      check_stroke (edit->zone, 0);
  }
}

static void
append (GByteArray *bytes, GByteArray *record)
{
  fs_journal_record_seal (record);
  g_byte_array_append (bytes, record->data, record->len);
  g_byte_array_unref (record);
}

static GByteArray *
record_of (FsStroke *stroke)
{
  if (stroke->shape == FS_STROKE_GUESS)
    return fs_journal_record_of_guess (stroke);
  GByteArray *record = fs_journal_record_new (FS_JOURNAL_STROKE);
  fs_journal_record_add_stroke (record, stroke);
  return record;
}

static GByteArray *
record_of_edge (const FsEdgeEdit *edit)
{
  GByteArray *record =
      fs_journal_record_new (edit->zone ? FS_JOURNAL_EDGE_STROKE : FS_JOURNAL_EDGE_SETTINGS);
  if (edit->zone)
    fs_journal_record_add_stroke (record, edit->zone);
  else
    fs_journal_record_add_edge_settings (record, &edit->settings, FALSE);
  return record;
}

/* As the program begins a journal. */
static GByteArray *
to_bytes (const FsJournalContent *content)
{
  const FsSession *session = content->session;
  GByteArray *bytes = g_byte_array_new ();
  g_byte_array_append (bytes, (const guint8 *)FS_JOURNAL_FORMAT, strlen (FS_JOURNAL_FORMAT));
  GByteArray *photo = fs_journal_record_new (FS_JOURNAL_PHOTO);
  fs_journal_record_add_u32 (photo, (guint32)MAX (session->width, 1));
  fs_journal_record_add_u32 (photo, (guint32)MAX (session->height, 1));
  g_byte_array_append (photo, (const guint8 *)content->photo, (guint)strlen (content->photo));
  append (bytes, photo);
  GByteArray *settings = fs_journal_record_new (FS_JOURNAL_SETTINGS);
  fs_journal_record_add_settings (settings, &session->settings);
  append (bytes, settings);
  for (guint i = 0, k = 0; i <= session->strokes->len; i++) {
    for (; fs_edge_edits_redo_next (session->edge, k, i); k++)
      append (bytes, record_of_edge (session->edge->pdata[k]));
    if (i < session->strokes->len)
      append (bytes, record_of (session->strokes->pdata[i]));
  }
  for (guint i = 0; i < content->n_undone + content->n_edge_undone; i++)
    append (bytes, fs_journal_record_new (FS_JOURNAL_UNDO));
  return bytes;
}

static void
check_round_trip (const FsJournalContent *content)
{
  g_autoptr (GByteArray) bytes = to_bytes (content);
  g_autoptr (FsJournalContent) again = fs_journal_parse (NAME, bytes->data, bytes->len, NULL);
  g_assert_nonnull (again);
  g_assert_false (again->damaged);
  g_autoptr (GByteArray) bytes_again = to_bytes (again);
  g_assert_cmpmem (bytes->data, bytes->len, bytes_again->data, bytes_again->len);
}

/* Mutated records would all end at their sums. */
static void
mend_sums (uint8_t *bytes, size_t n_bytes)
{
  const gsize overhead = FS_JOURNAL_HEAD_BYTES + FS_JOURNAL_CRC_BYTES;
  gsize at = strlen (FS_JOURNAL_FORMAT);
  while (at + overhead <= n_bytes && fs_journal_u32 (bytes + at + 4) <= n_bytes - at - overhead) {
    gsize n_checked = FS_JOURNAL_HEAD_BYTES + fs_journal_u32 (bytes + at + 4);
    guint32 crc = GUINT32_TO_LE (fs_journal_crc (bytes + at, n_checked));
    memcpy (bytes + at + n_checked, &crc, sizeof crc);
    at += n_checked + FS_JOURNAL_CRC_BYTES;
  }
}

static void
try (const uint8_t *bytes, size_t n_bytes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsJournalContent) content = fs_journal_parse (NAME, bytes, n_bytes, &error);
  g_assert_true ((content != NULL) == (error == NULL));
  if (content) {
    check_content (content);
    check_round_trip (content);
  } else if (!photo_message_is_sound (error->message, NAME)) {
    g_error ("%s", error->message);
  }
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  try (bytes, n_bytes);
  g_autofree uint8_t *mended = g_memdup2 (bytes, MAX (n_bytes, 1));
  if (n_bytes > strlen (FS_JOURNAL_FORMAT)) {
    mend_sums (mended, n_bytes);
    try (mended, n_bytes);
  }
  return 0;
}

/* --- corpus ----------------------------------------------------------------------------------- */

static GByteArray *
make_journal (guint n_strokes, guint n_undone, gboolean outline, gboolean guess,
              guint n_edge_undone)
{
  g_autoptr (FsSession) session = fs_session_new ();
  session->width = 300;
  session->height = 200;
  for (guint i = 0; i < n_strokes; i++) {
    FsStroke *stroke = fs_stroke_new (outline ? FS_SEED_BACKGROUND : (uint8_t)(i % 3), 8);
    stroke->shape = outline ? FS_STROKE_OUTLINE : FS_STROKE_BRUSH;
    for (guint k = 0; k < 4 + i; k++) {
      FsSample sample = { (float)k * 10, (float)(k * k), 1, 8 * k };
      g_array_append_val (stroke->samples, sample);
    }
    stroke->after = outline ? 0 : i / 2;
    g_ptr_array_add (session->strokes, stroke);
  }
  if (guess) {
    static const uint16_t plane[] = { 0, 65535, 4660, 257, 514, 771 };
    g_autoptr (FsGuess) small = fs_guess_new (plane, 3, 2, 300, 200);
    g_ptr_array_add (session->strokes, fs_stroke_new_guess (small, "a b"));
    g_ptr_array_add (session->strokes, fs_stroke_new_guess (NULL, NULL));
    g_autofree uint8_t *numbers = g_malloc0 (300 * 200);
    numbers[7] = 3;
    g_autoptr (FsGuess) objects = fs_guess_new_objects (numbers, 300, 200);
    g_ptr_array_add (session->strokes, fs_stroke_new_guess (objects, NULL));
  }
  for (guint i = 0; i <= n_strokes && n_edge_undone > 0; i++) {
    const FsEdgeSettings settings = { .width_px = (int)i };
    g_autoptr (FsStroke) zone = fs_stroke_new (FS_EDGE_ZONE_REFINE, 5);
    const FsSample sample = { 9, 8, 1, 7 };
    g_array_append_val (zone->samples, sample);
    g_ptr_array_add (session->edge, fs_edge_edit_new_settings (&settings, i));
    g_ptr_array_add (session->edge, fs_edge_edit_new_zone (zone, i));
  }
  FsJournalContent content = { .photo = (char *)"/p.jpg",
                               .session = session,
                               .n_undone = n_undone,
                               .n_edge_undone = n_edge_undone };
  return to_bytes (&content);
}

GPtrArray *
fuzz_corpus (void)
{
  GPtrArray *corpus = g_ptr_array_new_with_free_func ((GDestroyNotify)g_byte_array_unref);
  g_ptr_array_add (corpus, make_journal (0, 0, FALSE, FALSE, 0));
  g_ptr_array_add (corpus, make_journal (1, 0, FALSE, FALSE, 0));
  g_ptr_array_add (corpus, make_journal (4, 2, FALSE, FALSE, 0));
  g_ptr_array_add (corpus, make_journal (2, 1, TRUE, FALSE, 0));
  g_ptr_array_add (corpus, make_journal (1, 1, FALSE, TRUE, 0));
  g_ptr_array_add (corpus, make_journal (0, 0, FALSE, TRUE, 0));
  g_ptr_array_add (corpus, make_journal (3, 0, FALSE, FALSE, 1));
  g_ptr_array_add (corpus, make_journal (2, 1, FALSE, FALSE, 3));
  return corpus;
}
