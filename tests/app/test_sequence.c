/* SPDX-License-Identifier: MIT */
/* An object through a sequence: masks that are known, the same ones with and without re-use and
 * after going on from what was written, objects that leave, and memory that ends. */
#include "app/frames.h"
#include "app/sequence.h"
#include "energy/energy.h"
#include "solver/checked_memory.h"
#include "tests/app/moving_object.h"

#include <math.h>
#include <string.h>

enum { WIDTH = FS_MOVING_WIDTH, HEIGHT = FS_MOVING_HEIGHT, N_PIXELS = WIDTH * HEIGHT };

static double
overlap (const uint8_t *a, const uint8_t *b)
{
  int both = 0, any = 0;
  for (int p = 0; p < N_PIXELS; p++) {
    both += a[p] & b[p];
    any += a[p] | b[p];
  }
  return any ? (double)both / any : 1;
}

static FsSequence *
begin (const FsSequenceOptions *options, const MovingObject *first)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsImage) image = moving_object_frame (first);
  g_autofree uint8_t *mask = moving_object_mask (first);
  FsSequence *sequence = fs_sequence_new (options);
  g_assert_nonnull (sequence);
  fs_sequence_begin (sequence, image, mask, &error);
  g_assert_no_error (error);
  return sequence;
}

/* Round and about, and growing. */
static MovingObject
at (int i)
{
  return (MovingObject){ .x = 70 + 3 * i,
                         .y = 60 + (int)(12 * sin (i * 0.7)),
                         .radius = 24 + i % 5,
                         .noise = (guint)i + 1 };
}

static void
test_known_masks (void)
{
  FsSequenceOptions options = { 0 };
  MovingObject now = at (0);
  g_autoptr (FsSequence) sequence = begin (&options, &now);
  g_autofree uint8_t *mask = g_malloc (N_PIXELS);
  for (int i = 1; i < 12; i++) {
    g_autoptr (GError) error = NULL;
    now = at (i);
    g_autoptr (FsImage) image = moving_object_frame (&now);
    g_autofree uint8_t *truth = moving_object_mask (&now);
    FsSequenceStep step;
    fs_sequence_next (sequence, image, mask, &step, &error);
    g_assert_no_error (error);
    g_assert_true (step.solution.exact);
    g_assert_cmpint (step.solution.energy, ==, step.solution.bound);
    g_assert_cmpfloat (overlap (mask, truth), >, 0.95);
    g_assert_cmpint (abs (step.shift.dx - 3), <=, 8);
    g_assert_cmpuint (step.n_free, <, N_PIXELS / 2);
  }
}

/* With and without re-use, and from a sequence that has just gone on: bit for bit. */
static void
test_reuse (void)
{
  FsSequenceOptions with = { 0 }, without = { .no_reuse = TRUE };
  MovingObject first = at (0);
  g_autoptr (FsSequence) kept = begin (&with, &first), fresh = begin (&without, &first);
  g_autofree uint8_t *a = g_malloc (N_PIXELS), *b = g_malloc (N_PIXELS), *c = g_malloc (N_PIXELS);
  g_autoptr (FsImage) before = moving_object_frame (&first);
  g_autofree uint8_t *former = moving_object_mask (&first);
  int n_reused = 0;
  for (int i = 1; i < 16; i++) {
    g_autoptr (GError) error = NULL;
    MovingObject now = at (i);
    g_autoptr (FsImage) image = moving_object_frame (&now);
    g_autoptr (FsSequence) resumed = begin (&with, &first);
    FsSequenceStep step;
    fs_sequence_go_on (resumed, before, former, &error);
    g_assert_no_error (error);
    fs_sequence_next (resumed, image, c, NULL, &error);
    g_assert_no_error (error);
    fs_sequence_next (kept, image, a, &step, &error);
    g_assert_no_error (error);
    n_reused += step.is_reused;
    fs_sequence_next (fresh, image, b, &step, &error);
    g_assert_no_error (error);
    g_assert_false (step.is_reused);
    g_assert_cmpmem (a, N_PIXELS, b, N_PIXELS);
    g_assert_cmpmem (a, N_PIXELS, c, N_PIXELS);
    fs_image_unref (g_steal_pointer (&before));
    before = g_steal_pointer (&image);
    memcpy (former, a, N_PIXELS);
  }
  g_assert_cmpint (n_reused, >=, 10);
}

/* A failure leaves the sequence as it was. */
static void
test_object_lost (void)
{
  FsSequenceOptions options = { 0 };
  MovingObject first = at (0), next = at (1);
  g_autoptr (FsSequence) sequence = begin (&options, &first);
  g_autoptr (GError) error = NULL;
  g_autofree uint8_t *nothing = g_malloc0 (N_PIXELS), *mask = g_malloc (N_PIXELS);
  g_autofree uint8_t *truth = moving_object_mask (&next);
  g_autoptr (FsImage) image = moving_object_frame (&next);
  g_autoptr (FsSequence) empty = fs_sequence_new (&options);
  fs_sequence_begin (empty, image, nothing, &error);
  g_assert_no_error (error);
  g_assert_false (fs_sequence_next (empty, image, mask, NULL, &error));
  g_assert_error (error, FS_FRAMES_ERROR, FS_FRAMES_ERROR_LOST);
  g_clear_error (&error);
  fs_sequence_next (sequence, image, mask, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (overlap (mask, truth), >, 0.95);
}

static void
test_memory (void)
{
  FsSequenceOptions options = { 0 };
  MovingObject first = at (0), next = at (1);
  g_autoptr (FsImage) image = moving_object_frame (&next);
  g_autofree uint8_t *truth = moving_object_mask (&next), *mask = g_malloc (N_PIXELS);
  gboolean done = FALSE;
  int n_refused = 0;
  for (int n = 0; !done && n < 200; n++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (FsSequence) sequence = begin (&options, &first);
    fs_memory_fail_after (n, FALSE);
    done = fs_sequence_next (sequence, image, mask, NULL, &error);
    fs_memory_fail_after (-1, FALSE);
    if (done)
      break;
    g_assert_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY);
    g_clear_error (&error);
    n_refused++;
    fs_sequence_next (sequence, image, mask, NULL, &error);
    g_assert_no_error (error);
    g_assert_cmpfloat (overlap (mask, truth), >, 0.95);
  }
  g_assert_true (done);
  g_assert_cmpint (n_refused, >, 5);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sequence/known-masks", test_known_masks);
  g_test_add_func ("/sequence/reuse", test_reuse);
  g_test_add_func ("/sequence/object-lost", test_object_lost);
  g_test_add_func ("/sequence/memory", test_memory);
  return g_test_run ();
}
