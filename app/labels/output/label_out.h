/* SPDX-License-Identifier: MIT */
/* The place that a set of labels is written to: paths, and files that appear whole or not at all.
 * Layer: app.
 *
 * Errors: FS_EXPORT_ERROR_WRITE with the file's name.
 * Threads: one at a time per set; writing blocks.
 */
#ifndef FS_APP_LABELS_OUTPUT_LABEL_OUT_H
#define FS_APP_LABELS_OUTPUT_LABEL_OUT_H

#include "app/files/shard.h"
#include "app/labels/label_classes.h"
#include "app/labels/output/own_files.h"
#include <stdint.h>

G_BEGIN_DECLS

/* The usual tolerance of polygons: pycocotools draws corners and sides on a grid of fifths of a
 * pixel, two tenths off at most, and so gives the mask to the pixel still. */
#define FS_LABEL_TOLERANCE_PX 0.3

typedef struct {
  const char *path; /* of the file or folder; not owned */
  gboolean is_packed;
  gboolean is_polygons;
  double tolerance_px; /* of polygons, as fs_contour_trace takes it */
  FsShard shard;       /* lists of a folder are named after it, ids of a file are of it alone */
  gint64 date_s;       /* of the set, since 1970 (UTC) */
  gboolean replace;    /* files of a folder that are there with contents of others */
} FsLabelOptions;

typedef struct {
  FsLabelOptions options;
  FsLabelClasses *classes;
  const char *photo, *stem; /* path of the photo that is added, and its name in the set; or NULL */
  FsOwnFiles *own;          /* of a folder; or NULL */
} FsLabelOut;

typedef struct {
  int width, height;
  const uint8_t *pixels;       /* width·height bytes */
  const uint8_t (*palette)[3]; /* 256 colours (red, green, blue); NULL: grey */
} FsLabelPicture;

/* OUT/FOLDER/STEM + ENDING; `folder` may be NULL. g_free. */
char *fs_label_out_path (const FsLabelOut *out, const char *folder, const char *stem,
                         const char *ending);

/* A list of the set: OUT/FOLDER/NAME.txt, of a shard NAME-K-of-N.txt. g_free. */
char *fs_label_out_list_path (const FsLabelOut *out, const char *folder, const char *name);

/* Makes the folder OUT/FOLDER, and those above it; `folder` may be NULL. */
gboolean fs_label_out_make_folder (const FsLabelOut *out, const char *folder, GError **error);

/* Writes a file, but not over the photo that is added, nor, without options.replace, over a file
 * with other contents that no export has written, or somebody has changed. */
gboolean fs_label_out_write_text (const FsLabelOut *out, const char *path, const char *text,
                                  GError **error);

/* The same for a list of the set's photos, which is also refused where photos of an earlier export
 * would not be in it any more. */
gboolean fs_label_out_write_list (const FsLabelOut *out, const char *path, const char *text,
                                  GError **error);

/* The same as text for a PNG, and not into the folder of the photo that is added, where it could be
 * taken for a photo or replace one. */
gboolean fs_label_out_write_picture (const FsLabelOut *out, const char *path,
                                     const FsLabelPicture *picture, GError **error);

/* The colours of Pascal VOC: the lowest three bits of a number are the highest of red, green and
 * blue, the next three bits the next, and so on. */
void fs_label_fill_palette (uint8_t palette[256][3]);

/* Sets an error that memory is short for the file. Returns FALSE. */
gboolean fs_label_fail_for_memory (const char *path, GError **error);

G_END_DECLS

#endif
