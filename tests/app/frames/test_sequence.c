/* SPDX-License-Identifier: MIT */
/* An object through a sequence: masks that are known, the same ones with and without re-use and
 * after going on from what was written, objects that leave, and memory that ends. */
#include "app/frames/follow/sequence.h"
#include "app/frames/list/frames.h"
#include "energy/energy.h"
#include "solver/cuda/cuda_backend.h"
#include "solver/kernels/cuda/engine_host.h"
#include "tests/app/frames/moving_object.h"
#include "tests/faults/faults.h"

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

/* With re-use, and from a sequence that has just gone on and has nothing to re-use: bit for bit. */
static void
test_reuse (void)
{
  FsSequenceOptions options = { 0 };
  MovingObject first = at (0);
  g_autoptr (FsSequence) kept = begin (&options, &first);
  g_autofree uint8_t *a = g_malloc (N_PIXELS), *b = g_malloc (N_PIXELS);
  g_autoptr (FsImage) before = moving_object_frame (&first);
  g_autofree uint8_t *previous = moving_object_mask (&first);
  int n_reused = 0;
  for (int i = 1; i < 16; i++) {
    g_autoptr (GError) error = NULL;
    MovingObject now = at (i);
    g_autoptr (FsImage) image = moving_object_frame (&now);
    g_autoptr (FsSequence) resumed = begin (&options, &first);
    FsSequenceStep step;
    fs_sequence_go_on (resumed, before, previous, &error);
    g_assert_no_error (error);
    fs_sequence_next (resumed, image, b, &step, &error);
    g_assert_no_error (error);
    g_assert_false (step.is_reused);
    fs_sequence_next (kept, image, a, &step, &error);
    g_assert_no_error (error);
    n_reused += step.is_reused;
    g_assert_cmpmem (a, N_PIXELS, b, N_PIXELS);
    fs_image_unref (g_steal_pointer (&before));
    before = g_steal_pointer (&image);
    memcpy (previous, a, N_PIXELS);
  }
  g_assert_cmpint (n_reused, >=, 10);
}

/* The same of frames that are cut together. Going on begins with as many frames as the span has. */
static void
test_span (void)
{
  enum { SPAN = 3, N = 12 };
  FsSequenceOptions options = { .span = SPAN };
  MovingObject now = at (0);
  FsImage *image[N] = { moving_object_frame (&now) };
  uint8_t *mask[N] = { moving_object_mask (&now) };
  g_autoptr (FsSequence) kept = begin (&options, &now);
  g_autofree uint8_t *other = g_malloc (N_PIXELS);
  int n_reused = 0;
  for (int i = 1; i < N; i++) {
    FsSequenceStep step;
    MovingObject first = at (0);
    now = at (i);
    image[i] = moving_object_frame (&now);
    mask[i] = g_malloc (N_PIXELS);
    g_assert_true (fs_sequence_next (kept, image[i], mask[i], &step, NULL));
    g_assert_true (step.solution.exact);
    g_assert_cmpint (step.solution.energy, ==, step.solution.bound);
    g_assert_cmpuint (step.n_span, >=, i > 1 ? step.n_free + step.n_free / 2 : step.n_free);
    n_reused += step.is_reused;
    g_autofree uint8_t *truth = moving_object_mask (&now);
    g_assert_cmpfloat (overlap (mask[i], truth), >, 0.95);
    g_autoptr (FsSequence) resumed = begin (&options, &first);
    for (int k = MAX (1, i - SPAN); k < i; k++)
      g_assert_true (fs_sequence_go_on (resumed, image[k], mask[k], NULL));
    g_assert_true (fs_sequence_next (resumed, image[i], other, &step, NULL));
    g_assert_false (step.is_reused);
    g_assert_cmpmem (mask[i], N_PIXELS, other, N_PIXELS);
  }
  g_assert_cmpint (n_reused, >=, N - 3);
  for (int i = 0; i < N; i++) {
    fs_image_unref (image[i]);
    g_free (mask[i]);
  }
}

/* A span of one frame is none. */
static void
test_span_of_one (void)
{
  FsSequenceOptions none = { 0 }, one = { .span = 1 };
  MovingObject first = at (0);
  g_autoptr (FsSequence) a = begin (&none, &first), b = begin (&one, &first);
  g_autofree uint8_t *of_a = g_malloc (N_PIXELS), *of_b = g_malloc (N_PIXELS);
  for (int i = 1; i < 6; i++) {
    MovingObject now = at (i);
    g_autoptr (FsImage) image = moving_object_frame (&now);
    g_assert_true (fs_sequence_next (a, image, of_a, NULL, NULL));
    g_assert_true (fs_sequence_next (b, image, of_b, NULL, NULL));
    g_assert_cmpmem (of_a, N_PIXELS, of_b, N_PIXELS);
  }
}

