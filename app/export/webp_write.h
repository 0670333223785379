/* SPDX-License-Identifier: MIT */
/* Masks and cut-outs as WebP without loss, through libwebp, an optional feature of the build.
 * Layer: app.
 *
 * Source: RFC 9649. Alpha and the colours of transparent pixels are kept. The encoder holds the
 * whole picture, 4 bytes a pixel, and as much again for its work.
 *
 * Threads: any; blocks.
 */
#ifndef FS_APP_EXPORT_WEBP_WRITE_H
#define FS_APP_EXPORT_WEBP_WRITE_H

#include "app/export/export_rows.h"

G_BEGIN_DECLS

/* An FsExportWriter. Refuses labels, which WebP has no palette for, and more than 16383 pixels a
 * side. */
gboolean fs_webp_write (const FsExport *what, const char *name, const FsExportSink *sink,
                        GError **error);

G_END_DECLS

#endif
