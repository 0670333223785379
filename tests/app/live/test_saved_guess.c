/* SPDX-License-Identifier: MIT */
/* Guesses in sessions and journals: what is kept is what comes back, and nothing else is taken. */
#include "app/finder/guess_png.h"
#include "app/session/journal.h"
#include "app/session/journal_record.h"
#include "app/session/session.h"
#include "tests/app/photo/made_files.h"

#include <string.h>

enum { W = 40, H = 30 };

static FsGuess *
make_guess (int width, int height, gboolean is_deep)
{
  g_autofree guint16 *plane = g_new (guint16, width * height);
  for (int p = 0; p < width * height; p++)
    plane[p] = (guint16)(p * 7919 % 256 * 257 + (is_deep && p == width * height - 1));
  return fs_guess_new (plane, width, height, W, H);
}

static FsGuess *
make_objects (void)
{
  uint8_t numbers[W * H];
  for (int p = 0; p < W * H; p++)
    numbers[p] = (uint8_t)(p / 7 % 3);
  return fs_guess_new_objects (numbers, W, H);
}

static void
assert_same (const FsGuess *a, const FsGuess *b)
{
  g_assert_cmpint (fs_guess_get_width (a), ==, fs_guess_get_width (b));
  g_assert_cmpint (fs_guess_get_height (a), ==, fs_guess_get_height (b));
  gsize n = (gsize)fs_guess_get_width (a) * (gsize)fs_guess_get_height (a) * sizeof (guint16);
  g_assert_cmpmem (fs_guess_get_probability (a), n, fs_guess_get_probability (b), n);
  g_assert_true ((fs_guess_get_numbers (a) == NULL) == (fs_guess_get_numbers (b) == NULL));
  if (fs_guess_get_numbers (a))
    g_assert_cmpmem (fs_guess_get_numbers (a), n / 2, fs_guess_get_numbers (b), n / 2);
}

/* --- PNGs ------------------------------------------------------------------------------------- */

static FsGuess *
read_png (const GByteArray *png, const char **reason)
{
  return fs_guess_from_png (png->data, png->len, W, H, reason);
}

static void
test_png (void)
{
  static const int sizes[][2] = { { 1, 1 }, { W, H }, { 7, 3 }, { 1, H }, { W, 1 } };
  for (guint i = 0; i < 2 * G_N_ELEMENTS (sizes); i++) {
    gboolean is_deep = i % 2 == 1;
    g_autoptr (FsGuess) guess = make_guess (sizes[i / 2][0], sizes[i / 2][1], is_deep);
    g_autoptr (GBytes) png = fs_guess_to_png (guess);
    gsize n;
    const guint8 *bytes = g_bytes_get_data (png, &n);
    g_assert_cmpint (bytes[24], ==, is_deep ? 16 : 8);
    const char *reason;
    g_autoptr (FsGuess) again = fs_guess_from_png (bytes, n, W, H, &reason);
    assert_same (guess, again);
    /* Every end that is missing, and every byte that is another one. */
    for (gsize k = 0; k < n; k += is_deep ? 17 : 5) {
      g_assert_null (fs_guess_from_png (bytes, k, W, H, &reason));
      g_autofree guint8 *wrong = g_memdup2 (bytes, n);
      wrong[k] ^= 0x10;
      g_assert_null (fs_guess_from_png (wrong, n, W, H, &reason));
    }
  }
}

/* Of W × H, unless told otherwise, with rows that are all 0. */
static GByteArray *
made (guint32 width, guint32 height, guint8 bits, guint8 kind, gboolean interlaced, gsize n_row)
{
  GByteArray *png = made_png_begin (width, height, bits, kind, interlaced);
  g_autofree guint8 *rows = g_malloc0 ((n_row + 1) * 64);
  made_png_pixels (png, rows, (n_row + 1) * MIN (height, 64));
  made_png_end (png);
  return png;
}

static void
test_png_refused (void)
{
  g_autoptr (GByteArray) good = made (W, H, 8, 0, FALSE, W);
  g_autoptr (GByteArray) wide = made (W + 1, H, 8, 0, FALSE, W + 1);
  g_autoptr (GByteArray) high = made (W, H + 1, 8, 0, FALSE, W);
  g_autoptr (GByteArray) flat = made (W, H, 4, 0, FALSE, W / 2);
  g_autoptr (GByteArray) coloured = made (W, H, 8, 2, FALSE, 3 * W);
  g_autoptr (GByteArray) cut_out = made (W, H, 8, 4, FALSE, 2 * W);
  const char *reason;
  g_autoptr (FsGuess) guess = read_png (good, &reason);
  g_assert_nonnull (guess);
  GByteArray *bad[] = { wide, high, flat, coloured, cut_out };
  for (guint i = 0; i < G_N_ELEMENTS (bad); i++) {
    g_assert_null (read_png (bad[i], &reason));
    g_assert_nonnull (strstr (reason, "grey PNG"));
  }
  /* Gigabytes that a few bytes claim, for a photo that claims to be as large. */
  g_autoptr (GByteArray) bomb = made (65500, 65500, 16, 0, FALSE, 64);
  g_assert_null (fs_guess_from_png (bomb->data, bomb->len, 65500, 65500, &reason));
}

