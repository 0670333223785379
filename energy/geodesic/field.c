/* SPDX-License-Identifier: MIT */
#include "energy/geodesic/field.h"

#include "energy/geodesic/queue.h"
#include "solver/system/checked_memory.h"

#include <string.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* Directions as bits. */
#define ALL_ARCS 0xffu
#define DIRECT_ARCS                                                                                \
  ((1u << FS_DIRECTION_E | 1u << FS_DIRECTION_S) * (1u | 1u << FS_DIRECTION_OPPOSITE))

/* A cell's state. */
enum {
  SOURCE = 1,
  BORDER = 2,
  TOUCHED = 4,  /* stands in `touched`                                */
  LOST = 8,     /* stands in `lost`: no path gives its distance       */
  FRONTIER = 16 /* stands in `frontier`: a neighbour could still be nearer */
};

/* A distance as it was before the present update. */
typedef struct {
  uint32_t cell;
  int32_t before;
} Touched;

struct _FsGeodesicField {
  FsGeodesicLevel *level;
  uint8_t source_bit;
  uint32_t arcs; /* a bit for each direction that paths may take */
  const FsGeodesicCosts *costs;
  int offset[FS_N_ARCS];
  /* Both cell planes. The border's distance is 0, so that no path ever improves on it. */
  int32_t *distance;
  uint8_t *state;
  const uint16_t *potential; /* may be NULL */
  FsGeodesicQueue queue;
  GArray *touched;  /* of Touched, empty between updates */
  GArray *lost;     /* of cells, empty between updates */
  GArray *frontier; /* of cells: where limited updates have stopped */
};

FsGeodesicField *
fs_geodesic_field_new (FsGeodesicLevel *level, FsGeodesicMu mu, FsNeighbours neighbours,
                       uint8_t source_bit)
{
  g_return_val_if_fail (level, NULL);
  g_return_val_if_fail (mu < FS_GEODESIC_N_MUS, NULL);

  int32_t *distance = fs_geodesic_plane_new (level, sizeof *distance);
  uint8_t *state = fs_geodesic_plane_new (level, sizeof *state);
  if (!distance || !state) {
    fs_memory_free (distance);
    fs_memory_free (state);
    return NULL;
  }
  memset (state, BORDER, level->n_plane);

  FsGeodesicField *field = g_new0 (FsGeodesicField, 1);
  field->level = fs_geodesic_level_ref (level);
  field->arcs = neighbours == FS_NEIGHBOURS_8 ? ALL_ARCS : DIRECT_ARCS;
  field->source_bit = source_bit;
  field->costs = level->costs[mu];
  for (int d = 0; d < FS_N_ARCS; d++)
    field->offset[d] = fs_geodesic_offset (level, d);
  field->distance = distance;
  field->state = state;
  fs_geodesic_queue_init (&field->queue, distance);
  field->touched = g_array_new (FALSE, FALSE, sizeof (Touched));
  field->lost = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  field->frontier = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  for (int y = 0; y < level->height; y++)
    for (int x = 0; x < level->width; x++) {
      distance[fs_geodesic_cell (level, x, y)] = FS_GEODESIC_FAR;
      state[fs_geodesic_cell (level, x, y)] = 0;
    }
  return field;
}

void
fs_geodesic_field_free (FsGeodesicField *field)
{
  if (!field)
    return;
  fs_geodesic_queue_clear (&field->queue);
  g_array_unref (field->touched);
  g_array_unref (field->lost);
  g_array_unref (field->frontier);
  fs_memory_free (field->distance);
  fs_memory_free (field->state);
  fs_geodesic_level_unref (field->level);
  g_free (field);
}

const int32_t *
fs_geodesic_field_get_distances (const FsGeodesicField *field)
{
  return field->distance;
}

/* --- Spreading -------------------------------------------------------------------------------- */

/* The cost of the edge from p in direction d, which leads to q. */
static inline int32_t
edge_cost (const FsGeodesicField *field, uint32_t p, uint32_t q, int d)
{
  int32_t cost = field->costs[p].to[d];
  if (field->potential)
    cost += ABS (field->potential[p] - field->potential[q]);
  return cost;
}

