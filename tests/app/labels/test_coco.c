/* SPDX-License-Identifier: MIT */
/* Objects as a data set: read back by another library's JSON, each is where it was, to the pixel.
 */
#include "app/labels/output/label_writer.h"

#include <glib/gstdio.h>
#include <jansson.h>
#include <string.h>

enum { MOST = 24 };

typedef struct {
  FsLabelWriter *writer;
  char *path;
} Set;

static Set
new_set (FsLabelOptions options)
{
  g_autoptr (GError) error = NULL;
  Set set = { NULL, NULL };
  close (g_file_open_tmp ("fretsaw-coco-XXXXXX.json", &set.path, &error));
  g_assert_no_error (error);
  options.path = set.path;
  set.writer = fs_label_writer_new (&fs_label_coco, &options, fs_label_classes_new (), &error);
  g_assert_no_error (error);
  return set;
}

/* Labels from 2 on, with names for all from 1 on. */
static guint
add_photo (const Set *set, const char *file_name, int width, int height, const uint8_t *numbers,
           const char *const *names)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsLabelPhoto) photo = fs_label_photo_new (file_name, width, height);
  const char *by_label[256] = { NULL };
  for (gsize i = 0; names[i]; i++)
    by_label[i + 1] = names[i];
  fs_label_photo_add_named (photo, numbers, 2, by_label, fs_label_writer_get_classes (set->writer),
                            &error);
  g_assert_no_error (error);
  g_assert_true (fs_label_writer_add (set->writer, photo, NULL, &error));
  return photo->objects->len;
}

/* Ends the set and frees it. */
static json_t *
read_set (Set *set)
{
  g_autoptr (GError) error = NULL;
  json_error_t fault;
  g_assert_true (fs_label_writer_end (set->writer, &error));
  json_t *read = json_load_file (set->path, JSON_REJECT_DUPLICATES, &fault);
  if (!read)
    g_error ("%s, line %d", fault.text, fault.line);
  g_remove (set->path);
  g_free (set->path);
  fs_label_writer_free (set->writer);
  return read;
}

static json_t *
get (const json_t *set, const char *list, size_t i, const char *key)
{
  json_t *value = json_object_get (json_array_get (json_object_get (set, list), i), key);
  g_assert_nonnull (value);
  return value;
}

static size_t
count (const json_t *set, const char *list)
{
  return json_array_size (json_object_get (set, list));
}

static json_int_t
get_number (const json_t *list, size_t i)
{
  g_assert_true (json_is_integer (json_array_get (list, i)));
  return json_integer_value (json_array_get (list, i));
}

/* Lays an annotation's run lengths out, column after column, and holds them against the numbers. */
static void
assert_where (const json_t *set, size_t i, const uint8_t *numbers, int width, int height,
              uint8_t label)
{
  json_t *segmentation = get (set, "annotations", i, "segmentation");
  json_t *size = json_object_get (segmentation, "size");
  json_t *counts = json_object_get (segmentation, "counts");
  json_t *box = get (set, "annotations", i, "bbox");
  json_int_t at = 0, n_pixels = 0;
  int x0 = width, y0 = height, x1 = 0, y1 = 0;
  g_assert_cmpint (get_number (size, 0), ==, height);
  g_assert_cmpint (get_number (size, 1), ==, width);
  for (size_t run = 0; run < json_array_size (counts); run++) {
    json_int_t length = get_number (counts, run);
    /* Only the first may be empty: the object begins in the corner. */
    g_assert_cmpint (length, >=, run == 0 ? 0 : 1);
    for (json_int_t end = at + length; at < end; at++) {
      int x = (int)(at / height), y = (int)(at % height);
      g_assert_cmpint (x, <, width);
      g_assert_cmpint (numbers[y * width + x] == label, ==, run % 2);
      if (run % 2 == 0)
        continue;
      n_pixels++;
      x0 = MIN (x0, x);
      y0 = MIN (y0, y);
      x1 = MAX (x1, x + 1);
      y1 = MAX (y1, y + 1);
    }
  }
  g_assert_cmpint (at, ==, width * height);
  g_assert_cmpint (json_integer_value (get (set, "annotations", i, "area")), ==, n_pixels);
  g_assert_cmpint (json_integer_value (get (set, "annotations", i, "id")), ==, i + 1);
  const json_int_t bounds[] = { x0, y0, x1 - x0, y1 - y0 };
  for (size_t k = 0; k < G_N_ELEMENTS (bounds); k++)
    g_assert_cmpint (get_number (box, k), ==, bounds[k]);
}

typedef struct {
  int width, height;
  uint8_t numbers[MOST * MOST];
} Made;

static void
make_photo (Made *made, GRand *rand, int round)
{
  made->width = g_rand_int_range (rand, 1, round % 4 == 0 ? 3 : MOST);
  made->height = g_rand_int_range (rand, 1, round % 4 == 1 ? 3 : MOST);
  int share = g_rand_int_range (rand, 0, 5), n = made->width * made->height;
  for (int p = 0; p < n; p++)
    made->numbers[p] =
        g_rand_int_range (rand, 0, 5) < share ? 1 : (uint8_t)g_rand_int_range (rand, 2, 4);
  if (round % 3 == 0) /* whole columns, whose runs join */
    for (int p = made->width; p < n; p++)
      made->numbers[p] = made->numbers[p % made->width];
}

