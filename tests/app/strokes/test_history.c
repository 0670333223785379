/* SPDX-License-Identifier: MIT */
#include "app/strokes/history.h"

#include <math.h>

enum { W = 61, H = 47 };

/* The reference: a plain list of strokes, painted anew on an empty map. */
typedef struct {
  GPtrArray *done;
  GPtrArray *undone;
} Model;

static FsSample
random_sample (GRand *rand)
{
  return (FsSample){ (float)g_rand_double_range (rand, -10, W + 10),
                     (float)g_rand_double_range (rand, -10, H + 10), 1, 0 };
}

/* A pixel is inside when the outline turns around its centre. */
static gboolean
is_inside (const GArray *outline, int x, int y)
{
  double cx = x + 0.5, cy = y + 0.5, turned = 0;
  for (guint i = 0; i < outline->len; i++) {
    const FsSample *a = &g_array_index (outline, FsSample, i);
    const FsSample *b = &g_array_index (outline, FsSample, (i + 1) % outline->len);
    double ax = a->x - cx, ay = a->y - cy, bx = b->x - cx, by = b->y - cy;
    turned += atan2 (ax * by - ay * bx, ax * bx + ay * by);
  }
  return fabs (turned) > 1;
}

static void
check_outside (FsSeedMap *map, const FsStroke *outline)
{
  for (int y = 0; y < H; y++)
    for (int x = 0; x < W; x++)
      if (!is_inside (outline->samples, x, y))
        fs_seed_map_set_run (map, y, x, x + 1, FS_SEED_BACKGROUND);
}

static guint
last_outline (const GPtrArray *strokes)
{
  guint n = strokes->len;
  while (n > 0 && ((FsStroke *)strokes->pdata[n - 1])->shape != FS_STROKE_OUTLINE)
    n--;
  return n;
}

static void
check_map (const FsSeedMap *seeds, const Model *model, const uint8_t *start, guint outlined)
{
  g_autoptr (FsSeedMap) map = fs_seed_map_new (W, H);
  if (start)
    fs_seed_map_set (map, start);
  for (guint i = 0; i < model->done->len; i++) {
    const FsStroke *stroke = g_ptr_array_index (model->done, i);
    if (i + 1 == outlined)
      check_outside (map, stroke);
    for (guint k = 0; k < stroke->samples->len && stroke->shape != FS_STROKE_OUTLINE; k++) {
      FsCapsule capsule = fs_stroke_capsule (stroke, k);
      fs_seed_map_paint (map, &capsule, stroke->label, NULL, NULL);
    }
  }
  g_assert_cmpmem (seeds->label, W * H, map->label, W * H);
  g_assert_cmpmem (seeds->n_seeds, sizeof seeds->n_seeds, map->n_seeds, sizeof map->n_seeds);
}

static void
check_seeds (FsHistory *history, const Model *model, const uint8_t *start)
{
  guint outlined = last_outline (model->done);
  g_assert_cmpuint (fs_history_get_outlined (history), ==, outlined);
  check_map (fs_history_get_seeds (history), model, start, outlined);
  check_map (fs_history_get_brushed (history), model, start, 0);
}

/* Applies the listed pixels to a copy: the list is complete and holds nothing but changes. */
static void
check_changes (const uint8_t *before, const FsSeedMap *after, const FsPixelList *changed)
{
  g_autofree uint8_t *copy = g_memdup2 (before, W * H);
  for (guint i = 0; i < changed->len; i++) {
    uint32_t p = g_array_index (changed, uint32_t, i);
    g_assert_cmpint (copy[p], !=, after->label[p]);
    copy[p] = after->label[p];
  }
  g_assert_cmpmem (copy, W * H, after->label, W * H);
}

static void
paint_stroke (FsHistory *history, Model *model, GRand *rand, FsPixelList *changed)
{
  int kind = g_rand_int_range (rand, 0, 8);
  FsStrokeShape shape = kind == 0 ? FS_STROKE_OUTLINE : kind < 4 ? FS_STROKE_PEN : FS_STROKE_BRUSH;
  gboolean is_outline = shape == FS_STROKE_OUTLINE;
  uint8_t label = is_outline ? FS_SEED_BACKGROUND : (uint8_t)g_rand_int_range (rand, 0, 4);
  float radius = (float)g_rand_double_range (rand, 0.3, 9);
  g_autoptr (FsStroke) copy = fs_stroke_new (label, radius);
  copy->shape = shape;
  fs_history_begin_shape (history, shape, label, radius, 0);
  for (int i = g_rand_int_range (rand, 0, 5); i > 0; i--) {
    FsSample sample = random_sample (rand);
    sample.pressure = (float)g_rand_double (rand);
    g_array_append_val (copy->samples, sample);
    fs_history_extend (history, &sample, 1, changed);
  }
  gboolean keep = g_rand_int_range (rand, 0, 4) > 0;
  if (!keep)
    fs_history_cancel (history, NULL);
  else
    fs_history_end (history);
  if (keep && copy->samples->len >= (is_outline ? 3 : 1)) {
    g_ptr_array_set_size (model->undone, 0);
    g_ptr_array_add (model->done, g_steal_pointer (&copy));
  }
}

