/* SPDX-License-Identifier: MIT */
/* Labels as a grey PNG for each object: 255 where it is, else 0.   Layer: app.
 *
 *   NAME/CLASS-N.png   the N-th object of the class in the photo; CLASS as
 * fs_label_text_to_file_part writes it
 */
#include "app/labels/output/label_format.h"

#include "app/labels/output/label_planes.h"
#include "app/labels/output/label_text.h"

static gpointer
masks_begin (const FsLabelOut *out, GError **error)
{
  return fs_label_out_make_folder (out, NULL, error) ? g_memdup2 (&out, sizeof out) : NULL;
}

static gboolean
write_mask (const FsLabelOut *out, const FsLabelPhoto *photo, guint place, const char *stem,
            GError **error)
{
  const FsLabelObject *object = photo->objects->pdata[place];
  g_autofree char *part =
      fs_label_text_to_file_part (fs_label_classes_get_name (out->classes, object->class_number),
                                  object->class_number + 1);
  g_autofree char *name = g_strdup_printf ("%s-%u", part, object->instance);
  g_autofree char *path = fs_label_out_path (out, stem, name, ".png");
  g_autofree uint8_t *plane = fs_label_plane_of_object (photo, place, path, error);
  const FsLabelPicture picture = { photo->width, photo->height, plane, NULL };
  return plane && fs_label_out_write_picture (out, path, &picture, error);
}

static gboolean
masks_add (gpointer self, const FsLabelPhoto *photo, const char *stem, GError **error)
{
  const FsLabelOut *out = *(const FsLabelOut **)self;
  if (!fs_label_out_make_folder (out, stem, error))
    return FALSE;
  for (guint i = 0; i < photo->objects->len; i++)
    if (!write_mask (out, photo, i, stem, error))
      return FALSE;
  return TRUE;
}

static gboolean
masks_end (gpointer self, GError **error)
{
  return TRUE;
}

const FsLabelFormat fs_label_png = {
  .name = "png",
  .title = "PNG",
  .is_folder = TRUE,
  .begin = masks_begin,
  .add = masks_add,
  .end = masks_end,
  .free = g_free,
};
