/* SPDX-License-Identifier: MIT */
/* Cut-outs on a background as JPEG, through libjpeg-turbo.   Layer: app.
 *
 * Source: ITU-T T.81, with the profile as ICC.1:2022 (B.4) has it and Exif 2.32 for texts. JPEG has
 * no transparency, and changes pixels: masks and labels are refused. From quality 90 on colours are
 * as sharp as brightness (4:4:4), below they have half as many pixels a side (4:2:0).
 *
 * Threads: any; blocks. Memory: some rows.
 */
#ifndef FS_APP_EXPORT_JPEG_WRITE_H
#define FS_APP_EXPORT_JPEG_WRITE_H

#include "app/export/export_rows.h"

G_BEGIN_DECLS

/* An FsExportWriter. Refuses all but cut-outs on a background, and more than 65,500 pixels a side.
 */
gboolean fs_jpeg_write (const FsExport *what, const char *name, const FsExportSink *sink,
                        GError **error);

G_END_DECLS

#endif
