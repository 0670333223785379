/* SPDX-License-Identifier: MIT */
/* Sessions through the live loop: the masks, the check that guards them, the report, the refusals.
 */
#include "app/cut/cut_job.h"
#include "app/photo/photo.h"
#include "app/replay/player.h"
#include "app/replay/replay.h"
#include "tests/app/photo/made_files.h"
#include "tests/app/replay/made_sessions.h"
#include "tests/app/replay/replay_check.h"

#include <glib/gstdio.h>
#include <jansson.h>
#include <string.h>

static ReplayCheckCounts counts; /* of the last checked replay */

/* --- masks ------------------------------------------------------------------------------------ */

static void
test_every_mask_is_a_fresh_one (MadeSession *fixture, gconstpointer data)
{
  FsReplayResult r = made_checked_replay (&(FsReplayJob){ .session = fixture->session }, &counts);
  g_assert_true (r.status.exact);
  g_assert_cmpint (r.status.energy, ==, r.status.bound);
  g_assert_cmpint (r.status.energy, >, 0);
  g_assert_cmpuint (r.n_strokes, ==, 7);
  /* One more is the empty mask before the first stroke. */
  g_assert_cmpuint (counts.n_final, >=, r.n_strokes + 1);
  g_assert_cmpuint (counts.n_growing, >, 0);
  g_assert_cmpint (r.object_pixels, >, 0);
  g_assert_cmpint (r.object_pixels, <, MADE_WIDTH * MADE_HEIGHT);
}

static void
assert_in_order (const FsLatencySummary *s)
{
  g_assert_cmpint (s->p50_us, >=, 0);
  g_assert_cmpint (s->p50_us, <=, s->p95_us);
  g_assert_cmpint (s->p95_us, <=, s->max_us);
}

static void
test_latencies_are_reported (MadeSession *fixture, gconstpointer data)
{
  gint64 start = g_get_monotonic_time ();
  FsReplayResult r = made_replay (&(FsReplayJob){ .session = fixture->session });
  gint64 passed = g_get_monotonic_time () - start;
  g_assert_cmpuint (r.final.n, ==, r.n_strokes);
  g_assert_cmpuint (r.masks.n, >=, r.n_strokes);
  g_assert_cmpuint (r.masks.n, <=, r.n_strokes * (9 + 1));
  g_assert_cmpuint (r.exact.n, <=, r.masks.n);
  assert_in_order (&r.masks);
  assert_in_order (&r.exact);
  assert_in_order (&r.final);
  g_assert_cmpint (r.final.max_us, <, passed);
  /* The strokes take the time that they took. */
  g_assert_cmpint (r.play_us, >=, (gint64)r.n_strokes * 8 * 7 * 1000);
  g_assert_cmpint (passed, >=, r.total_us);
}

static void
test_mask_is_a_function_of_the_strokes (MadeSession *fixture, gconstpointer data)
{
  FsReplayJob job = { .session = fixture->session, .mask = fixture->mask };
  FsReplayResult first = made_replay (&job);
  g_autofree uint8_t *mask = made_read_mask (fixture->mask);
  for (int i = 0; i < 3; i++) {
    FsReplayResult again = made_replay (&job);
    g_autofree uint8_t *other = made_read_mask (fixture->mask);
    g_assert_cmpmem (mask, MADE_WIDTH * MADE_HEIGHT, other, MADE_WIDTH * MADE_HEIGHT);
    g_assert_cmpint (first.status.energy, ==, again.status.energy);
    g_assert_cmpint (first.object_pixels, ==, again.object_pixels);
  }
}

static char *
write_seeds (MadeSession *fixture)
{
  g_autoptr (FsSession) session = fs_session_read (fixture->session, NULL);
  g_autoptr (FsHistory) history = fs_history_new (MADE_WIDTH, MADE_HEIGHT, NULL);
  for (guint i = 0; i < session->strokes->len; i++) {
    const FsStroke *stroke = session->strokes->pdata[i];
    fs_history_begin (history, stroke->label, stroke->radius_px);
    fs_history_extend (history, (const FsSample *)(gconstpointer)stroke->samples->data,
                       stroke->samples->len, NULL);
    fs_history_end (history);
  }
  const FsSeedMap *seeds = fs_history_get_seeds (history);
  g_autoptr (GByteArray) rows = g_byte_array_new ();
  for (int y = 0; y < MADE_HEIGHT; y++) {
    g_byte_array_append (rows, (const guint8 *)"", 1);
    g_byte_array_append (rows, seeds->label + y * MADE_WIDTH, MADE_WIDTH);
  }
  g_autoptr (GByteArray) png = made_png_begin (MADE_WIDTH, MADE_HEIGHT, 8, 0, FALSE);
  made_png_pixels (png, rows->data, rows->len);
  made_png_end (png);
  return made_file (fixture->folder, "seeds.png", png->data, png->len);
}

