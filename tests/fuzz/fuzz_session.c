/* SPDX-License-Identifier: MIT */
/* Session files from anywhere: strokes that keep every promise of session.h, or one sentence. What
 * was read is written and read again, and must come out as the same text. */
#include "app/folder/session_scan.h"
#include "app/session/session.h"
#include "tests/app/photo/photo_child.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>
#include <string.h>

#define NAME "some.fretsaw"

static void
check_samples (const FsStroke *stroke)
{
  g_assert_cmpuint (stroke->samples->len, >, 0);
  for (guint i = 0; i < stroke->samples->len; i++) {
    const FsSample *sample = &g_array_index (stroke->samples, FsSample, i);
    g_assert_true (fabsf (sample->x) <= FS_SESSION_MAX_PLACE_PX);
    g_assert_true (fabsf (sample->y) <= FS_SESSION_MAX_PLACE_PX);
    g_assert_true (sample->pressure >= 0 && sample->pressure <= 1);
  }
}

static void
check_stroke (const FsSession *session, const FsStroke *stroke)
{
  g_assert_cmpuint (stroke->label, <=, session->labels->len);
  g_assert_true (stroke->radius_px > 0 && stroke->radius_px <= FS_SESSION_MAX_RADIUS_PX);
  if (stroke->shape == FS_STROKE_GUESS) {
    g_assert_true (stroke->samples->len == 0 && stroke->after == 0);
    g_assert_true ((stroke->guess != NULL) == (stroke->png != NULL));
    g_assert_true (!stroke->guess || fs_guess_get_width (stroke->guess) <= session->width);
    g_assert_true (!stroke->guess || fs_guess_get_height (stroke->guess) <= session->height);
    g_assert_true (!stroke->guess
                   || fs_guess_get_last_object (stroke->guess) <= session->labels->len);
    return;
  }
  if (stroke->shape == FS_STROKE_OUTLINE) {
    g_assert_cmpuint (stroke->samples->len, >=, FS_OUTLINE_POINTS_MIN);
    g_assert_cmpint (stroke->label, ==, FS_SEED_BACKGROUND);
    g_assert_cmpuint (stroke->after, ==, 0);
  }
  check_samples (stroke);
}

static void
check_edge (const FsSession *session)
{
  guint after = 0;
  for (guint i = 0; i < session->edge->len; i++) {
    const FsEdgeEdit *edit = session->edge->pdata[i];
    g_assert_true (edit->after_strokes >= after && edit->after_strokes <= session->strokes->len);
    after = edit->after_strokes;
    g_assert_true (edit->zone || fs_edge_settings_are_valid (&edit->settings));
    if (!edit->zone)
      continue;
    g_assert_cmpint (edit->zone->label, <, FS_EDGE_N_ZONES);
    g_assert_true (edit->zone->radius_px > 0);
    check_samples (edit->zone);
  }
}

static void
check_session (const FsSession *session)
{
  g_assert_false (g_path_is_absolute (session->photo));
  g_assert_false (g_str_has_suffix (session->photo, "/.."));
  g_assert_cmpuint (strlen (session->sha256), ==, FS_SESSION_SHA256_LENGTH);
  g_assert_true (session->width >= 1 && session->width <= FS_SESSION_MAX_SIDE_PX);
  g_assert_true (session->height >= 1 && session->height <= FS_SESSION_MAX_SIDE_PX);
  g_assert_true (session->settings.neighbours == 4 || session->settings.neighbours == 8);
  g_assert_true (session->settings.smoothness >= 0
                 && session->settings.smoothness <= FS_SMOOTHNESS_MAX);
  g_assert_true (session->labels->len >= 2 && session->labels->len <= FS_SEED_MAX);
  guint newest_base = 0;
  for (guint i = 0; i < session->strokes->len; i++) {
    const FsStroke *stroke = session->strokes->pdata[i];
    check_stroke (session, stroke);
    g_assert_true (stroke->after == 0 || (stroke->after >= newest_base && stroke->after <= i));
    if (stroke->shape == FS_STROKE_OUTLINE || stroke->shape == FS_STROKE_GUESS)
      newest_base = i + 1;
  }
  check_edge (session);
}

/* A quick look sees the same, whatever the order and the blanks. */
static void
check_scan (const FsSession *session, const char *text, gsize n_bytes)
{
  g_auto (FsSessionScan) scan = { 0 };
  g_assert_true (fs_session_scan_text (text, n_bytes, &scan));
  g_assert_cmpstr (scan.photo, ==, session->photo);
  g_assert_true (scan.done == session->done);
  g_assert_true (scan.has_strokes == (session->strokes->len + session->edge->len > 0));
}

static void
check_round_trip (const FsSession *session)
{
  g_autofree char *text = fs_session_to_text (session);
  g_autoptr (GError) error = NULL;
  g_autoptr (FsSession) again = fs_session_parse (NAME, text, strlen (text), &error);
  g_assert_no_error (error);
  g_autofree char *text_again = fs_session_to_text (again);
  g_assert_cmpstr (text, ==, text_again);
  check_scan (session, text, strlen (text));
}

