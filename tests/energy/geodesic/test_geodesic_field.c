/* SPDX-License-Identifier: MIT */
#include "energy/geodesic/field.h"
#include "tests/energy/geodesic/geodesic_cases.h"

#include <stdlib.h>
#include <string.h>

/* --- Against plain relaxation ----------------------------------------------------------------- */

typedef struct {
  FsGeodesicMu mu;
  FsNeighbours neighbours;
  uint8_t source_bit;
  uint16_t *potential; /* may be NULL */
} Kind;

static Kind
random_kind (GRand *rand, const FsGeodesicLevel *level)
{
  static const uint8_t bits[] = { FS_CELL_OBJECT, FS_CELL_BACKGROUND, FS_CELL_FRAME };
  Kind kind = { (FsGeodesicMu)g_rand_int_range (rand, 0, FS_GEODESIC_N_MUS),
                g_rand_int_range (rand, 0, 4) ? FS_NEIGHBOURS_8 : FS_NEIGHBOURS_4,
                bits[g_rand_int_range (rand, 0, 8) * 2 / 7], NULL };
  if (g_rand_boolean (rand)) {
    kind.potential = g_new (uint16_t, level->n_plane);
    int largest = g_rand_boolean (rand) ? FS_GEODESIC_POTENTIAL_MAX : 3;
    for (size_t i = 0; i < level->n_plane; i++)
      kind.potential[i] = (uint16_t)g_rand_int_range (rand, 0, largest + 1);
  }
  return kind;
}

static int32_t
edge_cost (const FsGeodesicLevel *level, const Kind *kind, uint32_t p, uint32_t q, int d)
{
  int32_t cost = level->costs[kind->mu][p].to[d];
  return cost + (kind->potential ? abs (kind->potential[p] - kind->potential[q]) : 0);
}

/* Offers a cell all its neighbours' paths. Returns whether one was better. */
static gboolean
relax (const FsGeodesicLevel *level, const Kind *kind, int x, int y, int32_t *distance)
{
  gboolean fell = FALSE;
  uint32_t p = fs_geodesic_cell (level, x, y);
  for (int d = 0; d < FS_N_ARCS; d++) {
    int qx = x + fs_arc_dx (d), qy = y + fs_arc_dy (d);
    gboolean is_direct = fs_arc_dx (d) == 0 || fs_arc_dy (d) == 0;
    if (qx < 0 || qy < 0 || qx >= level->width || qy >= level->height
        || (kind->neighbours == FS_NEIGHBOURS_4 && !is_direct))
      continue;
    uint32_t q = fs_geodesic_cell (level, qx, qy);
    int32_t offer = distance[q] + edge_cost (level, kind, p, q, d);
    if (offer < distance[p]) {
      distance[p] = offer;
      fell = TRUE;
    }
  }
  return fell;
}

static int32_t *
naive_distances (const FsGeodesicLevel *level, const Kind *kind, const uint8_t *bits)
{
  int32_t *distance = g_new0 (int32_t, level->n_plane);
  for (int y = 0; y < level->height; y++)
    for (int x = 0; x < level->width; x++) {
      uint32_t p = fs_geodesic_cell (level, x, y);
      distance[p] = bits[p] & kind->source_bit ? 0 : FS_GEODESIC_FAR;
    }
  for (gboolean again = TRUE; again;) {
    again = FALSE;
    for (int y = 0; y < level->height; y++)
      for (int x = 0; x < level->width; x++)
        again |= relax (level, kind, x, y, distance);
  }
  return distance;
}

static void
check_distances (const FsGeodesicLevel *level, const int32_t *got, const int32_t *expected)
{
  for (int y = 0; y < level->height; y++)
    for (int x = 0; x < level->width; x++) {
      uint32_t p = fs_geodesic_cell (level, x, y);
      g_assert_cmpint (got[p], ==, expected[p]);
    }
}

static void
test_fresh (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (31);
  for (int trial = 0; trial < 400; trial++) {
    FsCase c;
    fs_case_init (&c, rand, trial % 20 ? 30 : 120, 2);
    Kind kind = random_kind (rand, c.level);
    g_autoptr (FsGeodesicField) field =
        fs_geodesic_field_new (c.level, kind.mu, kind.neighbours, kind.source_bit);
    for (int edit = 0; edit < 3; edit++) {
      fs_case_play (&c, rand);
      fs_geodesic_field_compute (field, c.sources->bits, kind.potential);
      g_autofree int32_t *expected = naive_distances (c.level, &kind, c.sources->bits);
      check_distances (c.level, fs_geodesic_field_get_distances (field), expected);
    }
    g_free (kind.potential);
    fs_case_clear (&c);
  }
}

