/* SPDX-License-Identifier: MIT */
#include "energy/guess/opinion.h"

#include "energy/guess/guess_box.h"
#include "energy/guess/guess_internal.h"
#include "energy/guess/guess_photo.h"
#include "energy/guess/guess_zones.h"
#include "energy/image/next_seed.h"
#include "energy/image/target_clones.h"
#include "solver/system/checked_memory.h"

#include <string.h>

/* A box with less than this part of the photo outside is no evidence. */
enum { BOX_DIVISOR = 20 };

/* A guess fills the photo's frame if its object has more than this many quarters of it. */
enum { FILLED_QUARTERS = 3 };

typedef enum { COMPONENT_TRUSTED, COMPONENT_DROPPED, COMPONENT_ZONED } Decision;

struct _FsOpinion {
  FsGuess *guess;
  gboolean is_of_photo;
  gboolean fills_frame;
  FsGuessZones zones;
  int16_t *tlink; /* [guess] */
  /* At the last weighing, [components]: seeds that say what the component says, and that say the
   * contrary. */
  uint32_t *n_for, *n_against;
  uint8_t *decision; /* [components] */
  uint8_t *filled;   /* [components] the decisions that the t-links were filled with */
  int weight;        /* that the t-links were filled with; 0: never */
  gboolean is_within_outline;
  gboolean is_silent;
};

static int
is_object_at (const FsGuess *guess, int x, int y)
{
  return guess->is_object[guess->component[(size_t)y * (size_t)guess->width + (size_t)x]];
}

static gboolean
fills_frame (const FsGuess *guess)
{
  int w = guess->width, h = guess->height, n = 0;
  for (int x = 0; x < w; x++)
    n += is_object_at (guess, x, 0) + is_object_at (guess, x, h - 1);
  for (int y = 0; y < h; y++)
    n += is_object_at (guess, 0, y) + is_object_at (guess, w - 1, y);
  return 4 * n > FILLED_QUARTERS * 2 * (w + h);
}

FsOpinion *
fs_opinion_new (FsGuess *guess, const FsImage *image)
{
  g_autoptr (FsOpinion) opinion = g_new0 (FsOpinion, 1);
  opinion->guess = fs_guess_ref (guess);
  opinion->is_of_photo = !image || guess->is_mask || fs_guess_is_of_photo (guess, image);
  opinion->fills_frame = fills_frame (guess);
  size_t n = (size_t)guess->width * (size_t)guess->height;
  opinion->tlink = fs_memory_new (n, sizeof *opinion->tlink);
  opinion->n_for = fs_memory_new (guess->n_components, sizeof *opinion->n_for);
  opinion->n_against = fs_memory_new (guess->n_components, sizeof *opinion->n_against);
  opinion->decision = fs_memory_new (guess->n_components, sizeof *opinion->decision);
  opinion->filled = fs_memory_new (guess->n_components, sizeof *opinion->filled);
  if (!opinion->tlink || !opinion->n_for || !opinion->n_against || !opinion->decision
      || !opinion->filled || !fs_guess_zones_init (&opinion->zones, guess))
    return NULL;
  memset (opinion->tlink, 0, n * sizeof *opinion->tlink);
  return g_steal_pointer (&opinion);
}

void
fs_opinion_free (FsOpinion *opinion)
{
  if (!opinion)
    return;
  fs_guess_zones_clear (&opinion->zones);
  fs_guess_unref (opinion->guess);
  fs_memory_free (opinion->tlink);
  fs_memory_free (opinion->n_for);
  fs_memory_free (opinion->n_against);
  fs_memory_free (opinion->decision);
  fs_memory_free (opinion->filled);
  g_free (opinion);
}

FsGuess *
fs_opinion_get_guess (const FsOpinion *opinion)
{
  return opinion->guess;
}

void
fs_opinion_set_outlined (FsOpinion *opinion, gboolean is_within_outline)
{
  opinion->is_within_outline = is_within_outline;
}

gboolean
fs_opinion_is_silent (const FsOpinion *opinion)
{
  return opinion->is_silent;
}

/* --- seeds --- */

typedef struct {
  gboolean any;
  gboolean has_object, is_selected; /* object seeds, and some of them in an object component */
  gboolean is_contradicted;
  int depth_for, depth_against; /* octaves of the deepest seeds' depth, 0 for none */
} Count;

