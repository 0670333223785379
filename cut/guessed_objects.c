/* SPDX-License-Identifier: MIT */
#include "cut/guessed_objects.h"

#include "cut/label_specks.h"
#include "cut/object_division.h"
#include "energy/guess/object_seeds.h"
#include "solver/system/checked_memory.h"

#include <string.h>

enum { PIXELS_A_POLL = 1 << 18 };

/* Labels of pixels of the mask without a seed: not visited; visited and to be divided; to be like
 * the nearest object, which no other pixel of the mask is in `numbers`. */
enum { DIVIDED = FS_SEED_NONE, NEAREST = FS_SEED_BACKGROUND, MARGIN_PX = 16 };

typedef struct {
  FsImage *image;
  const FsSettings *settings;
  const FsSeedMap *strokes;
  const FsProgress *progress;
  const uint8_t *mask;
  const uint8_t *imported; /* the guess's numbers */
  FsSeedMap *seeds;
  uint8_t *numbers;
  uint8_t unseen;   /* a number of no object; NEAREST where there is none */
  uint32_t *pixels; /* [W·H] of a component, those found so far */
  size_t n;
  gboolean has_divided, has_nearest;
} Work;

/* A connected component of pixels without seeds that were imported as the same. */
typedef struct {
  FsRect bounds;
  uint8_t imported;
  uint8_t touches[FS_SEED_MAX + 1]; /* that object */
  int n_objects;                    /* it touches  */
  gboolean touches_stroke;
} Component;

static void
work_clear (Work *work)
{
  fs_seed_map_free (work->seeds);
  fs_memory_free (work->pixels);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Work, work_clear)

static FsRect
neighbourhood (const Work *work, uint32_t p)
{
  FsRect whole = { 0, 0, work->image->width, work->image->height };
  int x = (int)(p % (uint32_t)whole.x1), y = (int)(p / (uint32_t)whole.x1);
  return fs_rect_intersect ((FsRect){ x - 1, y - 1, x + 2, y + 2 }, whole);
}

/* Imported pixels that strokes have freed are the strokes' object's or stay what they were. */
static gboolean
is_candidate (const Work *work, const Component *component, size_t q)
{
  uint8_t number = work->numbers[q];
  return number >= FS_SEED_OBJECT
         && (component->imported < FS_SEED_OBJECT || number == component->imported
             || work->strokes->label[q] == number);
}

static void
visit_neighbours (Work *work, uint32_t p, Component *component)
{
  FsRect r = neighbourhood (work, p);
  component->bounds = fs_rect_union (component->bounds, r);
  for (int y = r.y0; y < r.y1; y++)
    for (int x = r.x0; x < r.x1; x++) {
      size_t q = (size_t)y * (size_t)work->image->width + (size_t)x;
      uint8_t number = work->numbers[q];
      if (number == work->unseen && work->imported[q] == component->imported) {
        work->numbers[q] = DIVIDED;
        work->pixels[work->n++] = (uint32_t)q;
      } else if (number != work->unseen && is_candidate (work, component, q)) {
        component->n_objects += !component->touches[number];
        component->touches[number] = 1;
        component->touches_stroke |= work->strokes->label[q] == number;
      }
    }
}

static gboolean
find_component (Work *work, uint32_t first, Component *component, GError **error)
{
  *component = (Component){ .imported = work->imported[first] };
  work->numbers[first] = DIVIDED;
  work->pixels[0] = first;
  work->n = 1;
  for (size_t i = 0; i < work->n; i++) {
    if (i % PIXELS_A_POLL == 0 && !fs_progress_goes_on (work->progress, error))
      return FALSE;
    visit_neighbours (work, work->pixels[i], component);
  }
  return TRUE;
}

static gboolean
divide_component (Work *work, const Component *component, GError **error)
{
  FsRect whole = { 0, 0, work->image->width, work->image->height };
  FsRect box = component->bounds;
  FsRect grown = { box.x0 - MARGIN_PX, box.y0 - MARGIN_PX, box.x1 + MARGIN_PX, box.y1 + MARGIN_PX };
  work->has_divided = TRUE;
  return fs_object_division_run (work->image, work->settings, work->seeds, component->touches,
                                 fs_rect_intersect (grown, whole), work->progress, work->numbers,
                                 error);
}

static gboolean
label_component (Work *work, uint32_t first, GError **error)
{
  Component component;
  if (!find_component (work, first, &component, error))
    return FALSE;
  if (component.n_objects > 1 && component.touches_stroke)
    return divide_component (work, &component, error);
  uint8_t number = component.imported >= FS_SEED_OBJECT ? component.imported : NEAREST;
  for (int object = FS_SEED_OBJECT; component.n_objects == 1 && object <= FS_SEED_MAX; object++)
    if (component.touches[object])
      number = (uint8_t)object;
  work->has_nearest |= number == NEAREST;
  for (size_t i = 0; i < work->n; i++)
    work->numbers[work->pixels[i]] = number;
  return TRUE;
}

