/* SPDX-License-Identifier: MIT */
/* Cut-outs as layers with masks over their photo, as PSD.   Layer: app.
 *
 * Source: Adobe, "Adobe Photoshop File Formats Specification", 2019; 8 bits a channel, RGB,
 * PackBits. The lowest layer is the photo, or the part of it that is written; above it each object
 * is a layer of as many pixels, the first one on top, with the photo's colours, those of a soft
 * edge clean, and a mask that is the cut-out's alpha. What was cut away is there to be painted
 * back. The merged picture shows all layers.
 *
 * Threads: any; blocks. Memory: the file, since lengths stand before what they are of.
 */
#ifndef FS_APP_EXPORT_PSD_WRITE_H
#define FS_APP_EXPORT_PSD_WRITE_H

#include "app/export/export_rows.h"

G_BEGIN_DECLS

/* An FsExportWriter: of a cut-out one layer, of labels one of each object. Refuses more than 30,000
 * pixels a side, and files of more than 2 GB. */
gboolean fs_psd_write (const FsExport *what, const char *name, const FsExportSink *sink,
                       GError **error);

G_END_DECLS

#endif
