/* SPDX-License-Identifier: MIT */
#include "energy/opinion.h"

#include "energy/distance.h"
#include "energy/guess_parts.h"
#include "solver/checked_memory.h"

#include <string.h>

enum {
  ZONE_CELLS = 256,  /* along the photo's longer side */
  ZONE_REACH = 9,    /* times the depth               */
  MIN_REACH_PER = 50 /* a part of the diagonal        */
};
enum { TRUST_WHOLE = 256 };
enum { PART_TRUSTED, PART_DROPPED, PART_ZONED };

struct _FsOpinion {
  FsGuess *guess;
  int16_t *tlink; /* [guess] */
  /* At the last weighing, [parts]: seeds that say what the part says, and that say the contrary. */
  uint32_t *n_for, *n_against;
  uint8_t *verdict; /* [parts] */
};

FsOpinion *
fs_opinion_new (FsGuess *guess)
{
  g_autoptr (FsOpinion) opinion = g_new0 (FsOpinion, 1);
  opinion->guess = fs_guess_ref (guess);
  size_t n = (size_t)guess->width * (size_t)guess->height;
  opinion->tlink = fs_memory_new (n, sizeof *opinion->tlink);
  opinion->n_for = fs_memory_new (guess->n_parts, sizeof *opinion->n_for);
  opinion->n_against = fs_memory_new (guess->n_parts, sizeof *opinion->n_against);
  opinion->verdict = fs_memory_new (guess->n_parts, sizeof *opinion->verdict);
  if (!opinion->tlink || !opinion->n_for || !opinion->n_against || !opinion->verdict)
    return NULL;
  memset (opinion->tlink, 0, n * sizeof *opinion->tlink);
  return g_steal_pointer (&opinion);
}

void
fs_opinion_free (FsOpinion *opinion)
{
  if (!opinion)
    return;
  fs_guess_unref (opinion->guess);
  fs_memory_free (opinion->tlink);
  fs_memory_free (opinion->n_for);
  fs_memory_free (opinion->n_against);
  fs_memory_free (opinion->verdict);
  g_free (opinion);
}

FsGuess *
fs_opinion_get_guess (const FsOpinion *opinion)
{
  return opinion->guess;
}

/* --- seeds --- */

typedef void (*SeedVisit) (int x, int y, gboolean is_object, gpointer data);

static void
visit_seeds (const FsSeedMap *seeds, SeedVisit visit, gpointer data)
{
  for (int y = 0; y < seeds->height; y++) {
    const uint8_t *label = seeds->label + (size_t)y * (size_t)seeds->width;
    for (int x = 0; x < seeds->width; x++)
      if (label[x] != FS_SEED_NONE)
        visit (x, y, label[x] != FS_SEED_BACKGROUND, data);
  }
}

static size_t
guess_pixel (const FsGuess *guess, const FsSeedMap *seeds, int x, int y)
{
  size_t gx = (size_t)((int64_t)x * guess->width / seeds->width);
  size_t gy = (size_t)((int64_t)y * guess->height / seeds->height);
  return gy * (size_t)guess->width + gx;
}

typedef struct {
  FsOpinion *opinion;
  const FsSeedMap *seeds;
  gboolean has_object, is_meant; /* object seeds, and some of them in an object part */
} Count;

static void
count_seed (int x, int y, gboolean is_object, gpointer data)
{
  Count *count = data;
  FsOpinion *opinion = count->opinion;
  uint32_t part = opinion->guess->part[guess_pixel (opinion->guess, count->seeds, x, y)];
  gboolean agrees = opinion->guess->is_object[part] == is_object;
  if (agrees)
    opinion->n_for[part]++;
  else
    opinion->n_against[part]++;
  count->has_object |= is_object;
  count->is_meant |= is_object && agrees;
}

static uint8_t
judge_part (const FsOpinion *opinion, uint32_t part, const Count *count)
{
  const FsGuess *guess = opinion->guess;
  gboolean is_for = opinion->n_for[part] > 0;
  if (guess->is_mask)
    return opinion->n_against[part] > 0 ? PART_ZONED : PART_TRUSTED;
  if (count->has_object && (!count->is_meant || (guess->is_object[part] && !is_for)))
    return PART_DROPPED;
  if (opinion->n_against[part] == 0)
    return PART_TRUSTED;
  gboolean is_huge = guess->n_pixels[part] > (uint64_t)guess->width * (uint64_t)guess->height / 2;
  return is_for || is_huge ? PART_ZONED : PART_DROPPED;
}

/* --- zones --- */

/* A reduced photo of the guess's parts, in the photo's proportions. */
typedef struct {
  const FsOpinion *opinion;
  const FsSeedMap *seeds;
  int width, height;
  uint8_t *scratch; /* [height · width]                                              */
  uint8_t *depth;   /* [height · width] of contradicted cells: octave of the depth, from 1*/
  int64_t *depth2;  /* [height · width] squared distance to the other side           */
  uint16_t *trust;  /* [height · width] */
} Zones;