/* Distances far beyond the buckets that stand open at a time, and no source at all. */
static void
test_long_ways (void)
{
  g_autoptr (FsImage) image = fs_image_new (3000, 2);
  for (int i = 0; i < 6000; i++)
    image->pixels[i] = i % 3 ? 0xff000000 : 0xffffffff;
  g_autoptr (FsGeodesicLevel) level = fs_geodesic_level_new (image, 0);
  g_autoptr (FsGeodesicSources) sources = fs_geodesic_sources_new (level);
  memset (sources->bits, 0, level->n_plane);
  Kind kind = { FS_GEODESIC_MU_DISTANCES, FS_NEIGHBOURS_8, FS_CELL_OBJECT, NULL };
  g_autoptr (FsGeodesicField) field =
      fs_geodesic_field_new (level, kind.mu, kind.neighbours, kind.source_bit);
  const int32_t *distance = fs_geodesic_field_get_distances (field);
  fs_geodesic_field_compute (field, sources->bits, NULL);
  g_assert_cmpint (distance[fs_geodesic_cell (level, 1, 1)], ==, FS_GEODESIC_FAR);

  sources->bits[fs_geodesic_cell (level, 0, 0)] = FS_CELL_OBJECT;
  fs_geodesic_field_compute (field, sources->bits, NULL);
  g_autofree int32_t *expected = naive_distances (level, &kind, sources->bits);
  check_distances (level, distance, expected);
  g_assert_cmpint (distance[fs_geodesic_cell (level, 2999, 0)], >, 2000 * FS_GEODESIC_UNIT);
}

/* Fronts of thousands of cells at once. */
static void
test_many_sources (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (36);
  g_autoptr (FsImage) image = fs_image_new (500, 400);
  for (int i = 0; i < 500 * 400; i++)
    image->pixels[i] = g_rand_int (rand);
  g_autoptr (FsGeodesicLevel) level = fs_geodesic_level_new (image, 0);
  g_autoptr (FsGeodesicSources) sources = fs_geodesic_sources_new (level);
  for (int y = 0; y < 400; y++)
    for (int x = 0; x < 500; x++)
      if (g_rand_int_range (rand, 0, 12) == 0)
        sources->bits[fs_geodesic_cell (level, x, y)] |= FS_CELL_OBJECT;
  Kind kind = { FS_GEODESIC_MU_STAR, FS_NEIGHBOURS_8, FS_CELL_OBJECT, NULL };
  g_autofree int32_t *expected = naive_distances (level, &kind, sources->bits);
  g_autoptr (FsGeodesicField) field =
      fs_geodesic_field_new (level, kind.mu, kind.neighbours, kind.source_bit);
  for (int again = 0; again < 2; again++) {
    fs_geodesic_field_compute (field, sources->bits, NULL);
    check_distances (level, fs_geodesic_field_get_distances (field), expected);
  }
}

/* --- Histories -------------------------------------------------------------------------------- */

static int32_t *
copy_distances (const FsGeodesicLevel *level, const FsGeodesicField *field)
{
  return g_memdup2 (fs_geodesic_field_get_distances (field), level->n_plane * sizeof (int32_t));
}

/* Exactly the cells whose distance differs, each once. */
static void
check_changed (const FsGeodesicLevel *level, const int32_t *before, const int32_t *after,
               const GArray *changed)
{
  size_t n = 0;
  for (size_t i = 0; i < level->n_plane; i++)
    n += before[i] != after[i];
  g_assert_cmpuint (n, ==, changed->len);
  g_autofree uint8_t *seen = g_malloc0 (level->n_plane);
  for (guint i = 0; i < changed->len; i++) {
    uint32_t cell = g_array_index (changed, uint32_t, i);
    g_assert_cmpint (before[cell], !=, after[cell]);
    g_assert_cmpint (seen[cell]++, ==, 0);
  }
}

/* A field that follows edits, and one that is computed afresh after each. */
typedef struct {
  FsCase c;
  Kind kind;
  FsGeodesicField *field, *fresh;
} Pair;