/* The numbers of objects, of the photo's size and 8 bits. */
static void
test_png_of_objects (void)
{
  g_autoptr (FsGuess) guess = make_objects ();
  g_autoptr (GBytes) png = fs_guess_to_png (guess);
  gsize n;
  const guint8 *bytes = g_bytes_get_data (png, &n);
  const char *reason;
  g_autoptr (FsGuess) again = fs_guess_objects_from_png (bytes, n, W, H, &reason);
  assert_same (guess, again);
  for (gsize k = 0; k < n; k += 5) {
    g_assert_null (fs_guess_objects_from_png (bytes, k, W, H, &reason));
    g_autofree guint8 *wrong = g_memdup2 (bytes, n);
    wrong[k] ^= 0x10;
    g_assert_null (fs_guess_objects_from_png (wrong, n, W, H, &reason));
  }
  g_assert_null (fs_guess_objects_from_png (bytes, n, W + 1, H, &reason));
  g_assert_nonnull (strstr (reason, "of the photo's size"));
  g_autoptr (GByteArray) deep = made (W, H, 16, 0, FALSE, 2 * W);
  g_assert_null (fs_guess_objects_from_png (deep->data, deep->len, W, H, &reason));
  g_assert_nonnull (strstr (reason, "8 bits"));
}

/* --- sessions --------------------------------------------------------------------------------- */

#define SUM "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define HEAD                                                                                       \
  "{ \"format\": \"fretsaw-session-1\", \"photo\": { \"name\": \"a.png\", \"sha256\": \"" SUM      \
  "\", \"width\": 40, \"height\": 30 }, \"settings\": {}, \"labels\": [ { \"name\": \"a\", "       \
  "\"colour\": \"#000000\" }, { \"name\": \"b\", \"colour\": \"#ffffff\" } ], \"strokes\": [ "
#define DAB "{ \"label\": 2, \"radius_px\": 3, \"samples\": [[5, 5, 1, 0]] }"

static FsSession *
parse (const char *strokes, GError **error)
{
  g_autofree char *text = g_strconcat (HEAD, strokes, " ] }", NULL);
  return fs_session_parse ("s.fretsaw", text, strlen (text), error);
}

static void
test_session (void)
{
  g_autoptr (FsSession) session = parse (DAB, NULL);
  g_autoptr (FsGuess) first = make_guess (9, 5, FALSE), second = make_guess (W, H, TRUE);
  g_ptr_array_add (session->strokes, fs_stroke_new_guess (first, "one.png"));
  g_ptr_array_add (session->strokes, fs_stroke_new_guess (NULL, NULL));
  g_ptr_array_add (session->strokes, fs_stroke_new_guess (second, "\n\303\274\001\xff two"));
  g_autoptr (FsGuess) objects = make_objects ();
  g_ptr_array_add (session->strokes, fs_stroke_new_guess (second, NULL));
  g_ptr_array_add (session->strokes, fs_stroke_new_guess (objects, "a.json"));
  g_autofree char *text = fs_session_to_text (session);
  g_autoptr (GError) error = NULL;
  g_autoptr (FsSession) again = fs_session_parse ("s.fretsaw", text, strlen (text), &error);
  g_assert_no_error (error);
  g_assert_cmpuint (again->strokes->len, ==, 6);
  FsStroke **strokes = (FsStroke **)again->strokes->pdata;
  for (int i = 1; i < 5; i++)
    g_assert_cmpint (strokes[i]->shape, ==, FS_STROKE_GUESS);
  assert_same (strokes[1]->guess, first);
  g_assert_cmpstr (strokes[1]->name, ==, "one.png");
  g_assert_true (!strokes[2]->guess && !strokes[2]->name);
  assert_same (strokes[3]->guess, second);
  g_assert_cmpstr (strokes[3]->name, ==, " \303\274 \357\277\275 two");
  g_assert_null (strokes[4]->name);
  assert_same (strokes[5]->guess, objects);
  g_assert_cmpstr (strokes[5]->name, ==, "a.json");
  g_autofree char *text_again = fs_session_to_text (again);
  g_assert_cmpstr (text, ==, text_again);
}

