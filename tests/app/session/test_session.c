/* SPDX-License-Identifier: MIT */
/* Session files: what is read, what is refused and in which words, and that writing loses nothing.
 */
#include "app/export/export.h"
#include "app/session/session.h"
#include "app/files/json_text.h"

#include <glib/gstdio.h>
#include <locale.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUM "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define PHOTO                                                                                      \
  "\"photo\": { \"name\": \"a/b.jpg\", \"sha256\": \"" SUM "\", \"width\": 300, \"height\": 200 }"
#define SETTINGS "\"settings\": { \"neighbours\": 8, \"smoothness\": 1 }"
#define LABELS                                                                                     \
  "\"labels\": [ { \"name\": \"Background\", \"colour\": \"#0000ff\" },"                           \
  " { \"name\": \"Object\", \"colour\": \"#Ff8000\" } ]"
#define FORMAT "\"format\": \"fretsaw-session-1\""
#define HEAD   "{ " FORMAT ", " PHOTO ", " SETTINGS ", " LABELS ", "
#define WITH_PHOTO(photo)                                                                          \
  "{ " FORMAT ", \"photo\": " photo ", " SETTINGS ", " LABELS ", \"strokes\": [] }"
#define WITH_NAME(name)                                                                            \
  WITH_PHOTO ("{ \"name\": " name ", \"sha256\": \"" SUM "\", \"width\": 3, \"height\": 2 }")
#define WITH_SETTINGS(settings)                                                                    \
  "{ " FORMAT ", " PHOTO ", \"settings\": " settings ", " LABELS ", \"strokes\": [] }"
#define WITH_LABELS(labels)                                                                        \
  "{ " FORMAT ", " PHOTO ", " SETTINGS ", \"labels\": " labels ", \"strokes\": [] }"
#define WITH_STROKES(strokes) HEAD "\"strokes\": " strokes " }"
#define WITH_SAMPLES(samples)                                                                      \
  WITH_STROKES ("[ { \"label\": 2, \"radius_px\": 8, \"samples\": " samples " } ]")
#define WITH_SAMPLE(sample) WITH_SAMPLES ("[ [1, 1, 1, 0], " sample " ]")

static FsSession *
parse (const char *text, GError **error)
{
  return fs_session_parse ("s.fretsaw", text, strlen (text), error);
}

static FsSession *
parse_good (const char *text)
{
  g_autoptr (GError) error = NULL;
  FsSession *session = parse (text, &error);
  g_assert_no_error (error);
  return session;
}

/* --- reading ---------------------------------------------------------------------------------- */

static void
test_reads_all (void)
{
  g_autoptr (FsSession) session = parse_good (
      WITH_STROKES ("[ { \"label\": 0, \"radius_px\": 2.5, \"samples\": [[-3, 4.25, 0.5, 0], "
                    "[1e3, 7, 1, 4294967295]] } ]"));
  g_assert_cmpstr (session->photo, ==, "a/b.jpg");
  g_assert_cmpstr (session->sha256, ==, SUM);
  g_assert_cmpint (session->width, ==, 300);
  g_assert_cmpint (session->height, ==, 200);
  g_assert_cmpint (session->settings.neighbours, ==, 8);
  g_assert_cmpfloat (session->settings.smoothness, ==, 1);
  g_assert_cmpuint (session->labels->len, ==, 2);
  const FsSessionLabel *object = &g_array_index (session->labels, FsSessionLabel, 1);
  g_assert_cmpstr (object->name, ==, "Object");
  g_assert_cmphex (object->colour, ==, 0xff8000);
  g_assert_cmpuint (session->strokes->len, ==, 1);
  const FsStroke *stroke = session->strokes->pdata[0];
  g_assert_cmpint (stroke->label, ==, 0);
  g_assert_cmpfloat (stroke->radius_px, ==, 2.5f);
  g_assert_cmpuint (stroke->samples->len, ==, 2);
  const FsSample *samples = (const FsSample *)(gconstpointer)stroke->samples->data;
  g_assert_cmpfloat (samples[0].x, ==, -3);
  g_assert_cmpfloat (samples[0].y, ==, 4.25f);
  g_assert_cmpfloat (samples[0].pressure, ==, 0.5f);
  g_assert_cmpuint (samples[0].time_ms, ==, 0);
  g_assert_cmpfloat (samples[1].x, ==, 1000);
  g_assert_cmpuint (samples[1].time_ms, ==, G_MAXUINT32);
}

