/* SPDX-License-Identifier: MIT */
/* The journal: what was appended is read; what is torn, spoilt or senseless is passed over, and the
 * file is kept as it is. */
#include "app/session/journal_record.h"
#include "app/session/journals.h"

#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUM       "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define OTHER_SUM "ffffffffabcdef0123456789abcdef0123456789abcdef0123456789abcdef00"
#define PHOTO     "/photos/caf\xe9.jpg"
#define WIDTH     300
#define HEIGHT    200

typedef struct {
  char *folder;
  FsJournal *journal;
} Fixture;

static void
fixture_init (Fixture *f)
{
  g_autoptr (GError) error = NULL;
  f->folder = g_dir_make_tmp ("fretsaw-XXXXXX", &error);
  g_assert_no_error (error);
  f->journal = fs_journal_new (f->folder, &error);
  g_assert_no_error (error);
}

static void
fixture_clear (Fixture *f)
{
  fs_journal_remove (f->journal);
  g_assert_cmpint (g_rmdir (f->folder), ==, 0);
  g_free (f->folder);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Fixture, fixture_clear)

static FsStroke *
make_stroke (uint8_t label, guint n_samples, guint after)
{
  FsStroke *stroke = fs_stroke_new (label, 2.5f + label);
  stroke->after = after;
  for (guint i = 0; i < n_samples; i++) {
    FsSample sample = { 0.1f + (float)i, 1000.0f / (1 + (float)i), 0.25f, 16 * i };
    g_array_append_val (stroke->samples, sample);
  }
  return stroke;
}

static void
add_stroke (FsJournal *journal, uint8_t label, guint n_samples, guint after)
{
  g_autoptr (FsStroke) stroke = make_stroke (label, n_samples, after);
  g_assert_true (fs_journal_add_stroke (journal, stroke, NULL));
}

static void
assert_stroke (const FsStroke *stroke, uint8_t label, guint n_samples, guint after)
{
  g_autoptr (FsStroke) expected = make_stroke (label, n_samples, after);
  g_assert_cmpuint (stroke->label, ==, label);
  g_assert_cmpuint (stroke->after, ==, after);
  g_assert_cmpfloat (stroke->radius_px, ==, expected->radius_px);
  g_assert_cmpmem (stroke->samples->data, stroke->samples->len * sizeof (FsSample),
                   expected->samples->data, n_samples * sizeof (FsSample));
}

static FsJournalContent *
read_back (FsJournal *journal)
{
  g_autofree char *bytes = NULL;
  g_autoptr (GError) error = NULL;
  gsize n_bytes;
  g_assert_true (g_file_get_contents (fs_journal_get_path (journal), &bytes, &n_bytes, NULL));
  FsJournalContent *content = fs_journal_parse ("j", (const uint8_t *)bytes, n_bytes, &error);
  g_assert_no_error (error);
  return content;
}

static const FsSettings other_settings = {
  .neighbours = FS_NEIGHBOURS_4, .smoothness = 0.3, .model = FS_MODEL_GMM, .stability = TRUE
};

static void
test_reads_all (void)
{
  g_auto (Fixture) f;
  fixture_init (&f);
  FsJournal *j = f.journal;
  g_assert_true (fs_journal_add_photo (j, PHOTO, WIDTH, HEIGHT, NULL));
  g_assert_true (fs_journal_add_sum (j, SUM, NULL));
  g_assert_true (fs_journal_add_session (j, "/a.fretsaw", NULL));
  g_assert_true (fs_journal_add_session_sum (j, SUM, NULL));
  g_assert_true (fs_journal_add_session (j, "/b.fretsaw", NULL));
  g_assert_true (fs_journal_add_session_sum (j, OTHER_SUM, NULL));
  g_assert_true (fs_journal_add_settings (j, &other_settings, NULL));
  add_stroke (j, 2, 40, 0);
  add_stroke (j, 1, 1, 1);
  add_stroke (j, 0, 3, 2);
  g_assert_true (fs_journal_add_undo (j, NULL));
  g_assert_true (fs_journal_add_undo (j, NULL));
  g_assert_true (fs_journal_add_redo (j, NULL));

  g_autoptr (FsJournalContent) content = read_back (j);
  g_assert_false (content->damaged);
  g_assert_cmpstr (content->photo, ==, PHOTO);
  g_assert_cmpstr (content->session->file_sha256, ==, OTHER_SUM);
  g_assert_cmpstr (content->session_path, ==, "/b.fretsaw");
  g_assert_cmpstr (content->session->sha256, ==, SUM);
  g_assert_cmpint (content->session->width, ==, WIDTH);
  g_assert_cmpint (content->session->height, ==, HEIGHT);
  g_assert_true (fs_settings_equal (&content->session->settings, &other_settings));
  g_assert_cmpuint (content->session->strokes->len, ==, 3);
  g_assert_cmpuint (content->n_undone, ==, 1);
  assert_stroke (content->session->strokes->pdata[0], 2, 40, 0);
  assert_stroke (content->session->strokes->pdata[1], 1, 1, 1);
  assert_stroke (content->session->strokes->pdata[2], 0, 3, 2);
}