static void
assert_refused (const char *strokes, const char *reason)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (parse (strokes, &error));
  g_assert_error (error, FS_SESSION_ERROR, FS_SESSION_ERROR_INVALID);
  g_autofree char *message = g_strconcat ("s.fretsaw: ", reason, NULL);
  g_assert_cmpstr (error->message, ==, message);
}

static void
test_session_refused (void)
{
  static const char no_png[] =
      "strokes[0].png is not a grey PNG of 8 or 16 bits, whole and no larger than the photo";
  assert_refused ("{ \"shape\": \"guess\", \"png\": \"AAAA\" }", no_png);
  assert_refused ("{ \"shape\": \"guess\", \"png\": \"\" }", "strokes[0].png is not base64");
  assert_refused ("{ \"shape\": \"guess\", \"png\": \"AAAA AAA\" }",
                  "strokes[0].png is not base64");
  assert_refused ("{ \"shape\": \"guess\", \"png\": 7 }", "strokes[0].png is not base64");
  assert_refused ("{ \"shape\": \"guess\", \"label\": 2 }",
                  "strokes[0] has a key that is not known: \"label\"");
  assert_refused ("{ \"shape\": \"guess\", \"name\": \"a\" }", "strokes[0] has a name, and no png");
  assert_refused ("{ \"shape\": \"guess\", \"name\": \"a\\nb\" }",
                  "strokes[0].name has a control character");
  assert_refused ("{ \"label\": 2, \"radius_px\": 3, \"png\": \"\", \"samples\": [[5, 5, 1, 0]] }",
                  "strokes[0] has a key that is not known: \"png\"");
  assert_refused (DAB ", { \"shape\": \"guess\" }, { \"label\": 2, \"radius_px\": 3, \"after\": 1, "
                      "\"samples\": [[5, 5, 1, 0]] }",
                  "strokes[2].after is a mask from before an outline or a guess");
  g_autoptr (GByteArray) wide = made (W + 1, H, 8, 0, FALSE, W + 1);
  g_autofree char *digits = g_base64_encode (wide->data, wide->len);
  g_autofree char *stroke = g_strdup_printf ("{ \"shape\": \"guess\", \"png\": \"%s\" }", digits);
  assert_refused (stroke, no_png);
}

static void
test_objects_refused (void)
{
  static const uint8_t three[W * H] = { 3, 1, 2 };
  g_autoptr (FsGuess) guess = fs_guess_new_objects (three, W, H);
  g_autoptr (GBytes) png = fs_guess_to_png (guess);
  gsize n;
  const guint8 *bytes = g_bytes_get_data (png, &n);
  g_autofree char *digits = g_base64_encode (bytes, n);
  g_autofree char *unnamed =
      g_strdup_printf ("{ \"shape\": \"guess\", \"objects\": \"%s\" }", digits);
  assert_refused (unnamed, "strokes[0].objects has the number 3, and there are 2 labels");
  g_autofree char *both =
      g_strdup_printf ("{ \"shape\": \"guess\", \"png\": \"%s\", \"objects\": \"%s\" }", digits,
                       digits);
  assert_refused (both, "strokes[0] has both png and objects");
  assert_refused ("{ \"shape\": \"guess\", \"objects\": \"\" }",
                  "strokes[0].objects is not base64");
  assert_refused ("{ \"shape\": \"guess\", \"objects\": \"AAAA\" }",
                  "strokes[0].objects is not a grey PNG of 8 bits, whole and of the photo's size");
}

/* --- journals --------------------------------------------------------------------------------- */

static FsJournalContent *
read_journal (FsJournal *journal, gsize lost_at)
{
  g_autofree char *bytes = NULL;
  gsize n_bytes;
  g_assert_true (g_file_get_contents (fs_journal_get_path (journal), &bytes, &n_bytes, NULL));
  if (lost_at > 0)
    bytes[lost_at] ^= 1;
  FsJournalContent *content = fs_journal_parse ("j", (const uint8_t *)bytes, n_bytes, NULL);
  g_assert_nonnull (content);
  return content;
}