static void
test_settings_have_defaults (void)
{
  g_autoptr (FsSession) session = parse_good (WITH_SETTINGS ("{}"));
  g_assert_cmpint (session->settings.neighbours, ==, 8);
  g_assert_cmpfloat (session->settings.smoothness, ==, 1);
  g_assert_cmpint (session->settings.model, ==, FS_MODEL_KMEANS);
  g_assert_true (session->settings.star);
  g_assert_false (session->settings.stability);
  g_autoptr (FsSession) other = parse_good (WITH_SETTINGS ("{ \"neighbours\": 4 }"));
  g_assert_cmpint (other->settings.neighbours, ==, 4);
}

typedef struct {
  FsSessionError code;
  const char *text;
  const char *message; /* after "s.fretsaw: " */
} Broken;

#define INVALID FS_SESSION_ERROR_INVALID
#define OTHER   FS_SESSION_ERROR_FORMAT
#define LIMIT   FS_SESSION_ERROR_LIMIT

static const char not_json[] = "is damaged, or not a session: line 1, column ";
static const char other_format[] =
    "is not a session that this version reads (format \"fretsaw-session-1\")";
static const char bad_name[] = "photo.name is not a plain relative name";

#define OUTLINE_OF(samples) "{ \"label\": 1, \"shape\": \"outline\", \"samples\": [" samples "] }"