/* An object seed in a cell at the border of object components selects them, too. */
static void
select_neighbours (FsOpinion *opinion, size_t cell, Count *count)
{
  const FsGuessZones *zones = &opinion->zones;
  int w = zones->width, x0 = (int)cell % w, y0 = (int)cell / w;
  for (int y = MAX (y0 - 1, 0); y <= MIN (y0 + 1, zones->height - 1); y++)
    for (int x = MAX (x0 - 1, 0); x <= MIN (x0 + 1, w - 1); x++) {
      uint32_t component = fs_guess_zones_component (zones, (size_t)y * (size_t)w + (size_t)x);
      if (opinion->guess->is_object[component]) {
        opinion->n_for[component]++;
        count->is_selected = TRUE;
      }
    }
}

static void
count_seed (FsOpinion *opinion, int x, int y, gboolean is_object, Count *count)
{
  const FsGuess *guess = opinion->guess;
  uint32_t component = fs_guess_component_at (guess, x, y);
  gboolean agrees = guess->is_object[component] == is_object;
  if (agrees)
    opinion->n_for[component]++;
  else
    opinion->n_against[component]++;
  size_t cell =
      fs_guess_zones_cell (&opinion->zones, x, y, guess->photo_width, guess->photo_height);
  if (is_object && !agrees && opinion->zones.depth[cell] == 1
      && !(opinion->zones.is_seeded[cell] & FS_ZONE_OBJECT))
    select_neighbours (opinion, cell, count);
  opinion->zones.is_seeded[cell] |=
      (uint8_t)((agrees ? 0 : FS_ZONE_CONTRADICTS) | (is_object ? FS_ZONE_OBJECT : 0));
  count->any = TRUE;
  count->has_object |= is_object;
  count->is_selected |= is_object && agrees;
  count->is_contradicted |= !agrees;
  int *depth = agrees ? &count->depth_for : &count->depth_against;
  *depth = MAX (*depth, opinion->zones.depth[cell]);
}

static Count
count_seeds (FsOpinion *opinion, const FsSeedMap *seeds)
{
  Count count = { 0 };
  uint32_t n_components = opinion->guess->n_components;
  const FsGuessZones *zones = &opinion->zones;
  memset (opinion->n_for, 0, n_components * sizeof *opinion->n_for);
  memset (opinion->n_against, 0, n_components * sizeof *opinion->n_against);
  memset (zones->is_seeded, 0, (size_t)zones->width * (size_t)zones->height);
  size_t w = (size_t)seeds->width;
  for (int y = 0; y < seeds->height; y++) {
    const uint8_t *label = seeds->label + (size_t)y * w;
    for (size_t x = fs_next_seed (label, 0, w); x < w; x = fs_next_seed (label, x + 1, w))
      count_seed (opinion, (int)x, y, label[x] != FS_SEED_BACKGROUND, &count);
  }
  return count;
}

/* TRUE if the guess seems inverted: its object is the background. */
static gboolean
is_inverted (const FsOpinion *opinion, const Count *count)
{
  return opinion->fills_frame && count->has_object && count->depth_against >= count->depth_for;
}

static Decision
decide_component (const FsOpinion *opinion, uint32_t component, const Count *count)
{
  const FsGuess *guess = opinion->guess;
  gboolean is_for = opinion->n_for[component] > 0;
  if (guess->is_mask)
    return opinion->n_against[component] > 0 ? COMPONENT_ZONED : COMPONENT_TRUSTED;
  if (count->any && (!opinion->is_of_photo || is_inverted (opinion, count)))
    return COMPONENT_DROPPED;
  if (count->has_object && (!count->is_selected || (guess->is_object[component] && !is_for)))
    return COMPONENT_DROPPED;
  if (opinion->n_against[component] == 0)
    return COMPONENT_TRUSTED;
  gboolean is_huge =
      guess->n_pixels[component] > (uint64_t)guess->width * (uint64_t)guess->height / 2;
  return is_for || is_huge ? COMPONENT_ZONED : COMPONENT_DROPPED;
}

/* TRUE if the only seeds are the outside of an outline, which leaves enough of the photo out. */
static gboolean
is_box_alone (const FsOpinion *opinion, const FsSeedMap *seeds, const Count *count)
{
  int64_t n = (int64_t)seeds->width * seeds->height;
  return opinion->is_within_outline && count->any && !count->has_object && opinion->is_of_photo
         && !opinion->guess->is_mask && seeds->n_seeds[FS_SEED_BACKGROUND] >= n / BOX_DIVISOR;
}

