/* SPDX-License-Identifier: MIT */
#include "app/labels/input/value_objects.h"

#include "app/labels/parse/value_names.h"

#include <glib/gi18n.h>
#include <string.h>

void
fs_value_objects_find (const FsIndexedPng *png, gboolean is_there[256])
{
  gsize n = (gsize)png->width * (gsize)png->height;
  for (gsize p = 0; p < n; p++)
    is_there[png->values[p]] = TRUE;
}

gboolean
fs_value_objects_add (const FsIndexedPng *png, const char *const names[256],
                      FsLabelReading *reading, GError **error)
{
  if (!fs_label_input_set_size (reading, png->width, png->height, error))
    return FALSE;
  gboolean is_there[256] = { FALSE };
  guint class_of[256] = { 0 };
  uint8_t value_of[256] = { 0 };
  gsize n = (gsize)png->width * (gsize)png->height;
  fs_value_objects_find (png, is_there);
  for (int value = 1; value < FS_VALUE_VOID; value++) {
    class_of[value] =
        names[value] ? fs_label_input_find_class (reading, names[value]) : FS_LABEL_NO_CLASS;
    if (class_of[value] != FS_LABEL_NO_CLASS)
      value_of[value] = (uint8_t)value;
    else if (is_there[value]) {
      fs_label_input_set_place (reading, g_strdup_printf (_ ("value %d"), value));
      fs_label_input_lose (reading, FS_LABEL_LOSS_CLASS);
    }
  }
  if (is_there[FS_VALUE_VOID]) {
    reading->unknown = fs_label_photo_new (reading->photo->file_name, png->width, png->height);
    fs_label_photo_add_map (reading->unknown, png->values, FS_VALUE_VOID, class_of);
  }
  for (gsize p = 0; p < n; p++)
    png->values[p] = value_of[png->values[p]];
  guint n_objects = reading->photo->objects->len;
  fs_label_photo_add_map (reading->photo, png->values, 1, class_of);
  for (int value = 1; value < FS_VALUE_VOID; value++)
    if (is_there[value] && value_of[value]) {
      FsLabelObject *object = reading->photo->objects->pdata[n_objects++];
      object->place = g_strdup_printf (_ ("value %d"), value);
    }
  return TRUE;
}
