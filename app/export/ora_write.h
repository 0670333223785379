/* SPDX-License-Identifier: MIT */
/* Cut-outs as layers over their photo, as OpenRaster (freedesktop.org, "OpenRaster file layout
 * specification", 0.0.3).   Layer: app.
 *
 * The lowest layer is the photo, or the part of it that is written; above it each object is a layer
 * as large as it needs, the first one on top. Layers are what PNG cut-outs would hold, with soft
 * edge, profile and metadata.
 *
 * Threads: any; blocks. Memory: one layer's PNG at a time, and a copy of the area where edges are
 * soft.
 */
#ifndef FS_APP_EXPORT_ORA_WRITE_H
#define FS_APP_EXPORT_ORA_WRITE_H

#include "app/export/export_rows.h"

G_BEGIN_DECLS

/* An FsExportWriter: of a cut-out one layer, of labels one of each object. */
gboolean fs_ora_write (const FsExport *what, const char *name, const FsExportSink *sink,
                       GError **error);

G_END_DECLS

#endif
