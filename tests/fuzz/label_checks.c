/* SPDX-License-Identifier: MIT */
#include "tests/fuzz/label_checks.h"

#include "app/labels/input/object_numbers.h"

#include <string.h>

enum { MAX_PHOTOS = 4, MAX_SIDE_PX = 400 };

static void
check_object (const FsLabelObject *object, const FsLabelPhoto *photo)
{
  gint64 n = 0;
  const FsLabelRun *last = NULL;
  for (guint i = 0; i < object->runs->len; i++) {
    const FsLabelRun *run = &g_array_index (object->runs, FsLabelRun, i);
    g_assert_true (run->x0 >= 0 && run->x0 < run->x1 && run->x1 <= photo->width);
    g_assert_true (run->y >= 0 && run->y < photo->height);
    g_assert_true (!last || last->y < run->y || (last->y == run->y && last->x1 < run->x0));
    n += run->x1 - run->x0;
    last = run;
  }
  g_assert_cmpint (n, ==, object->n_pixels);
}

static void
check_reading (FsLabelReading *reading)
{
  const FsLabelPhoto *photo = reading->photo;
  g_assert_cmpuint (reading->counts.n_read, ==, photo->objects->len);
  for (guint i = 0; i < photo->objects->len; i++) {
    const FsLabelObject *object = photo->objects->pdata[i];
    check_object (object, photo);
    g_assert_cmpint (object->n_pixels, >, 0);
    g_assert_cmpuint (object->class_number, <, fs_label_classes_get_n (reading->classes));
  }
  if (reading->unknown)
    check_object (reading->unknown->objects->pdata[0], photo);
  g_auto (FsObjectNumbers) numbers = { 0 };
  g_autoptr (FsGuess) guess = fs_object_numbers_make_guess (&numbers, reading);
  guint n = 0;
  for (int number = FS_SEED_OBJECT; number <= FS_SEED_MAX; number++) {
    gboolean is_there = fs_guess_count_object (guess, (uint8_t)number) > 0;
    g_assert_true (is_there == (numbers.names[number] != NULL));
    n += is_there;
  }
  g_assert_cmpuint (n, ==, reading->counts.n_read);
}

static void
read_as (FsLabelReader *reader, guint entry, int width, int height)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsLabelReading) reading = fs_label_reader_read (reader, entry, width, height, &error);
  g_assert_true ((reading != NULL) == (error == NULL));
  if (reading)
    check_reading (reading);
}

void
label_checks_read (FsLabelReader *reader, int width, int height)
{
  guint n = MIN (fs_label_reader_get_n (reader), MAX_PHOTOS), found;
  for (guint i = 0; i < n; i++) {
    const FsLabelEntry *entry = fs_label_reader_get (reader, i);
    g_assert_true (g_utf8_validate (entry->name, -1, NULL));
    read_as (reader, i, width, height);
    if (entry->width >= 1 && entry->width <= MAX_SIDE_PX && entry->height >= 1
        && entry->height <= MAX_SIDE_PX)
      read_as (reader, i, entry->width, entry->height);
  }
  fs_label_reader_find (reader, "/photos/p.jpg", &found);
  g_autofree char *text = fs_label_counts_to_text (fs_label_reader_get_losses (reader));
  g_assert_cmpuint (strlen (text), >, 0);
}