static const Broken broken[] = {
  { OTHER, "", not_json },
  { OTHER, "{", not_json },
  { OTHER, "\xef\xbb\xbf{}", not_json },
  { OTHER, "nonsense", not_json },
  { OTHER, "[1e999]", not_json },
  { OTHER, "[NaN]", not_json },
  { OTHER, "[-Infinity]", not_json },
  { OTHER, "[99999999999999999999]", not_json },
  { OTHER, "[\"\\u0000\"]", not_json },
  { OTHER, "[\"\xc3\"]", not_json },
  { OTHER, "[\"a\nb\"]", not_json },
  { OTHER, "{ \"a\": 1, \"a\": 2 }", not_json },
  { OTHER, WITH_STROKES ("[]") " x", not_json },
  { OTHER, "\"fretsaw-session-1\"", not_json },
  { OTHER, "[]", other_format },
  { OTHER, "{}", other_format },
  { OTHER, "{ \"format\": 1 }", other_format },
  { OTHER, "{ \"format\": \"fretsaw-session-2\" }", other_format },
  { LIMIT, "[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]", "is nested 17 deep; at most 16 are read" },
  { INVALID, "{ " FORMAT ", \"colour\": 1 }",
    "the session has a key that is not known: \"colour\"" },
  { INVALID, "{ " FORMAT ", \"a\\n\\u001b[2J\": 1 }",
    "the session has a key that is not known: \"a\xef\xbf\xbd\xef\xbf\xbd[2J\"" },
  { INVALID, "{ " FORMAT " }", "photo is not an object" },

  { INVALID, WITH_PHOTO ("[]"), "photo is not an object" },
  { INVALID, WITH_PHOTO ("{ \"size\": 1 }"), "photo has a key that is not known: \"size\"" },
  { INVALID, WITH_PHOTO ("{}"), "photo.name is not a string" },
  { INVALID, WITH_NAME ("7"), "photo.name is not a string" },
  { INVALID, WITH_NAME ("\"\""), "photo.name has 0 bytes, not 1 … 4096" },
  { INVALID, WITH_NAME ("\"a\\nb\""), "photo.name has a control character" },
  { INVALID, WITH_NAME ("\"/etc/passwd\""), bad_name },
  { INVALID, WITH_NAME ("\"a/../../b\""), bad_name },
  { INVALID, WITH_NAME ("\"..\""), bad_name },
  { INVALID, WITH_NAME ("\"../..\""), bad_name },
  { INVALID, WITH_NAME ("\".\""), bad_name },
  { INVALID, WITH_NAME ("\"./a\""), bad_name },
  { INVALID, WITH_NAME ("\"a/./b\""), bad_name },
  { INVALID, WITH_NAME ("\"a//b\""), bad_name },
  { INVALID, WITH_NAME ("\"a/\""), bad_name },
  { INVALID, WITH_NAME ("\"..//a\""), bad_name },
  { INVALID, WITH_NAME ("\"file:///a\""), bad_name },
  { INVALID, WITH_NAME ("\"../../../../../../../../../a\""), bad_name },
  { INVALID, WITH_PHOTO ("{ \"name\": \"a\" }"), "photo.sha256 is not 64 digits 0 … 9, a … f" },
  { INVALID, WITH_PHOTO ("{ \"name\": \"a\", \"sha256\": \"12\" }"),
    "photo.sha256 is not 64 digits 0 … 9, a … f" },
  { INVALID, WITH_PHOTO ("{ \"name\": \"a\", \"sha256\": \"" SUM "0\" }"),
    "photo.sha256 is not 64 digits 0 … 9, a … f" },
  { INVALID,
    WITH_PHOTO ("{ \"name\": \"a\", \"sha256\": "
                "\"0123456789ABCDEF0123456789abcdef0123456789abcdef0123456789abcdef\" }"),
    "photo.sha256 is not 64 digits 0 … 9, a … f" },
  { INVALID, WITH_PHOTO ("{ \"name\": \"a\", \"sha256\": \"" SUM "\", \"width\": 3.0 }"),
    "photo.width is not a whole number" },
  { INVALID, WITH_PHOTO ("{ \"name\": \"a\", \"sha256\": \"" SUM "\", \"width\": 0 }"),
    "photo.width is not in 1 … 65500" },
  { INVALID, WITH_PHOTO ("{ \"name\": \"a\", \"sha256\": \"" SUM "\", \"width\": 65501 }"),
    "photo.width is not in 1 … 65500" },
  { INVALID,
    WITH_PHOTO ("{ \"name\": \"a\", \"sha256\": \"" SUM "\", \"width\": 1, \"height\": -1 }"),
    "photo.height is not in 1 … 65500" },

  { INVALID, WITH_SETTINGS ("null"), "settings is not an object" },
  { INVALID, WITH_SETTINGS ("{ \"lambda\": 1 }"),
    "settings has a key that is not known: \"lambda\"" },
  { INVALID, WITH_SETTINGS ("{ \"neighbours\": 6 }"), "settings.neighbours is not 4 or 8" },
  { INVALID, WITH_SETTINGS ("{ \"neighbours\": 8.0 }"), "settings.neighbours is not 4 or 8" },
  { INVALID, WITH_SETTINGS ("{ \"smoothness\": -1 }"),
    "settings.smoothness is not a number in 0 … 100" },
  { INVALID, WITH_SETTINGS ("{ \"smoothness\": 100.5 }"),
    "settings.smoothness is not a number in 0 … 100" },
  { INVALID, WITH_SETTINGS ("{ \"smoothness\": \"1\" }"),
    "settings.smoothness is not a number in 0 … 100" },
  { INVALID, WITH_SETTINGS ("{ \"model\": \"Kmeans\" }"),
    "settings.model is not the name of a model" },
  { INVALID, WITH_SETTINGS ("{ \"star\": 1 }"), "settings.star is not true or false" },
  { INVALID, WITH_SETTINGS ("{ \"stability\": \"on\" }"),
    "settings.stability is not true or false" },
  { INVALID, WITH_SETTINGS ("{ \"model\": 1 }"), "settings.model is not the name of a model" },

  { INVALID, WITH_LABELS ("{}"), "labels is not an array" },
  { INVALID, WITH_LABELS ("[]"), "labels has 0 entries, not 2 … 255" },
  { INVALID, WITH_LABELS ("[1]"), "labels has 1 entries, not 2 … 255" },
  { INVALID, WITH_LABELS ("[1, 2]"), "labels[0] is not an object" },
  { INVALID, "{ " FORMAT ", " PHOTO ", \"done\": 1, " SETTINGS ", " LABELS ", \"strokes\": [] }",
    "done is not true or false" },
  { INVALID, WITH_LABELS ("[{ \"x\": 1 }, 2]"), "labels[0] has a key that is not known: \"x\"" },
  { INVALID, WITH_LABELS ("[{ \"name\": \"\" }, 2]"), "labels[0].name has 0 bytes, not 1 … 200" },
  { INVALID, WITH_LABELS ("[{ \"name\": \"a\", \"colour\": \"red\" }, 2]"),
    "labels[0].colour is not \"#rrggbb\"" },
  { INVALID, WITH_LABELS ("[{ \"name\": \"a\", \"colour\": \"#00000g\" }, 2]"),
    "labels[0].colour is not \"#rrggbb\"" },
  { INVALID, WITH_LABELS ("[{ \"name\": \"a\", \"colour\": \"#0000000\" }, 2]"),
    "labels[0].colour is not \"#rrggbb\"" },
  { INVALID, WITH_LABELS ("[{ \"name\": \"a\", \"colour\": \"#000000\" }, {}]"),
    "labels[1].name is not a string" },

  { INVALID, WITH_STROKES ("1"), "strokes is not an array" },
  { INVALID, WITH_STROKES ("[[]]"), "strokes[0] is not an object" },
  { INVALID, WITH_STROKES ("[{ \"points\": [] }]"),
    "strokes[0] has a key that is not known: \"points\"" },
  { INVALID, WITH_STROKES ("[{}]"), "strokes[0].label is not 0 or one of the 2 labels" },
  { INVALID, WITH_STROKES ("[{ \"label\": 3 }]"),
    "strokes[0].label is not 0 or one of the 2 labels" },
  { INVALID, WITH_STROKES ("[{ \"label\": -1 }]"),
    "strokes[0].label is not 0 or one of the 2 labels" },
  { INVALID, WITH_STROKES ("[{ \"label\": 256 }]"),
    "strokes[0].label is not 0 or one of the 2 labels" },
  { INVALID, WITH_STROKES ("[{ \"label\": 1 }]"),
    "strokes[0].radius_px is not a number above 0 and up to 100000" },
  { INVALID, WITH_STROKES ("[{ \"label\": 1, \"radius_px\": 0 }]"),
    "strokes[0].radius_px is not a number above 0 and up to 100000" },
  { INVALID, WITH_STROKES ("[{ \"label\": 1, \"radius_px\": 1e-60 }]"),
    "strokes[0].radius_px is not a number above 0 and up to 100000" },
  { INVALID, WITH_STROKES ("[{ \"label\": 1, \"radius_px\": 100001 }]"),
    "strokes[0].radius_px is not a number above 0 and up to 100000" },
  { INVALID, WITH_STROKES ("[{ \"label\": 1, \"radius_px\": 1e300 }]"),
    "strokes[0].radius_px is not a number above 0 and up to 100000" },
  { INVALID, WITH_STROKES ("[{ \"label\": 1, \"radius_px\": 1, \"after\": 1 }]"),
    "strokes[0].after is not in 0 … 0" },
  { INVALID, WITH_STROKES ("[{ \"label\": 1, \"radius_px\": 1, \"after\": 0.5 }]"),
    "strokes[0].after is not a whole number" },
  { INVALID, WITH_STROKES ("[{ \"label\": 1, \"radius_px\": 1, \"shape\": \"brush\" }]"),
    "strokes[0].shape is not \"pen\", \"outline\" or \"guess\"" },
  { INVALID, WITH_STROKES ("[{ \"label\": 1, \"radius_px\": 1, \"shape\": 1 }]"),
    "strokes[0].shape is not \"pen\", \"outline\" or \"guess\"" },
  { INVALID, WITH_STROKES ("[{ \"label\": 1, \"shape\": \"pen\" }]"),
    "strokes[0].radius_px is not a number above 0 and up to 100000" },
  { INVALID, WITH_STROKES ("[{ \"label\": 2, \"shape\": \"outline\" }]"),
    "strokes[0].label of an outline is not 1" },
  { INVALID, WITH_STROKES ("[{ \"label\": 1, \"radius_px\": 1, \"shape\": \"outline\" }]"),
    "strokes[0] is an outline, which has no radius_px and no after" },
  { INVALID, WITH_STROKES ("[{ \"label\": 1, \"after\": 0, \"shape\": \"outline\" }]"),
    "strokes[0] is an outline, which has no radius_px and no after" },
  { INVALID, WITH_STROKES ("[{ \"label\": 1, \"shape\": \"outline\" }]"),
    "strokes[0].samples is not an array of samples, or empty" },
  { INVALID, WITH_STROKES ("[" OUTLINE_OF ("[0, 0, 1, 0], [9, 9, 1, 1]") "]"),
    "strokes[0] is an outline of fewer than 3 samples" },
  { INVALID,
    WITH_STROKES ("[{ \"label\": 2, \"radius_px\": 1, \"samples\": [[1, 1, 1, 1]] }, " OUTLINE_OF (
        "[0, 0, 1, 0], [9, 9, 1, 1], [0, 9, 1, 2]") ", "
                                                    "{ \"label\": 2, \"radius_px\": 1, \"after\": "
                                                    "1 }]"),
    "strokes[2].after is a mask from before an outline or a guess" },
  { INVALID, WITH_STROKES ("[{ \"label\": 1, \"radius_px\": 1 }]"),
    "strokes[0].samples is not an array of samples, or empty" },
  { INVALID, WITH_SAMPLES ("[]"), "strokes[0].samples is not an array of samples, or empty" },
  { INVALID, WITH_SAMPLES ("[1]"), "strokes[0].samples[0] is not [x, y, pressure, time_ms]" },
  { INVALID, WITH_SAMPLE ("[1, 1, 1]"), "strokes[0].samples[1] is not [x, y, pressure, time_ms]" },
  { INVALID, WITH_SAMPLE ("[1, 1, 1, 1, 1]"),
    "strokes[0].samples[1] is not [x, y, pressure, time_ms]" },
  { INVALID, WITH_SAMPLE ("[null, 1, 1, 1]"), "strokes[0].samples[1]: x is not a number" },
  { INVALID, WITH_SAMPLE ("[1, \"1\", 1, 1]"), "strokes[0].samples[1]: y is not a number" },
  { INVALID, WITH_SAMPLE ("[1e39, 1, 1, 1]"),
    "strokes[0].samples[1]: x is not in -1000000 … 1000000" },
  { INVALID, WITH_SAMPLE ("[1, -1000001, 1, 1]"),
    "strokes[0].samples[1]: y is not in -1000000 … 1000000" },
  { INVALID, WITH_SAMPLE ("[1, 1, 1.5, 1]"), "strokes[0].samples[1]: pressure is not in 0 … 1" },
  { INVALID, WITH_SAMPLE ("[1, 1, true, 1]"), "strokes[0].samples[1]: pressure is not a number" },
  { INVALID, WITH_SAMPLE ("[1, 1, 1, 1.5]"),
    "strokes[0].samples[1]: time_ms is not a whole number" },
  { INVALID, WITH_SAMPLE ("[1, 1, 1, -1]"),
    "strokes[0].samples[1]: time_ms is not in 0 … 4294967295" },
  { INVALID, WITH_SAMPLE ("[1, 1, 1, 4294967296]"),
    "strokes[0].samples[1]: time_ms is not in 0 … 4294967295" },
};

