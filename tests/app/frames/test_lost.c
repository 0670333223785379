/* SPDX-License-Identifier: MIT */
/* An object that is lost is noticed, also beside things of its colours; one that is there is not
 * called lost. Clips are made up; bench_lost has more of them. */
#include "app/frames/follow/sequence.h"
#include "app/frames/list/frames.h"
#include "app/frames/follow/previous_background.h"
#include "tests/app/frames/made_clip.h"

#include <string.h>

enum { WIDTH = FS_MADE_WIDTH, HEIGHT = FS_MADE_HEIGHT, N_PIXELS = WIDTH * HEIGHT };
enum { WORDS = FS_SEQUENCE_FOUND_AGAIN | FS_SEQUENCE_DOUBTFUL | FS_SEQUENCE_SMALL };
/* Of clips in which it is lost, and of the others. */
enum { BEGIN = 7, END = 26, LAST = 14 };

static int
count (const uint8_t *mask)
{
  int n = 0;
  for (int p = 0; p < N_PIXELS; p++)
    n += mask[p];
  return n;
}

static double
overlap (const uint8_t *a, const uint8_t *b)
{
  int both = 0, any = 0;
  for (int p = 0; p < N_PIXELS; p++) {
    both += a[p] & b[p];
    any += a[p] | b[p];
  }
  return any ? (double)both / any : 0;
}

/* What happened in a clip from one frame to another. */
typedef struct {
  int n_gone, n_silent; /* frames without the object, and those of which nothing is said */
  int delay;            /* frames until something is; -1: never */
  int n_called_lost;    /* that are not */
  int n_doubted;        /* with a good mask */
} Story;

static void
add_frame (Story *story, int share, gboolean has_mask, gboolean has_word, double iou)
{
  if (share < 5) {
    if (has_word && story->delay < 0)
      story->delay = story->n_gone;
    story->n_gone++;
    story->n_silent += !has_word;
  } else if (share >= 30) {
    story->n_called_lost += !has_mask;
    story->n_doubted += has_mask && has_word && iou >= 0.8;
  }
}

static Story
follow (MadeKind kind, unsigned v, int begin, int end)
{
  Story story = { .delay = -1 };
  FsSequenceOptions none = { 0 };
  g_autofree uint8_t *seen = g_malloc (N_PIXELS), *mask = g_malloc (N_PIXELS);
  g_autoptr (FsSequence) sequence = fs_sequence_new (&none);
  g_autoptr (FsImage) first = made_clip_frame (kind, v, begin, seen);
  int n_first = count (seen);
  g_assert_true (fs_sequence_begin (sequence, first, seen, NULL));
  for (int t = begin + 1; t <= end; t++) {
    g_autoptr (GError) error = NULL;
    FsSequenceStep step;
    g_autoptr (FsImage) image = made_clip_frame (kind, v, t, seen);
    gboolean has_mask = fs_sequence_next (sequence, image, mask, &step, &error);
    if (!has_mask)
      g_assert_error (error, FS_FRAMES_ERROR, FS_FRAMES_ERROR_LOST);
    add_frame (&story, 100 * count (seen) / n_first, has_mask, !has_mask || step.events & WORDS,
               has_mask ? overlap (mask, seen) : 0);
  }
  g_test_message ("%s: %d gone, %d silent, delay %d; %d called lost, %d doubted",
                  made_clip_name (kind), story.n_gone, story.n_silent, story.delay,
                  story.n_called_lost, story.n_doubted);
  return story;
}

static void
test_noticed (void)
{
  static const MadeKind kinds[] = { FS_MADE_TURN, FS_MADE_TURN_PAN, FS_MADE_PILLAR_ALIKE };
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    Story story = follow (kinds[i], 0, BEGIN, END);
    g_assert_cmpint (story.n_gone, >=, 3);
    g_assert_cmpint (story.delay, >=, 0);
    g_assert_cmpint (story.delay, <=, 1);
    g_assert_cmpint (story.n_silent, <=, 2);
    g_assert_cmpint (story.n_doubted, ==, 0);
  }
}

static void
test_there (void)
{
  static const MadeKind kinds[] = { FS_MADE_TURN_PART, FS_MADE_PAN, FS_MADE_CAMOUFLAGE };
  for (guint i = 0; i < G_N_ELEMENTS (kinds); i++) {
    Story story = follow (kinds[i], 0, 0, LAST);
    g_assert_cmpint (story.n_gone, ==, 0);
    g_assert_cmpint (story.n_called_lost, ==, 0);
    g_assert_cmpint (story.n_doubted, ==, 0);
  }
}

