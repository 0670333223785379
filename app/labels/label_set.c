/* SPDX-License-Identifier: MIT */
#include "app/labels/label_set.h"

#include <glib/gi18n.h>
#include <string.h>

FsLabelSet *
fs_label_set_new (void)
{
  FsLabelSet *set = g_new0 (FsLabelSet, 1);
  set->classes = fs_label_classes_new ();
  set->photos = g_ptr_array_new_with_free_func ((GDestroyNotify)fs_label_photo_free);
  return set;
}

void
fs_label_set_free (FsLabelSet *set)
{
  if (!set)
    return;
  fs_label_classes_free (set->classes);
  g_ptr_array_unref (set->photos);
  g_free (set);
}

FsLabelObject *
fs_label_object_new (guint class_number)
{
  FsLabelObject *object = g_new0 (FsLabelObject, 1);
  object->class_number = class_number;
  object->instance = 1;
  object->runs = g_array_new (FALSE, FALSE, sizeof (FsLabelRun));
  return object;
}

void
fs_label_object_free (FsLabelObject *object)
{
  if (!object)
    return;
  g_array_unref (object->runs);
  g_free (object->place);
  g_free (object);
}

FsLabelPhoto *
fs_label_photo_new (const char *file_name, int width, int height)
{
  g_return_val_if_fail (file_name && width > 0 && height > 0, NULL);

  FsLabelPhoto *photo = g_new0 (FsLabelPhoto, 1);
  photo->file_name = g_strdup (file_name);
  photo->width = width;
  photo->height = height;
  photo->objects = g_ptr_array_new_with_free_func ((GDestroyNotify)fs_label_object_free);
  return photo;
}

void
fs_label_photo_free (FsLabelPhoto *photo)
{
  if (!photo)
    return;
  g_free (photo->file_name);
  g_ptr_array_unref (photo->objects);
  g_free (photo);
}

FsLabelObject *
fs_label_photo_add (FsLabelPhoto *photo, guint class_number)
{
  g_return_val_if_fail (photo, NULL);

  FsLabelObject *object = fs_label_object_new (class_number);
  for (guint i = 0; i < photo->objects->len; i++) {
    const FsLabelObject *other = photo->objects->pdata[i];
    object->instance += other->class_number == class_number ? 1 : 0;
  }
  g_ptr_array_add (photo->objects, object);
  return object;
}

void
fs_label_object_add_run (FsLabelObject *object, int y, int x0, int x1)
{
  FsRect *box = &object->box;
  if (x0 >= x1)
    return;
  const guint n = object->runs->len;
  FsLabelRun *last = n > 0 ? &g_array_index (object->runs, FsLabelRun, n - 1) : NULL;
  g_return_if_fail (!last || last->y < y || (last->y == y && last->x1 <= x0));
  object->n_pixels += x1 - x0;
  if (!last)
    *box = (FsRect){ x0, y, x1, y + 1 };
  box->x0 = MIN (box->x0, x0);
  box->x1 = MAX (box->x1, x1);
  box->y1 = y + 1;
  if (last && last->y == y && last->x1 == x0) {
    last->x1 = x1;
    return;
  }
  const FsLabelRun run = { y, x0, x1 };
  g_array_append_val (object->runs, run);
}

static void
find_labels (const FsLabelPhoto *photo, const uint8_t *labels, gboolean is_there[256])
{
  const gsize n = (gsize)photo->width * (gsize)photo->height;
  for (gsize i = 0; i < n; i++)
    is_there[labels[i]] = TRUE;
}

guint
fs_label_photo_add_map (FsLabelPhoto *photo, const uint8_t *labels, uint8_t first_label,
                        const guint *class_of)
{
  g_return_val_if_fail (photo && labels && class_of, 0);

  const gsize width = (gsize)photo->width;
  FsLabelObject *objects[256] = { NULL };
  gboolean is_there[256] = { FALSE };
  guint n_objects = 0;
  find_labels (photo, labels, is_there);
  for (guint label = first_label; label < 256; label++)
    if (is_there[label]) {
      objects[label] = fs_label_photo_add (photo, class_of[label]);
      n_objects++;
    }
  for (int y = 0; y < photo->height; y++) {
    const uint8_t *row = labels + (gsize)y * width;
    for (int x = 0, end; x < photo->width; x = end) {
      for (end = x + 1; end < photo->width && row[end] == row[x]; end++)
        continue;
      if (objects[row[x]])
        fs_label_object_add_run (objects[row[x]], y, x, end);
    }
  }
  return n_objects;
}

gboolean
fs_label_photo_add_named (FsLabelPhoto *photo, const uint8_t *labels, uint8_t first_label,
                          const char *const *names, FsLabelClasses *classes, GError **error)
{
  g_return_val_if_fail (photo && labels && names && classes, FALSE);

  guint class_of[256] = { 0 };
  gboolean is_there[256] = { FALSE };
  find_labels (photo, labels, is_there);
  for (guint label = first_label; label < 256; label++) {
    if (!is_there[label])
      continue;
    class_of[label] = fs_label_classes_find (classes, names[label]);
    if (class_of[label] == FS_LABEL_NO_CLASS) {
      g_set_error (error, FS_LABEL_ERROR, FS_LABEL_ERROR_CLASS,
                   _ ("“%s” is not in the list of classes"), names[label]);
      return FALSE;
    }
  }
  fs_label_photo_add_map (photo, labels, first_label, class_of);
  return TRUE;
}

void
fs_label_object_paint (const FsLabelObject *object, FsRect area, uint8_t value, uint8_t *plane)
{
  const gsize width = (gsize)(area.x1 - area.x0);
  for (guint i = 0; i < object->runs->len; i++) {
    const FsLabelRun *run = &g_array_index (object->runs, FsLabelRun, i);
    const int x0 = MAX (run->x0, area.x0), x1 = MIN (run->x1, area.x1);
    if (run->y >= area.y0 && run->y < area.y1 && x0 < x1)
      memset (plane + (gsize)(run->y - area.y0) * width + (gsize)(x0 - area.x0), value,
              (gsize)(x1 - x0));
  }
}