/* A device leads to the same masks, with and without re-use; its kernels' twin stands for it. */
static void
test_device (void)
{
  fs_cuda_use_table (fs_engine_host ());
  FsSequenceOptions here = { 0 }, there = { .backend = &fs_backend_cuda };
  MovingObject first = at (0);
  g_autoptr (FsSequence) a = begin (&here, &first), b = begin (&there, &first);
  g_autofree uint8_t *of_a = g_malloc (N_PIXELS), *of_b = g_malloc (N_PIXELS);
  g_autofree uint8_t *of_c = g_malloc (N_PIXELS);
  g_autoptr (FsImage) before = moving_object_frame (&first);
  g_autofree uint8_t *previous = moving_object_mask (&first);
  int n_reused = 0;
  for (int i = 1; i < 8; i++) {
    g_autoptr (GError) error = NULL;
    MovingObject now = at (i);
    g_autoptr (FsImage) image = moving_object_frame (&now);
    FsSequenceStep step, other;
    fs_sequence_next (a, image, of_a, &other, &error);
    g_assert_no_error (error);
    fs_sequence_next (b, image, of_b, &step, &error);
    g_assert_no_error (error);
    g_assert_cmpint (step.solution.energy, ==, other.solution.energy);
    g_assert_cmpint (step.solution.bound, ==, other.solution.bound);
    n_reused += step.is_reused;
    g_autoptr (FsSequence) c = begin (&there, &first);
    fs_sequence_go_on (c, before, previous, &error);
    g_assert_no_error (error);
    fs_sequence_next (c, image, of_c, NULL, &error);
    g_assert_no_error (error);
    g_assert_cmpmem (of_a, N_PIXELS, of_b, N_PIXELS);
    g_assert_cmpmem (of_a, N_PIXELS, of_c, N_PIXELS);
    fs_image_unref (g_steal_pointer (&before));
    before = g_steal_pointer (&image);
    memcpy (previous, of_a, N_PIXELS);
  }
  g_assert_cmpint (n_reused, ==, 7);
  g_assert_null (fs_cuda_notice ());
  fs_cuda_use_table (NULL);
}

/* Follows some frames; `masks` gets or has them one after another. Returns how many frames began
 * with what a device kept. */
static int
follow_some (const FsSequenceOptions *options, uint8_t *masks, gboolean is_known)
{
  enum { N = 5 };
  MovingObject first = at (0);
  int n_reused = 0;
  g_autoptr (FsSequence) sequence = begin (options, &first);
  g_autofree uint8_t *mask = g_malloc (N_PIXELS);
  for (int i = 1; i <= N; i++) {
    FsSequenceStep step;
    MovingObject now = at (i);
    g_autoptr (FsImage) image = moving_object_frame (&now);
    uint8_t *known = masks + (size_t)(i - 1) * N_PIXELS;
    g_assert_true (fs_sequence_next (sequence, image, mask, &step, NULL));
    g_assert_true (step.solution.exact);
    n_reused += step.is_reused;
    if (is_known)
      g_assert_cmpmem (mask, N_PIXELS, known, N_PIXELS);
    memcpy (known, mask, N_PIXELS);
  }
  return n_reused;
}

/* Whichever call fails: the processor goes on, to the same masks. Two calls begin, and each frame
 * makes two. */
static void
test_device_fails (void)
{
  enum { N_CALLS = 12 };
  FsSequenceOptions here = { 0 }, there = { .backend = &fs_backend_cuda };
  g_autofree uint8_t *masks = g_malloc ((gsize)5 * N_PIXELS);
  follow_some (&here, masks, FALSE);
  for (int n = 0; n <= N_CALLS; n++) {
    fs_cuda_use_table (fs_engine_host ());
    g_assert_true (fs_cuda_is_available (NULL));
    fs_engine_host_fail_after (n, n % 2, n % 3 ? FS_ENGINE_FAILED : FS_ENGINE_NO_MEMORY);
    follow_some (&there, masks, TRUE);
    fs_engine_host_fail_after (-1, FALSE, FS_ENGINE_DONE);
    g_assert_true ((fs_cuda_notice () == NULL) == (n == N_CALLS));
  }
  fs_cuda_use_table (NULL);
}

/* A circle of a mask or of strokes. */
static void
put_disc (uint8_t *plane, int x, int y, int radius, uint8_t value)
{
  for (int v = MAX (0, y - radius); v <= MIN (HEIGHT - 1, y + radius); v++)
    for (int u = MAX (0, x - radius); u <= MIN (WIDTH - 1, x + radius); u++)
      if ((u - x) * (u - x) + (v - y) * (v - y) <= radius * radius)
        plane[v * WIDTH + u] = value;
}