static void
assert_refused (const char *text, gsize n_bytes, FsSessionError code, const char *message)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsSession) session = fs_session_parse ("s.fretsaw", text, n_bytes, &error);
  g_assert_null (session);
  g_test_message ("%s", error->message);
  g_assert_error (error, FS_SESSION_ERROR, (int)code);
  g_assert_true (g_str_has_prefix (error->message, "s.fretsaw: "));
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  g_assert_null (strchr (error->message, '\n'));
  const char *reason = error->message + strlen ("s.fretsaw: ");
  if (message == not_json)
    g_assert_true (g_str_has_prefix (reason, message));
  else
    g_assert_cmpstr (reason, ==, message);
}

static void
test_refusals (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (broken); i++)
    assert_refused (broken[i].text, strlen (broken[i].text), broken[i].code, broken[i].message);
}

/* `n` times `unit`, with commas, between `head` and `tail`. */
static char *
repeat (const char *head, const char *unit, guint n, const char *tail)
{
  GString *text = g_string_new (head);
  for (guint i = 0; i < n; i++) {
    if (i > 0)
      g_string_append_c (text, ',');
    g_string_append (text, unit);
  }
  g_string_append (text, tail);
  return g_string_free (text, FALSE);
}

/* Too many of everything is refused, and quickly: before a parser has allocated for it. */
static void
test_bombs (void)
{
  static const char label[] = "{ \"name\": \"a\", \"colour\": \"#000000\" }";
  static const char stroke[] = "{\"label\":1,\"radius_px\":1,\"samples\":[[1,1,1,1]]}";
  g_autofree char *labels = repeat ("{ " FORMAT ", " PHOTO ", " SETTINGS ", \"labels\": [", label,
                                    256, "], \"strokes\": [] }");
  assert_refused (labels, strlen (labels), INVALID, "labels has 256 entries, not 2 … 255");
  g_autofree char *strokes =
      repeat (HEAD "\"strokes\": [", stroke, FS_SESSION_MAX_STROKES + 1, "] }");
  assert_refused (strokes, strlen (strokes), LIMIT, "has more than 200000 strokes");
  g_autofree char *samples =
      repeat (HEAD "\"strokes\": [{\"label\":1,\"radius_px\":1,\"samples\":[", "0",
              FS_SESSION_MAX_SAMPLES + 1, "]}] }");
  assert_refused (samples, strlen (samples), LIMIT, "has more than 2000000 samples");
  g_autofree char *arrays = repeat ("[", "[]", 3 * FS_SESSION_MAX_SAMPLES, "]");
  assert_refused (arrays, strlen (arrays), LIMIT,
                  "has more values than 2000000 samples in 200000 strokes need");
  g_autofree char *numbers = repeat ("[", "0", 6 * FS_SESSION_MAX_SAMPLES, "]");
  assert_refused (numbers, strlen (numbers), LIMIT,
                  "has more values than 2000000 samples in 200000 strokes need");
  g_autofree char *brackets = g_malloc (FS_SESSION_MAX_BYTES + 1);
  memset (brackets, '[', FS_SESSION_MAX_BYTES + 1);
  assert_refused (brackets, 100000, LIMIT, "is nested 100000 deep; at most 16 are read");
  assert_refused (brackets, FS_SESSION_MAX_BYTES + 1, LIMIT,
                  "has 67108865 bytes; at most 67108864 are read");
}