static gboolean
fail_for_memory (const Work *work, GError **error)
{
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
               "not enough memory to separate the objects of %d × %d pixels", work->image->width,
               work->image->height);
  return FALSE;
}

/* Labels the rest like the nearest pixels that have an object: breadth first over the photo from
 * all of these. */
static gboolean
label_nearest (Work *work, GError **error)
{
  size_t n_pixels = (size_t)work->image->width * (size_t)work->image->height, n = 0;
  uint8_t *nearest = fs_memory_new (n_pixels, 1);
  if (!nearest)
    return fail_for_memory (work, error);
  for (size_t p = 0; p < n_pixels; p++) {
    nearest[p] = work->numbers[p] >= FS_SEED_OBJECT ? work->numbers[p] : FS_SEED_NONE;
    if (nearest[p] != FS_SEED_NONE)
      work->pixels[n++] = (uint32_t)p;
  }
  for (size_t i = 0; i < n; i++) {
    if (i % PIXELS_A_POLL == 0 && !fs_progress_goes_on (work->progress, error)) {
      fs_memory_free (nearest);
      return FALSE;
    }
    FsRect r = neighbourhood (work, work->pixels[i]);
    for (int y = r.y0; y < r.y1; y++)
      for (int x = r.x0; x < r.x1; x++) {
        size_t q = (size_t)y * (size_t)work->image->width + (size_t)x;
        if (nearest[q] != FS_SEED_NONE)
          continue;
        nearest[q] = nearest[work->pixels[i]];
        work->pixels[n++] = (uint32_t)q;
      }
  }
  for (size_t p = 0; p < n_pixels; p++)
    if (work->mask[p] && work->numbers[p] == NEAREST)
      work->numbers[p] = nearest[p];
  fs_memory_free (nearest);
  return TRUE;
}

/* The labels of the mask's seeds. Returns the number of objects. */
static int
fill_numbers (Work *work)
{
  size_t n_pixels = (size_t)work->image->width * (size_t)work->image->height;
  int n_objects = 0, only = FS_SEED_OBJECT;
  work->unseen = NEAREST;
  for (int number = FS_SEED_OBJECT; number <= FS_SEED_MAX; number++) {
    gboolean has_seeds = work->seeds->n_seeds[number] > 0;
    n_objects += has_seeds;
    only = has_seeds ? number : only;
    work->unseen = has_seeds ? work->unseen : (uint8_t)number;
  }
  uint8_t rest = n_objects > 1 ? work->unseen : (uint8_t)only;
  for (size_t p = 0; p < n_pixels; p++) {
    uint8_t seed = work->seeds->label[p];
    work->numbers[p] = !work->mask[p] ? FS_SEED_BACKGROUND : seed >= FS_SEED_OBJECT ? seed : rest;
  }
  return n_objects;
}

static gboolean
label_components (Work *work, GError **error)
{
  size_t n_pixels = (size_t)work->image->width * (size_t)work->image->height;
  work->has_nearest = work->unseen == NEAREST;
  for (size_t p = 0; work->unseen != NEAREST && p < n_pixels; p++)
    if (work->numbers[p] == work->unseen && !label_component (work, (uint32_t)p, error))
      return FALSE;
  return TRUE;
}

gboolean
fs_guessed_objects_map (FsImage *image, const FsSettings *settings, const FsSeedMap *strokes,
                        const FsGuess *guess, const uint8_t *mask, const FsProgress *progress,
                        uint8_t *numbers, GError **error)
{
  g_auto (Work) work = { .image = image,
                         .settings = settings,
                         .strokes = strokes,
                         .progress = progress,
                         .mask = mask,
                         .imported = fs_guess_get_numbers (guess),
                         .numbers = numbers };
  work.seeds = fs_object_seeds_new (guess, strokes, mask);
  if (!work.seeds)
    return fail_for_memory (&work, error);
  if (fill_numbers (&work) < 2)
    return TRUE;
  work.pixels = fs_memory_new ((size_t)image->width * (size_t)image->height, sizeof *work.pixels);
  if (!work.pixels)
    return fail_for_memory (&work, error);
  if (!label_components (&work, error))
    return FALSE;
  if (work.has_nearest && !label_nearest (&work, error))
    return FALSE;
  return !work.has_divided
         || fs_label_specks_give_away (work.seeds, FS_SPECKS_TO_OBJECTS, numbers, NULL, progress,
                                       error);
}