/* A previous mask with a piece that is missing and one too many, and strokes that say so. */
static uint8_t *
spoil (const MovingObject *object, FsSeedMap *strokes)
{
  uint8_t *mask = moving_object_mask (object);
  g_autofree uint8_t *labels = g_malloc0 (N_PIXELS);
  put_disc (mask, object->x, object->y - object->radius, 12, 0);
  put_disc (mask, object->x, object->y + object->radius + 4, 10, 1);
  put_disc (labels, object->x, object->y - object->radius + 8, 2, FS_SEED_OBJECT);
  put_disc (labels, object->x, object->y + object->radius + 8, 2, FS_SEED_BACKGROUND);
  fs_seed_map_set (strokes, labels);
  return mask;
}

/* Strokes mend what without them goes on from frame to frame; on a device to the same mask, and
 * also in a span. */
static void
test_mended (void)
{
  fs_cuda_use_table (fs_engine_host ());
  FsSequenceOptions ways[] = { { 0 }, { .span = 3 }, { .backend = &fs_backend_cuda } };
  MovingObject first = at (0), before = at (1), now = at (1);
  now.noise++;
  g_autoptr (FsImage) previous = moving_object_frame (&before), image = moving_object_frame (&now);
  g_autofree uint8_t *truth = moving_object_mask (&now), *plain = g_malloc (N_PIXELS);
  g_autofree uint8_t *known = NULL, *mask = g_malloc (N_PIXELS), *again = g_malloc (N_PIXELS);
  FsSeedMap *strokes = fs_seed_map_new (WIDTH, HEIGHT);
  g_autofree uint8_t *spoilt = spoil (&before, strokes);
  for (size_t i = 0; i < G_N_ELEMENTS (ways); i++) {
    g_autoptr (FsSequence) sequence = begin (&ways[i], &first);
    g_assert_true (fs_sequence_go_on (sequence, previous, spoilt, NULL));
    g_assert_true (fs_sequence_mend (sequence, image, strokes, mask, NULL));
    known = known ? known : g_memdup2 (mask, N_PIXELS);
    g_assert_cmpmem (mask, N_PIXELS, known, N_PIXELS);
    g_assert_true (fs_sequence_mend (sequence, image, strokes, again, NULL));
    g_assert_cmpmem (mask, N_PIXELS, again, N_PIXELS);
    g_assert_true (fs_sequence_next (sequence, image, plain, NULL, NULL));
    g_assert_cmpfloat (overlap (mask, truth), >, 0.95);
    g_assert_cmpfloat (overlap (mask, truth), >, overlap (plain, truth) + 0.02);
  }
  for (int p = 0; p < N_PIXELS; p++)
    if (strokes->label[p] != FS_SEED_NONE)
      g_assert_cmpint (mask[p], ==, strokes->label[p] == FS_SEED_OBJECT);
  fs_seed_map_free (strokes);
  fs_cuda_use_table (NULL);
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
unref_image (gpointer image)
{
  fs_image_unref (image);
}

/* Goes out of the frame on the right, is away, and comes back on the left. Going on from the last
 * frames that have masks leads to the same. */
static void
leave_and_return (int span)
{
  FsSequenceOptions options = { .span = span };
  g_autoptr (GPtrArray) images = g_ptr_array_new_with_free_func (unref_image);
  g_autoptr (GPtrArray) masks = g_ptr_array_new_with_free_func (g_free);
  MovingObject first = { .x = 130, .y = 60, .radius = 26, .noise = 1 };
  g_autoptr (FsSequence) sequence = begin (&options, &first);
  g_autofree uint8_t *mask = g_malloc (N_PIXELS);
  int n_lost = 0, n_found = 0;
  for (int i = 1; i < 24; i++) {
    g_autoptr (GError) error = NULL;
    MovingObject now = first;
    now.x = i < 16 ? 130 + 9 * i : 8 * (i - 16) - 2;
    now.noise = (guint)i + 1;
    gboolean is_whole = now.x >= 26 && now.x < WIDTH - 26;
    gboolean is_away = now.x - 26 >= WIDTH;
    g_autoptr (FsImage) image = moving_object_frame (&now);
    g_autofree uint8_t *truth = moving_object_mask (&now);
    FsSequenceStep step;
    g_autoptr (FsSequence) resumed = begin (&options, &first);
    g_autofree uint8_t *again = g_malloc (N_PIXELS);
    for (guint k = images->len - MIN (images->len, (guint)MAX (span, 1)); k < images->len; k++)
      g_assert_true (fs_sequence_go_on (resumed, images->pdata[k], masks->pdata[k], NULL));
    gboolean is_there = fs_sequence_next (resumed, image, again, NULL, NULL);
    if (fs_sequence_next (sequence, image, mask, &step, &error)) {
      g_assert_true (is_there);
      g_assert_cmpmem (mask, N_PIXELS, again, N_PIXELS);
      g_ptr_array_add (images, fs_image_ref (image));
      g_ptr_array_add (masks, g_memdup2 (mask, N_PIXELS));
      g_assert_false (is_away);
      n_found += (step.events & FS_SEQUENCE_FOUND_AGAIN) != 0;
      g_assert_cmpfloat (overlap (mask, truth), >, 0.95);
    } else {
      g_assert_error (error, FS_FRAMES_ERROR, FS_FRAMES_ERROR_LOST);
      g_assert_true (g_str_has_prefix (error->message, "the object is lost: "));
      g_assert_false (is_there);
      g_assert_false (is_whole);
      n_lost++;
    }
  }
  g_assert_cmpint (n_lost, >=, 5);
  g_assert_cmpint (n_found, >=, 1);
}

static void
test_leaves_and_returns (void)
{
  leave_and_return (1);
  leave_and_return (3);
}

/* Vanishes where it stands. */
static void
test_vanishes (void)
{
  FsSequenceOptions options = { 0 };
  MovingObject first = at (3), none = at (4), again = at (5);
  none.radius = 0;
  g_autoptr (FsSequence) sequence = begin (&options, &first);
  g_autofree uint8_t *mask = g_malloc (N_PIXELS);
  g_autoptr (GError) error = NULL;
  g_autoptr (FsImage) empty = moving_object_frame (&none), back = moving_object_frame (&again);
  g_autofree uint8_t *truth = moving_object_mask (&again);
  for (int i = 0; i < 2; i++) {
    g_assert_false (fs_sequence_next (sequence, empty, mask, NULL, &error));
    g_assert_error (error, FS_FRAMES_ERROR, FS_FRAMES_ERROR_LOST);
    g_clear_error (&error);
  }
  fs_sequence_next (sequence, back, mask, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (overlap (mask, truth), >, 0.95);
}

/* A cut in the film: other light on the ground, the object where it was or elsewhere. */
static void
test_new_background (void)
{
  for (int jump = 0; jump < 2; jump++) {
    FsSequenceOptions options = { 0 };
    MovingObject first = at (0), next = at (1);
    next.light = 70;
    next.x += jump ? 90 : 0;
    g_autoptr (FsSequence) sequence = begin (&options, &first);
    g_autofree uint8_t *mask = g_malloc (N_PIXELS), *truth = moving_object_mask (&next);
    g_autoptr (GError) error = NULL;
    g_autoptr (FsImage) image = moving_object_frame (&next);
    FsSequenceStep step;
    fs_sequence_next (sequence, image, mask, &step, &error);
    g_assert_no_error (error);
    g_assert_true (step.events & FS_SEQUENCE_NEW_BACKGROUND);
    g_assert_cmpint ((step.events & FS_SEQUENCE_FOUND_AGAIN) != 0, ==, jump);
    g_assert_cmpfloat (overlap (mask, truth), >, 0.95);
  }
}

static void
run_out_of_memory (const FsBackend *backend, int span)
{
  FsSequenceOptions options = { .backend = backend, .span = span };
  MovingObject first = at (0), next = at (1);
  g_autoptr (FsImage) image = moving_object_frame (&next);
  g_autofree uint8_t *truth = moving_object_mask (&next), *mask = g_malloc (N_PIXELS);
  gboolean done = FALSE;
  int n_refused = 0;
  for (int n = 0; !done && n < 200; n++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (FsSequence) sequence = begin (&options, &first);
    fault_memory_after (n, FALSE);
    done = fs_sequence_next (sequence, image, mask, NULL, &error);
    fault_memory_after (-1, FALSE);
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

static void
test_memory (void)
{
  run_out_of_memory (NULL, 1);
  run_out_of_memory (NULL, 3);
  fs_cuda_use_table (fs_engine_host ());
  g_assert_true (fs_cuda_is_available (NULL));
  run_out_of_memory (&fs_backend_cuda, 1);
  fs_cuda_use_table (NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/sequence/known-masks", test_known_masks);
  g_test_add_func ("/sequence/reuse", test_reuse);
  g_test_add_func ("/sequence/span", test_span);
  g_test_add_func ("/sequence/span-of-one", test_span_of_one);
  g_test_add_func ("/sequence/device", test_device);
  g_test_add_func ("/sequence/device-fails", test_device_fails);
  g_test_add_func ("/sequence/mended", test_mended);
  g_test_add_func ("/sequence/object-lost", test_object_lost);
  g_test_add_func ("/sequence/leaves-and-returns", test_leaves_and_returns);
  g_test_add_func ("/sequence/vanishes", test_vanishes);
  g_test_add_func ("/sequence/new-background", test_new_background);
  g_test_add_func ("/sequence/memory", test_memory);
  return g_test_run ();
}
