/* SPDX-License-Identifier: MIT */
/* What a guess adds to the links of a frame's band: its opinion where the moved silhouette says
 * that its part is meant, and nothing of parts that are not, or of a guess that is contradicted. */
#include "energy/frames/frame_guess.h"
#include "energy/guess/opinion.h"

#include <stdlib.h>
#include <string.h>

enum { W = 160, H = 120, HALF_WIDTH_PX = 5 };

typedef struct {
  FsImage *image;
  uint8_t mask[W * H];
  uint16_t guess[W * H];
  FsFrameBand band;
  FsFrameColours *colours;
  FsFrameEnergy energy;
} Scene;

static gboolean
is_in_disc (int i, int x, int y, int radius)
{
  const int dx = i % W - x, dy = i / W - y;
  return dx * dx + dy * dy < radius * radius;
}

static void
fill_energy (Scene *scene)
{
  g_assert_true (fs_frame_energy_fill (&scene->energy, scene->image, &scene->band, scene->colours));
}

/* An object at (60, 60) on ground of its own colour; what the guess says is filled later. */
static Scene *
scene_new (void)
{
  Scene *scene = g_new0 (Scene, 1);
  const FsRect window = { -3, 10, W - 10, H - 5 };
  scene->image = fs_image_new (W, H);
  for (int i = 0; i < W * H; i++) {
    scene->image->pixels[i] = FS_PIXEL (255, 90, 100, 110);
    scene->mask[i] = is_in_disc (i, 60, 60, 25);
  }
  const FsMovedMask moved = { scene->mask, W, H, 0, 0 };
  fs_frame_band_init (&scene->band);
  fs_frame_energy_init (&scene->energy);
  scene->colours = fs_frame_colours_new ();
  g_assert_true (fs_frame_band_make (&scene->band, &moved, window, HALF_WIDTH_PX));
  fs_frame_colours_weigh (scene->colours, scene->image, &scene->band);
  fill_energy (scene);
  return scene;
}

static void
scene_free (Scene *scene)
{
  fs_image_unref (scene->image);
  fs_frame_band_clear (&scene->band);
  fs_frame_colours_free (scene->colours);
  fs_frame_energy_clear (&scene->energy);
  g_free (scene);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Scene, scene_free)

/* How much each t-link of the window gains by the guess. */
static int32_t *
gains_of (Scene *scene, const FsSeedMap *strokes)
{
  const size_t n = (size_t)scene->band.width * (size_t)scene->band.height;
  int32_t *gain = g_memdup2 (scene->energy.tlink, n * sizeof *gain);
  /* Not of the frame's size, as a finished mask is. */
  g_autoptr (FsGuess) guess = fs_guess_new (scene->guess, W, H, W + 1, H);
  g_assert_true (fs_frame_guess_add (&scene->energy, &scene->band, guess, strokes, W, H));
  for (size_t p = 0; p < n; p++) {
    gain[p] = scene->energy.tlink[p] - gain[p];
    if (scene->band.state[p] != FS_FRAME_FREE)
      g_assert_cmpint (gain[p], ==, 0);
  }
  fill_energy (scene);
  return gain;
}

static int32_t
gain_at (const Scene *scene, const int32_t *gain, int x, int y)
{
  const size_t p = (size_t)(y - scene->band.window.y0) * (size_t)scene->band.width
                   + (size_t)(x - scene->band.window.x0);
  g_assert_cmpint (scene->band.state[p], ==, FS_FRAME_FREE);
  return gain[p];
}

/* Right of the border at (85, 60) and left of it, both free. */
enum { OUT_X = 87, IN_X = 82, AT_Y = 60 };

