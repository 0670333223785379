/* SPDX-License-Identifier: MIT */
#include "energy/guess/guess.h"

#include "energy/guess/guess_internal.h"
#include "energy/image/exact_math.h"
#include "energy/image/seed_map.h"
#include "energy/terms/scale.h"
#include "solver/system/checked_memory.h"

#include <string.h>

static void
make_odds (int16_t odds[FS_GUESS_STEPS])
{
  for (int i = 0; i < FS_GUESS_STEPS; i++) {
    double p = (i + 0.5) / FS_GUESS_STEPS;
    double nats = FS_NAT_SCALE * fs_exact_log (p / (1 - p));
    int t = nats < 0 ? -(int)(0.5 - nats) : (int)(nats + 0.5);
    odds[i] = (int16_t)CLAMP (t, -FS_GUESS_MAX, FS_GUESS_MAX);
  }
}

/* --- size --- */

static uint16_t
average_of_box (const uint16_t *plane, int stride, int x0, int y0, int x1, int y1)
{
  uint64_t sum = 0, n = (uint64_t)(x1 - x0) * (uint64_t)(y1 - y0);
  for (int y = y0; y < y1; y++)
    for (int x = x0; x < x1; x++)
      sum += plane[(size_t)y * (size_t)stride + (size_t)x];
  return (uint16_t)((sum + n / 2) / n);
}

static int
edge_of_box (int i, int n, int of)
{
  return (int)((int64_t)i * of / n);
}

static void
reduce (FsGuess *guess, const uint16_t *plane, int width, int height)
{
  int w = guess->width, h = guess->height;
  if (w == width && h == height) {
    memcpy (guess->probability, plane, (size_t)w * (size_t)h * sizeof *plane);
    return;
  }
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++)
      guess->probability[(size_t)y * (size_t)w + (size_t)x] =
          average_of_box (plane, width, edge_of_box (x, w, width), edge_of_box (y, h, height),
                          edge_of_box (x + 1, w, width), edge_of_box (y + 1, h, height));
}

/* --- components --- */

/* Each pixel names one of the same component that comes no later; a root names itself. */
static uint32_t
root_of (uint32_t *component, uint32_t i)
{
  while (component[i] != i) {
    component[i] = component[component[i]];
    i = component[i];
  }
  return i;
}

static void
join_components (uint32_t *component, uint32_t i, uint32_t j)
{
  uint32_t a = root_of (component, i), b = root_of (component, j);
  component[MAX (a, b)] = MIN (a, b);
}

static gboolean
is_object (const FsGuess *guess, uint32_t i)
{
  return fs_guess_odds (guess, i) > 0;
}

/* The pixels of a component have the same. */
static int
class_of (const FsGuess *guess, uint32_t i)
{
  return guess->numbers ? guess->numbers[i] : is_object (guess, i);
}

static void
join_neighbours (FsGuess *guess)
{
  uint32_t w = (uint32_t)guess->width, n = w * (uint32_t)guess->height;
  uint32_t *component = guess->component;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t x = i % w;
    gboolean side = is_object (guess, i);
    int class = class_of (guess, i);
    component[i] = i;
    if (x > 0 && class_of (guess, i - 1) == class)
      join_components (component, i, i - 1);
    if (i < w)
      continue;
    if (class_of (guess, i - w) == class)
      join_components (component, i, i - w);
    if (side && x > 0 && class_of (guess, i - w - 1) == class)
      join_components (component, i, i - w - 1);
    if (side && x + 1 < w && class_of (guess, i - w + 1) == class)
      join_components (component, i, i - w + 1);
  }
}

/* Numbers the roots; every other pixel's root comes before it. */
static gboolean
number_components (FsGuess *guess)
{
  uint32_t n = (uint32_t)guess->width * (uint32_t)guess->height;
  for (uint32_t i = 0; i < n; i++)
    guess->component[i] = root_of (guess->component, i);
  for (uint32_t i = 0; i < n; i++)
    guess->n_components += guess->component[i] == i;
  guess->n_pixels = g_try_new0 (uint32_t, guess->n_components);
  guess->is_object = g_try_new0 (uint8_t, guess->n_components);
  if (!guess->n_pixels || !guess->is_object)
    return FALSE;
  uint32_t number = 0;
  for (uint32_t i = 0; i < n; i++) {
    gboolean is_root = guess->component[i] == i;
    guess->component[i] = is_root ? number++ : guess->component[guess->component[i]];
    guess->n_pixels[guess->component[i]]++;
    guess->is_object[guess->component[i]] = (uint8_t)is_object (guess, i);
  }
  return TRUE;
}

/* --- finished masks --- */

static gboolean
has_certain_neighbour (const FsGuess *guess, int x, int y)
{
  int x0 = MAX (x - 1, 0), x1 = MIN (x + 1, guess->width - 1);
  int y0 = MAX (y - 1, 0), y1 = MIN (y + 1, guess->height - 1);
  for (int j = y0; j <= y1; j++)
    for (int i = x0; i <= x1; i++)
      if (fs_guess_is_certain (guess, (size_t)j * (size_t)guess->width + (size_t)i))
        return TRUE;
  return FALSE;
}