/* Spills beyond the box contradict nothing. */
static void
decide_by_box (FsOpinion *opinion, const FsSeedMap *seeds)
{
  uint32_t n_components = opinion->guess->n_components;
  uint8_t *decision = opinion->decision;
  gboolean fits = fs_guess_box_fits (opinion->guess, seeds, opinion->n_against, decision);
  for (uint32_t component = 0; component < n_components; component++)
    decision[component] = fits && !decision[component] ? COMPONENT_TRUSTED : COMPONENT_DROPPED;
}

static void
decide_components (FsOpinion *opinion, const FsSeedMap *seeds, const Count *count)
{
  if (is_box_alone (opinion, seeds, count))
    decide_by_box (opinion, seeds);
  else
    for (uint32_t component = 0; component < opinion->guess->n_components; component++)
      opinion->decision[component] = decide_component (opinion, component, count);
}

/* --- t-links --- */

static void
fill_tlinks (FsOpinion *opinion, int weight)
{
  const FsGuess *guess = opinion->guess;
  size_t i = 0;
  for (int y = 0; y < guess->height; y++)
    for (int x = 0; x < guess->width; x++, i++) {
      Decision decision = opinion->decision[guess->component[i]];
      int trust = decision == COMPONENT_TRUSTED ? FS_TRUST_WHOLE : 0;
      if (decision == COMPONENT_ZONED)
        trust =
            opinion->zones
                .trust[fs_guess_zones_cell (&opinion->zones, x, y, guess->width, guess->height)];
      int t = weight * fs_guess_odds (guess, i) * trust;
      opinion->tlink[i] = (int16_t)((t + FS_TRUST_WHOLE / 2) >> 8);
    }
}
G_STATIC_ASSERT (FS_TRUST_WHOLE == 1 << 8);
G_STATIC_ASSERT (FS_OPINION_MAX == FS_OPINION_WEIGHT_CONFIRMED * FS_GUESS_MAX);

void
fs_opinion_weigh (FsOpinion *opinion, const FsSeedMap *seeds)
{
  uint32_t n_components = opinion->guess->n_components;
  Count count = count_seeds (opinion, seeds);
  gboolean is_confirmed = count.is_selected && !count.is_contradicted;
  int weight = is_confirmed ? FS_OPINION_WEIGHT_CONFIRMED : FS_OPINION_WEIGHT;
  decide_components (opinion, seeds, &count);
  gboolean is_zoned = FALSE;
  opinion->is_silent = TRUE;
  for (uint32_t component = 0; component < n_components; component++) {
    is_zoned |= opinion->decision[component] == COMPONENT_ZONED;
    opinion->is_silent &= opinion->decision[component] == COMPONENT_DROPPED;
  }
  if (weight == opinion->weight && !is_zoned
      && memcmp (opinion->decision, opinion->filled, n_components) == 0)
    return;
  if (is_zoned)
    fs_guess_zones_fade (&opinion->zones, NULL);
  fill_tlinks (opinion, weight);
  memcpy (opinion->filled, opinion->decision, n_components);
  opinion->weight = weight;
}

/* --- lost trust --- */

typedef struct {
  uint8_t *is_painted; /* [cells] */
  uint8_t *is_hit;     /* [components] that what is painted contradicts */
  gboolean any;
  gboolean is_first; /* no object seed but what is painted */
} Stroke;

static void
stroke_clear (Stroke *stroke)
{
  g_free (stroke->is_painted);
  g_free (stroke->is_hit);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Stroke, stroke_clear)

static gboolean
find_stroke (const FsOpinion *opinion, const uint32_t *painted, size_t n, Stroke *stroke)
{
  const FsGuess *guess = opinion->guess;
  const FsGuessZones *zones = &opinion->zones;
  size_t n_cells = (size_t)zones->width * (size_t)zones->height;
  stroke->is_painted = g_try_malloc0 (n_cells);
  stroke->is_hit = g_try_malloc0 (guess->n_components);
  if (!stroke->is_painted || !stroke->is_hit)
    return FALSE;
  for (size_t i = 0; i < n; i++) {
    int x = (int)(painted[i] % (uint32_t)guess->photo_width);
    int y = (int)(painted[i] / (uint32_t)guess->photo_width);
    size_t cell = fs_guess_zones_cell (zones, x, y, guess->photo_width, guess->photo_height);
    stroke->is_painted[cell] = 1;
    if (zones->is_seeded[cell] & FS_ZONE_CONTRADICTS)
      stroke->is_hit[fs_guess_component_at (guess, x, y)] = stroke->any = TRUE;
  }
  gboolean has_object = FALSE, has_other = FALSE;
  for (size_t i = 0; i < n_cells; i++)
    if (zones->is_seeded[i] & FS_ZONE_OBJECT) {
      has_object |= stroke->is_painted[i];
      has_other |= !stroke->is_painted[i];
    }
  stroke->is_first = has_object && !has_other;
  return TRUE;
}

