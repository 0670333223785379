/* SPDX-License-Identifier: MIT */
/* Masks, cut-outs and label maps as PNG bytes.   Layer: app.
 *
 * The cut-out is written with zlib's level 1 and the SUB filter: five times as fast as the usual
 * level for a few per cent more bytes.
 *
 * Threads: any; blocks.
 */
#ifndef FS_APP_EXPORT_PNG_WRITE_H
#define FS_APP_EXPORT_PNG_WRITE_H

#include "app/export/export_rows.h"

G_BEGIN_DECLS

/* An FsExportWriter. */
gboolean fs_png_write (const FsExport *what, const char *name, const FsExportSink *sink,
                       GError **error);

G_END_DECLS

#endif
