/* SPDX-License-Identifier: MIT */
/* The formats that labels are written in, and what each of them has to do.   Layer: app.
 *
 * A format is a struct of functions in a file of its own, and an entry in the table. It gets photos
 * one after another, so that a set need not fit into memory.
 *
 * Threads: one at a time per set; writing blocks.
 */
#ifndef FS_APP_LABELS_OUTPUT_LABEL_FORMAT_H
#define FS_APP_LABELS_OUTPUT_LABEL_FORMAT_H

#include "app/labels/output/label_out.h"
#include "app/labels/label_set.h"

G_BEGIN_DECLS

typedef struct {
  const char *name;      /* "coco" */
  const char *title;     /* "COCO", as it is spelt */
  gboolean is_folder;    /* a set is a folder of files, named after the photos, else one file */
  gboolean has_numbers;  /* its files hold numbers of classes */
  gboolean names_paths;  /* its files name photos by their paths, else by file names alone */
  gboolean has_runs;     /* holds run lengths, packed ones where asked for */
  gboolean has_polygons; /* always, or, with run lengths, where asked for */

  /* Begins a set. Returns what the other functions get, NULL on errors. `out` stays valid. */
  gpointer (*begin) (const FsLabelOut *out, GError **error);
  /* `stem`: the photo's file name without its ending; no two photos of a folder have the same. An
   * error leaves out this photo and nothing else. */
  gboolean (*add) (gpointer self, const FsLabelPhoto *photo, const char *stem, GError **error);
  /* Writes what is about all photos. */
  gboolean (*end) (gpointer self, GError **error);
  void (*free) (gpointer self);
} FsLabelFormat;

extern const FsLabelFormat fs_label_coco, fs_label_yolo, fs_label_voc, fs_label_indexed,
    fs_label_labelme, fs_label_png;

/* All formats, with a NULL at the end. */
extern const FsLabelFormat *const fs_label_formats[];

/* NULL where no format has the name. */
const FsLabelFormat *fs_label_format_find (const char *name);

G_END_DECLS

#endif
