/* SPDX-License-Identifier: MIT */
/* Rules of reading labels: polygons by COCO's rule, sizes, numbers and names, and Pascal VOC's
 * pictures as other programs write them. */
#include "app/labels/input/label_import.h"
#include "app/labels/input/object_numbers.h"
#include "app/labels/parse/label_file.h"
#include "app/labels/parse/object_canvas.h"
#include "app/labels/parse/yaml_names.h"
#include "tests/app/photo/made_files.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

/* --- polygons of COCO ------------------------------------------------------------------------- */

enum { W = 23, H = 17, MAX_STEPS = 100000 };

/* All points of the sides on the grid of fifths, one after the other. */
static int
walk_sides (const double *xy, int n, int *u, int *v)
{
  int m = 0;
  for (int i = 0; i < n; i++) {
    int k = (i + 1) % n;
    int x0 = (int)(5 * xy[2 * i] + 0.5), y0 = (int)(5 * xy[2 * i + 1] + 0.5);
    int x1 = (int)(5 * xy[2 * k] + 0.5), y1 = (int)(5 * xy[2 * k + 1] + 0.5);
    int dx = abs (x1 - x0), dy = abs (y1 - y0), steps = MAX (dx, dy);
    gboolean is_turned = (dx >= dy && x0 > x1) || (dx < dy && y0 > y1);
    int ax = is_turned ? x1 : x0, ay = is_turned ? y1 : y0;
    int bx = is_turned ? x0 : x1, by = is_turned ? y0 : y1;
    double slope = steps == 0 ? 0 : dx >= dy ? (double)(by - ay) / dx : (double)(bx - ax) / dy;
    for (int d = 0; d <= steps; d++, m++) {
      int t = is_turned ? steps - d : d;
      u[m] = dx >= dy ? ax + t : (int)(ax + slope * t + 0.5);
      v[m] = dx >= dy ? (int)(ay + slope * t + 0.5) : ay + t;
    }
  }
  return m;
}

/* Inside is where an odd number of crossings is above, column by column. */
static void
fill_by_walk (const double *xy, int n, uint8_t *plane)
{
  static int u[MAX_STEPS], v[MAX_STEPS];
  uint8_t crossing[W * (H + 1)] = { 0 };
  int m = walk_sides (xy, n, u, v);
  for (int i = 1; i < m; i++) {
    int left = MIN (u[i], u[i - 1]);
    if (u[i] == u[i - 1] || left < 0 || left % 5 != 2 || left / 5 >= W)
      continue;
    int y = MIN (v[i], v[i - 1]);
    crossing[left / 5 * (H + 1) + CLAMP ((int)(y + 2 < 0 ? 0 : (y + 2) / 5), 0, H)] ^= 1;
  }
  for (int x = 0; x < W; x++)
    for (int y = 0, inside = 0; y < H; y++) {
      inside ^= crossing[x * (H + 1) + y];
      plane[y * W + x] = (uint8_t)inside;
    }
}

static void
paint_object (FsObjectCanvas *canvas, uint8_t *plane)
{
  g_autoptr (FsLabelPhoto) photo = fs_label_photo_new ("p", W, H);
  FsLabelObject *object = fs_label_photo_add (photo, 0);
  fs_object_canvas_take (canvas, object);
  memset (plane, 0, W * H);
  fs_label_object_paint (object, (FsRect){ 0, 0, W, H }, 1, plane);
}

static void
test_fifths (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (17);
  g_autoptr (FsObjectCanvas) canvas = fs_object_canvas_new (W, H);
  const char *scale = g_getenv ("SCALE");
  int n_polygons = 3000 * (scale ? MAX (1, atoi (scale)) : 1);
  for (int i = 0; i < n_polygons; i++) {
    int n = g_rand_int_range (rand, 3, 12);
    double xy[24];
    for (int k = 0; k < 2 * n; k++) {
      double place = g_rand_double_range (rand, -6, k % 2 == 0 ? W + 6 : H + 6);
      xy[k] = i % 3 == 0 ? (int)place : i % 3 == 1 ? (int)(2 * place) / 2.0 : place;
    }
    uint8_t expected[W * H], drawn[W * H];
    fill_by_walk (xy, n, expected);
    g_assert_true (fs_object_canvas_add_polygon (canvas, FS_CANVAS_FIFTHS, xy, (gsize)n));
    paint_object (canvas, drawn);
    g_assert_cmpmem (drawn, W * H, expected, W * H);
  }
}