static void
pair_init (Pair *pair, GRand *rand, int side_px)
{
  fs_case_init (&pair->c, rand, side_px, 2);
  FsGeodesicLevel *level = pair->c.level;
  Kind k = pair->kind = random_kind (rand, level);
  pair->field = fs_geodesic_field_new (level, k.mu, k.neighbours, k.source_bit);
  pair->fresh = fs_geodesic_field_new (level, k.mu, k.neighbours, k.source_bit);
  fs_geodesic_field_compute (pair->field, pair->c.sources->bits, k.potential);
}

static void
pair_clear (Pair *pair)
{
  fs_geodesic_field_free (pair->field);
  fs_geodesic_field_free (pair->fresh);
  g_free (pair->kind.potential);
  fs_case_clear (&pair->c);
}

static void
pair_update (Pair *pair, int32_t distance_cap, GArray *changed)
{
  fs_geodesic_field_update (pair->field, pair->c.sources->bits,
                            (const uint32_t *)(gpointer)pair->c.cells->data, pair->c.cells->len,
                            distance_cap, changed);
  fs_geodesic_field_compute (pair->fresh, pair->c.sources->bits, pair->kind.potential);
}

static void
check_equal (const Pair *pair)
{
  check_distances (pair->c.level, fs_geodesic_field_get_distances (pair->field),
                   fs_geodesic_field_get_distances (pair->fresh));
}

static void
test_histories (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (32);
  for (int trial = 0; trial < 2500; trial++) {
    Pair pair;
    pair_init (&pair, rand, trial % 50 ? 64 : 200);
    for (int edit = 0; edit < 16; edit++) {
      g_autofree int32_t *before = copy_distances (pair.c.level, pair.field);
      g_autoptr (GArray) changed = g_array_new (FALSE, FALSE, sizeof (uint32_t));
      fs_case_play (&pair.c, rand);
      pair_update (&pair, FS_GEODESIC_NO_CAP, changed);
      check_equal (&pair);
      check_changed (pair.c.level, before, fs_geodesic_field_get_distances (pair.field), changed);
    }
    pair_clear (&pair);
  }
}

/* Several edits' cells in one update, repetitions and bystanders among them. */
static void
test_gathered_edits (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (33);
  for (int trial = 0; trial < 500; trial++) {
    Pair pair;
    pair_init (&pair, rand, 40);
    for (int round = 0; round < 5; round++) {
      g_autoptr (GArray) cells = g_array_new (FALSE, FALSE, sizeof (uint32_t));
      for (int edit = 0; edit < 4; edit++) {
        fs_case_play (&pair.c, rand);
        g_array_append_vals (cells, pair.c.cells->data, pair.c.cells->len);
        uint32_t bystander =
            fs_geodesic_cell (pair.c.level, g_rand_int_range (rand, 0, pair.c.level->width),
                              g_rand_int_range (rand, 0, pair.c.level->height));
        g_array_append_val (cells, bystander);
      }
      g_array_set_size (pair.c.cells, 0);
      g_array_append_vals (pair.c.cells, cells->data, cells->len);
      pair_update (&pair, FS_GEODESIC_NO_CAP, NULL);
      check_equal (&pair);
    }
    pair_clear (&pair);
  }
}

/* --- Limited updates -------------------------------------------------------------------------- */

static gboolean
loses_source (const Pair *pair, const uint8_t *bits_before)
{
  for (size_t i = 0; i < pair->c.level->n_plane; i++)
    if (bits_before[i] & ~pair->c.sources->bits[i] & pair->kind.source_bit)
      return TRUE;
  return FALSE;
}

/* From a finished field: cells whose new distance is within the distance cap have it, the others
 * the old. */
static void
check_distance_cap (const Pair *pair, const int32_t *before, int32_t distance_cap)
{
  const FsGeodesicLevel *level = pair->c.level;
  const int32_t *now = fs_geodesic_field_get_distances (pair->field);
  const int32_t *true_distance = fs_geodesic_field_get_distances (pair->fresh);
  for (int y = 0; y < level->height; y++)
    for (int x = 0; x < level->width; x++) {
      uint32_t p = fs_geodesic_cell (level, x, y);
      g_assert_cmpint (now[p], ==, true_distance[p] <= distance_cap ? true_distance[p] : before[p]);
    }
}

