/* SPDX-License-Identifier: MIT */
/* There is work exactly when a step does something, whatever is drawn, and whenever fits end. */
#include "app/live/live_cut.h"
#include "app/live/live_cut_internal.h"
#include "tests/app/live/held_fitter.h"

#include <stdbool.h>

typedef struct {
  FsImage *image;
  FsLiveCut *cut;
  FsLiveInterrupt interrupt;
  FsMailbox *mailbox;
  guint64 generation;
  FsLiveState state; /* of the last publication */
  int n_published;
  uint8_t *mask, *tiles;
  bool *taken; /* [FS_LIVE_STEP_UPDATE + 1], or NULL: steps that were taken */
} Loop;

static void
on_published (gpointer data)
{
  ((Loop *)data)->n_published++;
}

static void
on_fit_done (gpointer data)
{
}

static FsImage *
make_image (GRand *rand, int width, int height)
{
  FsImage *image = fs_image_new (width, height);
  for (int i = 0; i < width * height; i++) {
    guint base = (i % width / 9 + i / width / 9) % 2 ? 140 : 80;
    guint noise = (guint)g_rand_int_range (rand, 0, 100);
    image->pixels[i] = FS_PIXEL (255, base + noise, base + noise / 3, 220 - base);
  }
  return image;
}

static void
loop_init (Loop *loop, GRand *rand, int width, int height)
{
  FsSettings settings = FS_SETTINGS_DEFAULT;
  settings.stability = g_rand_boolean (rand);
  settings.star = g_rand_boolean (rand);
  gsize n = (gsize)width * (gsize)height;
  *loop = (Loop){ .image = make_image (rand, width, height),
                  .mask = g_malloc0 (n),
                  .tiles = g_malloc0 (n) };
  loop->cut = fs_live_cut_new (loop->image, &settings, on_fit_done, loop);
  loop->mailbox = fs_mailbox_new (width, height, on_published, loop);
  g_assert_true (fs_live_cut_is_ready (loop->cut));
}

static void
loop_clear (Loop *loop)
{
  fs_live_cut_free (loop->cut);
  fs_mailbox_free (loop->mailbox);
  fs_image_unref (loop->image);
  g_free (loop->mask);
  g_free (loop->tiles);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Loop, loop_clear)

static void
edit (Loop *loop, FsEdit edit)
{
  fs_live_cut_apply (loop->cut, &edit, ++loop->generation, g_get_monotonic_time ());
}

static void
extend (Loop *loop, float x, float y)
{
  FsSample sample = { x, y, 1, 0 };
  edit (loop, (FsEdit){ .kind = FS_EDIT_EXTEND, .samples = &sample, .n_samples = 1 });
}

typedef struct {
  FsMaskState mask;
  FsFitState fit;
  guint inputs;
  int n_published;
} Situation;

static Situation
look (Loop *loop)
{
  FsFitState fit = fs_fitter_get_state (loop->cut->fitter);
  return (Situation){ loop->cut->mask, fit, fs_live_cut_get_inputs (loop->cut), loop->n_published };
}

static bool
is_same (Situation a, Situation b)
{
  return a.mask == b.mask && a.fit == b.fit && a.inputs == b.inputs
         && a.n_published == b.n_published;
}

/* Steps that are not interrupted, until there is no more work: each of them does something, and one
 * more would not. */
static void
drain (Loop *loop)
{
  g_autoptr (GError) error = NULL;
  int n = 0;
  for (bool has_work = true; has_work;) {
    Situation before = look (loop);
    if (loop->taken)
      loop->taken[fs_live_next_step (before.mask, before.fit, before.inputs)] = true;
    has_work = fs_live_cut_has_work (loop->cut);
    FsStepResult result = fs_live_cut_step (loop->cut, &loop->interrupt, loop->mailbox, &error);
    g_assert_no_error (error);
    if (has_work == is_same (before, look (loop)))
      g_error ("mask %d, fit %d, inputs %x: there is %s, and a step did %s", before.mask,
               before.fit, before.inputs, has_work ? "work" : "no work",
               has_work ? "nothing" : "something");
    g_assert_true (has_work || result == FS_STEP_DONE);
    g_assert_cmpint (++n, <, 30);
  }
  g_assert_true (fs_mailbox_collect (loop->mailbox, loop->mask, loop->tiles, &loop->state, &error));
  g_assert_no_error (error);
  g_assert_cmpuint (loop->state.generation, ==, loop->generation);
}

