/* SPDX-License-Identifier: MIT */
/* Labels that were written are read as they were; those of others are read by their format's rule,
 * and what is unknown or broken costs itself alone. */
#include "app/labels/input/label_import.h"
#include "app/labels/input/object_numbers.h"
#include "app/labels/output/label_writer.h"
#include "app/labels/parse/label_file.h"
#include "app/labels/parse/object_canvas.h"
#include "tests/app/photo/made_files.h"

#include <glib/gstdio.h>
#include <string.h>

/* --- round trips ------------------------------------------------------------------------------ */

enum { N_CLASSES = 4 };
static const char *const class_names[N_CLASSES] = { "cow", "two words", "K\303\274ken", "a\"b" };

/* A photo's numbers, 1 background, 2 … n + 1 objects. */
typedef struct {
  int width, height, n;
  uint8_t *numbers;
  guint class_of[256]; /* [number] */
} Map;

static void
map_clear (Map *map)
{
  g_free (map->numbers);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Map, map_clear)

enum { CORNERS, ONE_PIXEL, WHOLE, RINGS, TWO_PARTS, TOUCHING, NOISE, TILES, BLOBS, N_KINDS };

static uint8_t
draw_pixel (int kind, int x, int y, const Map *map, GRand *rand)
{
  const int w = map->width, h = map->height;
  const int dx = 2 * x + 1 - w, dy = 2 * y + 1 - h,
            band = (dx * dx + dy * dy) * 12 / (w * w + h * h);
  switch (kind) {
  case CORNERS:
    return (x < 3 || x >= w - 3) && (y < 2 || y >= h - 2) ? (uint8_t)(2 + (x >= 3) * 2 + (y >= 2))
                                                          : 1;
  case ONE_PIXEL:
    return x == w - 1 && y == h / 2 ? 2 : 1;
  case WHOLE:
    return 2;
  case RINGS:
    return band < 6 && band % 2 == 1 ? (uint8_t)(2 + band / 2) : 1;
  case TWO_PARTS:
    return y % 9 < 4 && (x < w / 3 || x > w / 2) ? 2 : 1;
  case TOUCHING:
    return (uint8_t)(2 + x * 4 / w);
  case NOISE:
    return (uint8_t)g_rand_int_range (rand, 1, 6);
  default:
    return (uint8_t)(1 + (x / 7 + y / 5 * 3) % 9);
  }
}

static void
draw_blobs (Map *map, GRand *rand)
{
  for (int k = 0; k < 7; k++) {
    double x = g_rand_double_range (rand, 0, map->width),
           y = g_rand_double_range (rand, 0, map->height);
    double radius = g_rand_double_range (rand, 0.5, map->width / 3.0);
    for (int p = 0; p < map->width * map->height; p++) {
      double dx = p % map->width - x, dy = (int)(p / map->width) - y;
      if (dx * dx + dy * dy < radius * radius)
        map->numbers[p] = (uint8_t)(1 + k);
    }
  }
}

/* Numbers in use become 2, 3, …. */
static void
compact (Map *map)
{
  uint8_t to[256] = { 0, 1 };
  map->n = 0;
  for (int number = 2; number < 256; number++)
    if (memchr (map->numbers, number, (gsize)(map->width * map->height)))
      to[number] = (uint8_t)(2 + map->n++);
  for (int p = 0; p < map->width * map->height; p++)
    map->numbers[p] = to[map->numbers[p]];
}

static void
map_init (Map *map, int kind, GRand *rand)
{
  *map = (Map){ .width = g_rand_int_range (rand, 8, 61), .height = g_rand_int_range (rand, 8, 61) };
  map->numbers = g_malloc ((gsize)(map->width * map->height));
  memset (map->numbers, 1, (gsize)(map->width * map->height));
  if (kind == BLOBS)
    draw_blobs (map, rand);
  else
    for (int p = 0; p < map->width * map->height; p++)
      map->numbers[p] = draw_pixel (kind, p % map->width, p / map->width, map, rand);
  compact (map);
  for (int number = 0; number < 256; number++)
    map->class_of[number] = (guint)g_rand_int_range (rand, 0, N_CLASSES);
}

static char *
write_labels (const Map *map, const FsLabelFormat *format, const FsLabelOptions *more,
              const char *folder)
{
  g_autoptr (GError) error = NULL;
  char *path = g_build_filename (folder, format->is_folder ? "set" : "set.json", NULL);
  FsLabelOptions options = *more;
  options.path = path;
  FsLabelClasses *classes = fs_label_classes_new ();
  for (int i = 0; i < N_CLASSES; i++)
    fs_label_classes_find (classes, class_names[i]);
  g_autoptr (FsLabelWriter) writer = fs_label_writer_new (format, &options, classes, &error);
  g_assert_no_error (error);
  g_autoptr (FsLabelPhoto) photo = fs_label_photo_new ("sub/p 1.jpg", map->width, map->height);
  fs_label_photo_add_map (photo, map->numbers, 2, map->class_of);
  fs_label_writer_add (writer, photo, NULL, &error);
  g_assert_no_error (error);
  fs_label_writer_end (writer, &error);
  g_assert_no_error (error);
  return path;
}

static FsLabelReading *
read_first (const char *path, int width, int height)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (FsLabelReader) reader = fs_label_reader_open (path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (fs_label_reader_get_n (reader), ==, 1);
  guint entry = 7;
  g_assert_true (fs_label_reader_find (reader, "/x/sub/p 1.jpg", &entry));
  FsLabelReading *reading = fs_label_reader_read (reader, entry, width, height, &error);
  g_assert_no_error (error);
  return reading;
}