/* A stroke after an undo forgets what was undone; settings forget the masks that were kept; a photo
 * that was found elsewhere has another sum. */
static void
test_meaning (void)
{
  g_auto (Fixture) f;
  fixture_init (&f);
  g_assert_true (fs_journal_add_photo (f.journal, PHOTO, WIDTH, HEIGHT, NULL));
  g_assert_true (fs_journal_add_sum (f.journal, SUM, NULL));
  add_stroke (f.journal, 2, 2, 0);
  add_stroke (f.journal, 1, 2, 1);
  g_assert_true (fs_journal_add_undo (f.journal, NULL));
  add_stroke (f.journal, 2, 5, 1);
  g_assert_true (fs_journal_add_settings (f.journal, &other_settings, NULL));
  g_assert_true (fs_journal_add_photo (f.journal, "/elsewhere.jpg", WIDTH, HEIGHT, NULL));
  g_autoptr (FsJournalContent) content = read_back (f.journal);
  g_assert_cmpuint (content->session->strokes->len, ==, 2);
  g_assert_cmpuint (content->n_undone, ==, 0);
  assert_stroke (content->session->strokes->pdata[1], 2, 5, 0);
  g_assert_cmpstr (content->photo, ==, "/elsewhere.jpg");
  g_assert_cmpstr (content->session->sha256, ==, "");
}

/* Wherever a kill cuts it, every record before is there and nothing else. */
static void
test_torn (void)
{
  g_auto (Fixture) f;
  fixture_init (&f);
  gsize ends[8];
  g_assert_true (fs_journal_add_photo (f.journal, PHOTO, WIDTH, HEIGHT, NULL));
  for (guint i = 0; i < G_N_ELEMENTS (ends); i++) {
    ends[i] = fs_journal_get_size (f.journal);
    add_stroke (f.journal, 1 + i % 2, 1 + i, 0);
  }
  g_autofree char *bytes = NULL;
  gsize n_bytes;
  g_assert_true (g_file_get_contents (fs_journal_get_path (f.journal), &bytes, &n_bytes, NULL));
  for (gsize n = 0; n <= n_bytes; n++) {
    g_autofree uint8_t *cut = g_memdup2 (bytes, MAX (n, 1));
    g_autoptr (GError) error = NULL;
    g_autoptr (FsJournalContent) content = fs_journal_parse ("j", cut, n, &error);
    if (n < ends[0]) {
      g_assert_true (!content || (content->damaged && content->session->strokes->len == 0));
      continue;
    }
    guint n_strokes = 0;
    while (n_strokes + 1 < G_N_ELEMENTS (ends) && ends[n_strokes + 1] <= n)
      n_strokes++;
    n_strokes += n == n_bytes;
    g_assert_no_error (error);
    g_assert_cmpuint (content->session->strokes->len, ==, n_strokes);
    gsize end = n == n_bytes ? n_bytes : ends[n_strokes];
    g_assert_cmpint (content->damaged, ==, n > end);
  }
}

/* ---- Damage ---- */

enum { N_SPOILT = 3 };