/* Work that no set of real objects needs is refused: a polygon that crosses every column millions
 * of times, and objects that are two corners of a large photo. */
static void
test_spent (void)
{
  enum { SIDE = 500, N_CORNERS = 400000 };
  g_autoptr (FsObjectCanvas) canvas = fs_object_canvas_new (SIDE, SIDE);
  g_autofree double *xy = g_new (double, 2 * N_CORNERS);
  for (int i = 0; i < N_CORNERS; i++) {
    xy[2 * i] = i % 2 == 0 ? 0 : SIDE;
    xy[2 * i + 1] = i % SIDE;
  }
  g_assert_false (fs_object_canvas_add_polygon (canvas, FS_CANVAS_FIFTHS, xy, N_CORNERS));
  g_assert_true (fs_object_canvas_is_spent (canvas));
  g_assert_cmpint (fs_object_canvas_count (canvas), ==, 0);

  g_autoptr (FsObjectCanvas) other = fs_object_canvas_new (SIDE, SIDE);
  int n = 0;
  for (; !fs_object_canvas_is_spent (other); n++) {
    g_autoptr (FsLabelPhoto) photo = fs_label_photo_new ("p", SIDE, SIDE);
    fs_object_canvas_add_row (other, 0, 0, 1);
    fs_object_canvas_add_row (other, SIDE - 1, SIDE - 1, SIDE);
    fs_object_canvas_take (other, fs_label_photo_add (photo, 0));
  }
  g_assert_cmpint (n, <, 1000);
}

/* --- numbers and names --- */

static FsLabelReading *
new_reading (int width, int height)
{
  FsLabelReading *reading = g_new0 (FsLabelReading, 1);
  reading->classes = fs_label_classes_new ();
  reading->photo = fs_label_photo_new ("p", width, height);
  return reading;
}

static void
add_box (FsLabelReading *reading, const char *name, int x0, int y0, int x1, int y1)
{
  FsLabelObject *object =
      fs_label_photo_add (reading->photo, fs_label_input_find_class (reading, name));
  for (int y = y0; y < y1; y++)
    fs_label_object_add_run (object, y, x0, x1);
}

/* The number of the same name, or the next that nobody has; two of one name are two. */
static void
test_numbers (void)
{
  g_autoptr (FsLabelReading) reading = new_reading (40, 10);
  add_box (reading, "cow", 0, 0, 5, 5);
  add_box (reading, "calf\n\x01", 10, 0, 15, 5);
  add_box (reading, "cow", 20, 0, 25, 5);
  add_box (reading, "barn", 0, 0, 40, 10); /* the largest is below */
  g_auto (FsObjectNumbers) numbers = { 0 };
  numbers.is_painted[2] = numbers.is_painted[4] = TRUE;
  numbers.names[6] = g_strdup ("cow");
  numbers.names[3] = g_strdup ("dog");
  g_autoptr (FsGuess) guess = fs_object_numbers_make_guess (&numbers, reading);
  const uint8_t *plane = fs_guess_get_numbers (guess);
  g_assert_cmpint (plane[0], ==, 6);
  g_assert_cmpint (plane[10], ==, 5);
  g_assert_cmpint (plane[20], ==, 7);
  g_assert_cmpint (plane[39], ==, 8);
  g_assert_cmpstr (numbers.names[5], ==, "calf");
  g_assert_cmpstr (numbers.names[7], ==, "cow");
  g_assert_cmpstr (numbers.names[8], ==, "barn");
  g_assert_cmpstr (numbers.names[3], ==, "dog");
  g_assert_cmpuint (reading->counts.n_read, ==, 4);
}

