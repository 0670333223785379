/* SPDX-License-Identifier: MIT */
#include "app/labels/input/object_numbers.h"

#include <stdlib.h>
#include <string.h>

void
fs_object_numbers_clear (FsObjectNumbers *numbers)
{
  for (int number = 0; number <= FS_SEED_MAX; number++)
    g_clear_pointer (&numbers->names[number], g_free);
}

/* Larger ones first, so that what is painted later is seen. */
static gint
compare_sizes (gconstpointer a, gconstpointer b, gpointer data)
{
  const GPtrArray *objects = data;
  const guint first = *(const guint *)a, second = *(const guint *)b;
  const FsLabelObject *one = objects->pdata[first], *other = objects->pdata[second];
  if (one->n_pixels != other->n_pixels)
    return one->n_pixels > other->n_pixels ? -1 : 1;
  return first < second ? -1 : first > second;
}

/* The plane has place FS_SEED_OBJECT + i where object i is seen. Returns how many have a place. */
static guint
paint_places (const FsLabelReading *reading, uint8_t *plane)
{
  const FsLabelPhoto *photo = reading->photo;
  const FsRect all = { 0, 0, photo->width, photo->height };
  guint n = MIN (photo->objects->len, FS_OBJECT_NUMBERS_MAX);
  guint order[FS_OBJECT_NUMBERS_MAX];
  memset (plane, FS_SEED_BACKGROUND, (gsize)photo->width * (gsize)photo->height);
  if (reading->unknown)
    fs_label_object_paint (reading->unknown->objects->pdata[0], all, FS_SEED_NONE, plane);
  for (guint i = 0; i < n; i++)
    order[i] = i;
  g_qsort_with_data (order, (gint)n, sizeof *order, compare_sizes, photo->objects);
  for (guint i = 0; i < n; i++)
    fs_label_object_paint (photo->objects->pdata[order[i]], all,
                           (uint8_t)(FS_SEED_OBJECT + order[i]), plane);
  return n;
}

/* One of the same name that this import has not used, or the next free one; 0: none is left. */
static int
choose_number (const FsObjectNumbers *numbers, const gboolean *is_used, const char *name)
{
  for (int number = FS_SEED_OBJECT; number < FS_SEED_MAX; number++)
    if (!is_used[number] && numbers->names[number] && strcmp (numbers->names[number], name) == 0)
      return number;
  for (int number = FS_SEED_OBJECT; number < FS_SEED_MAX; number++)
    if (!is_used[number] && !numbers->names[number] && !numbers->is_painted[number])
      return number;
  return 0;
}

/* [place] → number. */
static void
choose_numbers (FsObjectNumbers *numbers, FsLabelReading *reading, const gboolean *is_seen,
                guint n_places, uint8_t *number_of)
{
  gboolean is_used[FS_SEED_MAX + 1] = { FALSE };
  const GPtrArray *objects = reading->photo->objects;
  if (n_places < objects->len)
    fs_label_counts_lose (&reading->counts, FS_LABEL_LOSS_MANY, objects->len - n_places,
                          ((const FsLabelObject *)objects->pdata[n_places])->place);
  reading->counts.n_read = 0;
  for (guint i = 0; i < n_places; i++) {
    const FsLabelObject *object = objects->pdata[i];
    const char *name = fs_label_classes_get_name (reading->classes, object->class_number);
    uint8_t place = (uint8_t)(FS_SEED_OBJECT + i);
    int number = is_seen[place] ? choose_number (numbers, is_used, name) : 0;
    number_of[place] = FS_SEED_BACKGROUND;
    if (number == 0) {
      fs_label_counts_lose (&reading->counts,
                            is_seen[place] ? FS_LABEL_LOSS_MANY : FS_LABEL_LOSS_COVERED, 1,
                            object->place);
      continue;
    }
    is_used[number] = TRUE;
    number_of[place] = (uint8_t)number;
    reading->counts.n_read++;
    if (!numbers->names[number])
      numbers->names[number] = g_strdup (name);
  }
}

FsGuess *
fs_object_numbers_make_guess (FsObjectNumbers *numbers, FsLabelReading *reading)
{
  const FsLabelPhoto *photo = reading->photo;
  gsize n_pixels = (gsize)photo->width * (gsize)photo->height;
  g_autofree uint8_t *plane = g_try_malloc (n_pixels);
  if (!plane)
    return NULL;
  gboolean is_seen[FS_SEED_MAX + 1] = { FALSE };
  uint8_t number_of[FS_SEED_MAX + 1] = { FS_SEED_NONE, FS_SEED_BACKGROUND };
  guint n_places = paint_places (reading, plane);
  for (gsize p = 0; p < n_pixels; p++)
    is_seen[plane[p]] = TRUE;
  choose_numbers (numbers, reading, is_seen, n_places, number_of);
  for (gsize p = 0; p < n_pixels; p++)
    plane[p] = number_of[plane[p]];
  return fs_guess_new_objects (plane, photo->width, photo->height);
}