/* Where each record ends: the format, the photo, the strokes. */
static uint8_t *
make_bytes (Fixture *f, gsize ends[2 + N_SPOILT])
{
  char *bytes = NULL;
  gsize n_bytes;
  ends[0] = fs_journal_get_size (f->journal);
  g_assert_true (fs_journal_add_photo (f->journal, PHOTO, WIDTH, HEIGHT, NULL));
  ends[1] = fs_journal_get_size (f->journal);
  for (guint i = 0; i < N_SPOILT; i++) {
    add_stroke (f->journal, (uint8_t)(1 + i), 3 + i, i);
    ends[2 + i] = fs_journal_get_size (f->journal);
  }
  g_assert_true (g_file_get_contents (fs_journal_get_path (f->journal), &bytes, &n_bytes, NULL));
  g_assert_cmpuint (n_bytes, ==, ends[1 + N_SPOILT]);
  return (uint8_t *)bytes;
}

/* Strokes that a lost one stood before keep no older mask. */
static void
assert_spoilt (const FsJournalContent *content, guint lost)
{
  g_assert_nonnull (content);
  g_assert_true (content->damaged);
  g_assert_true (g_path_is_absolute (content->photo));
  const GPtrArray *strokes = content->session->strokes;
  g_assert_cmpuint (strokes->len, ==, N_SPOILT - (lost < N_SPOILT));
  for (guint i = 0, k = 0; i < N_SPOILT; i++)
    if (i != lost)
      assert_stroke (strokes->pdata[k++], (uint8_t)(1 + i), 3 + i, i > lost ? 0 : i);
}

/* One wrong bit, wherever it is, costs the record that it is in and no other. */
static void
test_spoilt (void)
{
  g_auto (Fixture) f;
  fixture_init (&f);
  gsize ends[2 + N_SPOILT];
  g_autofree uint8_t *bytes = make_bytes (&f, ends);
  for (gsize i = 0; i < ends[1 + N_SPOILT]; i++)
    for (int bit = 0; bit < 8; bit++) {
      bytes[i] ^= (uint8_t)(1 << bit);
      g_autoptr (FsJournalContent) content =
          fs_journal_parse ("j", bytes, ends[1 + N_SPOILT], NULL);
      bytes[i] ^= (uint8_t)(1 << bit);
      guint lost = 0;
      while (lost < N_SPOILT && i >= ends[2 + lost])
        lost++;
      assert_spoilt (content, i < ends[1] ? N_SPOILT : lost);
      if (i < ends[0] || i >= ends[1])
        g_assert_cmpstr (content->photo, ==, PHOTO);
      g_assert_cmpint (content->session->width, ==, i < ends[0] || i >= ends[1] ? WIDTH : 0);
    }
}

/* Bytes that were never written, as after a power cut, cost what was there. */
static void
test_holes (void)
{
  g_auto (Fixture) f;
  fixture_init (&f);
  gsize ends[2 + N_SPOILT];
  g_autofree uint8_t *bytes = make_bytes (&f, ends);
  for (guint i = 0; i < N_SPOILT; i++) {
    g_autofree uint8_t *holed = g_memdup2 (bytes, ends[1 + N_SPOILT]);
    memset (holed + ends[1 + i], 0, ends[2 + i] - ends[1 + i]);
    g_autoptr (FsJournalContent) content = fs_journal_parse ("j", holed, ends[1 + N_SPOILT], NULL);
    g_assert_cmpuint (content->session->strokes->len, ==, N_SPOILT - 1);
    g_assert_true (content->damaged);
  }
  /* Not even the first line is there. */
  memset (bytes, 0, ends[0]);
  g_autoptr (FsJournalContent) content = fs_journal_parse ("j", bytes, ends[1 + N_SPOILT], NULL);
  assert_spoilt (content, N_SPOILT);
  g_assert_cmpstr (content->photo, ==, PHOTO);
}