/* Random shapes and sizes, among them single rows, columns and pixels. */
static void
test_where (void)
{
  enum { N = 2000 };
  static const char *const names[] = { "Sky", "Dog", "Cat", NULL };
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  g_autofree Made *photos = g_new (Made, N);
  Set made = new_set ((FsLabelOptions){ 0 });
  guint n = 0, at = 0;
  for (int round = 0; round < N; round++) {
    g_autofree char *name = g_strdup_printf ("%d.jpg", round);
    make_photo (&photos[round], rand, round);
    n += add_photo (&made, name, photos[round].width, photos[round].height, photos[round].numbers,
                    names);
  }
  json_t *set = read_set (&made);
  g_assert_cmpuint (count (set, "annotations"), ==, n);
  for (int round = 0; round < N; round++) {
    const Made *photo = &photos[round];
    for (uint8_t label = 2; label <= 3; label++)
      if (memchr (photo->numbers, label, (size_t)photo->width * (size_t)photo->height)) {
        g_assert_cmpint (json_integer_value (get (set, "annotations", at, "image_id")), ==,
                         round + 1);
        assert_where (set, at++, photo->numbers, photo->width, photo->height, label);
      }
  }
  g_assert_cmpuint (at, ==, n);
  json_decref (set);
}

/* Two objects of one name are of one category; a photo twice is one photo. */
static void
test_names (void)
{
  static const uint8_t first[] = { 2, 3, 1, 4 }, second[] = { 1, 1, 3, 3 };
  static const char *const farm[] = { "Sky", "Hen", "Cow", "Hen", NULL };
  static const char *const odd[] = { "Grund", "nobody", "\"K\303\274h\" \\ Cow", NULL };
  Set made = new_set ((FsLabelOptions){ 0 });
  g_assert_cmpuint (add_photo (&made, "a/b.jpg", 2, 2, first, farm), ==, 3);
  g_assert_cmpuint (add_photo (&made, "c\"d.jpg", 4, 1, second, odd), ==, 1);
  g_assert_cmpuint (add_photo (&made, "a/b.jpg", 2, 2, second, farm), ==, 1);
  g_assert_cmpuint (fs_label_writer_get_n_photos (made.writer), ==, 2);
  g_assert_cmpuint (fs_label_writer_get_n_objects (made.writer), ==, 5);

  json_t *set = read_set (&made);
  static const struct {
    int photo, category;
  } annotations[] = { { 1, 1 }, { 1, 2 }, { 1, 1 }, { 2, 3 }, { 1, 2 } };
  static const char *const categories[] = { "Hen", "Cow", "\"K\303\274h\" \\ Cow" };
  static const char *const photos[] = { "a/b.jpg", "c\"d.jpg" };
  g_assert_cmpuint (count (set, "annotations"), ==, G_N_ELEMENTS (annotations));
  g_assert_cmpuint (count (set, "categories"), ==, G_N_ELEMENTS (categories));
  g_assert_cmpuint (count (set, "images"), ==, G_N_ELEMENTS (photos));
  for (size_t i = 0; i < G_N_ELEMENTS (annotations); i++) {
    g_assert_cmpint (json_integer_value (get (set, "annotations", i, "image_id")), ==,
                     annotations[i].photo);
    g_assert_cmpint (json_integer_value (get (set, "annotations", i, "category_id")), ==,
                     annotations[i].category);
    g_assert_cmpint (json_integer_value (get (set, "annotations", i, "iscrowd")), ==, 0);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (categories); i++) {
    g_assert_cmpint (json_integer_value (get (set, "categories", i, "id")), ==, i + 1);
    g_assert_cmpstr (json_string_value (get (set, "categories", i, "name")), ==, categories[i]);
  }
  for (size_t i = 0; i < G_N_ELEMENTS (photos); i++)
    g_assert_cmpstr (json_string_value (get (set, "images", i, "file_name")), ==, photos[i]);
  g_assert_cmpint (json_integer_value (get (set, "images", 1, "width")), ==, 4);
  g_assert_cmpint (json_integer_value (get (set, "images", 1, "height")), ==, 1);
  json_decref (set);
}

static void
test_empty (void)
{
  Set made = new_set ((FsLabelOptions){ .date_s = 951782400 });
  json_t *set = read_set (&made), *info = json_object_get (set, "info");
  g_assert_cmpuint (count (set, "images") + count (set, "annotations") + count (set, "categories"),
                    ==, 0);
  g_assert_cmpint (json_integer_value (json_object_get (info, "year")), ==, 2000);
  g_assert_cmpstr (json_string_value (json_object_get (info, "date_created")), ==, "2000/02/29");
  static const char *const keys[] = { "version", "description", "contributor", "url" };
  for (gsize i = 0; i < G_N_ELEMENTS (keys); i++)
    g_assert_true (json_is_string (json_object_get (info, keys[i])));
  json_decref (set);
}

/* Ids of shards are apart from each other. */
static void
test_shards (void)
{
  static const uint8_t map[] = { 2, 3 };
  static const char *const names[] = { "a", "b", "c", NULL };
  Set made = new_set ((FsLabelOptions){ .shard = { 2, 3 } });
  add_photo (&made, "a.jpg", 2, 1, map, names);
  add_photo (&made, "b.jpg", 2, 1, map, names);
  json_t *set = read_set (&made);
  g_assert_cmpint (json_integer_value (get (set, "images", 1, "id")), ==, 5);
  g_assert_cmpint (json_integer_value (get (set, "annotations", 3, "id")), ==, 11);
  g_assert_cmpint (json_integer_value (get (set, "annotations", 3, "image_id")), ==, 5);
  g_assert_cmpint (json_integer_value (get (set, "annotations", 3, "category_id")), ==, 2);
  json_decref (set);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/coco/where", test_where);
  g_test_add_func ("/coco/names", test_names);
  g_test_add_func ("/coco/empty", test_empty);
  g_test_add_func ("/coco/shards", test_shards);
  return g_test_run ();
}