static void
test_meant (void)
{
  g_autoptr (Scene) scene = scene_new ();
  for (int i = 0; i < W * H; i++)
    scene->guess[i] = is_in_disc (i, 60, 60, 29) ? 65535 : 0;
  g_autofree int32_t *gain = gains_of (scene, NULL);
  g_assert_cmpint (gain_at (scene, gain, IN_X, AT_Y), ==, 256);
  g_assert_cmpint (gain_at (scene, gain, OUT_X, AT_Y), ==, 256);
  /* It says background outside. */
  for (int i = 0; i < W * H; i++)
    scene->guess[i] = is_in_disc (i, 60, 60, 21) ? 65535 : 0;
  g_autofree int32_t *less = gains_of (scene, NULL);
  g_assert_cmpint (gain_at (scene, less, IN_X, AT_Y), <, 0);
  g_assert_cmpint (gain_at (scene, less, OUT_X, AT_Y), <, 0);
}

/* Another thing beside the object, which the guess knows alone, says nothing. */
static void
test_something_else (void)
{
  g_autoptr (Scene) scene = scene_new ();
  for (int i = 0; i < W * H; i++)
    scene->guess[i] = is_in_disc (i, 99, 60, 14) ? 65535 : 0;
  g_autofree int32_t *gain = gains_of (scene, NULL);
  g_assert_cmpint (gain_at (scene, gain, OUT_X, AT_Y), ==, 0);
  g_assert_cmpint (gain_at (scene, gain, IN_X, AT_Y), ==, 0);
}

/* A guess that reaches far beyond the object is not trusted round it. */
static void
test_contradicted (void)
{
  g_autoptr (Scene) scene = scene_new ();
  for (int i = 0; i < W * H; i++)
    scene->guess[i] = 65535;
  g_autofree int32_t *gain = gains_of (scene, NULL);
  g_assert_cmpint (abs (gain_at (scene, gain, OUT_X, AT_Y)), <, 128);
}

/* A person's stroke on the thing beside says that it is meant, too. */
static void
test_strokes (void)
{
  g_autoptr (Scene) scene = scene_new ();
  g_autoptr (FsSeedMap) strokes = fs_seed_map_new (W, H);
  for (int i = 0; i < W * H; i++)
    scene->guess[i] = is_in_disc (i, 60, 60, 20) || is_in_disc (i, 99, 60, 14) ? 65535 : 0;
  g_autofree int32_t *without = gains_of (scene, strokes);
  fs_seed_map_set_run (strokes, 60, 95, 105, FS_SEED_OBJECT);
  g_autofree int32_t *with = gains_of (scene, strokes);
  g_assert_cmpint (gain_at (scene, without, OUT_X, AT_Y), <=, 0);
  g_assert_cmpint (gain_at (scene, with, OUT_X, AT_Y), >, 100);
}

static void
test_confirms (void)
{
  g_autoptr (Scene) scene = scene_new ();
  uint16_t small[40 * 30];
  for (int i = 0; i < 40 * 30; i++)
    small[i] = is_in_disc (4 * (i / 40) * W + 4 * (i % 40), 75, 55, 25) ? 60000 : 3000;
  g_autoptr (FsGuess) guess = fs_guess_new (small, 40, 30, W, H);
  FsMovedMask moved = { scene->mask, W, H, 15, -5 };
  g_assert_true (fs_frame_guess_confirms (guess, &moved));
  moved.dx = -15;
  g_assert_false (fs_frame_guess_confirms (guess, &moved));
  moved.dx = W;
  g_assert_false (fs_frame_guess_confirms (guess, &moved));
  memset (small, 0, sizeof small);
  g_autoptr (FsGuess) nothing = fs_guess_new (small, 40, 30, W, H);
  moved.dx = 15;
  g_assert_false (fs_frame_guess_confirms (nothing, &moved));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/frame guess/meant", test_meant);
  g_test_add_func ("/frame guess/something else", test_something_else);
  g_test_add_func ("/frame guess/contradicted", test_contradicted);
  g_test_add_func ("/frame guess/strokes", test_strokes);
  g_test_add_func ("/frame guess/confirms", test_confirms);
  return g_test_run ();
}