/* Undo and redo after a lost stroke mean the strokes that they meant. */
static void
test_lost_stroke_counts (void)
{
  g_auto (Fixture) f;
  fixture_init (&f);
  g_assert_true (fs_journal_add_photo (f.journal, PHOTO, WIDTH, HEIGHT, NULL));
  add_stroke (f.journal, 1, 3, 0);
  gsize lost = fs_journal_get_size (f.journal);
  add_stroke (f.journal, 2, 4, 0);
  g_assert_true (fs_journal_add_undo (f.journal, NULL));
  add_stroke (f.journal, 3, 5, 1);
  add_stroke (f.journal, 4, 6, 0);
  g_assert_true (fs_journal_add_undo (f.journal, NULL));
  g_autofree char *bytes = NULL;
  gsize n_bytes;
  g_assert_true (g_file_get_contents (fs_journal_get_path (f.journal), &bytes, &n_bytes, NULL));
  bytes[lost + 40] ^= 1;
  g_autoptr (FsJournalContent) content =
      fs_journal_parse ("j", (const uint8_t *)bytes, n_bytes, NULL);
  g_assert_cmpuint (content->session->strokes->len, ==, 3);
  g_assert_cmpuint (content->n_undone, ==, 1);
  assert_stroke (content->session->strokes->pdata[0], 1, 3, 0);
  assert_stroke (content->session->strokes->pdata[1], 3, 5, 1);
  assert_stroke (content->session->strokes->pdata[2], 4, 6, 0);
}

/* Takes the record. */
static void
append_record (GByteArray *bytes, GByteArray *record)
{
  fs_journal_record_seal (record);
  g_byte_array_append (bytes, record->data, record->len);
  g_byte_array_unref (record);
}

static GByteArray *
record_of_photo (guint32 width, guint32 height, const char *path, gsize n_path)
{
  GByteArray *record = fs_journal_record_new (FS_JOURNAL_PHOTO);
  fs_journal_record_add_u32 (record, width);
  fs_journal_record_add_u32 (record, height);
  g_byte_array_append (record, (const guint8 *)path, (guint)n_path);
  return record;
}

static GByteArray *
new_journal_bytes (void)
{
  GByteArray *bytes = g_byte_array_new ();
  g_byte_array_append (bytes, (const guint8 *)FS_JOURNAL_FORMAT, strlen (FS_JOURNAL_FORMAT));
  append_record (bytes, record_of_photo (WIDTH, HEIGHT, "/p", 2));
  return bytes;
}

/* Whether a record whose sum is right is taken after those in `bytes`. Takes both. */
static gboolean
is_taken_after (GByteArray *bytes, GByteArray *record)
{
  append_record (bytes, record);
  g_autoptr (FsJournalContent) content = fs_journal_parse ("j", bytes->data, bytes->len, NULL);
  g_byte_array_unref (bytes);
  return content && !content->damaged;
}

static gboolean
is_taken (GByteArray *record)
{
  return is_taken_after (new_journal_bytes (), record);
}

static GByteArray *
record_of (FsJournalKind kind, const char *text)
{
  GByteArray *record = fs_journal_record_new (kind);
  g_byte_array_append (record, (const guint8 *)text, (guint)strlen (text));
  return record;
}

static GByteArray *
record_of_stroke (FsStroke *taken)
{
  g_autoptr (FsStroke) stroke = taken;
  GByteArray *record = fs_journal_record_new (FS_JOURNAL_STROKE);
  fs_journal_record_add_stroke (record, stroke);
  return record;
}

static GByteArray *
record_with_sample (FsSample sample)
{
  FsStroke *stroke = make_stroke (1, 2, 0);
  g_array_index (stroke->samples, FsSample, 1) = sample;
  return record_of_stroke (stroke);
}

static GByteArray *
record_of_settings (FsSettings settings)
{
  GByteArray *record = fs_journal_record_new (FS_JOURNAL_SETTINGS);
  fs_journal_record_add_settings (record, &settings);
  return record;
}

static GByteArray *
record_of_outline (uint8_t label, guint n_samples, guint after)
{
  FsStroke *stroke = make_stroke (label, n_samples, after);
  stroke->shape = FS_STROKE_OUTLINE;
  return record_of_stroke (stroke);
}

/* A stroke of a label that no byte holds. */
static GByteArray *
record_beyond_labels (void)
{
  GByteArray *record = record_of_stroke (make_stroke (2, 1, 0));
  record->data[FS_JOURNAL_HEAD_BYTES + 1] = 1;
  return record;
}

