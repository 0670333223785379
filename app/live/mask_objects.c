/* SPDX-License-Identifier: MIT */
#include "app/live/mask_objects.h"

#include "app/cut/multi_object_cut.h"
#include "app/export/label_specks.h"
#include "energy/labels/labels_objects.h"
#include "solver/system/checked_memory.h"

#include <string.h>

/* Of the mask, and of no object yet. */
enum { OPEN = FS_SEED_NONE };

static gboolean
fail_for_memory (const FsSeedMap *seeds, GError **error)
{
  g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
               "not enough memory to tell the objects of %d × %d pixels apart", seeds->width,
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

/* --- pieces ----------------------------------------------------------------------------------- */

typedef struct {
  const FsSeedMap *seeds;
  uint8_t *numbers;
  uint8_t unseen;   /* there: of the mask, and nobody has been there */
  uint32_t *pixels; /* of a piece, those that were found */
  size_t n;
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
find_around (Search *search, uint32_t p)
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

/* The object that the piece has strokes of; OPEN for none or several. */
static uint8_t
find_piece (Search *search, uint32_t first)
{
  uint8_t object = OPEN;
  gboolean has_several = FALSE;
  search->numbers[first] = OPEN;
  search->pixels[0] = first;
  search->n = 1;
  for (size_t i = 0; i < search->n; i++) {
    uint8_t seed = search->seeds->label[search->pixels[i]];
    has_several |= seed >= FS_SEED_OBJECT && object != OPEN && seed != object;
    if (seed >= FS_SEED_OBJECT)
      object = seed;
    find_around (search, search->pixels[i]);
  }
  return has_several ? OPEN : object;
}

/* Gives pieces of one object to it, and leaves the others open. Returns whether there are some. */
static gboolean
name_pieces (Search *search, size_t n_pixels)
{
  gboolean is_open = FALSE;
  if (search->unseen == OPEN)
    return TRUE;
  for (size_t p = 0; p < n_pixels; p++) {
    if (search->numbers[p] != search->unseen)
      continue;
    uint8_t object = find_piece (search, (uint32_t)p);
    is_open |= object == OPEN;
    for (size_t i = 0; i < search->n; i++)
      search->numbers[search->pixels[i]] = object;
  }
  return is_open;
}

/* What a pixel of the photo is along one side among the guess's, in 1/256: as opinions are
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

/* Of what is open the guess's parts: those with strokes of one object are its. Returns whether
 * something is open still. */
static gboolean
name_parts (Search *search, const FsGuess *guess, size_t n_pixels)
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
  return name_pieces (search, n_pixels) || is_open;
}

/* --- sharing out ------------------------------------------------------------------------------ */

/* The rectangle around the mask, as a photo of its own. */
typedef struct {
  FsRect box;
  FsImage *image;
  FsSeedMap *seeds;
  uint8_t *numbers; /* in: bounds, out: shares */
} Part;

static void
part_clear (Part *part)
{
  fs_image_unref (part->image);
  fs_seed_map_free (part->seeds);
  fs_memory_free (part->numbers);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Part, part_clear)

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

static void
copy_box (const uint8_t *from, int width, FsRect box, uint8_t *to)
{
  size_t w = (size_t)(box.x1 - box.x0);
  for (int y = box.y0; y < box.y1; y++, to += w)
    memcpy (to, from + (size_t)y * (size_t)width + (size_t)box.x0, w);
}

static void
copy_pixels (const FsImage *from, FsRect box, FsImage *to)
{
  size_t w = (size_t)to->width;
  for (int y = 0; y < to->height; y++)
    memcpy (to->pixels + (size_t)y * w,
            from->pixels + (size_t)(box.y0 + y) * (size_t)from->width + (size_t)box.x0,
            w * sizeof *to->pixels);
}

static gboolean
part_init (Part *part, const FsImage *image, const FsSeedMap *seeds, const uint8_t *numbers)
{
  int w = part->box.x1 - part->box.x0, h = part->box.y1 - part->box.y0;
  part->image = fs_image_new_whole (w, h);
  part->seeds = fs_seed_map_new (w, h);
  part->numbers = fs_memory_new ((size_t)w * (size_t)h, 1);
  if (part->image == NULL || part->seeds == NULL || part->numbers == NULL)
    return FALSE;
  copy_pixels (image, part->box, part->image);
  copy_box (seeds->label, image->width, part->box, part->numbers);
  fs_seed_map_set (part->seeds, part->numbers);
  copy_box (numbers, image->width, part->box, part->numbers);
  return TRUE;
}

static gboolean
cut_part (Part *part, const FsSettings *settings, const FsProgress *progress, GError **error)
{
  g_autoptr (FsObjects) objects =
      fs_objects_new_within (part->image, settings, part->seeds, part->numbers, progress, error);
  if (objects == NULL)
    return FALSE;
  const FsLabelProblem *problem = fs_objects_get_problem (objects);
  uint8_t order[FS_LABELS_MAX];
  const FsExpansionOptions options = { .order = order, .no_cycle_reuse = TRUE };
  fs_objects_start (objects, part->numbers, order);
  g_autoptr (FsExpansion) expansion = fs_expansion_new (&fs_backend_cpu, problem, &options, error);
  g_auto (FsExpansionResult) result = { 0 };
  if (expansion == NULL || !fs_expansion_run (expansion, part->numbers, progress, &result, error))
    return FALSE;
  for (size_t p = 0; p < fs_label_problem_n_pixels (problem); p++)
    part->numbers[p] = fs_objects_get_number (objects, part->numbers[p]);
  return TRUE;
}

/* Gives what is open to the objects. */
static gboolean
share_out (FsImage *image, const FsSettings *settings, const FsSeedMap *seeds, const uint8_t *mask,
           const FsProgress *progress, uint8_t *numbers, GError **error)
{
  g_auto (Part) part = { .box = find_box (mask, image->width, image->height) };
  if (!part_init (&part, image, seeds, numbers))
    return fail_for_memory (seeds, error);
  if (!cut_part (&part, settings, progress, error))
    return FALSE;
  size_t w = (size_t)part.image->width;
  for (int y = part.box.y0; y < part.box.y1; y++)
    memcpy (numbers + (size_t)y * (size_t)image->width + (size_t)part.box.x0,
            part.numbers + (size_t)(y - part.box.y0) * w, w);
  return TRUE;
}

gboolean
fs_mask_share (FsImage *image, const FsSettings *settings, const FsSeedMap *seeds, FsGuess *guess,
               const uint8_t *mask, const FsProgress *progress, uint8_t *numbers, GError **error)
{
  g_return_val_if_fail (image && settings && seeds && mask && numbers, FALSE);

  size_t n_pixels = (size_t)image->width * (size_t)image->height, n_object = 0;
  gboolean has_several = fs_cut_count_objects (seeds) > 1;
  Search search = { .seeds = seeds, .numbers = numbers, .unseen = spare_number (seeds) };
  uint8_t object = has_several ? search.unseen : first_object (seeds);
  for (size_t p = 0; p < n_pixels; p++) {
    numbers[p] = mask[p] ? object : FS_SEED_BACKGROUND;
    n_object += mask[p];
  }
  if (!has_several)
    return TRUE;
  search.pixels = fs_memory_new (n_object, sizeof *search.pixels);
  if (search.pixels == NULL)
    return fail_for_memory (seeds, error);
  gboolean is_open = name_pieces (&search, n_pixels);
  if (is_open && guess && search.unseen != OPEN)
    is_open = name_parts (&search, guess, n_pixels);
  fs_memory_free (search.pixels);
  return !is_open
         || (share_out (image, settings, seeds, mask, progress, numbers, error)
             && fs_label_specks_give_away (seeds, FS_SPECKS_TO_OBJECTS, numbers, NULL, error));
}

void
fs_mask_pick_object (const uint8_t *numbers, const uint8_t *marks, size_t n, uint8_t label,
                     uint8_t *mask, uint8_t *own_marks)
{
  g_return_if_fail (numbers && marks && mask && own_marks);

  for (size_t p = 0; p < n; p++) {
    mask[p] = numbers[p] == label;
    gboolean is_another = numbers[p] >= FS_SEED_OBJECT && numbers[p] != label;
    own_marks[p] = marks[p] == label                        ? FS_SEED_OBJECT
                   : marks[p] != FS_SEED_NONE || is_another ? FS_SEED_BACKGROUND
                                                            : FS_SEED_NONE;
  }
}