/* Names may be as long as said and no longer, and lead as far up. */
static void
test_names_at_their_limits (void)
{
  g_autofree char *label = g_strnfill (FS_SESSION_MAX_LABEL_BYTES, 'l');
  g_autofree char *photo = g_strnfill (FS_SESSION_MAX_PHOTO_BYTES, 'p');
  g_autofree char *labels =
      g_strdup_printf (WITH_LABELS ("[{ \"name\": \"%s\", \"colour\": \"#000000\" }, 2]"), label);
  assert_refused (labels, strlen (labels), INVALID, "labels[1] is not an object");
  g_autofree char *more_labels =
      g_strdup_printf (WITH_LABELS ("[{ \"name\": \"%s+\" }, 2]"), label);
  assert_refused (more_labels, strlen (more_labels), INVALID,
                  "labels[0].name has 201 bytes, not 1 … 200");
  g_autofree char *named = g_strdup_printf (WITH_NAME ("\"%s\""), photo);
  g_autoptr (FsSession) session = parse_good (named);
  g_assert_cmpstr (session->photo, ==, photo);
  g_autofree char *more = g_strdup_printf (WITH_NAME ("\"%s+\""), photo);
  assert_refused (more, strlen (more), INVALID, "photo.name has 4097 bytes, not 1 … 4096");
  g_autoptr (FsSession) far = parse_good (WITH_NAME ("\"../../../../../../../../a\""));
  g_assert_cmpstr (far->photo, ==, "../../../../../../../../a");
}