static void
test_journal (void)
{
  g_autofree char *folder = made_folder ();
  FsJournal *journal = fs_journal_new (folder, NULL);
  g_autoptr (FsGuess) guess = make_guess (9, 5, FALSE);
  g_autoptr (FsStroke) set = fs_stroke_new_guess (guess, "one.png");
  g_autoptr (FsGuess) numbered = make_objects ();
  g_autoptr (FsStroke) objects = fs_stroke_new_guess (numbered, NULL);
  g_autoptr (FsStroke) dismissed = fs_stroke_new_guess (NULL, NULL);
  g_autoptr (FsStroke) dab = fs_stroke_new (2, 3);
  g_array_append_val (dab->samples, ((FsSample){ 5, 5, 1, 0 }));
  dab->after = 1;
  g_assert_true (fs_journal_add_photo (journal, "/a.png", W, H, NULL));
  gsize at = fs_journal_get_size (journal);
  g_assert_true (fs_journal_add_guess (journal, set, NULL));
  g_assert_true (fs_journal_add_stroke (journal, dab, NULL));
  g_assert_true (fs_journal_add_guess (journal, objects, NULL));
  g_assert_true (fs_journal_add_guess (journal, dismissed, NULL));
  g_assert_true (fs_journal_add_undo (journal, NULL));

  g_autoptr (FsJournalContent) content = read_journal (journal, 0);
  g_assert_false (content->damaged);
  g_assert_cmpuint (content->session->strokes->len, ==, 4);
  g_assert_cmpuint (content->n_undone, ==, 1);
  FsStroke **strokes = (FsStroke **)content->session->strokes->pdata;
  assert_same (strokes[0]->guess, guess);
  g_assert_cmpstr (strokes[0]->name, ==, "one.png");
  g_assert_cmpuint (strokes[1]->after, ==, 1);
  assert_same (strokes[2]->guess, numbered);
  g_assert_true (strokes[3]->shape == FS_STROKE_GUESS && !strokes[3]->guess);

  /* A guess that is lost costs itself, and what strokes would keep of it. */
  g_autoptr (FsJournalContent) rest = read_journal (journal, at + 40);
  g_assert_true (rest->damaged);
  g_assert_cmpuint (rest->session->strokes->len, ==, 3);
  g_assert_cmpuint (rest->n_undone, ==, 1);
  strokes = (FsStroke **)rest->session->strokes->pdata;
  g_assert_cmpint (strokes[0]->shape, ==, FS_STROKE_BRUSH);
  g_assert_cmpuint (strokes[0]->after, ==, 0);
  fs_journal_remove (journal);
  made_folder_remove (folder);
}

/* Whole records that make no sense. */
static void
test_journal_refused (void)
{
  static const struct {
    guint32 n_name;
    const char *rest;
  } records[] = { { 4, "abc" }, { 3, "abcno PNG" }, { 0xffffffffu, "" },
                  { 201, "" },  { 0, "x" },         { 0, "" } };
  for (guint i = 0; i < G_N_ELEMENTS (records); i++) {
    GByteArray *bytes = g_byte_array_new ();
    g_byte_array_append (bytes, (const guint8 *)FS_JOURNAL_FORMAT, strlen (FS_JOURNAL_FORMAT));
    GByteArray *photo = fs_journal_record_new (FS_JOURNAL_PHOTO);
    fs_journal_record_add_u32 (photo, W);
    fs_journal_record_add_u32 (photo, H);
    g_byte_array_append (photo, (const guint8 *)"/a.png", 6);
    GByteArray *guess = fs_journal_record_new (i % 2 == 0 ? FS_JOURNAL_GUESS : FS_JOURNAL_OBJECTS);
    fs_journal_record_add_u32 (guess, records[i].n_name);
    g_byte_array_append (guess, (const guint8 *)records[i].rest, (guint)strlen (records[i].rest));
    GByteArray *both[] = { photo, guess };
    for (int k = 0; k < 2; k++) {
      fs_journal_record_seal (both[k]);
      g_byte_array_append (bytes, both[k]->data, both[k]->len);
      g_byte_array_unref (both[k]);
    }
    g_autoptr (FsJournalContent) content = fs_journal_parse ("j", bytes->data, bytes->len, NULL);
    g_assert_nonnull (content);
    g_assert_true (content->damaged);
    g_assert_cmpuint (content->session->strokes->len, ==, 0);
    g_byte_array_unref (bytes);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/saved-guess/png", test_png);
  g_test_add_func ("/saved-guess/png-of-objects", test_png_of_objects);
  g_test_add_func ("/saved-guess/png-refused", test_png_refused);
  g_test_add_func ("/saved-guess/session", test_session);
  g_test_add_func ("/saved-guess/session-refused", test_session_refused);
  g_test_add_func ("/saved-guess/objects-refused", test_objects_refused);
  g_test_add_func ("/saved-guess/journal", test_journal);
  g_test_add_func ("/saved-guess/journal-refused", test_journal_refused);
  return g_test_run ();
}