/* A step that is interrupted by an edit that only adds to it, or by one that makes it pointless. */
static void
step_in_a_hurry (Loop *loop, bool overtaken)
{
  g_autoptr (GError) error = NULL;
  atomic_store (&loop->interrupt.newer, true);
  atomic_store (&loop->interrupt.overtaken, overtaken);
  fs_live_cut_step (loop->cut, &loop->interrupt, loop->mailbox, &error);
  atomic_store (&loop->interrupt.newer, false);
  atomic_store (&loop->interrupt.overtaken, false);
  g_assert_no_error (error);
}

/* Before any edit the empty mask is published once, as final. */
static void
test_first_steps (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_auto (Loop) loop;
  loop_init (&loop, rand, 48, 36);
  drain (&loop);
  g_assert_cmpint (loop.n_published, ==, 1);
  g_assert_true (loop.state.is_final && !loop.state.has_mask);
}

static void
paint_dot (Loop *loop, uint8_t label, float radius_px, float x, float y)
{
  edit (loop, (FsEdit){ .kind = FS_EDIT_BEGIN, .label = label, .radius_px = radius_px });
  extend (loop, x, y);
  edit (loop, (FsEdit){ .kind = FS_EDIT_END });
}

/* While an eraser is down that has taken the last seed, the fit that was cancelled by that ends:
 * the empty mask is final then, and not only when the eraser is lifted. */
static void
test_fit_ends_while_the_last_seed_is_erased (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_auto (Loop) loop;
  loop_init (&loop, rand, 48, 36);
  paint_dot (&loop, FS_SEED_OBJECT, 2, 20, 20);
  drain (&loop);
  paint_dot (&loop, FS_SEED_BACKGROUND, 2, 28, 20);
  drain (&loop);
  g_assert_cmpint (fs_fitter_get_state (loop.cut->fitter), ==, FS_FIT_RUNNING);
  edit (&loop, (FsEdit){ .kind = FS_EDIT_BEGIN, .label = FS_SEED_NONE, .radius_px = 30 });
  extend (&loop, 24, 20);
  drain (&loop);
  g_assert_false (loop.state.has_mask);
  g_assert_false (loop.state.is_final);
  held_fitter_end (loop.cut->fitter, FALSE);
  g_assert_true (fs_live_cut_has_work (loop.cut));
  drain (&loop);
  g_assert_true (loop.state.is_final);
}

/* On a photo that is large enough for previews. */
static void
test_preview_of_a_fit (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (1);
  g_auto (Loop) loop;
  loop_init (&loop, rand, 820, 620);
  paint_dot (&loop, FS_SEED_OBJECT, 20, 200, 200);
  drain (&loop);
  paint_dot (&loop, FS_SEED_BACKGROUND, 20, 600, 400);
  drain (&loop);
  guint64 fitted = loop.state.models_generation;
  int n_published = loop.n_published;
  held_fitter_preview (loop.cut->fitter);
  drain (&loop);
  g_assert_cmpint (loop.n_published, ==, n_published + 1);
  g_assert_false (loop.state.exact);
  held_fitter_end (loop.cut->fitter, FALSE);
  drain (&loop);
  g_assert_true (loop.state.exact && loop.state.is_final);
  g_assert_cmpuint (loop.state.models_generation, >, fitted);
}

/* --- random work ------------------------------------------------------------------------------ */

static void
begin (Loop *loop, GRand *rand)
{
  static const uint8_t labels[] = { FS_SEED_NONE, FS_SEED_BACKGROUND, FS_SEED_OBJECT };
  bool is_outline = g_rand_int_range (rand, 0, 5) == 0;
  int scale = loop->image->width / 48;
  edit (loop,
        (FsEdit){ .kind = FS_EDIT_BEGIN,
                  .shape = is_outline ? FS_STROKE_OUTLINE : FS_STROKE_BRUSH,
                  .label = is_outline ? FS_SEED_BACKGROUND : labels[g_rand_int_range (rand, 0, 3)],
                  .radius_px = (float)(scale * (g_rand_int_range (rand, 0, 4) ? 2 : 40)) });
}