static void
check_same_as_cut (MadeSession *fixture, FsModelKind model)
{
  g_autoptr (FsSession) session = made_session (fixture->photo);
  session->settings.model = model;
  made_add_strokes (session);
  g_assert_true (fs_session_write (session, fixture->session, NULL));
  FsReplayResult r =
      made_replay (&(FsReplayJob){ .session = fixture->session, .mask = fixture->mask });
  g_autofree uint8_t *played = made_read_mask (fixture->mask);
  g_autofree char *seeds = write_seeds (fixture);
  FsCutJob job = { .photo = fixture->photo,
                   .seeds = seeds,
                   .mask = fixture->mask,
                   .backend = "cpu",
                   .settings = FS_SETTINGS_DEFAULT };
  job.settings.model = model;
  FsCutResult cut;
  g_assert_true (fs_cut_job_run (&job, &cut, NULL));
  g_autofree uint8_t *mask = made_read_mask (fixture->mask);
  g_assert_cmpmem (played, MADE_WIDTH * MADE_HEIGHT, mask, MADE_WIDTH * MADE_HEIGHT);
  g_assert_cmpint (r.status.energy, ==, cut.solution.energy);
  g_assert_cmpint (r.object_pixels, ==, cut.object_pixels);
  fs_cut_result_clear (&cut);
}

static void
test_same_as_cut (MadeSession *fixture, gconstpointer data)
{
  for (FsModelKind model = 0; model < FS_N_MODELS; model++)
    check_same_as_cut (fixture, model);
}

/* --- stability -------------------------------------------------------------------------------- */

static void
test_stable_session (MadeSession *fixture, gconstpointer data)
{
  static const FsModelKind models[] = { FS_MODEL_GEODESIC, FS_MODEL_KMEANS };
  for (guint i = 0; i < G_N_ELEMENTS (models); i++) {
    g_autoptr (FsImage) image = made_image (1);
    g_autoptr (FsSession) session = made_session (fixture->photo);
    session->settings.model = models[i];
    session->settings.stability = TRUE;
    made_add_strokes (session);
    g_autofree uint8_t *recorded = made_record_stable (session, image);
    guint n_referring = 0;
    for (guint k = 0; k < session->strokes->len; k++)
      n_referring += ((const FsStroke *)session->strokes->pdata[k])->after > 0;
    g_assert_cmpuint (n_referring, >=, 4);
    g_assert_true (fs_session_write (session, fixture->session, NULL));
    FsReplayResult r =
        made_checked_replay (&(FsReplayJob){ .session = fixture->session, .mask = fixture->mask },
                             &counts);
    g_assert_true (r.settings.stability);
    g_assert_cmpuint (counts.n_final, >=, session->strokes->len);
    g_autofree uint8_t *checked = made_read_mask (fixture->mask);
    g_assert_cmpmem (checked, MADE_WIDTH * MADE_HEIGHT, recorded, MADE_WIDTH * MADE_HEIGHT);
    made_replay (&(FsReplayJob){ .session = fixture->session, .mask = fixture->mask });
    g_autofree uint8_t *played = made_read_mask (fixture->mask);
    g_assert_cmpmem (played, MADE_WIDTH * MADE_HEIGHT, recorded, MADE_WIDTH * MADE_HEIGHT);
  }
}

/* Where all was erased there is nothing to keep, however the session is played. */
static void
test_nothing_is_there_to_keep (MadeSession *fixture, gconstpointer data)
{
  g_autoptr (FsSession) session = made_session (fixture->photo);
  session->settings.stability = TRUE;
  made_add_stroke (session, 1, 5, 10, 10, 140, 12);
  made_add_stroke (session, 0, 300, 10, 10, 140, 100);
  made_add_stroke (session, 2, 4, 60, 55, 90, 55);
  g_autofree uint8_t *first = NULL;
  for (guint i = 0; i < 4; i++) {
    ((FsStroke *)session->strokes->pdata[2])->after = i == 0 ? 0 : 2;
    g_assert_true (fs_session_write (session, fixture->session, NULL));
    FsReplayJob job = { .session = fixture->session, .mask = fixture->mask, .at_once = i == 3 };
    if (i == 2)
      made_checked_replay (&job, &counts);
    else
      made_replay (&job);
    g_autofree uint8_t *mask = made_read_mask (fixture->mask);
    if (!first)
      first = g_steal_pointer (&mask);
    else
      g_assert_cmpmem (mask, MADE_WIDTH * MADE_HEIGHT, first, MADE_WIDTH * MADE_HEIGHT);
  }
}