static GByteArray *
record_of_label (guint32 label, guint32 colour, const char *name, gsize n_name)
{
  GByteArray *record = fs_journal_record_new (FS_JOURNAL_LABEL);
  fs_journal_record_add_u32 (record, label);
  fs_journal_record_add_u32 (record, colour);
  g_byte_array_append (record, (const guint8 *)name, (guint)n_name);
  return record;
}

static const FsSessionLabel *
label_of (const FsJournalContent *content, guint label)
{
  g_assert_cmpuint (content->session->labels->len, >=, label);
  return &g_array_index (content->session->labels, FsSessionLabel, label - 1);
}

/* The newest name counts; labels before one that is named, and those of strokes, have the usual
 * ones. */
static void
test_labels (void)
{
  g_auto (Fixture) f;
  fixture_init (&f);
  FsJournal *j = f.journal;
  const FsSessionLabel dog = { "Dog", 0x102030 },
                       cat = { "Katze \302\267 \"gr\303\274n\"", 0xffffff };
  g_assert_true (fs_journal_add_photo (j, PHOTO, WIDTH, HEIGHT, NULL));
  add_stroke (j, 6, 3, 0);
  g_autoptr (FsJournalContent) unnamed = read_back (j);
  g_assert_false (unnamed->has_labels);
  g_assert_cmpstr (label_of (unnamed, 6)->name, ==, "Object 5");

  g_assert_true (fs_journal_add_label (j, 4, &dog, NULL));
  g_assert_true (fs_journal_add_label (j, 2, &dog, NULL));
  g_assert_true (fs_journal_add_label (j, 4, &cat, NULL));
  g_autoptr (FsJournalContent) content = read_back (j);
  g_assert_true (content->has_labels);
  g_assert_false (content->damaged);
  g_assert_cmpuint (content->session->labels->len, ==, 6);
  g_assert_cmpstr (label_of (content, 2)->name, ==, dog.name);
  g_assert_cmphex (label_of (content, 2)->colour, ==, dog.colour);
  g_assert_cmpstr (label_of (content, 3)->name, ==, "Object 2");
  g_assert_cmpstr (label_of (content, 4)->name, ==, cat.name);
  g_assert_cmphex (label_of (content, 4)->colour, ==, cat.colour);
}

static void
test_senseless_labels (void)
{
  g_autofree char *max = g_strnfill (FS_SESSION_MAX_LABEL_BYTES, 'x');
  g_assert_true (is_taken (record_of_label (2, 0, "x", 1)));
  g_assert_true (is_taken (record_of_label (1, 0xffffff, max, FS_SESSION_MAX_LABEL_BYTES)));
  g_assert_true (is_taken (record_of_label (255, 0, "x", 1)));
  g_assert_false (is_taken (record_of_label (0, 0, "x", 1)));
  g_assert_false (is_taken (record_of_label (256, 0, "x", 1)));
  g_assert_false (is_taken (record_of_label (258, 0, "x", 1)));
  g_assert_false (is_taken (record_of_label (2, 0x1000000, "x", 1)));
  g_assert_false (is_taken (record_of_label (2, 0, "", 0)));
  g_assert_false (is_taken (record_of_label (2, 0, "x\0y", 3)));
  g_assert_false (is_taken (record_of_label (2, 0, "x\ny", 3)));
  g_assert_false (is_taken (record_of_label (2, 0, "caf\xe9", 4)));
  g_autofree char *longer = g_strnfill (FS_SESSION_MAX_LABEL_BYTES + 1, 'x');
  g_assert_false (is_taken (record_of_label (2, 0, longer, FS_SESSION_MAX_LABEL_BYTES + 1)));
}

