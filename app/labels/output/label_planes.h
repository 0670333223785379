/* SPDX-License-Identifier: MIT */
/* Planes of a photo's labels, a byte a pixel, 0 outside of all objects.   Layer: app.
 *
 * Later objects lie over earlier ones. `path` stands in messages: the picture that the plane is
 * for.
 *
 * Threads: any.
 */
#ifndef FS_APP_LABELS_OUTPUT_LABEL_PLANES_H
#define FS_APP_LABELS_OUTPUT_LABEL_PLANES_H

#include "app/labels/label_set.h"

G_BEGIN_DECLS

#define FS_LABEL_MAX_PLANE_VALUE 254 /* 255 is void */

/* The number of the class, plus 1. g_free. Errors: FS_LABEL_ERROR_LIMIT, FS_EXPORT_ERROR. */
uint8_t *fs_label_plane_of_classes (const FsLabelPhoto *photo, const char *path, GError **error);

/* The place of the object among the photo's, from 1. g_free. Errors: the same. */
uint8_t *fs_label_plane_of_objects (const FsLabelPhoto *photo, const char *path, GError **error);

/* 255 where one object is. g_free. Errors: FS_EXPORT_ERROR. */
uint8_t *fs_label_plane_of_object (const FsLabelPhoto *photo, guint place, const char *path,
                                   GError **error);

G_END_DECLS

#endif