/* --- background of the first frame ------------------------------------------------------------ */

static void
put_box (uint8_t *mask, int x0, int y0, int x1, int y1)
{
  memset (mask, 0, N_PIXELS);
  for (int y = y0; y < y1; y++)
    memset (mask + y * WIDTH + x0, 1, (size_t)(x1 - x0));
}

static FsImage *
move_image (const FsImage *image, int dx, int dy, int light)
{
  FsImage *moved = fs_image_new (WIDTH, HEIGHT);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++) {
      int u = CLAMP (x - dx, 0, WIDTH - 1), v = CLAMP (y - dy, 0, HEIGHT - 1);
      uint32_t pixel = image->pixels[v * WIDTH + u];
      moved->pixels[y * WIDTH + x] =
          FS_PIXEL (255, (uint8_t)MIN (255, (int)FS_PIXEL_R (pixel) + light),
                    (uint8_t)MIN (255, (int)FS_PIXEL_G (pixel) + light),
                    (uint8_t)MIN (255, (int)FS_PIXEL_B (pixel) + light));
    }
  return moved;
}

static void
test_background (void)
{
  g_autofree uint8_t *seen = g_malloc (N_PIXELS), *mask = g_malloc (N_PIXELS);
  g_autoptr (FsImage) first = made_clip_frame (FS_MADE_STILL, 1, 0, seen);
  static const FsShift shifts[] = { { 0, 0 }, { 37, -12 }, { -60, 20 } };
  g_assert_cmpfloat (fs_previous_background_fraction (first, seen, first, seen), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (shifts); i++) {
    g_autoptr (FsImage) moved = move_image (first, shifts[i].dx, shifts[i].dy, 0);
    put_box (mask, 150, 60, 170, 90);
    g_assert_cmpfloat (fs_previous_background_fraction (first, seen, moved, mask), >, 0.95);
    memset (mask, 0, N_PIXELS);
    for (int y = 0; y < HEIGHT; y++)
      for (int x = 0; x < WIDTH; x++) {
        int u = x - shifts[i].dx, v = y - shifts[i].dy;
        mask[y * WIDTH + x] = u >= 0 && v >= 0 && u < WIDTH && v < HEIGHT && seen[v * WIDTH + u];
      }
    g_assert_cmpfloat (fs_previous_background_fraction (first, seen, moved, mask), ==, 0);
  }
  /* In other light nothing is known, nor where all of it is object. */
  g_autoptr (FsImage) lit = move_image (first, 0, 0, 60);
  put_box (mask, 150, 60, 170, 90);
  g_assert_cmpfloat (fs_previous_background_fraction (first, seen, lit, mask), ==, 0);
  memset (seen, 1, N_PIXELS);
  g_assert_cmpfloat (fs_previous_background_fraction (first, seen, first, mask), ==, 0);
}

static void
test_classify (void)
{
  static const struct {
    FsLostSigns signs;
    FsLostClass expected;
  } cases[] = {
    { { 0, 1, 0, 1 }, FS_LOST_THERE },        { { 0.45, 1, 0, 1 }, FS_LOST_THERE },
    { { 0.6, 1, 0, 1 }, FS_LOST_DOUBTFUL },   { { 0.8, 1, 0, 1 }, FS_LOST_BACKGROUND },
    { { 0, 0.1, 0.1, 1 }, FS_LOST_THERE },    { { 0, 0.7, 0.9, 1 }, FS_LOST_THERE },
    { { 0, 0.5, 0.3, 1 }, FS_LOST_DOUBTFUL }, { { 0, 0.4, 0.3, 1 }, FS_LOST_COLOURS },
    { { 0, 1, 0, 0.01 }, FS_LOST_SMALL },
  };
  for (guint i = 0; i < G_N_ELEMENTS (cases); i++)
    g_assert_cmpint (fs_lost_signs_classify (&cases[i].signs), ==, cases[i].expected);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/app/lost/noticed", test_noticed);
  g_test_add_func ("/app/lost/there", test_there);
  g_test_add_func ("/app/lost/background", test_background);
  g_test_add_func ("/app/lost/classify", test_classify);
  return g_test_run ();
}