static void
test_no_strokes (MadeSession *fixture, gconstpointer data)
{
  g_autoptr (FsSession) session = made_session (fixture->photo);
  g_assert_true (fs_session_write (session, fixture->session, NULL));
  FsReplayResult r =
      made_checked_replay (&(FsReplayJob){ .session = fixture->session, .mask = fixture->mask },
                           &counts);
  g_autofree uint8_t *mask = made_read_mask (fixture->mask);
  for (int i = 0; i < MADE_WIDTH * MADE_HEIGHT; i++)
    g_assert_cmpint (mask[i], ==, 0);
  g_assert_cmpint (r.object_pixels, ==, 0);
  g_assert_cmpuint (r.masks.n, ==, 0);
}

/* Everything erased again, and painted anew. */
static void
test_erased_and_begun_again (MadeSession *fixture, gconstpointer data)
{
  g_autoptr (FsSession) session = made_session (fixture->photo);
  session->settings.neighbours = FS_NEIGHBOURS_4;
  made_add_stroke (session, 1, 5, 10, 10, 140, 12);
  made_add_stroke (session, 0, 300, 10, 10, 140, 100);
  made_add_stroke (session, 2, 4, 60, 55, 90, 55);
  made_add_stroke (session, 2, 4, 60, 65, 90, 65);
  g_assert_true (fs_session_write (session, fixture->session, NULL));
  FsReplayResult r = made_checked_replay (&(FsReplayJob){ .session = fixture->session }, &counts);
  g_assert_cmpint (r.settings.neighbours, ==, 4);
  g_assert_cmpint (r.object_pixels, >, 0);
}

/* --- the check can fail --- */

typedef struct {
  FsDocument *document;
  ReplayCheck *check;
  guint64 n_edits;
} Watched;

static void
edit (Watched *w, const FsEdit *noted, const FsEdit *done)
{
  replay_check_note_edit (w->check, noted);
  w->n_edits++;
  if (done->kind == FS_EDIT_BEGIN)
    fs_document_begin_stroke (w->document, done->label, done->radius_px);
  else if (done->kind == FS_EDIT_EXTEND)
    fs_document_extend_stroke (w->document, done->samples, done->n_samples);
  else
    fs_document_end_stroke (w->document);
}

/* Begins a line of one label and tells the check that it has another. */
static void
begin_line (Watched *w, const FsSample *line, uint8_t label, uint8_t reported_label)
{
  FsEdit begin = { .kind = FS_EDIT_BEGIN, .label = label, .radius_px = 4 };
  FsEdit noted = { .kind = FS_EDIT_BEGIN, .label = reported_label, .radius_px = 4 };
  FsEdit extend = { .kind = FS_EDIT_EXTEND, .samples = line, .n_samples = 2 };
  edit (w, &noted, &begin);
  edit (w, &extend, &extend);
}

static void
end_line (Watched *w)
{
  FsEdit end = { .kind = FS_EDIT_END };
  edit (w, &end, &end);
}

static void
wait_for_mask (Watched *w, gboolean must_be_final)
{
  FsDocumentStatus status = fs_document_get_status (w->document);
  while (status.generation < w->n_edits || (must_be_final && !status.is_final)) {
    g_main_context_iteration (NULL, TRUE);
    status = fs_document_get_status (w->document);
  }
}

static const FsSample lines[][2] = {
  { { 60, 55, 1, 0 }, { 90, 55, 1, 9 } },
  { { 10, 10, 1, 0 }, { 140, 12, 1, 9 } },
  { { 20, 100, 1, 0 }, { 60, 102, 1, 9 } },
};

static void
paint_both_sides (Watched *w, FsImage *image)
{
  *w = (Watched){ fs_document_new (image, NULL, NULL),
                  replay_check_new (image, &FS_SETTINGS_DEFAULT), 0 };
  static const uint8_t labels[] = { FS_SEED_OBJECT, FS_SEED_BACKGROUND };
  for (int i = 0; i < 2; i++) {
    begin_line (w, lines[i], labels[i], labels[i]);
    end_line (w);
    wait_for_mask (w, TRUE);
    g_autoptr (GError) error = NULL;
    replay_check_document (w->check, w->document, &error);
    g_assert_no_error (error);
  }
  g_assert_cmpuint (replay_check_get_counts (w->check).n_final, ==, 2);
}

