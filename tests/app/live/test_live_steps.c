/* SPDX-License-Identifier: MIT */
/* The live loop step by step, on this thread: whatever comes between the edits, a published mask
 * holds every seed of its generation. */
#include "app/live/live_cut.h"
#include "app/strokes/history.h"

#include <stdbool.h>
#include <string.h>

enum { W = 960, H = 640 };

/* Hard enough for the exact mask to come later than the next edit. */
static FsImage *
make_image (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  FsImage *image = fs_image_new (W, H);
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++) {
      guint base = (x / 60 + y / 60) % 2 ? 140 : 80;
      guint noise = (guint)g_rand_int_range (rand, 0, 100);
      image->pixels[y * W + x] = FS_PIXEL (255, base + noise, base + noise / 3, 220 - base);
    }
  return image;
}

typedef struct {
  FsLiveCut *cut;
  FsLiveInterrupt interrupt;
  FsMailbox *mailbox;
  FsHistory *history; /* the test's own */
  guint64 generation;
  uint8_t *mask;
  uint8_t *tiles;
  GMutex lock;
  GCond fitted;
  int n_previews, n_exact;
} Loop;

static void
on_wake (gpointer data)
{
}

static void
on_fit_done (gpointer data)
{
  Loop *loop = data;
  g_mutex_lock (&loop->lock);
  g_cond_signal (&loop->fitted);
  g_mutex_unlock (&loop->lock);
}

static Loop *
loop_new (FsImage *image)
{
  Loop *loop = g_new0 (Loop, 1);
  g_mutex_init (&loop->lock);
  g_cond_init (&loop->fitted);
  loop->cut = fs_live_cut_new (image, &FS_SETTINGS_DEFAULT, on_fit_done, loop);
  g_assert_true (fs_live_cut_is_ready (loop->cut));
  loop->mailbox = fs_mailbox_new (W, H, on_wake, NULL);
  loop->history = fs_history_new (W, H, NULL);
  loop->mask = g_malloc0 ((gsize)W * H);
  loop->tiles = g_malloc0 ((gsize)W * H);
  return loop;
}

static void
loop_free (Loop *loop)
{
  fs_live_cut_free (loop->cut);
  fs_mailbox_free (loop->mailbox);
  fs_history_free (loop->history);
  g_mutex_clear (&loop->lock);
  g_cond_clear (&loop->fitted);
  g_free (loop->mask);
  g_free (loop->tiles);
  g_free (loop);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Loop, loop_free)

static void
assert_seeds (Loop *loop, const FsLiveState *state)
{
  const FsSeedMap *seeds = fs_history_get_seeds (loop->history);
  for (int i = 0; i < W * H; i++)
    if (seeds->label[i] != FS_SEED_NONE && loop->mask[i] != (seeds->label[i] != FS_SEED_BACKGROUND))
      g_error ("the %s of generation %" G_GUINT64_FORMAT " lacks the seed at (%d, %d)",
               state->exact ? "exact mask" : "preview", state->generation, i % W, i / W);
}

/* One step; `hurried` as if the next edit waited already. */
static void
step (Loop *loop, gboolean hurried)
{
  g_autoptr (GError) error = NULL;
  atomic_store (&loop->interrupt.newer, hurried);
  fs_live_cut_step (loop->cut, &loop->interrupt, loop->mailbox, &error);
  g_assert_no_error (error);
  FsLiveState state;
  g_assert_true (fs_mailbox_collect (loop->mailbox, loop->mask, loop->tiles, &state, &error));
  if (state.generation != loop->generation || !state.has_mask)
    return;
  loop->n_exact += state.exact;
  loop->n_previews += !state.exact;
  assert_seeds (loop, &state);
}

static void
edit (Loop *loop, const FsEdit *edit)
{
  fs_live_cut_apply (loop->cut, edit, ++loop->generation, g_get_monotonic_time ());
  if (edit->kind == FS_EDIT_BEGIN)
    fs_history_begin (loop->history, edit->label, edit->radius_px);
  else if (edit->kind == FS_EDIT_EXTEND)
    fs_history_extend (loop->history, edit->samples, edit->n_samples, NULL);
  else if (edit->kind == FS_EDIT_END)
    fs_history_end (loop->history);
  else if (edit->kind == FS_EDIT_UNDO)
    fs_history_undo (loop->history, NULL, NULL);
}

/* Some steps, as many as a loop has time for before the next edit comes, and a rest for the thread
 * that fits. */
static void
pass_time (Loop *loop, GRand *rand)
{
  for (int i = g_rand_int_range (rand, 0, 4); i > 0 && fs_live_cut_has_work (loop->cut); i--)
    step (loop, g_rand_boolean (rand));
  if (g_rand_int_range (rand, 0, 3) == 0)
    g_usleep ((gulong)g_rand_int_range (rand, 0, 20000));
}

static void
paint_stroke (Loop *loop, GRand *rand, uint8_t label)
{
  edit (loop, &(FsEdit){ .kind = FS_EDIT_BEGIN, .label = label, .radius_px = 6 });
  float x = (float)g_rand_double_range (rand, 50, W - 50);
  float y = (float)g_rand_double_range (rand, 50, H - 50);
  float dx = (float)g_rand_double_range (rand, -25, 25);
  float dy = (float)g_rand_double_range (rand, -25, 25);
  for (int i = 0; i < 10; i++) {
    FsSample sample = { x + dx * (float)i, y + dy * (float)i, 1, 0 };
    edit (loop, &(FsEdit){ .kind = FS_EDIT_EXTEND, .samples = &sample, .n_samples = 1 });
    pass_time (loop, rand);
  }
  edit (loop, &(FsEdit){ .kind = FS_EDIT_END });
  pass_time (loop, rand);
}

/* Runs until nothing is left to do; then the mask is final. */
static void
finish_loop (Loop *loop)
{
  gint64 deadline_us = g_get_monotonic_time () + 60 * G_USEC_PER_SEC;
  FsLiveState state = { 0 };
  while (!state.is_final || state.generation != loop->generation) {
    g_assert_cmpint (g_get_monotonic_time (), <, deadline_us);
    while (fs_live_cut_has_work (loop->cut))
      step (loop, FALSE);
    fs_mailbox_collect (loop->mailbox, loop->mask, loop->tiles, &state, NULL);
    g_mutex_lock (&loop->lock);
    if (!fs_live_cut_has_work (loop->cut))
      g_cond_wait_until (&loop->fitted, &loop->lock, g_get_monotonic_time () + 5000);
    g_mutex_unlock (&loop->lock);
  }
  g_assert_true (state.exact);
}

/* The first strokes of each side, where models are fitted in the midst of a stroke, many times. */
static void
test_masks_hold_their_seeds (void)
{
  g_autoptr (FsImage) image = make_image ();
  g_autoptr (GRand) rand = g_rand_new_with_seed (12);
  for (int round = 0; round < 5; round++) {
    g_autoptr (Loop) loop = loop_new (image);
    step (loop, FALSE);
    for (int i = 0; i < 4; i++) {
      paint_stroke (loop, rand, i % 2 ? FS_SEED_BACKGROUND : FS_SEED_OBJECT);
      if (i == 2 && round % 2) {
        edit (loop, &(FsEdit){ .kind = FS_EDIT_UNDO });
        pass_time (loop, rand);
      }
    }
    finish_loop (loop);
    g_assert_cmpint (loop->n_previews, >, 0);
    g_assert_cmpint (loop->n_exact, >, 0);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/live-steps/masks-hold-their-seeds", test_masks_hold_their_seeds);
  return g_test_run ();
}