/* Beyond the numbers that there are, and under another object. */
static void
test_too_many (void)
{
  g_autoptr (FsLabelReading) reading = new_reading (300, 2);
  for (int i = 0; i < 300; i++)
    add_box (reading, "a", i, 0, i + 1, 1);
  g_auto (FsObjectNumbers) numbers = { 0 };
  g_autoptr (FsGuess) guess = fs_object_numbers_make_guess (&numbers, reading);
  g_assert_cmpuint (reading->counts.n_read, ==, FS_OBJECT_NUMBERS_MAX);
  g_assert_cmpuint (reading->counts.n_lost[FS_LABEL_LOSS_MANY], ==, 300 - FS_OBJECT_NUMBERS_MAX);
  g_assert_cmpint (fs_guess_get_last_object (guess), ==, FS_SEED_MAX - 1);

  g_autoptr (FsLabelReading) twice = new_reading (9, 9);
  add_box (twice, "a", 1, 1, 5, 5);
  add_box (twice, "b", 1, 1, 5, 5);
  g_auto (FsObjectNumbers) others = { 0 };
  g_autoptr (FsGuess) one = fs_object_numbers_make_guess (&others, twice);
  g_assert_cmpuint (twice->counts.n_lost[FS_LABEL_LOSS_COVERED], ==, 1);
  g_assert_cmpint (fs_guess_count_object (one, 2), ==, 16);
  g_assert_cmpstr (others.names[2], ==, "b");
  g_assert_null (others.names[3]);
}

/* --- sizes --- */

static FsLabelReading *
read_coco (const char *annotations, int width, int height, GError **error)
{
  g_autofree char *text = g_strdup_printf (
      "{\"images\":[{\"id\":1,\"file_name\":\"p.jpg\",\"width\":20,\"height\":10}],\"annotations\":"
      "[%s],\"categories\":[{\"id\":1,\"name\":\"a\"}]}",
      annotations);
  g_autoptr (json_t) root = fs_label_file_parse_json ("s.json", text, strlen (text), NULL);
  g_autoptr (FsLabelReader) reader = fs_label_reader_open_json ("s.json", root, NULL);
  return fs_label_reader_read (reader, 0, width, height, error);
}

/* Each pixel is like the nearest one of the labels; proportions may be rounded. */
static void
test_sizes (void)
{
  static const char box[] = "{\"id\":1,\"image_id\":1,\"category_id\":1,\"segmentation\":"
                            "[[3,2,11,2,11,7,3,7]]}";
  static const int sizes[][2] = { { 20, 10 }, { 40, 20 },     { 10, 5 },
                                  { 33, 17 }, { 2000, 1001 }, { 7, 3 } };
  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++) {
    int w = sizes[i][0], h = sizes[i][1];
    g_autoptr (GError) error = NULL;
    g_autoptr (FsLabelReading) reading = read_coco (box, w, h, &error);
    g_assert_no_error (error);
    g_autofree uint8_t *plane = g_malloc0 ((gsize)(w * h));
    fs_label_object_paint (reading->photo->objects->pdata[0], (FsRect){ 0, 0, w, h }, 1, plane);
    for (int y = 0; y < h; y++)
      for (int x = 0; x < w; x++) {
        int from_x = (2 * x + 1) * 20 / (2 * w), from_y = (2 * y + 1) * 10 / (2 * h);
        g_assert_cmpint (plane[y * w + x], ==,
                         from_x >= 3 && from_x < 11 && from_y >= 2 && from_y < 7);
      }
  }
  g_autoptr (GError) error = NULL;
  g_assert_null (read_coco (box, 10, 20, &error));
  g_assert_error (error, FS_LABEL_ERROR, FS_LABEL_ERROR_FORMAT);
  g_assert_null (read_coco (box, 200, 112, NULL));
}

/* --- Pascal VOC --- */

static void
write_indexed (const char *folder, const char *name, const uint8_t *rows, int width, int height)
{
  g_autoptr (GByteArray) png = made_png_begin ((guint32)width, (guint32)height, 8, 3, FALSE);
  g_autoptr (GByteArray) all = g_byte_array_new ();
  uint8_t palette[768] = { 0, 0, 0, 128 };
  made_png_chunk (png, "PLTE", (const char *)palette, sizeof palette);
  for (int y = 0; y < height; y++) {
    g_byte_array_append (all, (const guint8 *)"", 1);
    g_byte_array_append (all, rows + y * width, (guint)width);
  }
  made_png_pixels (png, all->data, all->len);
  made_png_end (png);
  g_free (made_file (folder, name, png->data, png->len));
}

