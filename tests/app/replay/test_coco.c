/* SPDX-License-Identifier: MIT */
/* Objects as a data set: read back by another library's JSON, each is where it was, to the pixel.
 */
#include "app/replay/coco.h"

#include <jansson.h>
#include <string.h>

enum { MOST = 24 };

static FsSession *
new_labels (const char *const *names)
{
  FsSession *session = fs_session_new ();
  for (gsize i = 0; names[i]; i++)
    fs_session_add_label (session, names[i], 0);
  return session;
}

static json_t *
read_set (const FsCoco *coco)
{
  json_error_t error;
  g_autofree char *text = fs_coco_to_json (coco);
  json_t *set = json_loads (text, JSON_REJECT_DUPLICATES, &error);
  if (!set)
    g_error ("%s, line %d", error.text, error.line);
  return set;
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

static void
add_and_compare (const uint8_t *numbers, int width, int height)
{
  g_autoptr (FsCoco) coco = fs_coco_new ();
  g_autoptr (FsSession) labels = new_labels ((const char *[]){ "Sky", "Dog", "Cat", NULL });
  guint n = fs_coco_add (coco, "p.jpg", width, height, numbers, labels->labels);
  json_t *set = read_set (coco);
  guint i = 0;
  for (uint8_t label = 2; label <= 3; label++)
    if (memchr (numbers, label, (size_t)width * (size_t)height))
      assert_where (set, i++, numbers, width, height, label);
  g_assert_cmpuint (n, ==, i);
  g_assert_cmpuint (count (set, "annotations"), ==, i);
  json_decref (set);
}

/* Random shapes and sizes, among them single rows, columns and pixels. */
static void
test_where (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  uint8_t numbers[MOST * MOST];
  for (int round = 0; round < 2000; round++) {
    int width = g_rand_int_range (rand, 1, round % 4 == 0 ? 3 : MOST);
    int height = g_rand_int_range (rand, 1, round % 4 == 1 ? 3 : MOST);
    int share = g_rand_int_range (rand, 0, 5), n = width * height;
    for (int p = 0; p < n; p++)
      numbers[p] =
          g_rand_int_range (rand, 0, 5) < share ? 1 : (uint8_t)g_rand_int_range (rand, 2, 4);
    if (round % 3 == 0) /* whole columns, whose runs join */
      for (int p = width; p < n; p++)
        numbers[p] = numbers[p % width];
    add_and_compare (numbers, width, height);
  }
}

/* Two objects of one name are of one category; a photo twice is one photo. */
static void
test_names (void)
{
  static const uint8_t first[] = { 2, 3, 1, 4 }, second[] = { 1, 1, 3, 3 };
  g_autoptr (FsCoco) coco = fs_coco_new ();
  g_autoptr (FsSession) farm = new_labels ((const char *[]){ "Sky", "Hen", "Cow", "Hen", NULL });
  g_autoptr (FsSession) odd =
      new_labels ((const char *[]){ "Grund", "nobody", "\"K\303\274h\" \\ Cow", NULL });
  g_assert_cmpuint (fs_coco_add (coco, "a/b.jpg", 2, 2, first, farm->labels), ==, 3);
  g_assert_cmpuint (fs_coco_add (coco, "c\"d.jpg", 4, 1, second, odd->labels), ==, 1);
  g_assert_cmpuint (fs_coco_add (coco, "a/b.jpg", 2, 2, second, farm->labels), ==, 1);
  g_assert_cmpuint (fs_coco_get_n_photos (coco), ==, 2);

  json_t *set = read_set (coco);
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
  g_autoptr (FsCoco) coco = fs_coco_new ();
  json_t *set = read_set (coco);
  g_assert_cmpuint (count (set, "images") + count (set, "annotations") + count (set, "categories"),
                    ==, 0);
  json_decref (set);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/coco/where", test_where);
  g_test_add_func ("/coco/names", test_names);
  g_test_add_func ("/coco/empty", test_empty);
  return g_test_run ();
}
