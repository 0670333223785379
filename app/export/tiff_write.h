/* SPDX-License-Identifier: MIT */
/* Masks, cut-outs and label maps as TIFF, through libtiff, an optional feature of the build.
 * Layer: app.
 *
 * Source: TIFF 6.0, with Deflate and, for cut-outs, horizontal differencing, which all photo
 * editors read. Alpha is straight and tagged so; labels have a palette. The file is made in memory,
 * since its header is written last.
 *
 * Threads: any; blocks.
 */
#ifndef FS_APP_EXPORT_TIFF_WRITE_H
#define FS_APP_EXPORT_TIFF_WRITE_H

#include "app/export/export_rows.h"

G_BEGIN_DECLS

/* An FsExportWriter. Refuses files of more than 4 GB. */
gboolean fs_tiff_write (const FsExport *what, const char *name, const FsExportSink *sink,
                        GError **error);

G_END_DECLS

#endif