static char *
make_below (const char *folder, const char *name)
{
  char *path = g_build_filename (folder, name, NULL);
  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
  return path;
}

static void
write_text (const char *folder, const char *name, const char *text)
{
  g_free (made_file (folder, name, (const guint8 *)text, strlen (text)));
}

static FsLabelReading *
read_set (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsLabelReader) reader = fs_label_reader_open (path, &error);
  g_assert_no_error (error);
  FsLabelReading *reading = fs_label_reader_read (reader, 0, 6, 2, &error);
  g_assert_no_error (error);
  return reading;
}

static void
assert_named (const FsLabelReading *reading, guint i, const char *name)
{
  const FsLabelObject *object = reading->photo->objects->pdata[i];
  g_assert_cmpstr (fs_label_classes_get_name (reading->classes, object->class_number), ==, name);
}

static void
assert_refused (const char *path, const char *reason)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsLabelReader) reader = fs_label_reader_open (path, NULL);
  g_autoptr (FsLabelReading) reading = fs_label_reader_read (reader, 0, 6, 2, &error);
  g_assert_null (reading);
  g_assert_nonnull (strstr (error->message, reason));
}

/* Damaged files do not count as absent ones. */
static void
test_damaged_voc (void)
{
  static const uint8_t classes[] = { 0, 10, 10, 0, 10, 10, 0, 10, 10, 0, 10, 10 };
  g_autofree char *folder = made_folder ();
  g_autofree char *of_classes = make_below (folder, "SegmentationClass");
  g_autofree char *of_objects = make_below (folder, "SegmentationObject");
  g_autofree char *xml = make_below (folder, "Annotations");
  write_indexed (of_classes, "p.png", classes, 6, 2);
  write_text (of_objects, "p.png", "\x89PNG");
  assert_refused (folder, "SegmentationObject/p.png: ");
  g_autofree char *objects = g_build_filename (of_objects, "p.png", NULL);
  g_unlink (objects);
  write_text (xml, "p.xml", "<annotation><object><name>caf\xe9</name></object></annotation>");
  assert_refused (folder, "Annotations/p.xml: is damaged");
  write_text (folder, "classes.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\nten\n");
  g_autoptr (FsLabelReading) listed = read_set (folder);
  assert_named (listed, 0, "ten");
  made_folder_remove (folder);
}

/* Names of VOC's own, of annotations, of a list; void is unknown. */
static void
test_voc (void)
{
  static const uint8_t classes[] = { 0, 10, 10, 255, 17, 17, 0, 10, 10, 255, 10, 10 };
  static const uint8_t objects[] = { 0, 1, 1, 255, 2, 2, 0, 1, 1, 255, 3, 3 };
  g_autofree char *folder = made_folder ();
  g_autofree char *of_classes = make_below (folder, "SegmentationClass");
  write_indexed (of_classes, "p.png", classes, 6, 2);
  g_autoptr (FsLabelReading) by_class = read_set (folder);
  g_assert_cmpuint (by_class->photo->objects->len, ==, 2);
  assert_named (by_class, 0, "cow");
  assert_named (by_class, 1, "sheep");
  g_assert_cmpint (((FsLabelObject *)by_class->unknown->objects->pdata[0])->n_pixels, ==, 2);

  g_autofree char *of_objects = make_below (folder, "SegmentationObject");
  write_indexed (of_objects, "p.png", objects, 6, 2);
  g_autoptr (FsLabelReading) both = read_set (folder);
  g_assert_cmpuint (both->photo->objects->len, ==, 3);
  assert_named (both, 1, "sheep");
  assert_named (both, 2, "cow");
  g_assert_cmpuint (((FsLabelObject *)both->photo->objects->pdata[2])->instance, ==, 2);

  g_autofree char *xml = make_below (folder, "Annotations");
  write_text (xml, "p.xml",
              "<annotation><object><name>A</name><part><name>x</name></part></object>"
              "<object><name>B</name></object></annotation>");
  g_autofree char *file = g_build_filename (of_objects, "p.png", NULL);
  g_autoptr (FsLabelReading) by_xml = read_set (file);
  assert_named (by_xml, 0, "A");
  assert_named (by_xml, 1, "B");
  assert_named (by_xml, 2, "cow"); /* the annotations lack it */

  write_text (folder, "labelmap.txt", "# label:rgb\nbackground:0,0,0::\na:1,2,3::\n");
  g_autoptr (FsLabelReading) listed = read_set (folder);
  assert_named (listed, 0, "A");
  g_assert_cmpuint (listed->photo->objects->len, ==, 2);
  g_assert_cmpuint (listed->counts.n_lost[FS_LABEL_LOSS_CLASS], ==, 1);
  made_folder_remove (folder);
}