static void
move_last (GPtrArray *from, GPtrArray *to)
{
  if (from->len > 0)
    g_ptr_array_add (to, g_ptr_array_steal_index (from, from->len - 1));
}

/* … for which no changes are listed. */
static gboolean
is_last_outline (const GPtrArray *strokes)
{
  return strokes->len > 0 && last_outline (strokes) == strokes->len;
}

static void
random_edit (FsHistory *history, Model *model, GRand *rand)
{
  g_autoptr (GArray) changed = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  const FsSeedMap *seeds = fs_history_get_seeds (history);
  g_autofree uint8_t *before = g_memdup2 (seeds->label, W * H);
  switch (g_rand_int_range (rand, 0, 4)) {
  case 0:
    g_assert_cmpint (fs_history_undo (history, changed, NULL), ==, model->done->len > 0);
    move_last (model->done, model->undone);
    if (!is_last_outline (model->undone))
      check_changes (before, seeds, changed);
    break;
  case 1:
    g_assert_cmpint (fs_history_redo (history, changed, NULL), ==, model->undone->len > 0);
    move_last (model->undone, model->done);
    if (!is_last_outline (model->done))
      check_changes (before, seeds, changed);
    break;
  default:
    paint_stroke (history, model, rand, changed);
  }
}

static void
check_random_edits (guint32 seed, const uint8_t *start)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  g_autoptr (FsHistory) history = fs_history_new (W, H, start);
  g_autoptr (GPtrArray) done = g_ptr_array_new_with_free_func ((GDestroyNotify)fs_stroke_unref);
  g_autoptr (GPtrArray) undone = g_ptr_array_new_with_free_func ((GDestroyNotify)fs_stroke_unref);
  Model model = { done, undone };
  for (int i = 0; i < 120; i++) {
    random_edit (history, &model, rand);
    g_assert_cmpuint (fs_history_get_n_strokes (history), ==, done->len);
    g_assert_cmpuint (fs_history_get_n_undone (history), ==, undone->len);
    check_seeds (history, &model, start);
  }
}

static void
test_random_edits (void)
{
  for (guint32 seed = 0; seed < 40; seed++)
    check_random_edits (seed, NULL);
}

static void
test_start_labels (void)
{
  uint8_t start[W * H];
  for (int i = 0; i < W * H; i++)
    start[i] = (uint8_t)(i % 3);
  for (guint32 seed = 100; seed < 110; seed++)
    check_random_edits (seed, start);
}

static void
test_stroke_without_samples (void)
{
  g_autoptr (FsHistory) history = fs_history_new (W, H, NULL);
  fs_history_begin (history, FS_SEED_OBJECT, 3);
  g_assert_true (fs_history_is_drawing (history));
  g_assert_false (fs_history_undo (history, NULL, NULL));
  fs_history_end (history);
  g_assert_cmpuint (fs_history_get_n_strokes (history), ==, 0);
}

static void
test_samples_that_are_no_numbers (void)
{
  g_autoptr (FsHistory) history = fs_history_new (W, H, NULL);
  const FsSample bad[] = { { NAN, 3, 1, 0 }, { 3, INFINITY, 1, 0 }, { -INFINITY, NAN, 1, 0 } };
  fs_history_begin (history, FS_SEED_OBJECT, 3);
  fs_history_extend (history, bad, G_N_ELEMENTS (bad), NULL);
  g_assert_cmpint (fs_history_get_seeds (history)->n_seeds[FS_SEED_NONE], ==, W * H);
  fs_history_end (history);
  g_assert_cmpuint (fs_history_get_n_strokes (history), ==, 0);
}

/* A later outline takes the place of an earlier one, whatever the brush painted inside stands, and
 * what is growing is part of what was brushed. */