static void
test_scan (void)
{
  static const char text[] = "[[1, \"]],[[ \\\" [\", {\"a\": [2]}], []]";
  FsJsonScan scan = fs_json_scan (text, sizeof text - 1);
  g_assert_cmpuint (scan.depth, ==, 4);
  g_assert_cmpuint (scan.n_nested, ==, 5);
  g_assert_cmpuint (scan.n_values, ==, 1 + 5 + 3);
  g_assert_cmpuint (fs_json_scan ("\"[\\", 3).depth, ==, 0);
  g_assert_cmpuint (fs_json_scan ("]]][", 4).depth, ==, 1);
}

/* --- writing ---------------------------------------------------------------------------------- */

static FsSession *
session_new (void)
{
  FsSession *session = fs_session_new ();
  session->photo = g_strdup ("../ph\303\266tos/\"a\\b\".jpg");
  strcpy (session->sha256, SUM);
  session->width = 4000;
  session->height = 3000;
  fs_session_add_label (session, "Background", 0x0000ff);
  fs_session_add_label (session, "Object", 0xff8000);
  fs_session_add_label (session, "Second \"object\"", 0x000001);
  return session;
}

static float
random_float (GRand *rand)
{
  union {
    guint32 bits;
    float value;
  } any;
  do
    any.bits = g_rand_int (rand);
  while (!isfinite (any.value) || fabsf (any.value) > FS_SESSION_MAX_PLACE_PX);
  return any.value;
}

static void
make_outline (FsStroke *stroke)
{
  static const FsSample corners[] = { { 1, 2, 1, 3 }, { -4.5f, 9, 1, 4 }, { 7, 0, 0.5f, 8 } };
  stroke->label = FS_SEED_BACKGROUND;
  stroke->radius_px = 1;
  stroke->after = 0;
  g_array_append_vals (stroke->samples, corners, G_N_ELEMENTS (corners));
}

static guint
outlined (const FsSession *session)
{
  guint n = session->strokes->len;
  while (n > 0 && ((FsStroke *)session->strokes->pdata[n - 1])->shape != FS_STROKE_OUTLINE)
    n--;
  return n;
}

static void
add_random_stroke (FsSession *session, GRand *rand)
{
  FsStroke *stroke = fs_stroke_new ((uint8_t)g_rand_int_range (rand, 0, 4),
                                    fabsf (random_float (rand)) / 10 + 1e-30f);
  int n = g_rand_int_range (rand, 1, 50);
  for (int i = 0; i < n; i++) {
    FsSample sample = { random_float (rand), random_float (rand), (float)g_rand_double (rand),
                        g_rand_int (rand) };
    g_array_append_val (stroke->samples, sample);
  }
  stroke->after = (guint)g_rand_int_range (rand, 0, (int)session->strokes->len + 1);
  stroke->shape = (FsStrokeShape)g_rand_int_range (rand, 0, 3);
  if (stroke->shape == FS_STROKE_OUTLINE)
    make_outline (stroke);
  else if (stroke->after < outlined (session))
    stroke->after = 0;
  g_ptr_array_add (session->strokes, stroke);
}

static FsSession *
random_session (guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  FsSession *session = session_new ();
  session->settings.neighbours = g_rand_boolean (rand) ? FS_NEIGHBOURS_4 : FS_NEIGHBOURS_8;
  session->settings.smoothness = g_rand_double_range (rand, 0, FS_SMOOTHNESS_MAX);
  session->settings.star = g_rand_boolean (rand);
  session->settings.stability = g_rand_boolean (rand);
  session->settings.model = (FsModelKind)g_rand_int_range (rand, 0, FS_N_MODELS);
  int n = g_rand_int_range (rand, 0, 20);
  for (int i = 0; i < n; i++)
    add_random_stroke (session, rand);
  return session;
}

