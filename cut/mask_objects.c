/* SPDX-License-Identifier: MIT */
#include "cut/mask_objects.h"

#include "cut/guessed_objects.h"
#include "cut/object_division.h"
#include "cut/label_specks.h"
#include "cut/multi_object_cut.h"
#include "solver/system/checked_memory.h"

#include <string.h>

enum { PIXELS_A_POLL = 1 << 18 };

/* The label of mask pixels that have no object yet. */
enum { OPEN = FS_SEED_NONE };

static gboolean
fail_map_for_memory (const FsSeedMap *seeds, GError **error)
{
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
               "not enough memory to separate the objects of %d × %d pixels", seeds->width,
               seeds->height);
  return FALSE;
}

/* The only object, or FS_SEED_OBJECT. */
static uint8_t
first_object (const FsSeedMap *seeds)
{
  for (int number = FS_SEED_OBJECT; number <= FS_SEED_MAX; number++)
    if (seeds->n_seeds[number] > 0)
      return (uint8_t)number;
  return FS_SEED_OBJECT;
}

/* --- components
 * ----------------------------------------------------------------------------------- */

typedef struct {
  const FsSeedMap *seeds;
  uint8_t *numbers;
  uint8_t unseen;   /* there: of the mask, and nobody has been there */
  uint32_t *pixels; /* of a component, those found so far */
  size_t n;
  const FsProgress *progress;
  GError **error;
  gboolean is_cancelled; /* the error is set */
} Search;

/* One that no object has; OPEN where all are taken. */
static uint8_t
spare_number (const FsSeedMap *seeds)
{
  for (int number = FS_SEED_MAX; number >= FS_SEED_OBJECT; number--)
    if (seeds->n_seeds[number] == 0)
      return (uint8_t)number;
  return OPEN;
}

static void
visit_neighbours (Search *search, uint32_t p)
{
  int width = search->seeds->width, height = search->seeds->height;
  int px = (int)(p % (uint32_t)width), py = (int)(p / (uint32_t)width);
  for (int y = MAX (py - 1, 0); y <= MIN (py + 1, height - 1); y++)
    for (int x = MAX (px - 1, 0); x <= MIN (px + 1, width - 1); x++) {
      size_t there = (size_t)y * (size_t)width + (size_t)x;
      if (search->numbers[there] != search->unseen)
        continue;
      search->numbers[there] = OPEN;
      search->pixels[search->n++] = (uint32_t)there;
    }
}

/* The object that the component has strokes of; OPEN for none or several. */
static uint8_t
label_component (Search *search, uint32_t first)
{
  uint8_t object = OPEN;
  gboolean has_several = FALSE;
  search->numbers[first] = OPEN;
  search->pixels[0] = first;
  search->n = 1;
  for (size_t i = 0; i < search->n && !search->is_cancelled; i++) {
    if (i % PIXELS_A_POLL == PIXELS_A_POLL - 1)
      search->is_cancelled = !fs_progress_goes_on (search->progress, search->error);
    uint8_t seed = search->seeds->label[search->pixels[i]];
    has_several |= seed >= FS_SEED_OBJECT && object != OPEN && seed != object;
    if (seed >= FS_SEED_OBJECT)
      object = seed;
    visit_neighbours (search, search->pixels[i]);
  }
  return has_several ? OPEN : object;
}

/* Labels components of one object, and leaves the others open. Returns whether there are some. */
static gboolean
label_components (Search *search, size_t n_pixels)
{
  gboolean is_open = FALSE;
  if (search->unseen == OPEN)
    return TRUE;
  for (size_t p = 0; p < n_pixels && !search->is_cancelled; p++) {
    if (p % PIXELS_A_POLL == 0)
      search->is_cancelled = !fs_progress_goes_on (search->progress, search->error);
    if (search->numbers[p] != search->unseen)
      continue;
    uint8_t object = label_component (search, (uint32_t)p);
    is_open |= object == OPEN;
    for (size_t i = 0; i < search->n; i++)
      search->numbers[search->pixels[i]] = object;
  }
  return is_open;
}

/* The position of a photo's pixel along one side of the guess, in 1/256: as opinions are
 * stretched. */
static uint32_t
place_in_guess (int i, int n, int of)
{
  int64_t at = (2 * (int64_t)i + 1) * of * 128 / n - 128;
  return (uint32_t)CLAMP (at, 0, (int64_t)(of - 1) * 256);
}