int
LLVMFuzzerTestOneInput (const uint8_t *bytes, size_t n_bytes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsSession) session = fs_session_parse (NAME, (const char *)bytes, n_bytes, &error);
  g_assert_true ((session != NULL) == (error == NULL));
  g_auto (FsSessionScan) scan = { 0 };
  fs_session_scan_text ((const char *)bytes, n_bytes, &scan);
  if (session) {
    check_session (session);
    check_round_trip (session);
  } else if (!photo_message_is_sound (error->message, NAME)) {
    g_error ("%s", error->message);
  }
  return 0;
}

/* --- corpus ----------------------------------------------------------------------------------- */

#define SUM "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define PHOTO                                                                                      \
  "\"photo\":{\"name\":\"../a/b.jpg\",\"sha256\":\"" SUM "\",\"width\":300,\"height\":200}"
#define LABELS                                                                                     \
  "\"labels\":[{\"name\":\"Back \\\"\\u00e9\\\\\",\"colour\":\"#0000ff\"},"                        \
  "{\"name\":\"Object\",\"colour\":\"#Ff8000\"}]"
#define HEAD "{\"format\":\"fretsaw-session-1\"," PHOTO ","
#define STROKE                                                                                     \
  "{\"label\":2,\"radius_px\":8.5,\"samples\":[[1,-2.25,0.5,0],[1e3,-0.0,1,16],[-1e-320,0,1,17]]}"

#define PEN                                                                                        \
  "{\"label\":2,\"shape\":\"pen\",\"radius_px\":3,\"after\":1,\"samples\":[[9,9,0.3,0],[8,9,1,2]]" \
  "}"
#define OUTLINE                                                                                    \
  "{\"label\":1,\"shape\":\"outline\",\"samples\":[[0,0,1,0],[50.5,0,1,9],[9,90,1,20]]}"

#define SETTINGS                                                                                   \
  "\"settings\":{\"width_px\":\"auto\",\"shift_tenths\":-7,\"contrast\":20,\"smooth_px\":3,"       \
  "\"clean\":50,\"specks_px\":9,\"holes_px\":10}"
#define ZONE                                                                                       \
  "\"zone\":\"refine\",\"shape\":\"pen\",\"radius_px\":3,\"samples\":[[9,9,0.3,0],[8,9,1,2]]"

/* Of 2 × 2 pixels, and of 3 × 1 of 16 bits. */
#define PNG_8                                                                                      \
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAAAAABX3VL4AAAADklEQVR4nGNg+M/QIAAABRIBkLv81hkA"               \
  "AAAASUVORK5CYII="
#define PNG_16                                                                                     \
  "iVBORw0KGgoAAAANSUhEUgAAAAMAAAABEAAAAABuG5crAAAAD0lEQVR4nGMQMvn/n4EBAAhwAkXkZmAV"               \
  "AAAAAElFTkSuQmCC"
/* The objects of 3 × 2 pixels. */
#define PNG_OBJECTS                                                                                \
  "iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAAAAAC4HznGAAAAEElEQVR42mNgYGRiYGJiBAAAIwAJ6JU7"               \
  "XQAAAABJRU5ErkJggg=="
#define OBJECTS(png) "{\"shape\":\"guess\",\"objects\":\"" png "\"}"
#define SMALL_PHOTO  "\"photo\":{\"name\":\"b.jpg\",\"sha256\":\"" SUM "\",\"width\":3,\"height\":2}"
#define GUESS(png)   "{\"shape\":\"guess\",\"name\":\"a b\",\"png\":\"" png "\"}"

static const char *const texts[] = {
  HEAD "\"settings\":{}," LABELS ",\"strokes\":[]}",
  HEAD "\"settings\":{\"neighbours\":4,\"smoothness\":0.5}," LABELS ",\"strokes\":[" STROKE "]}",
  HEAD "\"done\":true,\"settings\":{}," LABELS ",\"strokes\":[" STROKE "]}",
  HEAD "\"settings\":{\"smoothness\":1e1}," LABELS ",\"strokes\":[" STROKE "," STROKE "]}",
  HEAD "\"settings\":{\"stability\":true}," LABELS ",\"strokes\":[" OUTLINE "," PEN "]}",
  HEAD "\"settings\":{}," LABELS ",\"strokes\":[" GUESS (PNG_8) "," STROKE "]}",
  HEAD "\"settings\":{\"stability\":true}," LABELS ",\"strokes\":[" STROKE
       "," GUESS (PNG_16) ",{\"shape\":\"guess\"}," OUTLINE "]}",
  HEAD "\"settings\":{}," LABELS ",\"strokes\":[" STROKE "],\"edge\":[{\"after\":0," SETTINGS
       "},{\"after\":1," ZONE "}]}",
  "{\"format\":\"fretsaw-session-1\"," SMALL_PHOTO ",\"settings\":{}," LABELS
  ",\"strokes\":[" OBJECTS (PNG_OBJECTS) "," STROKE "]}",
  "{\"format\":\"fretsaw-session-1\"}",
  "[[[[[[[[[[[[[[[[[0]]]]]]]]]]]]]]]]]",
};

GPtrArray *
fuzz_corpus (void)
{
  return fuzz_texts (texts, G_N_ELEMENTS (texts));
}