/* --- names --- */

static void
assert_names (const char *text, const char *expected)
{
  g_autoptr (GPtrArray) names = fs_yaml_names_parse (text, strlen (text));
  g_autoptr (GString) all = g_string_new (NULL);
  for (guint i = 0; i < names->len; i++)
    g_string_append_printf (all, "%s|", names->pdata[i] ? (const char *)names->pdata[i] : "-");
  g_assert_cmpstr (all->str, ==, expected);
}

static void
test_yaml (void)
{
  assert_names (
      "path: x\nnames:\n  0: a # b\n  2: 'it''s'\n\n  # c\n  1: \"q \\\"r\\\": s\"\nnc: 3\n",
      "a|q \"r\": s|it's|");
  assert_names ("names:\r\n- a b\r\n- 'c'\r\nx: y\r\n", "a b|c|");
  assert_names ("names: [a, 'b, c',\n  \"d\"]\nx: 1\n", "a|b, c|d|");
  assert_names ("names: {0: a, 2: b} # c\n", "a|-|b|");
  assert_names ("\xef\xbb\xbfnames: [a]\n", "a|");
  assert_names (
      "names:\n- \"\\u010d\\xe1p\"\n- \"\\U0001F426\\t\\\"b\\\\\"\n- \"\\uD800\\x\"\n- '\\xe1'\n",
      "čáp|🐦 \"b\\|\xef\xbf\xbd\xef\xbf\xbd|\\xe1|");
  assert_names ("names: {x: a}\n", "");
  assert_names ("names:\n", "");
  assert_names ("nc: 3\n", "");
  assert_names ("names:\n  100000: a\n  -1: b\n", "");
}

/* --- photos --- */

static void
test_photo_names (void)
{
  g_autofree char *folder = made_folder ();
  g_autofree char *below = make_below (folder, "train");
  write_text (folder, "a.jpg", "");
  write_text (folder, "b.png", "");
  write_text (folder, "b.jpg", "");
  write_text (folder, "notes.txt", "");
  write_text (folder, "d\\e.jpg", "");
  write_text (below, "c.jpg", "");
  g_autoptr (FsPhotoNames) names = fs_photo_names_new (folder, NULL);
  static const struct {
    const char *name, *found;
  } cases[] = { { "a.jpg", "a.jpg" },
                { "x/y/a.jpg", "a.jpg" },
                { "a", "a.jpg" },
                { "a.tif", "a.jpg" },
                { "b.png", "b.png" },
                { "b", NULL },
                { "train/c.jpg", "train/c.jpg" },
                { "c.jpg", NULL },
                { "notes", NULL },
                { "../a.jpg", "a.jpg" },
                { "train\\c.jpg", "train/c.jpg" },
                { "C:\\x\\a.jpg", "a.jpg" },
                { "d\\e.jpg", "d\\e.jpg" },
                { "train/../../x.jpg", NULL } };
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *found = fs_photo_names_find (names, cases[i].name);
    g_autofree char *expected =
        cases[i].found ? g_build_filename (folder, cases[i].found, NULL) : NULL;
    g_assert_cmpstr (found, ==, expected);
  }
  made_folder_remove (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/label-rules/fifths", test_fifths);
  g_test_add_func ("/label-rules/spent", test_spent);
  g_test_add_func ("/label-rules/numbers", test_numbers);
  g_test_add_func ("/label-rules/too-many", test_too_many);
  g_test_add_func ("/label-rules/sizes", test_sizes);
  g_test_add_func ("/label-rules/voc", test_voc);
  g_test_add_func ("/label-rules/damaged-voc", test_damaged_voc);
  g_test_add_func ("/label-rules/yaml", test_yaml);
  g_test_add_func ("/label-rules/photo-names", test_photo_names);
  return g_test_run ();
}