static void
assert_same (const FsSession *a, const FsSession *b)
{
  g_assert_cmpstr (a->photo, ==, b->photo);
  g_assert_cmpstr (a->sha256, ==, b->sha256);
  g_assert_cmpint (a->width, ==, b->width);
  g_assert_cmpint (a->height, ==, b->height);
  g_assert_true (fs_settings_equal (&a->settings, &b->settings));
  g_assert_cmpuint (a->labels->len, ==, b->labels->len);
  for (guint i = 0; i < a->labels->len; i++) {
    const FsSessionLabel *la = &g_array_index (a->labels, FsSessionLabel, i);
    const FsSessionLabel *lb = &g_array_index (b->labels, FsSessionLabel, i);
    g_assert_cmpstr (la->name, ==, lb->name);
    g_assert_cmphex (la->colour, ==, lb->colour);
  }
  g_assert_cmpuint (a->strokes->len, ==, b->strokes->len);
  for (guint i = 0; i < a->strokes->len; i++) {
    const FsStroke *sa = a->strokes->pdata[i], *sb = b->strokes->pdata[i];
    g_assert_cmpint (sa->label, ==, sb->label);
    g_assert_cmpint (sa->shape, ==, sb->shape);
    g_assert_cmpfloat (sa->radius_px, ==, sb->radius_px);
    g_assert_cmpuint (sa->after, ==, sb->after);
    g_assert_cmpuint (sa->samples->len, ==, sb->samples->len);
    for (guint k = 0; k < sa->samples->len; k++) {
      const FsSample *pa = &g_array_index (sa->samples, FsSample, k);
      const FsSample *pb = &g_array_index (sb->samples, FsSample, k);
      g_assert_cmpfloat (pa->x, ==, pb->x);
      g_assert_cmpfloat (pa->y, ==, pb->y);
      g_assert_cmpfloat (pa->pressure, ==, pb->pressure);
      g_assert_cmpuint (pa->time_ms, ==, pb->time_ms);
    }
  }
}

static void
test_round_trip (void)
{
  for (guint32 seed = 0; seed < 200; seed++) {
    g_autoptr (FsSession) session = random_session (seed);
    g_autofree char *text = fs_session_to_text (session);
    g_autoptr (FsSession) again = parse_good (text);
    assert_same (session, again);
    g_autofree char *text_again = fs_session_to_text (again);
    g_assert_cmpstr (text, ==, text_again);
  }
}

/* A decimal comma must not reach the file, nor be expected in it. */
static void
test_locale (void)
{
  g_autoptr (FsSession) session = random_session (7);
  g_autofree char *text = fs_session_to_text (session);
  static const char *const names[] = { "de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "ru_RU.UTF-8" };
  gboolean found = FALSE;
  for (guint i = 0; i < G_N_ELEMENTS (names) && !found; i++)
    found = setlocale (LC_NUMERIC, names[i]) != NULL;
  if (!found) {
    g_test_skip ("no locale with a decimal comma is installed");
    return;
  }
  g_autofree char *here = fs_session_to_text (session);
  g_autoptr (FsSession) again = parse_good (here);
  setlocale (LC_NUMERIC, "C");
  g_assert_cmpstr (text, ==, here);
  assert_same (session, again);
}

/* --- files ------------------------------------------------------------------------------------ */

typedef struct {
  char *folder;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("fretsaw-session-XXXXXX", NULL);
  g_assert_nonnull (fixture->folder);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GDir) dir = g_dir_open (fixture->folder, 0, NULL);
  const char *name;
  while ((name = g_dir_read_name (dir))) {
    g_autofree char *path = g_build_filename (fixture->folder, name, NULL);
    g_remove (path);
  }
  g_rmdir (fixture->folder);
  g_free (fixture->folder);
}

static void
test_files (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsSession) session = random_session (11);
  g_autofree char *path = g_build_filename (fixture->folder, "a.fretsaw", NULL);
  g_assert_true (fs_session_write (session, path, &error));
  g_assert_no_error (error);
  g_autoptr (FsSession) again = fs_session_read (path, &error);
  g_assert_no_error (error);
  assert_same (session, again);
}

static void
assert_not_written (FsSession *session, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_assert_false (fs_session_write (session, path, &error));
  g_assert_error (error, FS_SESSION_ERROR, FS_SESSION_ERROR_INVALID);
  g_assert_false (g_file_test (path, G_FILE_TEST_EXISTS));
}