static void
assert_differs (Watched *w, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_assert_false (replay_check_document (w->check, w->document, &error));
  g_assert_error (error, REPLAY_CHECK_ERROR, REPLAY_CHECK_ERROR_DIFFERS);
  g_test_message ("%s", error->message);
  g_assert_nonnull (strstr (error->message, words));
  g_object_unref (w->document);
  replay_check_free (w->check);
}

static void
test_check_sees_a_final_difference (void)
{
  g_autoptr (FsImage) image = made_image (2);
  Watched w;
  paint_both_sides (&w, image);
  begin_line (&w, lines[2], FS_SEED_BACKGROUND, FS_SEED_OBJECT);
  end_line (&w);
  wait_for_mask (&w, TRUE);
  assert_differs (&w, "the final mask after edit 9 is not that of a fresh solve: ");
}

static void
test_check_sees_a_growing_difference (void)
{
  g_autoptr (FsImage) image = made_image (2);
  Watched w;
  paint_both_sides (&w, image);
  begin_line (&w, lines[2], FS_SEED_OBJECT, FS_SEED_BACKGROUND);
  wait_for_mask (&w, FALSE);
  assert_differs (&w, "the growing mask after edit 8 is not that of a fresh solve: ");
}

/* One pixel of all, with the energy of the right mask. */
static void
test_check_sees_one_pixel (void)
{
  g_autoptr (FsImage) image = made_image (2);
  Watched w;
  paint_both_sides (&w, image);
  uint8_t *mask = (uint8_t *)fs_document_get_mask (w.document);
  mask[7 * MADE_WIDTH + 3] ^= 1;
  assert_differs (&w, ": 1 pixels differ, the first at (3, 7)");
}

/* The same mask, by an energy of other weights. */
static void
test_check_sees_another_energy (void)
{
  g_autoptr (FsImage) image = made_image (2);
  FsSettings settings = FS_SETTINGS_DEFAULT, smoother;
  settings.model = FS_MODEL_KMEANS;
  smoother = settings;
  smoother.smoothness = 1.1;
  Watched w = { fs_document_new (image, &settings, NULL), replay_check_new (image, &smoother), 0 };
  for (int i = 0; i < 2; i++) {
    const uint8_t label = i == 0 ? FS_SEED_OBJECT : FS_SEED_BACKGROUND;
    begin_line (&w, lines[i], label, label);
    end_line (&w);
  }
  wait_for_mask (&w, TRUE);
  assert_differs (&w, ": its energy is ");
}

/* The models of a growing first stroke are those of some dab within it, and the check fits the
 * same.
 */
