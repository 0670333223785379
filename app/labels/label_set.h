/* SPDX-License-Identifier: MIT */
/* Labels: the objects of photos, as all data set formats have them.   Layer: app.
 *
 * A photo has objects, each with a class, a number among those of its class in the photo, and a
 * mask: runs of pixels in rows. Objects may overlap. Pixels are of the upright photo, turned as its
 * Exif says; (0, 0) is the upper left one.
 *
 * Threads: plain data, one at a time.
 */
#ifndef FS_APP_LABELS_LABEL_SET_H
#define FS_APP_LABELS_LABEL_SET_H

#include "app/labels/label_classes.h"
#include "energy/image/rect.h"
#include <stdint.h>

G_BEGIN_DECLS

#define FS_LABEL_MAX_SIDE_PX 65500

/* Pixels x0 ≤ x < x1 of a row. */
typedef struct {
  int y, x0, x1;
} FsLabelRun;

typedef struct {
  guint class_number; /* in the set's FsLabelClasses, from 0 */
  guint instance;     /* among the photo's objects of the class, from 1 */
  gboolean is_crowd;  /* a group whose members are not told apart */
  GArray *runs;       /* of FsLabelRun, by y, then x0; no two touch in a row */
  gint64 n_pixels;    /* of the runs */
  FsRect box;         /* of the runs; empty where there are none */
  char *place;        /* in the labels that it was read from, "line 3"; or NULL */
} FsLabelObject;

typedef struct {
  char *file_name; /* UTF-8, relative to the data set, components separated by "/" */
  int width, height;
  GPtrArray *objects; /* of FsLabelObject *, in the order of the photo's labels */
} FsLabelPhoto;

typedef struct {
  FsLabelClasses *classes;
  GPtrArray *photos; /* of FsLabelPhoto * */
} FsLabelSet;

FsLabelSet *fs_label_set_new (void);
void fs_label_set_free (FsLabelSet *set);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsLabelSet, fs_label_set_free)

FsLabelPhoto *fs_label_photo_new (const char *file_name, int width, int height);
void fs_label_photo_free (FsLabelPhoto *photo);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsLabelPhoto, fs_label_photo_free)

/* An object without pixels, the first of its class. */
FsLabelObject *fs_label_object_new (guint class_number);
void fs_label_object_free (FsLabelObject *object);

/* Adds an object without pixels, and numbers it among those of its class. Owned by the photo. */
FsLabelObject *fs_label_photo_add (FsLabelPhoto *photo, guint class_number);

/* Adds a run after those that the object has: below the last one, or to its right in the same row;
 * one that touches it prolongs it. Keeps n_pixels and box. */
void fs_label_object_add_run (FsLabelObject *object, int y, int x0, int x1);

/* Adds an object for every label from first_label on that has pixels in `labels` (width·height of
 * the photo); `class_of` has 256 class numbers. Returns the number of objects. O(N). */
guint fs_label_photo_add_map (FsLabelPhoto *photo, const uint8_t *labels, uint8_t first_label,
                              const guint *class_of);

/* The same with classes by name: `names` has one for every label in `labels`, by label, 256 of them
 * (the rest may be NULL). FALSE, and nothing is added, where a closed list lacks one. Errors:
 * FS_LABEL_ERROR_CLASS, which says the name. */
gboolean fs_label_photo_add_named (FsLabelPhoto *photo, const uint8_t *labels, uint8_t first_label,
                                   const char *const *names, FsLabelClasses *classes,
                                   GError **error);

/* Writes `value` into the object's pixels of a plane that holds `area` of the photo, row by row
 * without padding; pixels outside of it are left out. */
void fs_label_object_paint (const FsLabelObject *object, FsRect area, uint8_t value,
                            uint8_t *plane);

G_END_DECLS

#endif