static gboolean
is_at_border (const Map *map, int p)
{
  const int w = map->width, x = p % w, y = p / w;
  for (int j = MAX (y - 1, 0); j <= MIN (y + 1, map->height - 1); j++)
    for (int i = MAX (x - 1, 0); i <= MIN (x + 1, w - 1); i++)
      if (map->numbers[j * w + i] != map->numbers[p])
        return TRUE;
  return x == 0 || y == 0 || x == w - 1 || y == map->height - 1;
}

/* Where all objects of a class are one, numbers are those of classes. */
static void
assert_same (const Map *map, FsLabelReading *reading, gboolean by_class, gboolean is_near,
             const char *what)
{
  g_auto (FsObjectNumbers) numbers = { 0 };
  g_autoptr (FsGuess) guess = fs_object_numbers_make_guess (&numbers, reading);
  const uint8_t *read = fs_guess_get_numbers (guess);
  for (int p = 0; p < map->width * map->height; p++) {
    const char *name = map->numbers[p] > 1 ? class_names[map->class_of[map->numbers[p]]] : NULL;
    const char *its = read[p] > 1 ? numbers.names[read[p]] : NULL;
    gboolean same =
        g_strcmp0 (name, its) == 0 && (by_class || is_near || read[p] == map->numbers[p]);
    if (!same && !(is_near && is_at_border (map, p)))
      g_error ("%s: (%d, %d) of %d × %d is %d, not %d", what, p % map->width, p / map->width,
               map->width, map->height, read[p], map->numbers[p]);
  }
  if (!is_near)
    g_assert_cmpuint (fs_label_counts_sum_lost (&reading->counts), ==, 0);
}

static void
check_round_trip (const Map *map, const FsLabelFormat *format, const FsLabelOptions *options,
                  gboolean is_near, const char *what)
{
  g_autofree char *folder = made_folder ();
  g_autofree char *path = write_labels (map, format, options, folder);
  g_autoptr (FsLabelReading) reading = read_first (path, map->width, map->height);
  assert_same (map, reading,
               strcmp (format->name, "indexed") == 0 || strcmp (format->name, "png") == 0, is_near,
               what);
  made_folder_remove (folder);
}

static void
test_round_trips (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (11);
  const char *scale = g_getenv ("SCALE");
  const int n = 3 * N_KINDS * (scale ? MAX (1, atoi (scale)) : 1);
  for (int i = 0; i < n; i++) {
    g_auto (Map) map;
    map_init (&map, i % N_KINDS, rand);
    for (const FsLabelFormat *const *format = fs_label_formats; *format; format++) {
      const gboolean has_runs = (*format)->has_runs,
                     is_exact = has_runs || !(*format)->has_polygons;
      check_round_trip (&map, *format, &(FsLabelOptions){ 0 }, !is_exact, (*format)->name);
      if (!has_runs)
        continue;
      check_round_trip (&map, *format, &(FsLabelOptions){ .is_packed = TRUE }, FALSE, "packed");
      check_round_trip (&map, *format, &(FsLabelOptions){ .is_polygons = TRUE }, FALSE,
                        "exact polygons");
      check_round_trip (&map, *format,
                        &(FsLabelOptions){ .is_polygons = TRUE, .tolerance_px = 0.5 }, TRUE,
                        "polygons");
    }
  }
}

/* --- polygons --- */

static void
assert_drawn (FsCanvasRule rule, const double *xy, gsize n, const char *const *rows)
{
  int width = (int)strlen (rows[0]), height = (int)g_strv_length ((char **)rows);
  g_autoptr (FsObjectCanvas) canvas = fs_object_canvas_new (width, height);
  g_autoptr (FsLabelPhoto) photo = fs_label_photo_new ("p", width, height);
  g_assert_true (fs_object_canvas_add_polygon (canvas, rule, xy, n));
  FsLabelObject *object = fs_label_photo_add (photo, 0);
  fs_object_canvas_take (canvas, object);
  g_autofree uint8_t *plane = g_malloc0 ((gsize)(width * height));
  fs_label_object_paint (object, (FsRect){ 0, 0, width, height }, 1, plane);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      g_assert_cmpint (plane[y * width + x], ==, rows[y][x] == '#');
  g_assert_cmpint (fs_object_canvas_count (canvas), ==, 0);
}

static void
test_polygons (void)
{
  static const double square[] = { 1, 1, 4, 1, 4, 3, 1, 3 };
  static const char *const square_rows[] = { "......", ".###..", ".###..", "......", NULL };
  static const double beyond[] = { -9, -9, 99, -9, 99, 99, -9, 99 };
  static const char *const beyond_rows[] = { "###", "###", NULL };
  static const double bow[] = { 0, 0, 4, 4, 4, 0, 0, 4 };
  for (int rule = FS_CANVAS_CENTRES; rule <= FS_CANVAS_FIFTHS; rule++) {
    assert_drawn ((FsCanvasRule)rule, square, 4, square_rows);
    assert_drawn ((FsCanvasRule)rule, beyond, 4, beyond_rows);
  }
  g_autoptr (FsObjectCanvas) canvas = fs_object_canvas_new (4, 4);
  static const double bad[] = { 0, 0, 1, G_MAXDOUBLE, 2, 2 };
  g_assert_false (fs_object_canvas_add_polygon (canvas, FS_CANVAS_FIFTHS, bad, 3));
  g_assert_false (fs_object_canvas_add_polygon (canvas, FS_CANVAS_FIFTHS, bow, 2));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/label-input/round-trips", test_round_trips);
  g_test_add_func ("/label-input/polygons", test_polygons);
  return g_test_run ();
}