static void
test_check_compares_a_first_stroke (void)
{
  g_autoptr (FsImage) image = made_image (2);
  Watched w = { fs_document_new (image, NULL, NULL), replay_check_new (image, &FS_SETTINGS_DEFAULT),
                0 };
  begin_line (&w, lines[0], FS_SEED_OBJECT, FS_SEED_OBJECT);
  wait_for_mask (&w, FALSE);
  g_autoptr (GError) error = NULL;
  replay_check_document (w.check, w.document, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (replay_check_get_counts (w.check).n_growing, ==, 1);
  FsEdit more = { .kind = FS_EDIT_EXTEND, .samples = lines[2], .n_samples = 2 };
  FsEdit noted = { .kind = FS_EDIT_EXTEND, .samples = lines[2], .n_samples = 1 };
  edit (&w, &noted, &more);
  wait_for_mask (&w, FALSE);
  assert_differs (&w, "the growing mask after edit 3 is not that of a fresh solve: ");
}

/* Large enough for previews. */
static FsImage *
make_large_image (void)
{
  g_autoptr (FsImage) small = made_image (4);
  FsImage *image = fs_image_new (MADE_WIDTH * 6, MADE_HEIGHT * 6);
  for (int y = 0; y < MADE_HEIGHT * 6; y++)
    for (int x = 0; x < MADE_WIDTH * 6; x++)
      image->pixels[y * MADE_WIDTH * 6 + x] = small->pixels[y / 6 * MADE_WIDTH + x / 6];
  return image;
}

typedef struct {
  ReplayCheck *check;
  guint n_looked, n_failed;
} Look;

static void
look_at_mask (FsDocument *document, gpointer data)
{
  Look *look = data;
  look->n_looked++;
  look->n_failed += !replay_check_document (look->check, document, NULL);
}

static Look
paint_large (uint8_t reported_label)
{
  g_autoptr (FsImage) image = make_large_image ();
  Watched w = { fs_document_new (image, NULL, NULL), replay_check_new (image, &FS_SETTINGS_DEFAULT),
                0 };
  Look look = { .check = w.check };
  g_signal_connect (w.document, "status-changed", G_CALLBACK (look_at_mask), &look);
  begin_line (&w, lines[1], FS_SEED_OBJECT, reported_label);
  end_line (&w);
  wait_for_mask (&w, TRUE);
  counts = replay_check_get_counts (w.check);
  g_object_unref (w.document);
  replay_check_free (w.check);
  return look;
}

static void
test_check_looks_for_seeds_in_previews (void)
{
  Look right = paint_large (FS_SEED_OBJECT);
  g_assert_cmpuint (right.n_failed, ==, 0);
  g_assert_cmpuint (counts.n_previews, >, 0);
  g_assert_cmpuint (counts.n_final, >, 0);
  Look wrong = paint_large (FS_SEED_BACKGROUND);
  g_assert_cmpuint (wrong.n_failed, >, 0);
  g_assert_cmpuint (counts.n_previews, ==, 0);
}

/* --- report and refusals --- */

static json_int_t
whole (json_t *object, const char *key)
{
  json_t *value = json_object_get (object, key);
  g_assert_true (json_is_integer (value));
  return json_integer_value (value);
}

static void
test_report (MadeSession *fixture, gconstpointer data)
{
  made_checked_replay (&(FsReplayJob){ .session = fixture->session, .report = fixture->report },
                       &counts);
  json_t *report = json_load_file (fixture->report, JSON_REJECT_DUPLICATES, NULL);
  g_assert_nonnull (report);
  json_t *photo = json_object_get (report, "photo");
  g_assert_cmpint (whole (photo, "width"), ==, MADE_WIDTH);
  g_assert_cmpint (whole (photo, "height"), ==, MADE_HEIGHT);
  g_assert_cmpstr (json_string_value (json_object_get (report, "backend")), ==, "cpu");
  g_assert_true (json_is_string (json_object_get (report, "device")));
  g_assert_cmpint (whole (report, "neighbours"), ==, 8);
  g_assert_true (json_is_true (json_object_get (report, "exact")));
  g_assert_cmpint (whole (report, "energy"), ==, whole (report, "bound"));
  g_assert_cmpint (whole (report, "object_pixels"), >, 0);
  static const char *const kinds[] = { "masks", "previews", "exact_masks", "settled_masks" };
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    json_t *kind = json_object_get (report, kinds[i]);
    json_t *latency = json_object_get (kind, "latency_us");
    g_assert_cmpint (whole (kind, "updates"), >=, i == 1 ? 0 : 1);
    g_assert_cmpint (whole (latency, "p50"), <=, whole (latency, "p95"));
    g_assert_cmpint (whole (latency, "p95"), <=, whole (latency, "max"));
  }
  json_t *times = json_object_get (report, "time_us");
  static const char *const parts[] = { "decode", "model", "energy", "cut", "write", "total" };
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++)
    g_assert_cmpint (whole (times, parts[i]), >=, 0);
  json_decref (report);
}

static void
assert_refused (MadeSession *fixture, const char *photo, GQuark domain, int code, const char *words)
{
  g_autoptr (GError) error = NULL;
  FsReplayResult result;
  FsReplayJob job = {
    .session = fixture->session, .photo = photo, .mask = fixture->mask, .report = fixture->report
  };
  g_assert_false (fs_replay_run (&job, &result, &error));
  fs_replay_result_clear (&result);
  g_assert_error (error, domain, code);
  g_assert_nonnull (strstr (error->message, words));
  g_assert_false (g_file_test (fixture->mask, G_FILE_TEST_EXISTS));
  g_assert_false (g_file_test (fixture->report, G_FILE_TEST_EXISTS));
}