static void
touch (FsGeodesicField *field, uint32_t cell)
{
  if (field->state[cell] & TOUCHED)
    return;
  field->state[cell] |= TOUCHED;
  Touched touched = { cell, field->distance[cell] };
  g_array_append_val (field->touched, touched);
}

static void
add_to_frontier (FsGeodesicField *field, uint32_t cell)
{
  if (field->state[cell] & FRONTIER)
    return;
  field->state[cell] |= FRONTIER;
  g_array_append_val (field->frontier, cell);
}

static inline void
lower (FsGeodesicField *field, uint32_t cell, int32_t distance)
{
  touch (field, cell);
  field->distance[cell] = distance;
  fs_geodesic_queue_put (&field->queue, cell, distance);
}

/* In a fresh computation every cell with a distance is in the queue or final. */
static inline void
lower_afresh (FsGeodesicField *field, uint32_t cell, int32_t distance)
{
  int32_t before = field->distance[cell];
  field->distance[cell] = distance;
  if (before == FS_GEODESIC_FAR
      || fs_geodesic_queue_bucket (&field->queue, before)
             != fs_geodesic_queue_bucket (&field->queue, distance))
    fs_geodesic_queue_put (&field->queue, cell, distance);
}

#ifdef __SSE2__
/* The neighbours of a cell by direction: 0 … 3, and 4 … 7. Four cells of a row are read for three:
 * the fourth is one to the left below, one to the right above, so that it lies in the plane. */
static inline __m128i
first_four (const int32_t *cell, ptrdiff_t stride)
{
  __m128i below = _mm_loadu_si128 ((const void *)(cell + stride - 2));
  below = _mm_shuffle_epi32 (below, _MM_SHUFFLE (1, 3, 2, 0)); /* _, S, SE, SW */
  __m128i east = _mm_cvtsi32_si128 (cell[1]);
  return _mm_castps_si128 (_mm_move_ss (_mm_castsi128_ps (below), _mm_castsi128_ps (east)));
}

static inline __m128i
last_four (const int32_t *cell, ptrdiff_t stride)
{
  __m128i above = _mm_loadu_si128 ((const void *)(cell - stride - 1));
  above = _mm_shuffle_epi32 (above, _MM_SHUFFLE (2, 0, 1, 0)); /* _, N, NW, NE */
  __m128i west = _mm_cvtsi32_si128 (cell[-1]);
  return _mm_castps_si128 (_mm_move_ss (_mm_castsi128_ps (above), _mm_castsi128_ps (west)));
}

/* |P_p − P_q| for all neighbours. */
static inline __m128i
potential_steps (const uint16_t *cell, ptrdiff_t stride)
{
  __m128i below = _mm_loadl_epi64 ((const void *)(cell + stride - 2));
  __m128i above = _mm_loadl_epi64 ((const void *)(cell - stride - 1));
  below = _mm_insert_epi16 (_mm_shufflelo_epi16 (below, _MM_SHUFFLE (1, 3, 2, 0)), cell[1], 0);
  above = _mm_insert_epi16 (_mm_shufflelo_epi16 (above, _MM_SHUFFLE (2, 0, 1, 0)), cell[-1], 0);
  __m128i near = _mm_unpacklo_epi64 (below, above), own = _mm_set1_epi16 ((short)*cell);
  return _mm_or_si128 (_mm_subs_epu16 (own, near), _mm_subs_epu16 (near, own));
}

static inline uint32_t
lesser_lanes (__m128i a, __m128i b)
{
  return (uint32_t)_mm_movemask_ps (_mm_castsi128_ps (_mm_cmplt_epi32 (a, b)));
}

/* Relaxes the edges of a cell whose distance is final: fills the distances that its neighbours get
 * through it, and returns a bit for each that is shorter than theirs. */