static void
change_settings (Loop *loop, GRand *rand)
{
  FsSettings settings = FS_SETTINGS_DEFAULT;
  settings.star = g_rand_boolean (rand);
  edit (loop, (FsEdit){ .kind = FS_EDIT_SETTINGS, .settings = settings });
}

static void
change_guess (Loop *loop, GRand *rand)
{
  uint16_t plane[12];
  for (int i = 0; i < 12; i++)
    plane[i] = (uint16_t)g_rand_int_range (rand, 0, 65536);
  g_autoptr (FsGuess) guess = NULL;
  if (g_rand_boolean (rand))
    guess = fs_guess_new (plane, 4, 3, loop->image->width, loop->image->height);
  edit (loop, (FsEdit){ .kind = FS_EDIT_GUESS, .guess = guess });
}

static void
edit_at_random (Loop *loop, GRand *rand)
{
  bool is_drawing = fs_live_cut_is_drawing (loop->cut);
  int which = g_rand_int_range (rand, 0, 12);
  if (is_drawing && which < 8) {
    extend (loop, (float)g_rand_double_range (rand, 0, loop->image->width),
            (float)g_rand_double_range (rand, 0, loop->image->height));
    return;
  }
  if (is_drawing)
    edit (loop, (FsEdit){ .kind = which == 8 ? FS_EDIT_CANCEL : FS_EDIT_END });
  else if (which < 8)
    begin (loop, rand);
  else if (which == 8)
    change_settings (loop, rand);
  else if (which == 9)
    change_guess (loop, rand);
  else
    edit (loop, (FsEdit){ .kind = which == 10 ? FS_EDIT_REDO : FS_EDIT_UNDO });
}

static void
work_at_random (Loop *loop, GRand *rand, int n)
{
  for (int i = 0; i < n; i++) {
    int which = g_rand_int_range (rand, 0, 10);
    if (which < 4)
      edit_at_random (loop, rand);
    else if (which < 6)
      step_in_a_hurry (loop, g_rand_boolean (rand));
    else if (which < 7)
      held_fitter_preview (loop->cut->fitter);
    else if (which < 8)
      held_fitter_end (loop->cut->fitter, g_rand_int_range (rand, 0, 20) == 0);
    else
      drain (loop);
  }
  if (fs_live_cut_is_drawing (loop->cut))
    edit (loop, (FsEdit){ .kind = FS_EDIT_END });
  for (int i = 0; i < 3; i++) { /* one that was cancelled, and the last */
    drain (loop);
    held_fitter_end (loop->cut->fitter, FALSE);
  }
  g_assert_true (loop->state.is_final && loop->state.exact);
}

static void
walk (GRand *rand, int width, int height, int n, bool taken[])
{
  g_auto (Loop) loop;
  loop_init (&loop, rand, width, height);
  loop.taken = taken;
  work_at_random (&loop, rand, n);
}

/* On small photos, which know no previews, and on one that is just large enough for them. Every
 * step is taken; that of a preview of a fit is above. */
static void
test_random_work (void)
{
  static bool taken[FS_LIVE_STEP_UPDATE + 1];
  g_autoptr (GRand) rand = g_rand_new_with_seed (2);
  for (int i = 0; i < 60; i++)
    walk (rand, 48, 36, 80, taken);
  walk (rand, 820, 620, 40, taken);
  for (int step = 0; step <= FS_LIVE_STEP_UPDATE; step++)
    if (!taken[step] && step != FS_LIVE_STEP_SHOW_FIT)
      g_error ("step %d was never taken", step);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/live-work/first-steps", test_first_steps);
  g_test_add_func ("/live-work/preview-of-a-fit", test_preview_of_a_fit);
  g_test_add_func ("/live-work/fit-ends-while-the-last-seed-is-erased",
                   test_fit_ends_while_the_last_seed_is_erased);
  g_test_add_func ("/live-work/random-work", test_random_work);
  return g_test_run ();
}