static void
test_senseless (void)
{
  g_assert_true (is_taken (record_of_stroke (make_stroke (2, 1, 0))));
  g_assert_true (is_taken (record_of_stroke (make_stroke (255, 1, 0))));
  g_assert_false (is_taken (record_beyond_labels ()));
  g_assert_false (is_taken (record_of_stroke (make_stroke (2, 1, 1))));
  g_assert_false (is_taken (record_of_stroke (make_stroke (2, 0, 0))));
  g_assert_true (is_taken (record_of_outline (1, 3, 0)));
  g_assert_false (is_taken (record_of_outline (2, 3, 0)));
  g_assert_false (is_taken (record_of_outline (1, 2, 0)));
  GByteArray *stroked = new_journal_bytes ();
  append_record (stroked, record_of_stroke (make_stroke (2, 1, 0)));
  g_assert_false (is_taken_after (stroked, record_of_outline (1, 3, 1)));
  g_assert_true (is_taken (record_with_sample ((FsSample){ -1e6f, 1e6f, 1, 0 })));
  g_assert_false (is_taken (record_with_sample ((FsSample){ 2e6f, 0, 1, 0 })));
  g_assert_false (is_taken (record_with_sample ((FsSample){ 0, (float)NAN, 1, 0 })));
  g_assert_false (is_taken (record_with_sample ((FsSample){ 0, 0, 1.5f, 0 })));
  g_assert_true (is_taken (record_of_settings (other_settings)));
  g_assert_false (is_taken (record_of_settings ((FsSettings){ .neighbours = 5 })));
  g_assert_false (is_taken (record_of_settings ((FsSettings){ .neighbours = 4, .model = 9 })));
  g_assert_false (
      is_taken (record_of_settings ((FsSettings){ .neighbours = 4, .smoothness = NAN })));
  g_assert_true (is_taken (record_of (FS_JOURNAL_SUM, SUM)));
  g_assert_false (is_taken (record_of (FS_JOURNAL_SUM, SUM "0")));
  g_autofree char *upper = g_ascii_strup (SUM, -1);
  g_assert_false (is_taken (record_of (FS_JOURNAL_SUM, upper)));
  g_assert_false (is_taken (record_of (FS_JOURNAL_SESSION, "relative")));
  g_assert_false (is_taken (fs_journal_record_new (FS_JOURNAL_UNDO)));
  g_assert_false (is_taken (fs_journal_record_new (FS_JOURNAL_REDO)));
  g_assert_false (is_taken (record_of (FS_JOURNAL_SESSION_SUM, SUM "0")));
}

/* A record that this version does not know, and the strokes after it. */
static void
test_unknown (void)
{
  static const int kinds[] = { FS_JOURNAL_SESSION_SUM + 1, 99, 0 };
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++) {
    g_autoptr (GByteArray) bytes = new_journal_bytes ();
    append_record (bytes, record_of_stroke (make_stroke (2, 1, 0)));
    append_record (bytes, record_of ((FsJournalKind)kinds[i], "of another version"));
    append_record (bytes, record_of_stroke (make_stroke (1, 2, 1)));
    g_autoptr (FsJournalContent) content = fs_journal_parse ("j", bytes->data, bytes->len, NULL);
    g_assert_true (content->damaged);
    g_assert_cmpuint (content->session->strokes->len, ==, 2);
    assert_stroke (content->session->strokes->pdata[1], 1, 2, 1);
  }
}

/* A photo is named first, by an absolute path; another one has its size. */
static void
test_photos (void)
{
  g_assert_true (is_taken (record_of_photo (WIDTH, HEIGHT, "/q", 2)));
  g_assert_false (is_taken (record_of_photo (WIDTH + 1, HEIGHT, "/q", 2)));
  g_assert_false (is_taken (record_of_photo (WIDTH, HEIGHT - 1, "/q", 2)));
  g_assert_false (is_taken (record_of_photo (WIDTH, HEIGHT, "/q\0r", 4)));
  g_assert_false (is_taken (record_of_photo (WIDTH, HEIGHT, "q", 1)));
  g_assert_false (is_taken (record_of_photo (WIDTH, HEIGHT, "", 0)));
  GByteArray *late = g_byte_array_new ();
  g_byte_array_append (late, (const guint8 *)FS_JOURNAL_FORMAT, strlen (FS_JOURNAL_FORMAT));
  append_record (late, record_of (FS_JOURNAL_SUM, SUM));
  g_assert_false (is_taken_after (late, record_of_photo (WIDTH, HEIGHT, "/p", 2)));
}

/* ---- Files ---- */