static void
test_photo_must_be_the_one (MadeSession *fixture, gconstpointer data)
{
  g_autofree char *other = made_photo (fixture->folder, "other.png", 2);
  g_assert_cmpint (g_rename (other, fixture->photo), ==, 0);
  assert_refused (fixture, NULL, FS_SESSION_ERROR, FS_SESSION_ERROR_PHOTO,
                  "photo.png: is not the photo that the session was painted on");
  /* Named outright it may be another one of the same size, which is told. */
  FsReplayResult result =
      made_replay (&(FsReplayJob){ .session = fixture->session, .photo = fixture->photo });
  g_assert_nonnull (strstr (result.note, "photo.png: has other pixels than the photo"));
  fs_replay_result_clear (&result);

  g_autoptr (GByteArray) png = made_png (MADE_WIDTH, MADE_HEIGHT + 1, FALSE);
  g_autofree char *tall = made_file (fixture->folder, "tall.png", png->data, png->len);
  assert_refused (fixture, tall, FS_SESSION_ERROR, FS_SESSION_ERROR_PHOTO,
                  "tall.png: has 150 × 111 pixels, the session's photo 150 × 110");
  g_remove (fixture->photo);
  assert_refused (fixture, NULL, FS_SESSION_ERROR, FS_SESSION_ERROR_PHOTO, "photo.png: ");
  g_remove (fixture->session);
  assert_refused (fixture, NULL, FS_SESSION_ERROR, FS_SESSION_ERROR_READ, "s.fretsaw: ");
}

/* One from before the pixels were summed goes by the size of a photo whose file is another. */
static void
test_old_session (MadeSession *fixture, gconstpointer data)
{
  g_autoptr (FsSession) session = fs_session_read (fixture->session, NULL);
  session->pixels[0] = '\0';
  session->sha256[0] = session->sha256[0] == '0' ? '1' : '0';
  g_assert_true (fs_session_write (session, fixture->session, NULL));
  FsReplayResult result;
  const FsReplayJob job = { .session = fixture->session, .at_once = TRUE };
  g_assert_true (fs_replay_run (&job, &result, NULL));
  g_assert_nonnull (strstr (result.note, "photo.png: is not the file that"));
  fs_replay_result_clear (&result);
}

static void
test_percentiles (void)
{
  FsLatencies latencies;
  fs_latencies_init (&latencies);
  FsLatencySummary none = fs_latencies_sum_up (&latencies);
  g_assert_cmpuint (none.n, ==, 0);
  g_assert_cmpint (none.max_us, ==, 0);
  fs_latencies_add (&latencies, 7);
  FsLatencySummary one = fs_latencies_sum_up (&latencies);
  g_assert_true (one.n == 1 && one.p50_us == 7 && one.p95_us == 7 && one.max_us == 7);
  g_array_set_size (latencies.us, 0);
  for (gint64 us = 100; us >= 1; us--)
    fs_latencies_add (&latencies, us);
  FsLatencySummary all = fs_latencies_sum_up (&latencies);
  g_assert_true (all.n == 100 && all.p50_us == 50 && all.p95_us == 95 && all.max_us == 100);
  fs_latencies_clear (&latencies);
}

#define ADD(path, function)                                                                        \
  g_test_add (path, MadeSession, NULL, made_set_up, function, made_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/replay/percentiles", test_percentiles);
  ADD ("/replay/every-mask-is-a-fresh-one", test_every_mask_is_a_fresh_one);
  ADD ("/replay/latencies-are-reported", test_latencies_are_reported);
  ADD ("/replay/mask-is-a-function-of-the-strokes", test_mask_is_a_function_of_the_strokes);
  ADD ("/replay/same-as-cut", test_same_as_cut);
  ADD ("/replay/stable-session", test_stable_session);
  ADD ("/replay/nothing-is-there-to-keep", test_nothing_is_there_to_keep);
  ADD ("/replay/no-strokes", test_no_strokes);
  ADD ("/replay/erased-and-begun-again", test_erased_and_begun_again);
  g_test_add_func ("/replay/check-sees-a-final-difference", test_check_sees_a_final_difference);
  g_test_add_func ("/replay/check-sees-a-growing-difference", test_check_sees_a_growing_difference);
  g_test_add_func ("/replay/check-sees-one-pixel", test_check_sees_one_pixel);
  g_test_add_func ("/replay/check-sees-another-energy", test_check_sees_another_energy);
  g_test_add_func ("/replay/check-compares-a-first-stroke", test_check_compares_a_first_stroke);
  g_test_add_func ("/replay/check-looks-for-seeds-in-previews",
                   test_check_looks_for_seeds_in_previews);
  ADD ("/replay/report", test_report);
  ADD ("/replay/photo-must-be-the-one", test_photo_must_be_the_one);
  ADD ("/replay/old-session", test_old_session);
  return g_test_run ();
}