static void
test_never_writes_what_it_would_refuse (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "b.fretsaw", NULL);
  g_autoptr (FsSession) empty = fs_session_new ();
  assert_not_written (empty, path);
  g_autoptr (FsSession) no_samples = session_new ();
  g_ptr_array_add (no_samples->strokes, fs_stroke_new (1, 1));
  assert_not_written (no_samples, path);
  g_autoptr (FsSession) absolute = session_new ();
  g_free (absolute->photo);
  absolute->photo = g_strdup ("/a.jpg");
  assert_not_written (absolute, path);
}

static void
assert_unreadable (const char *path, FsSessionError code)
{
  g_autoptr (GError) error = NULL;
  g_assert_null (fs_session_read (path, &error));
  g_assert_error (error, FS_SESSION_ERROR, (int)code);
  g_assert_nonnull (strstr (error->message, path));
}

static void
test_unreadable (Fixture *fixture, gconstpointer data)
{
  g_autofree char *path = g_build_filename (fixture->folder, "c.fretsaw", NULL);
  assert_unreadable (path, FS_SESSION_ERROR_READ);
  assert_unreadable (fixture->folder, FS_SESSION_ERROR_READ);
  g_assert_cmpint (mkfifo (path, 0600), ==, 0);
  assert_unreadable (path, FS_SESSION_ERROR_READ);
  g_remove (path);
  g_assert_true (g_file_set_contents (path, "", 0, NULL));
  assert_unreadable (path, FS_SESSION_ERROR_FORMAT);
  FILE *file = g_fopen (path, "w");
  g_assert_cmpint (ftruncate (fileno (file), (off_t)FS_SESSION_MAX_BYTES + 1), ==, 0);
  fclose (file);
  assert_unreadable (path, FS_SESSION_ERROR_LIMIT);
}

static void
test_photo (Fixture *fixture, gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *session_path = g_build_filename (fixture->folder, "d.fretsaw", NULL);
  g_autofree char *expected = g_build_filename (fixture->folder, "d.jpg", NULL);
  g_autoptr (FsSession) session = session_new ();
  g_free (session->photo);
  session->photo = g_strdup ("d.jpg");
  g_autofree char *path = fs_session_photo_path (session, session_path);
  g_assert_cmpstr (path, ==, expected);
  g_autofree char *beside = fs_session_photo_path (session, "d.fretsaw");
  g_assert_cmpstr (beside, ==, "./d.jpg");

  g_assert_null (fs_session_sum_photo (path, NULL, &error));
  g_assert_nonnull (error);
  g_assert_true (g_file_set_contents (path, "abc", 3, NULL));
  g_autofree char *sum = fs_session_sum_photo (path, NULL, NULL);
  g_assert_cmpstr (sum, ==, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

/* How many strokes a shipped session has; a guess counts as one. */
static guint
count_shipped (const char *name)
{
  return strcmp (name, "sample-few.fretsaw") == 0     ? 5
         : strcmp (name, "sample-guess.fretsaw") == 0 ? 3
                                                      : 20;
}

/* The sessions that the repository ships are in the very form that Fretsaw writes. */
static void
test_shipped (void)
{
  g_autofree char *folder = g_build_filename (g_getenv ("FRETSAW_SOURCE"), "data/sessions", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  g_assert_nonnull (dir);
  guint n = 0;
  const char *name;
  while ((name = g_dir_read_name (dir))) {
    if (!g_str_has_suffix (name, ".fretsaw"))
      continue;
    g_autoptr (GError) error = NULL;
    g_autofree char *path = g_build_filename (folder, name, NULL), *text = NULL;
    g_autoptr (FsSession) session = fs_session_read (path, &error);
    g_assert_no_error (error);
    g_assert_cmpuint (session->strokes->len, ==, count_shipped (name));
    g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
    g_autofree char *again = fs_session_to_text (session);
    g_assert_cmpstr (text, ==, again);
    n++;
  }
  g_assert_cmpuint (n, >, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/session/reads-all", test_reads_all);
  g_test_add_func ("/session/settings-have-defaults", test_settings_have_defaults);
  g_test_add_func ("/session/refusals", test_refusals);
  g_test_add_func ("/session/scan", test_scan);
  g_test_add_func ("/session/round-trip", test_round_trip);
  g_test_add_func ("/session/locale", test_locale);
  g_test_add ("/session/files", Fixture, NULL, set_up, test_files, tear_down);
  g_test_add ("/session/never-writes-what-it-would-refuse", Fixture, NULL, set_up,
              test_never_writes_what_it_would_refuse, tear_down);
  g_test_add ("/session/unreadable", Fixture, NULL, set_up, test_unreadable, tear_down);
  g_test_add ("/session/photo", Fixture, NULL, set_up, test_photo, tear_down);
  g_test_add_func ("/session/shipped", test_shipped);
  g_test_add_func ("/session/bombs", test_bombs);
  g_test_add_func ("/session/names-at-their-limits", test_names_at_their_limits);
  return g_test_run ();
}