static gboolean
is_locked (const char *path)
{
  g_autoptr (FsJournalContent) content = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (FsJournal) journal = fs_journal_open (path, &content, &error);
  if (journal)
    return FALSE;
  g_assert_error (error, FS_JOURNAL_ERROR, FS_JOURNAL_ERROR_LOCKED);
  return TRUE;
}

static guint
count_lost (const char *folder)
{
  g_autoptr (GPtrArray) lost = fs_journals_find_lost (folder);
  return lost->len;
}

/* Nobody takes a journal that is written; when its process is gone, one taker gets it and goes on
 * with it. */
static void
test_lost_and_found (void)
{
  g_auto (Fixture) f;
  fixture_init (&f);
  g_assert_true (fs_journal_add_photo (f.journal, PHOTO, WIDTH, HEIGHT, NULL));
  add_stroke (f.journal, 2, 2, 0);
  g_assert_cmpuint (count_lost (f.folder), ==, 0);
  g_assert_true (fs_journal_publish (f.journal, NULL));
  g_assert_cmpuint (count_lost (f.folder), ==, 0);
  g_autofree char *path = g_strdup (fs_journal_get_path (f.journal));
  g_assert_true (is_locked (path));
  fs_journal_free (g_steal_pointer (&f.journal));

  g_autoptr (GPtrArray) lost = fs_journals_find_lost (f.folder);
  g_assert_cmpuint (lost->len, ==, 1);
  g_assert_cmpuint (count_lost (f.folder), ==, 0);
  f.journal = g_steal_pointer (&((FsLostWork *)lost->pdata[0])->journal);
  add_stroke (f.journal, 1, 4, 0);
  g_autoptr (FsJournalContent) content = read_back (f.journal);
  g_assert_false (content->damaged);
  g_assert_cmpuint (content->session->strokes->len, ==, 2);
}

/* A damaged file, in place of the fixture's journal. */
static char *
leave_damaged (Fixture *f, const uint8_t *bytes, gsize n_bytes)
{
  g_assert_true (fs_journal_publish (f->journal, NULL));
  char *path = g_strdup (fs_journal_get_path (f->journal));
  fs_journal_free (g_steal_pointer (&f->journal));
  g_assert_true (g_file_set_contents (path, (const char *)bytes, (gssize)n_bytes, NULL));
  return path;
}

static void
assert_file (const char *path, const uint8_t *bytes, gsize n_bytes)
{
  g_autofree char *text = NULL;
  gsize n;
  g_assert_true (g_file_get_contents (path, &text, &n, NULL));
  g_assert_cmpmem (text, n, bytes, n_bytes);
}

/* Looking for it, taking it and letting it go leave a damaged one as it is; removing it puts it
 * aside, byte for byte, and it is not offered again. */
static void
check_set_aside (Fixture *f, const uint8_t *bytes, gsize n_bytes, guint n_strokes)
{
  g_autofree char *path = leave_damaged (f, bytes, n_bytes);
  g_autoptr (GPtrArray) lost = fs_journals_find_lost (f->folder);
  g_assert_cmpuint (lost->len, ==, 1);
  FsLostWork *work = lost->pdata[0];
  g_assert_true (work->content->damaged);
  g_assert_cmpuint (work->content->session->strokes->len, ==, n_strokes);
  g_autoptr (GError) error = NULL;
  g_assert_false (fs_journal_add_undo (work->journal, &error));
  g_assert_error (error, FS_JOURNAL_ERROR, FS_JOURNAL_ERROR_FORMAT);
  assert_file (path, bytes, n_bytes);
  g_autofree char *aside = fs_journal_get_path_aside (work->journal);
  fs_journal_free (g_steal_pointer (&work->journal));
  assert_file (path, bytes, n_bytes);

  g_autoptr (GPtrArray) again = fs_journals_find_lost (f->folder);
  g_assert_cmpuint (again->len, ==, 1);
  fs_journal_remove (g_steal_pointer (&((FsLostWork *)again->pdata[0])->journal));
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
  assert_file (aside, bytes, n_bytes);
  g_assert_cmpuint (count_lost (f->folder), ==, 0);
  g_assert_cmpint (g_unlink (aside), ==, 0);
}

