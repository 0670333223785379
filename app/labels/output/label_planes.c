/* SPDX-License-Identifier: MIT */
#include "app/labels/output/label_planes.h"

#include "app/files/display_name.h"
#include "app/labels/output/label_out.h"

#include <glib/gi18n.h>

static uint8_t *
new_plane (const FsLabelPhoto *photo, const char *path, GError **error)
{
  uint8_t *plane = g_try_malloc0 ((gsize)photo->width * (gsize)photo->height);
  if (!plane)
    fs_label_fail_for_memory (path, error);
  return plane;
}

static void
paint_object (const FsLabelPhoto *photo, guint place, uint8_t value, uint8_t *plane)
{
  const FsRect all = { 0, 0, photo->width, photo->height };
  fs_label_object_paint (photo->objects->pdata[place], all, value, plane);
}

static uint8_t *
refuse_value (const char *path, const char *reason, GError **error)
{
  g_autofree char *name = fs_display_name (path);
  g_set_error (error, FS_LABEL_ERROR, FS_LABEL_ERROR_LIMIT, "%s: %s", name, reason);
  return NULL;
}

uint8_t *
fs_label_plane_of_classes (const FsLabelPhoto *photo, const char *path, GError **error)
{
  for (guint i = 0; i < photo->objects->len; i++) {
    const FsLabelObject *object = photo->objects->pdata[i];
    if (object->class_number >= FS_LABEL_MAX_PLANE_VALUE)
      return refuse_value (path, _ ("a picture holds 254 classes at most"), error);
  }
  uint8_t *plane = new_plane (photo, path, error);
  for (guint i = 0; plane && i < photo->objects->len; i++) {
    const FsLabelObject *object = photo->objects->pdata[i];
    paint_object (photo, i, (uint8_t)(object->class_number + 1), plane);
  }
  return plane;
}

uint8_t *
fs_label_plane_of_objects (const FsLabelPhoto *photo, const char *path, GError **error)
{
  if (photo->objects->len > FS_LABEL_MAX_PLANE_VALUE)
    return refuse_value (path, _ ("a picture holds 254 objects at most"), error);
  uint8_t *plane = new_plane (photo, path, error);
  for (guint i = 0; plane && i < photo->objects->len; i++)
    paint_object (photo, i, (uint8_t)(i + 1), plane);
  return plane;
}

uint8_t *
fs_label_plane_of_object (const FsLabelPhoto *photo, guint place, const char *path, GError **error)
{
  uint8_t *plane = new_plane (photo, path, error);
  if (plane)
    paint_object (photo, place, 255, plane);
  return plane;
}