/* Masks made by people are black and white, except where a file format has smoothed their edges. */
static gboolean
is_finished (const FsGuess *guess)
{
  size_t i = 0, n_certain = 0, n_extreme = 0;
  for (int y = 0; y < guess->height; y++)
    for (int x = 0; x < guess->width; x++, i++) {
      gboolean is_certain = fs_guess_is_certain (guess, i);
      n_certain += is_certain;
      n_extreme += guess->probability[i] == 0 || guess->probability[i] == UINT16_MAX;
      if (!is_certain && ABS (fs_guess_odds (guess, i)) > FS_GUESS_UNKNOWN
          && !has_certain_neighbour (guess, x, y))
        return FALSE;
    }
  return n_certain > 0 && n_extreme >= n_certain / 2;
}

/* --- outside --- */

static FsGuess *
allocate (int width, int height, int photo_width, int photo_height)
{
  g_autoptr (FsGuess) guess = g_new0 (FsGuess, 1);
  g_atomic_ref_count_init (&guess->n_refs);
  guess->width = width;
  guess->height = height;
  guess->photo_width = photo_width;
  guess->photo_height = photo_height;
  size_t n = (size_t)guess->width * (size_t)guess->height;
  if (n > UINT32_MAX)
    return NULL;
  guess->probability = fs_memory_new (n, sizeof *guess->probability);
  guess->component = fs_memory_new (n, sizeof *guess->component);
  if (!guess->probability || !guess->component)
    return NULL;
  make_odds (guess->odds);
  return g_steal_pointer (&guess);
}

FsGuess *
fs_guess_new (const uint16_t *probability, int width, int height, int photo_width, int photo_height)
{
  g_return_val_if_fail (probability && width > 0 && height > 0, NULL);
  g_return_val_if_fail (photo_width > 0 && photo_height > 0, NULL);
  g_autoptr (FsGuess) guess =
      allocate (MIN (width, photo_width), MIN (height, photo_height), photo_width, photo_height);
  if (!guess)
    return NULL;
  reduce (guess, probability, width, height);
  join_neighbours (guess);
  guess->is_mask = width >= photo_width && height >= photo_height && is_finished (guess);
  return number_components (guess) ? g_steal_pointer (&guess) : NULL;
}

/* Half a step below the middle: odds of 0. */
enum { UNKNOWN_PROBABILITY = UINT16_MAX / 2 };

static void
take_numbers (FsGuess *guess, const uint8_t *numbers)
{
  size_t n = (size_t)guess->width * (size_t)guess->height;
  memcpy (guess->numbers, numbers, n);
  for (size_t i = 0; i < n; i++) {
    guess->n_of_number[numbers[i]]++;
    guess->probability[i] = numbers[i] >= FS_SEED_OBJECT ? UINT16_MAX
                            : numbers[i] == FS_SEED_NONE ? UNKNOWN_PROBABILITY
                                                         : 0;
  }
}

FsGuess *
fs_guess_new_objects (const uint8_t *numbers, int width, int height)
{
  g_return_val_if_fail (numbers && width > 0 && height > 0, NULL);
  g_autoptr (FsGuess) guess = allocate (width, height, width, height);
  if (!guess)
    return NULL;
  guess->numbers = fs_memory_new ((size_t)width * (size_t)height, 1);
  if (!guess->numbers)
    return NULL;
  take_numbers (guess, numbers);
  join_neighbours (guess);
  guess->is_mask = is_finished (guess);
  return number_components (guess) ? g_steal_pointer (&guess) : NULL;
}

FsGuess *
fs_guess_ref (FsGuess *guess)
{
  g_return_val_if_fail (guess, NULL);
  g_atomic_ref_count_inc (&guess->n_refs);
  return guess;
}

void
fs_guess_unref (FsGuess *guess)
{
  if (!guess || !g_atomic_ref_count_dec (&guess->n_refs))
    return;
  fs_memory_free (guess->probability);
  fs_memory_free (guess->component);
  fs_memory_free (guess->numbers);
  g_free (guess->n_pixels);
  g_free (guess->is_object);
  g_free (guess);
}

int
fs_guess_get_width (const FsGuess *guess)
{
  return guess->width;
}

int
fs_guess_get_height (const FsGuess *guess)
{
  return guess->height;
}

gboolean
fs_guess_is_mask (const FsGuess *guess)
{
  return guess->is_mask;
}

const uint16_t *
fs_guess_get_probability (const FsGuess *guess)
{
  return guess->probability;
}

const uint8_t *
fs_guess_get_numbers (const FsGuess *guess)
{
  return guess->numbers;
}

int64_t
fs_guess_count_object (const FsGuess *guess, uint8_t number)
{
  g_return_val_if_fail (number >= FS_SEED_OBJECT, 0);
  return guess->n_of_number[number];
}

uint8_t
fs_guess_get_last_object (const FsGuess *guess)
{
  int number = FS_SEED_MAX;
  while (number >= FS_SEED_OBJECT && guess->n_of_number[number] == 0)
    number--;
  return number >= FS_SEED_OBJECT ? (uint8_t)number : 0;
}