static inline uint32_t
make_offers (const FsGeodesicField *field, uint32_t p, int32_t offers[FS_N_ARCS])
{
  ptrdiff_t stride = field->offset[FS_DIRECTION_S];
  const int32_t *distance = field->distance + p;
  __m128i costs = _mm_loadu_si128 ((const void *)&field->costs[p]), zero = _mm_setzero_si128 ();
  __m128i first = _mm_unpacklo_epi16 (costs, zero), last = _mm_unpackhi_epi16 (costs, zero);
  if (field->potential) {
    __m128i steps = potential_steps (field->potential + p, stride);
    first = _mm_add_epi32 (first, _mm_unpacklo_epi16 (steps, zero));
    last = _mm_add_epi32 (last, _mm_unpackhi_epi16 (steps, zero));
  }
  first = _mm_add_epi32 (first, _mm_set1_epi32 (*distance));
  last = _mm_add_epi32 (last, _mm_set1_epi32 (*distance));
  _mm_storeu_si128 ((void *)offers, first);
  _mm_storeu_si128 ((void *)(offers + 4), last);
  uint32_t news = lesser_lanes (first, first_four (distance, stride));
  return (news | lesser_lanes (last, last_four (distance, stride)) << 4) & field->arcs;
}
G_STATIC_ASSERT (sizeof (FsGeodesicCosts) == sizeof (__m128i));
G_STATIC_ASSERT (FS_DIRECTION_E == 0 && FS_DIRECTION_S == 1 && FS_DIRECTION_SE == 2
                 && FS_DIRECTION_SW == 3 && FS_DIRECTION_OPPOSITE == 4);
#else
/* Relaxes the edges of a cell whose distance is final: fills the distances that its neighbours get
 * through it, and returns a bit for each that is shorter than theirs. */
__attribute__ ((always_inline)) static inline uint32_t
make_offers (const FsGeodesicField *field, uint32_t p, int32_t offers[FS_N_ARCS])
{
  const int32_t *distance = field->distance + p;
  const FsGeodesicCosts costs = field->costs[p];
  for (int d = 0; d < FS_N_ARCS; d++)
    offers[d] = *distance + costs.to[d];
  if (field->potential) {
    const uint16_t *potential = field->potential + p;
    for (int d = 0; d < FS_N_ARCS; d++)
      offers[d] += ABS (*potential - potential[field->offset[d]]);
  }
  uint32_t news = 0;
  for (int d = 0; d < FS_N_ARCS; d++)
    news |= (uint32_t)(offers[d] < distance[field->offset[d]]) << d;
  return news & field->arcs;
}
#endif

static void
finalise_afresh (FsGeodesicField *field, uint32_t p)
{
  int32_t offers[FS_N_ARCS];
  for (uint32_t news = make_offers (field, p, offers); news; news &= news - 1) {
    int d = __builtin_ctz (news);
    lower_afresh (field, p + (uint32_t)field->offset[d], offers[d]);
  }
}

static void
finalise_update (FsGeodesicField *field, uint32_t p, int32_t distance_cap)
{
  int32_t offers[FS_N_ARCS];
  for (uint32_t news = make_offers (field, p, offers); news; news &= news - 1) {
    int d = __builtin_ctz (news);
    if (offers[d] <= distance_cap)
      lower (field, p + (uint32_t)field->offset[d], offers[d]);
    else
      add_to_frontier (field, p);
  }
}

/* Takes a batch out of the queue. Its cells are spread over the level, so their costs are
 * prefetched. */
static int
take_batch (FsGeodesicField *field, uint32_t cells[FS_CHUNK_ENTRIES])
{
  int n = fs_geodesic_queue_take (&field->queue, cells);
  for (int i = 0; i < n; i++)
    __builtin_prefetch (&field->costs[cells[i]]);
  return n;
}

static void
propagate_afresh (FsGeodesicField *field)
{
  uint32_t cells[FS_CHUNK_ENTRIES];
  for (int n; (n = take_batch (field, cells)) > 0;)
    for (int i = 0; i < n; i++)
      finalise_afresh (field, cells[i]);
}

static void
propagate_update (FsGeodesicField *field, int32_t distance_cap)
{
  uint32_t cells[FS_CHUNK_ENTRIES];
  for (int n; (n = take_batch (field, cells)) > 0;)
    for (int i = 0; i < n; i++)
      finalise_update (field, cells[i], distance_cap);
}