uint16_t *
fs_opinion_get_remaining_trust (FsOpinion *opinion, const uint32_t *painted, size_t n, int *width,
                                int *height)
{
  const FsGuess *guess = opinion->guess;
  FsGuessZones *zones = &opinion->zones;
  size_t n_cells = (size_t)zones->width * (size_t)zones->height;
  g_auto (Stroke) stroke = { 0 };
  if (opinion->weight == 0 || !find_stroke (opinion, painted, n, &stroke)
      || !(stroke.any || stroke.is_first))
    return NULL;
  uint16_t *trust = g_try_new (uint16_t, n_cells);
  if (!trust)
    return NULL;
  fs_guess_zones_fade (zones, stroke.is_painted);
  for (size_t i = 0; i < n_cells; i++) {
    uint32_t component = fs_guess_zones_component (zones, i);
    gboolean is_dropped = opinion->decision[component] == COMPONENT_DROPPED;
    trust[i] = FS_TRUST_WHOLE;
    if (stroke.is_hit[component])
      trust[i] = is_dropped ? 0 : zones->trust[i];
    else if (stroke.is_first && is_dropped && guess->is_object[component])
      trust[i] = 0;
  }
  *width = zones->width;
  *height = zones->height;
  return trust;
}

/* --- views --- */

/* The middles of n pixels among those of `of` pixels, in 1/256. */
static uint32_t *
place_centres (int n, int of)
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
  view->column = place_centres (width, opinion->guess->width);
  view->row = place_centres (height, opinion->guess->height);
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
  int weight; /* of the lower, in 1/256 */
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
  int weight = (int)(place & 255);
  int32_t left = rows->upper[x] * (256 - rows->weight) + rows->lower[x] * rows->weight;
  int32_t right = rows->upper[next] * (256 - rows->weight) + rows->lower[next] * rows->weight;
  return (left * (256 - weight) + right * weight + 32768) >> 16;
}

int32_t
fs_opinion_view_get (const FsOpinionView *view, uint32_t pixel)
{
  uint32_t w = (uint32_t)view->width;
  RowPair rows = rows_at (view, (int)(pixel / w));
  return mix (&rows, view->column[pixel % w]);
}

enum { COLUMNS_AT_ONCE = 512 };

/* As mix(), with the two rows mixed once for all columns between the same pixels of the guess. */
FS_TARGET_CLONES static void
add_columns (const RowPair *rows, const uint32_t *column, int n, int32_t *tlinks)
{
  int32_t mixed[COLUMNS_AT_ONCE + 1];
  uint32_t first = column[0] >> 8, end = MIN ((column[n - 1] >> 8) + 1, rows->last);
  if (end - first > COLUMNS_AT_ONCE) { /* the picture is smaller than the guess */
    for (int i = 0; i < n; i++)
      tlinks[i] += mix (rows, column[i]);
    return;
  }
  for (uint32_t x = first; x <= end; x++)
    mixed[x - first] = rows->upper[x] * (256 - rows->weight) + rows->lower[x] * rows->weight;
  for (int i = 0; i < n; i++) {
    uint32_t x = column[i] >> 8, next = MIN (x + 1, end);
    int weight = (int)(column[i] & 255);
    tlinks[i] += (mixed[x - first] * (256 - weight) + mixed[next - first] * weight + 32768) >> 16;
  }
}

void
fs_opinion_view_add_row (const FsOpinionView *view, int y, int x0, int x1, int32_t *tlinks)
{
  RowPair rows = rows_at (view, y);
  for (int x = x0; x < x1; x += COLUMNS_AT_ONCE)
    add_columns (&rows, view->column + x, MIN (COLUMNS_AT_ONCE, x1 - x), tlinks + (x - x0));
}

FsStretchedPlane
fs_opinion_view_plane (const FsOpinionView *view)
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
