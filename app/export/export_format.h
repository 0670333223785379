/* SPDX-License-Identifier: MIT */
/* The formats that exports are written in.   Layer: app. */
#ifndef FS_APP_EXPORT_EXPORT_FORMAT_H
#define FS_APP_EXPORT_EXPORT_FORMAT_H

#include "app/export/export_rows.h"

G_BEGIN_DECLS

typedef enum {
  FS_EXPORT_PNG,
  FS_EXPORT_WEBP, /* without loss; no labels */
  FS_EXPORT_TIFF,
  FS_EXPORT_SVG,  /* outlines, no pixels */
  FS_EXPORT_ORA,  /* OpenRaster: cut-outs as layers; no masks */
  FS_EXPORT_PSD,  /* the same, with masks */
  FS_EXPORT_JPEG, /* cut-outs on a background */
  FS_EXPORT_N_FORMATS
} FsExportFormat;

/* The format by the ending of a file's name, in whatever case; FS_EXPORT_PNG for all others. */
FsExportFormat fs_export_format_of (const char *path);

/* "PNG"; ".png". */
const char *fs_export_format_get_name (FsExportFormat format);
const char *fs_export_format_get_ending (FsExportFormat format);

/* FALSE where the format is of something else: layers and outlines are of objects. A writer may
 * refuse more, with reasons of its own. */
gboolean fs_export_format_holds (FsExportFormat format, FsExportKind kind);

/* TRUE if a file in the format holds a layer for each object, over the photo. */
gboolean fs_export_format_has_layers (FsExportFormat format);

/* TRUE for a format's ending alone: ".png". */
gboolean fs_export_format_is_ending (const char *name);

/* The length of the ending that names the format, ".tiff" too; 0 where there is none. */
gsize fs_export_format_count_ending (const char *path);

/* NULL in a build without it. */
FsExportWriter fs_export_format_get_writer (FsExportFormat format);

G_END_DECLS

#endif