/* Cells left in the queue have the length of some path as distance, perhaps not of the shortest. */
static void
leave_rest (FsGeodesicField *field)
{
  uint32_t cells[FS_CHUNK_ENTRIES];
  for (int n; (n = take_batch (field, cells)) > 0;)
    for (int i = 0; i < n; i++)
      add_to_frontier (field, cells[i]);
}

/* Nearest first, until max_cells are final or none is left. */
static void
propagate_some (FsGeodesicField *field, size_t max_cells)
{
  uint32_t cells[FS_CHUNK_ENTRIES];
  size_t n_final = 0;
  for (int n; n_final < max_cells && (n = take_batch (field, cells)) > 0; n_final += (size_t)n)
    for (int i = 0; i < n; i++)
      finalise_update (field, cells[i], FS_GEODESIC_NO_CAP);
  leave_rest (field);
}

static void
start_row (FsGeodesicField *field, const uint8_t *bits, uint32_t first, uint32_t end)
{
  for (uint32_t p = first; p < end; p++) {
    gboolean is_source = bits[p] & field->source_bit;
    field->state[p] = is_source ? SOURCE : 0;
    field->distance[p] = is_source ? 0 : FS_GEODESIC_FAR;
    if (is_source)
      fs_geodesic_queue_put (&field->queue, p, 0);
  }
}

void
fs_geodesic_field_compute (FsGeodesicField *field, const uint8_t *bits, const uint16_t *potential)
{
  field->potential = potential;
  g_array_set_size (field->frontier, 0);
  const FsGeodesicLevel *level = field->level;
  for (int y = 0; y < level->height; y++)
    start_row (field, bits, fs_geodesic_cell (level, 0, y),
               fs_geodesic_cell (level, level->width, y));
  propagate_afresh (field);
}

/* --- Losing sources --------------------------------------------------------------------------- */

/* The neighbour of p in direction d, where a path may come from there. */
static inline gboolean
get_neighbour (const FsGeodesicField *field, uint32_t p, int d, uint32_t *q)
{
  *q = p + (uint32_t)field->offset[d];
  return field->arcs >> d & 1 && !(field->state[*q] & (BORDER | LOST));
}

/* TRUE if some path still has the cell's distance, through a neighbour that is not lost itself.
 * Such neighbours are nearer, hence decided before. */
static gboolean
has_support (const FsGeodesicField *field, uint32_t p)
{
  uint32_t q;
  for (int d = 0; d < FS_N_ARCS; d++)
    if (get_neighbour (field, p, d, &q)
        && field->distance[q] + edge_cost (field, p, q, d) == field->distance[p])
      return TRUE;
  return FALSE;
}

/* Neighbours whose paths may have led through a lost cell must be checked, too. */
static void
queue_dependent_neighbours (FsGeodesicField *field, uint32_t p)
{
  uint32_t q;
  for (int d = 0; d < FS_N_ARCS; d++)
    if (get_neighbour (field, p, d, &q)
        && field->distance[p] + edge_cost (field, p, q, d) == field->distance[q])
      fs_geodesic_queue_put (&field->queue, q, field->distance[q]);
}

/* Collects every cell whose distance is no longer that of a path, nearest first. */
static void
find_lost (FsGeodesicField *field)
{
  uint32_t cells[FS_CHUNK_ENTRIES];
  for (int n; (n = take_batch (field, cells)) > 0;)
    for (int i = 0; i < n; i++) {
      if (field->state[cells[i]] & LOST || has_support (field, cells[i]))
        continue;
      touch (field, cells[i]);
      field->state[cells[i]] |= LOST;
      g_array_append_val (field->lost, cells[i]);
      queue_dependent_neighbours (field, cells[i]);
    }
}

/* The best offer of a lost cell's neighbours that are not lost. */
static int32_t
best_offer (const FsGeodesicField *field, uint32_t p)
{
  int32_t best = FS_GEODESIC_FAR;
  uint32_t q;
  for (int d = 0; d < FS_N_ARCS; d++)
    if (get_neighbour (field, p, d, &q))
      best = MIN (best, field->distance[q] + edge_cost (field, p, q, d));
  return best;
}

