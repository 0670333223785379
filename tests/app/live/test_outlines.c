/* SPDX-License-Identifier: MIT */
/* Lassos and boxes through the live loop, every mask checked. */
#include "tests/app/replay/made_sessions.h"

static void
add_outline (FsSession *session, float x0, float y0, float x1, float y1)
{
  const FsSample corners[] = {
    { x0, y0, 1, 0 }, { x1, y0, 1, 9 }, { x1, y1, 1, 20 }, { x0, y1, 1, 28 }
  };
  FsStroke *stroke = fs_stroke_new (FS_SEED_BACKGROUND, 1);
  stroke->shape = FS_STROKE_OUTLINE;
  g_array_append_vals (stroke->samples, corners, G_N_ELEMENTS (corners));
  g_ptr_array_add (session->strokes, stroke);
}

/* Object pixels of the made photo that the mask has, and pixels that it has besides. */
static void
count_hits (const uint8_t *mask, int *n_hits, int *n_object, int *n_wrong)
{
  *n_hits = *n_object = *n_wrong = 0;
  for (int y = 0; y < MADE_HEIGHT; y++)
    for (int x = 0; x < MADE_WIDTH; x++) {
      int dx = x - MADE_WIDTH / 2, dy = y - MADE_HEIGHT / 2;
      gboolean object = dx * dx + 2 * dy * dy < MADE_WIDTH * MADE_WIDTH / 9,
               cut = mask[y * MADE_WIDTH + x] != 0;
      *n_object += object;
      *n_hits += object && cut;
      *n_wrong += !object && cut;
    }
}

/* A box around the object is enough; what lies outside is background, and every exact mask that of
 * a fresh solve. */
static void
test_outline_alone (MadeSession *fixture, gconstpointer data)
{
  for (FsModelKind model = 0; model < FS_N_MODELS; model++) {
    g_autoptr (FsSession) session = made_session (fixture->photo);
    session->settings.model = model;
    add_outline (session, 18, 14, 132, 96);
    g_assert_true (fs_session_write (session, fixture->session, NULL));
    ReplayCheckCounts counts;
    made_checked_replay (&(FsReplayJob){ .session = fixture->session, .mask = fixture->mask },
                         &counts);
    g_assert_cmpuint (counts.n_final, >=, 1);
    g_autofree uint8_t *mask = made_read_mask (fixture->mask);
    for (int y = 0; y < MADE_HEIGHT; y++)
      for (int x = 0; x < MADE_WIDTH; x++)
        if (x < 18 || x >= 132 || y < 14 || y >= 96)
          g_assert_cmpint (mask[y * MADE_WIDTH + x], ==, 0);
    int n_hits, n_object, n_wrong;
    count_hits (mask, &n_hits, &n_object, &n_wrong);
    g_assert_cmpint (n_hits, >=, n_object * 95 / 100);
    g_assert_cmpint (n_wrong, <=, n_object * 5 / 100);
  }
}

/* Strokes before, between and after two outlines, with masks that are kept. */
static void
test_outlines_among_strokes (MadeSession *fixture, gconstpointer data)
{
  g_autoptr (FsImage) image = made_image (1);
  g_autoptr (FsSession) session = made_session (fixture->photo);
  session->settings.stability = TRUE;
  made_add_stroke (session, 2, 4, 60, 55, 90, 55);
  made_add_stroke (session, 1, 5, 10, 10, 140, 12);
  add_outline (session, 30, 20, 110, 90);
  made_add_stroke (session, 2, 3, 75, 40, 80, 70);
  made_add_stroke (session, 0, 4, 5, 5, 25, 8);
  ((FsStroke *)session->strokes->pdata[3])->shape = FS_STROKE_PEN;
  add_outline (session, 12, 8, 138, 102);
  made_add_stroke (session, 2, 4, 45, 60, 100, 62);
  g_autofree uint8_t *recorded = made_record_stable (session, image);
  g_assert_true (fs_session_write (session, fixture->session, NULL));
  ReplayCheckCounts counts;
  made_checked_replay (&(FsReplayJob){ .session = fixture->session, .mask = fixture->mask },
                       &counts);
  g_assert_cmpuint (counts.n_final, >=, session->strokes->len);
  g_autofree uint8_t *checked = made_read_mask (fixture->mask);
  g_assert_cmpmem (checked, MADE_WIDTH * MADE_HEIGHT, recorded, MADE_WIDTH * MADE_HEIGHT);
}

#define ADD(path, function)                                                                        \
  g_test_add (path, MadeSession, NULL, made_set_up, function, made_tear_down)

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  ADD ("/outlines/alone", test_outline_alone);
  ADD ("/outlines/among-strokes", test_outlines_among_strokes);
  return g_test_run ();
}