static void
check_finish (const Pair *pair)
{
  g_autofree int32_t *before = copy_distances (pair->c.level, pair->field);
  g_autoptr (GArray) changed = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  fs_geodesic_field_finish (pair->field, changed);
  check_equal (pair);
  check_changed (pair->c.level, before, fs_geodesic_field_get_distances (pair->field), changed);
}

static void
test_distance_cap (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (34);
  for (int trial = 0; trial < 1500; trial++) {
    Pair pair;
    pair_init (&pair, rand, 40);
    gboolean is_finished = TRUE;
    for (int edit = 0; edit < 16; edit++) {
      g_autofree int32_t *before = copy_distances (pair.c.level, pair.field);
      g_autofree uint8_t *bits = g_memdup2 (pair.c.sources->bits, pair.c.level->n_plane);
      g_autoptr (GArray) changed = g_array_new (FALSE, FALSE, sizeof (uint32_t));
      int32_t distance_cap = g_rand_int_range (rand, 0, 12 * FS_GEODESIC_UNIT);
      fs_case_play (&pair.c, rand);
      pair_update (&pair, distance_cap, changed);
      check_changed (pair.c.level, before, fs_geodesic_field_get_distances (pair.field), changed);
      if (is_finished && !loses_source (&pair, bits))
        check_distance_cap (&pair, before, distance_cap);
      is_finished = g_rand_int_range (rand, 0, 3) == 0;
      if (is_finished)
        check_finish (&pair);
    }
    check_finish (&pair);
    pair_clear (&pair);
  }
}

/* Bit by bit: what is said to be finished is, whatever was left before. */
static void
test_some (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (36);
  int n_unfinished = 0;
  for (int trial = 0; trial < 1000; trial++) {
    Pair pair;
    pair_init (&pair, rand, 40);
    for (int edit = 0; edit < 16; edit++) {
      g_autofree int32_t *before = copy_distances (pair.c.level, pair.field);
      g_autoptr (GArray) changed = g_array_new (FALSE, FALSE, sizeof (uint32_t));
      fs_case_play (&pair.c, rand);
      size_t max_cells = edit == 15 ? SIZE_MAX : (size_t)g_rand_int_range (rand, 0, 150);
      gboolean is_finished =
          fs_geodesic_field_update_some (pair.field, pair.c.sources->bits,
                                         (const uint32_t *)(gpointer)pair.c.cells->data,
                                         pair.c.cells->len, max_cells, changed);
      fs_geodesic_field_compute (pair.fresh, pair.c.sources->bits, pair.kind.potential);
      check_changed (pair.c.level, before, fs_geodesic_field_get_distances (pair.field), changed);
      if (is_finished)
        check_equal (&pair);
      n_unfinished += !is_finished;
    }
    check_equal (&pair);
    pair_clear (&pair);
  }
  g_assert_cmpint (n_unfinished, >, 0);
}

/* A fresh computation leaves nothing of what limited updates had put off. */
static void
test_compute_forgets (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (35);
  for (int trial = 0; trial < 200; trial++) {
    Pair pair;
    pair_init (&pair, rand, 40);
    for (int edit = 0; edit < 4; edit++) {
      fs_case_play (&pair.c, rand);
      pair_update (&pair, FS_GEODESIC_UNIT, NULL);
    }
    fs_geodesic_field_compute (pair.field, pair.c.sources->bits, pair.kind.potential);
    check_equal (&pair);
    g_autoptr (GArray) changed = g_array_new (FALSE, FALSE, sizeof (uint32_t));
    fs_geodesic_field_finish (pair.field, changed);
    g_assert_cmpuint (changed->len, ==, 0);
    pair_clear (&pair);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/geodesic-field/fresh", test_fresh);
  g_test_add_func ("/geodesic-field/some", test_some);
  g_test_add_func ("/geodesic-field/long-ways", test_long_ways);
  g_test_add_func ("/geodesic-field/many-sources", test_many_sources);
  g_test_add_func ("/geodesic-field/histories", test_histories);
  g_test_add_func ("/geodesic-field/gathered-edits", test_gathered_edits);
  g_test_add_func ("/geodesic-field/distance-cap", test_distance_cap);
  g_test_add_func ("/geodesic-field/compute-forgets", test_compute_forgets);
  return g_test_run ();
}