/* Fills the lost cells from their frontier. */
static void
restore_lost (FsGeodesicField *field)
{
  const uint32_t *lost = (const uint32_t *)(gpointer)field->lost->data;
  for (guint i = 0; i < field->lost->len; i++)
    field->distance[lost[i]] = best_offer (field, lost[i]);
  for (guint i = 0; i < field->lost->len; i++) {
    field->state[lost[i]] &= (uint8_t)~LOST;
    if (field->distance[lost[i]] < FS_GEODESIC_FAR)
      fs_geodesic_queue_put (&field->queue, lost[i], field->distance[lost[i]]);
  }
  g_array_set_size (field->lost, 0);
  propagate_update (field, FS_GEODESIC_NO_CAP);
}

/* --- Updates ---------------------------------------------------------------------------------- */

static void
queue_frontier (FsGeodesicField *field)
{
  for (guint i = 0; i < field->frontier->len; i++) {
    uint32_t cell = g_array_index (field->frontier, uint32_t, i);
    field->state[cell] &= (uint8_t)~FRONTIER;
    fs_geodesic_queue_put (&field->queue, cell, field->distance[cell]);
  }
  g_array_set_size (field->frontier, 0);
}

static void
propagate_from_frontier (FsGeodesicField *field)
{
  queue_frontier (field);
  propagate_update (field, FS_GEODESIC_NO_CAP);
}

/* Repair follows which distances depend on which, so the field must be finished first. */
static void
lose_sources (FsGeodesicField *field, const uint8_t *bits, const uint32_t *cells, size_t n)
{
  gboolean any = FALSE;
  for (size_t i = 0; i < n; i++)
    any |= field->state[cells[i]] & SOURCE && !(bits[cells[i]] & field->source_bit);
  if (!any)
    return;

  propagate_from_frontier (field);
  for (size_t i = 0; i < n; i++)
    if (field->state[cells[i]] & SOURCE && !(bits[cells[i]] & field->source_bit)) {
      field->state[cells[i]] &= (uint8_t)~SOURCE;
      fs_geodesic_queue_put (&field->queue, cells[i], 0);
    }
  find_lost (field);
  restore_lost (field);
}

static void
gain_sources (FsGeodesicField *field, const uint8_t *bits, const uint32_t *cells, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (!(field->state[cells[i]] & SOURCE) && bits[cells[i]] & field->source_bit) {
      field->state[cells[i]] |= SOURCE;
      lower (field, cells[i], 0);
    }
}

/* Ends an update: lists which of the touched cells have another distance than before. */
static void
report_cells (FsGeodesicField *field, FsCellList *changed)
{
  for (guint i = 0; i < field->touched->len; i++) {
    const Touched *touched = &g_array_index (field->touched, Touched, i);
    field->state[touched->cell] &= (uint8_t)~TOUCHED;
    if (changed && field->distance[touched->cell] != touched->before)
      g_array_append_val (changed, touched->cell);
  }
  g_array_set_size (field->touched, 0);
}

void
fs_geodesic_field_update (FsGeodesicField *field, const uint8_t *bits, const uint32_t *cells,
                          size_t n, int32_t distance_cap, FsCellList *changed)
{
  lose_sources (field, bits, cells, n);
  gain_sources (field, bits, cells, n);
  propagate_update (field, distance_cap);
  report_cells (field, changed);
}

gboolean
fs_geodesic_field_update_some (FsGeodesicField *field, const uint8_t *bits, const uint32_t *cells,
                               size_t n, size_t max_cells, FsCellList *changed)
{
  lose_sources (field, bits, cells, n);
  gain_sources (field, bits, cells, n);
  queue_frontier (field);
  propagate_some (field, max_cells);
  report_cells (field, changed);
  return field->frontier->len == 0;
}

void
fs_geodesic_field_finish (FsGeodesicField *field, FsCellList *changed)
{
  propagate_from_frontier (field);
  report_cells (field, changed);
}