static gboolean
is_guessed (const FsGuess *guess, uint32_t x, uint32_t y)
{
  uint32_t w = (uint32_t)fs_guess_get_width (guess), h = (uint32_t)fs_guess_get_height (guess);
  const uint16_t *upper = fs_guess_get_probability (guess) + (size_t)(y >> 8) * w;
  const uint16_t *lower = (y >> 8) + 1 < h ? upper + w : upper;
  uint32_t left = x >> 8, right = MIN (left + 1, w - 1), fx = x & 255, fy = y & 255;
  uint64_t above = (uint64_t)upper[left] * (256 - fx) + (uint64_t)upper[right] * fx;
  uint64_t below = (uint64_t)lower[left] * (256 - fx) + (uint64_t)lower[right] * fx;
  return above * (256 - fy) + below * fy > (uint64_t)G_MAXUINT16 * 32768;
}

/* Gives the open pixels of a component of the guess with strokes of one object alone to that
 * object. Returns whether some are still open. */
static gboolean
label_guess_components (Search *search, const FsGuess *guess, size_t n_pixels)
{
  const FsSeedMap *seeds = search->seeds;
  int guess_w = fs_guess_get_width (guess), guess_h = fs_guess_get_height (guess);
  gboolean is_open = FALSE;
  for (int y = 0; y < seeds->height; y++) {
    uint8_t *row = search->numbers + (size_t)y * (size_t)seeds->width;
    uint32_t guess_y = place_in_guess (y, seeds->height, guess_h);
    for (int x = 0; x < seeds->width; x++) {
      if (row[x] != OPEN)
        continue;
      if (is_guessed (guess, place_in_guess (x, seeds->width, guess_w), guess_y))
        row[x] = search->unseen;
      else
        is_open = TRUE;
    }
  }
  return label_components (search, n_pixels) || is_open;
}

/* --- all ------------------------------------------------------------------------------------- */

static FsRect
find_box (const uint8_t *mask, int width, int height)
{
  FsRect box = { width, height, 0, 0 };
  for (int y = 0; y < height; y++) {
    const uint8_t *row = mask + (size_t)y * (size_t)width;
    const uint8_t *first = memchr (row, 1, (size_t)width);
    if (first == NULL)
      continue;
    int last = width - 1;
    while (row[last] == 0)
      last--;
    box.x0 = MIN (box.x0, (int)(first - row));
    box.x1 = MAX (box.x1, last + 1);
    box.y0 = MIN (box.y0, y);
    box.y1 = y + 1;
  }
  return box;
}

gboolean
fs_mask_map_objects (FsImage *image, const FsSettings *settings, const FsSeedMap *seeds,
                     FsGuess *guess, const uint8_t *mask, const FsProgress *progress,
                     uint8_t *numbers, GError **error)
{
  g_return_val_if_fail (image && settings && seeds && mask && numbers, FALSE);

  if (guess && fs_guess_get_numbers (guess))
    return fs_guessed_objects_map (image, settings, seeds, guess, mask, progress, numbers, error);
  size_t n_pixels = (size_t)image->width * (size_t)image->height, n_object = 0;
  gboolean has_several = fs_cut_count_objects (seeds) > 1;
  Search search = { .seeds = seeds,
                    .numbers = numbers,
                    .unseen = spare_number (seeds),
                    .progress = progress,
                    .error = error };
  uint8_t object = has_several ? search.unseen : first_object (seeds);
  for (size_t p = 0; p < n_pixels; p++) {
    numbers[p] = mask[p] ? object : FS_SEED_BACKGROUND;
    n_object += mask[p];
  }
  if (!has_several)
    return TRUE;
  search.pixels = fs_memory_new (n_object, sizeof *search.pixels);
  if (search.pixels == NULL)
    return fail_map_for_memory (seeds, error);
  gboolean is_open = label_components (&search, n_pixels);
  if (is_open && !search.is_cancelled && guess && search.unseen != OPEN)
    is_open = label_guess_components (&search, guess, n_pixels);
  fs_memory_free (search.pixels);
  if (search.is_cancelled)
    return FALSE;
  return !is_open
         || (fs_object_division_run (image, settings, seeds, NULL,
                                     find_box (mask, image->width, image->height), progress,
                                     numbers, error)
             && fs_label_specks_give_away (seeds, FS_SPECKS_TO_OBJECTS, numbers, NULL, progress,
                                           error));
}