static void
test_kept_aside (void)
{
  gsize ends[2 + N_SPOILT];
  for (int i = 0; i < 3; i++) {
    g_auto (Fixture) f;
    fixture_init (&f);
    g_autofree uint8_t *bytes = make_bytes (&f, ends);
    gsize n_bytes = ends[1 + N_SPOILT];
    if (i == 0) /* torn, as by a kill */
      check_set_aside (&f, bytes, n_bytes - 5, N_SPOILT - 1);
    bytes[ends[2] + 30] ^= 1;
    if (i == 1)
      check_set_aside (&f, bytes, n_bytes, N_SPOILT - 1);
    memset (bytes + ends[1], 0, n_bytes - ends[1]); /* nothing but the photo is left */
    if (i == 2)
      check_set_aside (&f, bytes, n_bytes, 0);
  }
}

/* What nobody can want is tidied away; what is not ours is left alone. */
static void
test_tidies (void)
{
  g_auto (Fixture) f;
  fixture_init (&f);
  g_assert_true (fs_journal_add_photo (f.journal, PHOTO, WIDTH, HEIGHT, NULL));
  g_assert_true (fs_journal_publish (f.journal, NULL));
  g_autofree char *empty = g_strdup (fs_journal_get_path (f.journal));
  fs_journal_free (g_steal_pointer (&f.journal));
  g_autofree char *foreign = g_build_filename (f.folder, "later" FS_JOURNAL_SUFFIX, NULL);
  g_assert_true (g_file_set_contents (foreign, "fretsaw-journal-2\n…", -1, NULL));
  g_assert_cmpuint (count_lost (f.folder), ==, 0);
  g_assert_false (g_file_test (empty, G_FILE_TEST_EXISTS));
  g_assert_true (g_file_test (foreign, G_FILE_TEST_EXISTS));
  g_assert_cmpint (g_unlink (foreign), ==, 0);
}

/* A record that does not fit on the disk is not half there, and later ones follow. */
static void
test_full_disk (void)
{
  g_auto (Fixture) f;
  fixture_init (&f);
  g_assert_true (fs_journal_add_photo (f.journal, PHOTO, WIDTH, HEIGHT, NULL));
  gsize size = fs_journal_get_size (f.journal);
  struct rlimit whole, small;
  getrlimit (RLIMIT_FSIZE, &whole);
  small = (struct rlimit){ size + 50, whole.rlim_max };
  signal (SIGXFSZ, SIG_IGN);
  setrlimit (RLIMIT_FSIZE, &small);
  g_autoptr (FsStroke) stroke = make_stroke (2, 20, 0);
  g_autoptr (GError) error = NULL;
  g_assert_false (fs_journal_add_stroke (f.journal, stroke, &error));
  setrlimit (RLIMIT_FSIZE, &whole);
  g_assert_error (error, FS_JOURNAL_ERROR, FS_JOURNAL_ERROR_IO);
  g_assert_cmpuint (fs_journal_get_size (f.journal), ==, size);
  add_stroke (f.journal, 1, 4, 0);
  g_autoptr (FsJournalContent) content = read_back (f.journal);
  g_assert_false (content->damaged);
  g_assert_cmpuint (content->session->strokes->len, ==, 1);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/journal/reads-all", test_reads_all);
  g_test_add_func ("/journal/meaning", test_meaning);
  g_test_add_func ("/journal/torn", test_torn);
  g_test_add_func ("/journal/spoilt", test_spoilt);
  g_test_add_func ("/journal/holes", test_holes);
  g_test_add_func ("/journal/lost-stroke-counts", test_lost_stroke_counts);
  g_test_add_func ("/journal/senseless", test_senseless);
  g_test_add_func ("/journal/unknown", test_unknown);
  g_test_add_func ("/journal/labels", test_labels);
  g_test_add_func ("/journal/senseless-labels", test_senseless_labels);
  g_test_add_func ("/journal/photos", test_photos);
  g_test_add_func ("/journal/lost-and-found", test_lost_and_found);
  g_test_add_func ("/journal/kept-aside", test_kept_aside);
  g_test_add_func ("/journal/tidies", test_tidies);
  g_test_add_func ("/journal/full-disk", test_full_disk);
  return g_test_run ();
}