static size_t
guess_pixel_of_cell (const Zones *zones, size_t cell)
{
  const FsGuess *guess = zones->opinion->guess;
  size_t w = (size_t)zones->width, h = (size_t)zones->height;
  size_t gx = (2 * (cell % w) + 1) * (size_t)guess->width / (2 * w);
  size_t gy = (2 * (cell / w) + 1) * (size_t)guess->height / (2 * h);
  return gy * (size_t)guess->width + gx;
}

static uint32_t
part_of_cell (const Zones *zones, size_t cell)
{
  return zones->opinion->guess->part[guess_pixel_of_cell (zones, cell)];
}

static uint64_t
floor_sqrt (uint64_t n)
{
  uint64_t root = 0;
  for (uint64_t bit = (uint64_t)1 << 31; bit; bit >>= 1)
    if ((root + bit) * (root + bit) <= n)
      root += bit;
  return root;
}

static gboolean
measure_depth (Zones *zones)
{
  const FsGuess *guess = zones->opinion->guess;
  size_t n = (size_t)zones->width * (size_t)zones->height;
  for (int side = 0; side < 2; side++) {
    for (size_t i = 0; i < n; i++)
      zones->scratch[i] = guess->is_object[part_of_cell (zones, i)] != side;
    g_autofree int64_t *far2 = fs_distance2 (zones->scratch, zones->width, zones->height);
    if (!far2)
      return FALSE;
    for (size_t i = 0; i < n; i++)
      if (!zones->scratch[i])
        zones->depth2[i] = far2[i];
  }
  return TRUE;
}

static void
mark_seed (int x, int y, gboolean is_object, gpointer data)
{
  Zones *zones = data;
  const FsOpinion *opinion = zones->opinion;
  uint32_t part = opinion->guess->part[guess_pixel (opinion->guess, zones->seeds, x, y)];
  if (opinion->verdict[part] != PART_ZONED || opinion->guess->is_object[part] == is_object)
    return;
  size_t cx = (size_t)((int64_t)x * zones->width / zones->seeds->width);
  size_t cy = (size_t)((int64_t)y * zones->height / zones->seeds->height);
  size_t cell = cy * (size_t)zones->width + cx;
  uint64_t depth = MAX (1, floor_sqrt ((uint64_t)zones->depth2[cell]));
  zones->depth[cell] = (uint8_t)g_bit_storage (depth);
}

/* Contradictions whose depth lies in one octave reach equally far. */
static gboolean
fade_octave (Zones *zones, int octave)
{
  size_t n = (size_t)zones->width * (size_t)zones->height;
  gboolean any = FALSE;
  for (size_t i = 0; i < n; i++)
    any |= zones->scratch[i] = zones->depth[i] == octave;
  if (!any)
    return TRUE;
  g_autofree int64_t *far2 = fs_distance2 (zones->scratch, zones->width, zones->height);
  if (!far2)
    return FALSE;
  uint64_t w = (uint64_t)zones->width, h = (uint64_t)zones->height;
  uint64_t least = floor_sqrt (256 * (w * w + h * h)) / MIN_REACH_PER;        /* in 1/16 */
  uint64_t reach = MAX (least, ZONE_REACH * 3 * ((uint64_t)1 << octave) * 4); /* in 1/16 */
  for (size_t i = 0; i < n; i++) {
    uint64_t far = floor_sqrt (256 * (uint64_t)far2[i]);
    uint64_t trust = MIN (TRUST_WHOLE, TRUST_WHOLE * far / reach);
    zones->trust[i] = (uint16_t)MIN (zones->trust[i], trust);
  }
  return TRUE;
}

static void
zones_clear (Zones *zones)
{
  g_free (zones->scratch);
  g_free (zones->depth);
  g_free (zones->depth2);
  g_free (zones->trust);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Zones, zones_clear)

static gboolean
zones_make (Zones *zones)
{
  int longer = MAX (zones->seeds->width, zones->seeds->height);
  zones->width = MAX (1, (int)((int64_t)zones->seeds->width * ZONE_CELLS / longer));
  zones->height = MAX (1, (int)((int64_t)zones->seeds->height * ZONE_CELLS / longer));
  size_t n = (size_t)zones->width * (size_t)zones->height;
  zones->scratch = g_try_new (uint8_t, n);
  zones->depth = g_try_new0 (uint8_t, n);
  zones->depth2 = g_try_new0 (int64_t, n);
  zones->trust = g_try_new (uint16_t, n);
  if (!zones->scratch || !zones->depth || !zones->depth2 || !zones->trust)
    return FALSE;
  for (size_t i = 0; i < n; i++)
    zones->trust[i] = TRUST_WHOLE;
  if (!measure_depth (zones))
    return FALSE;
  visit_seeds (zones->seeds, mark_seed, zones);
  int n_octaves = (int)g_bit_storage (2 * ZONE_CELLS);
  for (int octave = 1; octave <= n_octaves; octave++)
    if (!fade_octave (zones, octave))
      return FALSE;
  return TRUE;
}

static int
trust_in_zone (const Zones *zones, size_t gx, size_t gy)
{
  const FsGuess *guess = zones->opinion->guess;
  size_t cx = (2 * gx + 1) * (size_t)zones->width / (2 * (size_t)guess->width);
  size_t cy = (2 * gy + 1) * (size_t)zones->height / (2 * (size_t)guess->height);
  return zones->trust[cy * (size_t)zones->width + cx];
}

