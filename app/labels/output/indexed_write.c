/* SPDX-License-Identifier: MIT */
/* Labels as indexed PNGs: a picture for each photo, and a list of classes.   Layer: app.
 *
 *   NAME.png      a byte a pixel: 0 background, N the class in line N of the list
 *   classes.txt   a class a line, as fs_label_classes_read takes it
 *
 * Colours are Pascal VOC's. Where objects overlap the later one is seen; objects of a class are not
 * told apart.
 */
#include "app/labels/output/label_format.h"

#include "app/labels/output/label_planes.h"

typedef struct {
  const FsLabelOut *out;
  uint8_t palette[256][3];
} Indexed;

static gpointer
indexed_begin (const FsLabelOut *out, GError **error)
{
  if (!fs_label_out_make_folder (out, NULL, error))
    return NULL;
  Indexed *indexed = g_new0 (Indexed, 1);
  indexed->out = out;
  fs_label_fill_palette (indexed->palette);
  return indexed;
}

static gboolean
indexed_add (gpointer self, const FsLabelPhoto *photo, const char *stem, GError **error)
{
  const Indexed *indexed = self;
  g_autofree char *path = fs_label_out_path (indexed->out, NULL, stem, ".png");
  g_autofree uint8_t *plane = fs_label_plane_of_classes (photo, path, error);
  const FsLabelPicture picture = { photo->width, photo->height, plane, indexed->palette };
  return plane && fs_label_out_write_picture (indexed->out, path, &picture, error);
}

static gboolean
indexed_end (gpointer self, GError **error)
{
  const Indexed *indexed = self;
  g_autofree char *path = fs_label_out_path (indexed->out, NULL, "classes", ".txt");
  g_autofree char *text = fs_label_classes_to_text (indexed->out->classes);
  return fs_label_out_write_text (indexed->out, path, text, error);
}

const FsLabelFormat fs_label_indexed = {
  .name = "indexed",
  .title = "indexed PNG",
  .is_folder = TRUE,
  .has_numbers = TRUE,
  .begin = indexed_begin,
  .add = indexed_add,
  .end = indexed_end,
  .free = g_free,
};
