/* SPDX-License-Identifier: MIT */
/* The formats that labels are read in, and what each of them has to do.   Layer: app.
 *
 * A format is a struct of functions in a file of its own, and an entry in the table of
 * label_reader.c. Opening lists the photos; the masks of one are read when they are asked for.
 * Files are untrusted: what is not understood is left out and counted, and only what makes the
 * whole useless is an error.
 *
 * Threads: one at a time per set; blocks.
 */
#ifndef FS_APP_LABELS_INPUT_LABEL_INPUT_H
#define FS_APP_LABELS_INPUT_LABEL_INPUT_H

#include "app/labels/input/label_counts.h"
#include "app/labels/label_set.h"
#include <jansson.h>

G_BEGIN_DECLS

/* A photo that a set has labels of. */
typedef struct {
  char *name;        /* UTF-8, as the set has it: perhaps with folders, perhaps without an ending */
  int width, height; /* in the set; 0: it does not say */
} FsLabelEntry;

/* The labels of one photo. */
typedef struct {
  FsLabelClasses *classes; /* names, as the set has them */
  FsLabelPhoto *photo;
  FsLabelPhoto *unknown; /* its only object: pixels about which the set says nothing; or NULL */
  FsLabelCounts counts;
  char *place; /* of the object that is being read, for people: "line 3"; or NULL */
} FsLabelReading;

typedef struct {
  const char *title; /* "COCO" */

  /* TRUE if the file or folder may be of this format; looks at names and first bytes. `root` is the
   * tree of a JSON file, else NULL. */
  gboolean (*detect) (const char *path, const json_t *root);
  /* Appends the photos of the set to `entries` (FsLabelEntry), and counts what belongs to none of
   * them. Keeps a reference to `root`. Returns what the other functions get; NULL: an error. */
  gpointer (*open) (const char *path, json_t *root, GArray *entries, FsLabelCounts *counts,
                    GError **error);
  /* Adds the objects of a photo to reading->photo, whose size is the entry's or, where that has
   * none, the photo's. FALSE, with an error: none of them can be read. */
  gboolean (*read) (gpointer self, guint entry, FsLabelReading *reading, GError **error);
  /* TRUE if the set names no class, and the usual ones of the format are taken; or NULL. */
  gboolean (*has_usual_names) (gpointer self);
  void (*free) (gpointer self);
} FsLabelInput;

extern const FsLabelInput fs_label_input_coco, fs_label_input_labelme, fs_label_input_yolo,
    fs_label_input_voc, fs_label_input_masks, fs_label_input_indexed;

/* --- for the formats --- */

/* Objects of one photo that are looked at. */
#define FS_LABEL_INPUT_MAX_OBJECTS 4096

/* The class of a name from a file, as one line that a session can have; FS_LABEL_NO_CLASS where
 * nothing is left of it. */
guint fs_label_input_find_class (FsLabelReading *reading, const char *name);

/* Gives a photo without objects the size of a picture in the set. FALSE, with an error, where its
 * proportions are others. */
gboolean fs_label_input_set_size (FsLabelReading *reading, int width, int height, GError **error);

/* Begins with the next object. Takes its place, or NULL. */
static inline void
fs_label_input_set_place (FsLabelReading *reading, char *place)
{
  g_free (reading->place);
  reading->place = place;
}

/* Adds an object without pixels at reading->place. Owned by the photo. */
static inline FsLabelObject *
fs_label_input_add (FsLabelReading *reading, guint class_number)
{
  FsLabelObject *object = fs_label_photo_add (reading->photo, class_number);
  object->place = g_strdup (reading->place);
  return object;
}

static inline void
fs_label_input_lose (FsLabelReading *reading, FsLabelLoss loss)
{
  fs_label_counts_lose (&reading->counts, loss, 1, reading->place);
}

G_END_DECLS

#endif