/* --- outside --- */

static void
fill_tlinks (FsOpinion *opinion, const Zones *zones)
{
  const FsGuess *guess = opinion->guess;
  size_t w = (size_t)guess->width, h = (size_t)guess->height;
  for (size_t y = 0; y < h; y++)
    for (size_t x = 0; x < w; x++) {
      size_t i = y * w + x;
      uint8_t verdict = opinion->verdict[guess->part[i]];
      int trust = verdict == PART_TRUSTED ? TRUST_WHOLE : 0;
      if (verdict == PART_ZONED && zones)
        trust = trust_in_zone (zones, x, y);
      int t = FS_OPINION_WEIGHT * fs_guess_odds (guess, i) * trust;
      opinion->tlink[i] = (int16_t)((t + TRUST_WHOLE / 2) >> 8);
    }
}
G_STATIC_ASSERT (TRUST_WHOLE == 1 << 8);

void
fs_opinion_weigh (FsOpinion *opinion, const FsSeedMap *seeds)
{
  uint32_t n_parts = opinion->guess->n_parts;
  memset (opinion->n_for, 0, n_parts * sizeof *opinion->n_for);
  memset (opinion->n_against, 0, n_parts * sizeof *opinion->n_against);
  Count count = { .opinion = opinion, .seeds = seeds };
  visit_seeds (seeds, count_seed, &count);
  gboolean any = FALSE;
  for (uint32_t part = 0; part < n_parts; part++) {
    opinion->verdict[part] = judge_part (opinion, part, &count);
    any |= opinion->verdict[part] == PART_ZONED;
  }
  g_auto (Zones) zones = { .opinion = opinion, .seeds = seeds };
  fill_tlinks (opinion, any && zones_make (&zones) ? &zones : NULL);
}

/* --- views --- */

/* The middles of n pixels among those of `of` pixels, in 1/256. */
static uint32_t *
place_middles (int n, int of)
{
  uint32_t *place = fs_memory_new ((size_t)n, sizeof *place);
  for (int i = 0; i < n && place; i++) {
    int64_t at = (2 * (int64_t)i + 1) * of * 128 / n - 128;
    place[i] = (uint32_t)CLAMP (at, 0, (int64_t)(of - 1) * 256);
  }
  return place;
}

gboolean
fs_opinion_view_init (FsOpinionView *view, const FsOpinion *opinion, int width, int height)
{
  *view = (FsOpinionView){ .width = width, .height = height };
  view->column = place_middles (width, opinion->guess->width);
  view->row = place_middles (height, opinion->guess->height);
  if (view->column && view->row) {
    view->opinion = opinion;
    return TRUE;
  }
  fs_opinion_view_clear (view);
  return FALSE;
}

void
fs_opinion_view_clear (FsOpinionView *view)
{
  fs_memory_free (view->column);
  fs_memory_free (view->row);
  *view = (FsOpinionView){ 0 };
}

typedef struct {
  const int16_t *upper, *lower;
  int share; /* of the lower, in 1/256 */
  uint32_t last;
} RowPair;

static RowPair
rows_at (const FsOpinionView *view, int y)
{
  const FsGuess *guess = view->opinion->guess;
  size_t w = (size_t)guess->width, row = view->row[y] >> 8;
  size_t next = MIN (row + 1, (size_t)guess->height - 1);
  return (RowPair){ view->opinion->tlink + row * w, view->opinion->tlink + next * w,
                    (int)(view->row[y] & 255), (uint32_t)guess->width - 1 };
}

static inline int32_t
mix (const RowPair *rows, uint32_t place)
{
  uint32_t x = place >> 8, next = MIN (x + 1, rows->last);
  int share = (int)(place & 255);
  int32_t left = rows->upper[x] * (256 - rows->share) + rows->lower[x] * rows->share;
  int32_t right = rows->upper[next] * (256 - rows->share) + rows->lower[next] * rows->share;
  return (left * (256 - share) + right * share + 32768) >> 16;
}

int32_t
fs_opinion_view_get (const FsOpinionView *view, uint32_t pixel)
{
  uint32_t w = (uint32_t)view->width;
  RowPair rows = rows_at (view, (int)(pixel / w));
  return mix (&rows, view->column[pixel % w]);
}

void
fs_opinion_view_add_row (const FsOpinionView *view, int y, int x0, int x1, int32_t *tlinks)
{
  RowPair rows = rows_at (view, y);
  for (int x = x0; x < x1; x++)
    tlinks[x - x0] += mix (&rows, view->column[x]);
}

FsStretchedPlane
fs_opinion_view_tell (const FsOpinionView *view)
{
  const FsGuess *guess = view->opinion->guess;
  return (FsStretchedPlane){ .values = view->opinion->tlink,
                             .width = guess->width,
                             .height = guess->height,
                             .photo_width = view->width,
                             .photo_height = view->height,
                             .column = view->column,
                             .row = view->row };
}