static void
test_outlines (void)
{
  static const FsSample small[] = {
    { 20, 10, 1, 0 }, { 40, 10, 1, 1 }, { 40, 30, 1, 2 }, { 20, 30, 1, 3 }
  };
  static const FsSample large[] = {
    { 5, 5, 1, 0 }, { 55, 5, 1, 1 }, { 55, 42, 1, 2 }, { 5, 42, 1, 3 }
  };
  g_autoptr (FsHistory) history = fs_history_new (W, H, NULL);
  const FsSeedMap *seeds = fs_history_get_seeds (history);
  fs_history_begin (history, FS_SEED_OBJECT, 2);
  fs_history_extend (history, &(FsSample){ 30, 20, 1, 0 }, 1, NULL);
  fs_history_end (history);
  const FsSample *outlines[] = { small, large };
  for (int i = 0; i < 2; i++) {
    fs_history_begin_shape (history, FS_STROKE_OUTLINE, FS_SEED_BACKGROUND, 1, 0);
    FsRect damage = fs_history_extend (history, outlines[i], 4, NULL);
    g_assert_true (fs_rect_is_empty (damage));
    g_assert_cmpint (fs_history_get_brushed (history)->n_seeds[FS_SEED_BACKGROUND], ==, 0);
    damage = fs_history_end (history);
    g_assert_true (damage.x0 == 0 && damage.y0 == 0 && damage.x1 == W && damage.y1 == H);
    g_assert_cmpint (seeds->n_seeds[FS_SEED_BACKGROUND], ==, W * H - (i == 0 ? 20 * 20 : 50 * 37));
    g_assert_cmpint (seeds->label[20 * W + 30], ==, FS_SEED_OBJECT);
  }
  fs_history_begin (history, FS_SEED_OBJECT, 1);
  fs_history_extend (history, &(FsSample){ 2, 2, 1, 0 }, 1, NULL);
  g_assert_cmpint (fs_history_get_brushed (history)->label[2 * W + 2], ==, FS_SEED_OBJECT);
  g_assert_cmpint (fs_history_get_brushed (history)->label[0], ==, FS_SEED_NONE);
  fs_history_cancel (history, NULL);
  g_assert_cmpint (seeds->label[2 * W + 2], ==, FS_SEED_BACKGROUND);
  g_assert_cmpint (fs_history_get_brushed (history)->label[2 * W + 2], ==, FS_SEED_NONE);
}

/* A mask that a stroke was to keep, one that is still growing too. */
static void
test_forgets_masks (void)
{
  g_autoptr (FsHistory) history = fs_history_new (W, H, NULL);
  for (guint i = 0; i < 3; i++) {
    fs_history_begin_after (history, FS_SEED_OBJECT, 2, i);
    fs_history_extend (history, &(FsSample){ 30, 20, 1, 0 }, 1, NULL);
    if (i < 2)
      fs_history_end (history);
  }
  g_assert_cmpuint (fs_history_get_stroke (history, 1)->after, ==, 1);
  g_assert_cmpuint (fs_history_get_stroke (history, 2)->after, ==, 2);
  fs_history_forget_masks (history);
  for (guint i = 0; i < 3; i++)
    g_assert_cmpuint (fs_history_get_stroke (history, i)->after, ==, 0);
}

static void
test_pen (void)
{
  g_autoptr (FsHistory) history = fs_history_new (W, H, NULL);
  const FsSample light = { 15, 20, 0.25f, 0 }, full = { 45, 20, 1, 5 };
  for (int i = 0; i < 2; i++) {
    fs_history_begin_shape (history, FS_STROKE_PEN, FS_SEED_OBJECT, 12, 0);
    fs_history_extend (history, i == 0 ? &light : &full, 1, NULL);
    fs_history_end (history);
  }
  const uint8_t *label = fs_history_get_seeds (history)->label;
  g_assert_cmpint (label[22 * W + 15], ==, FS_SEED_OBJECT);
  g_assert_cmpint (label[24 * W + 15], ==, FS_SEED_NONE);
  g_assert_cmpint (label[31 * W + 45], ==, FS_SEED_OBJECT);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/history/random-edits", test_random_edits);
  g_test_add_func ("/history/start-labels", test_start_labels);
  g_test_add_func ("/history/stroke-without-samples", test_stroke_without_samples);
  g_test_add_func ("/history/samples-that-are-no-numbers", test_samples_that_are_no_numbers);
  g_test_add_func ("/history/outlines", test_outlines);
  g_test_add_func ("/history/forgets-masks", test_forgets_masks);
  g_test_add_func ("/history/pen", test_pen);
  return g_test_run ();
}
