/* SPDX-License-Identifier: MIT */
/* Writes sets of made labels in every format, and what they hold, for readers of other origin.
 *
 *   make_label_sets FOLDER PHOTOS
 *
 * FOLDER/truth.json: [ { "file_name", "width", "height", "objects": [ { "class", "instance",
 * "mask": "0101…" row by row } ] } ]. Sets of one file hold all photos, those of folders the first
 * MAX_FILES of them. The first photos are special shapes, the rest is random.
 */
#include "app/files/json_text.h"
#include "app/labels/output/label_writer.h"

#include <string.h>

enum { MAX_SIDE = 22, MAX_FILES = 60, N_SPECIAL = 9 };

typedef struct {
  char name[64];
  int width, height;
  uint8_t map[MAX_SIDE * MAX_SIDE]; /* 2, 3, 4: objects */
} Made;

/* Two objects have one class; names have what formats give a meaning. */
static const char *const names[256] = {
  [2] = "cow, \"old\": <\303\266>/\\", [3] = "#sky%", [4] = "cow, \"old\": <\303\266>/\\"
};

static gboolean
is_in_shape (int shape, int x, int y, int width, int height)
{
  const int dx = 2 * x - width + 1, dy = 2 * y - height + 1, square = dx * dx + dy * dy;
  switch (shape) {
  case 0: /* the corners */
    return (x == 0 || x == width - 1) && (y == 0 || y == height - 1);
  case 1: /* one pixel */
    return x == 7 && y == 3;
  case 2: /* the whole photo */
    return TRUE;
  case 3: /* rings in rings */
    return square / 90 % 2 == 0;
  case 4: /* two parts */
    return x < 5 || x > 12;
  case 5: /* pixels that touch at their corners alone */
    return (x + y) % 2 == 0;
  case 6: /* a frame with holes in a row */
    return y == 0 || x % 4 < 2 || y == height - 1;
  case 7: /* a disc */
    return square < 300;
  default: /* nothing */
    return FALSE;
  }
}

static void
make_photo (Made *made, GRand *rand, int place)
{
  /* Photos in one folder, in another, and with what lists of names have to stand. */
  g_snprintf (made->name, sizeof made->name, place % 3 == 1 ? "far/p %d.jpg" : "p-%d.jpg", place);
  const gboolean is_special = place < N_SPECIAL;
  made->width = is_special ? MAX_SIDE : g_rand_int_range (rand, 1, place % 5 == 0 ? 3 : MAX_SIDE);
  made->height =
      is_special ? MAX_SIDE - 4 : g_rand_int_range (rand, 1, place % 5 == 1 ? 3 : MAX_SIDE);
  const int share = g_rand_int_range (rand, 0, 11), grain = g_rand_int_range (rand, 1, 4);
  for (int y = 0; y < made->height; y++)
    for (int x = 0; x < made->width; x++) {
      uint8_t *to = &made->map[y * made->width + x];
      if (is_special)
        *to = is_in_shape (place, x, y, made->width, made->height) ? 2 : 1;
      else if (x % grain > 0 || y % grain > 0)
        *to = made->map[y / grain * grain * made->width + x / grain * grain];
      else
        *to = g_rand_int_range (rand, 0, 10) < share ? (uint8_t)g_rand_int_range (rand, 2, 5) : 1;
    }
}

static FsLabelPhoto *
new_photo (const Made *made, FsLabelClasses *classes)
{
  FsLabelPhoto *photo = fs_label_photo_new (made->name, made->width, made->height);
  fs_label_photo_add_named (photo, made->map, 2, names, classes, NULL);
  return photo;
}

static void
write_set (const Made *photos, int n, const FsLabelFormat *format, FsLabelOptions options,
           const char *folder, const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = g_build_filename (folder, name, NULL);
  options.path = path;
  g_autoptr (FsLabelWriter) writer =
      fs_label_writer_new (format, &options, fs_label_classes_new (), &error);
  for (int i = 0; writer && i < (format->is_folder ? MIN (n, MAX_FILES) : n); i++) {
    g_autoptr (FsLabelPhoto) photo = new_photo (&photos[i], fs_label_writer_get_classes (writer));
    if (!fs_label_writer_add (writer, photo, NULL, &error))
      break;
  }
  if (error || !fs_label_writer_end (writer, &error))
    g_error ("%s: %s", name, error->message);
}

static void
write_truth (const Made *photos, int n, const char *folder)
{
  g_autofree char *path = g_build_filename (folder, "truth.json", NULL);
  g_autoptr (GString) text = g_string_new ("[");
  for (int i = 0; i < n; i++) {
    g_string_append_printf (text, "%s{\"file_name\": \"%s\", \"width\": %d, \"height\": %d, ",
                            i > 0 ? ",\n" : "", photos[i].name, photos[i].width, photos[i].height);
    g_string_append (text, "\"objects\": [");
    int instance = 1, n_objects = 0;
    const gsize n_pixels = (gsize)photos[i].width * (gsize)photos[i].height;
    for (uint8_t label = 2; label < 5; label++) {
      if (!memchr (photos[i].map, label, n_pixels))
        continue;
      g_string_append (text, n_objects++ > 0 ? ", {\"class\": " : "{\"class\": ");
      fs_json_append_quoted (text, names[label]);
      g_string_append_printf (text, ", \"instance\": %d, \"mask\": \"",
                              label == 3 ? 1 : instance++);
      for (gsize k = 0; k < n_pixels; k++)
        g_string_append_c (text, photos[i].map[k] == label ? '1' : '0');
      g_string_append (text, "\"}");
    }
    g_string_append (text, "]}");
  }
  g_string_append (text, "]\n");
  g_file_set_contents (path, text->str, -1, NULL);
}

int
main (int argc, char **argv)
{
  g_assert_cmpint (argc, ==, 3);
  const int n = (int)g_ascii_strtoll (argv[2], NULL, 10);
  g_autoptr (GRand) rand = g_rand_new_with_seed (2026);
  g_autofree Made *photos = g_new0 (Made, (gsize)n);
  for (int i = 0; i < n; i++)
    make_photo (&photos[i], rand, i);
  write_truth (photos, n, argv[1]);
  static const struct {
    const char *name;
    const FsLabelFormat *format;
    FsLabelOptions options;
  } sets[] = { { "runs.json", &fs_label_coco, { 0 } },
               { "packed.json", &fs_label_coco, { .is_packed = TRUE } },
               { "polygons-0.json", &fs_label_coco, { .is_polygons = TRUE } },
               { "polygons-3.json",
                 &fs_label_coco,
                 { .is_polygons = TRUE, .tolerance_px = FS_LABEL_TOLERANCE_PX } },
               { "polygons-5.json", &fs_label_coco, { .is_polygons = TRUE, .tolerance_px = 0.5 } },
               { "yolo-0", &fs_label_yolo, { 0 } },
               { "yolo-5", &fs_label_yolo, { .tolerance_px = 0.5 } },
               { "voc", &fs_label_voc, { 0 } },
               { "indexed", &fs_label_indexed, { 0 } },
               { "labelme", &fs_label_labelme, { .tolerance_px = 0.5 } },
               { "png", &fs_label_png, { 0 } } };
  for (gsize i = 0; i < G_N_ELEMENTS (sets); i++)
    write_set (photos, n, sets[i].format, sets[i].options, argv[1], sets[i].name);
  return 0;
}
