/* SPDX-License-Identifier: MIT */
/* Outlines of masks and of several objects as SVG.   Layer: app.
 *
 * Coordinates are pixels of the photo; a part of it has its place in the viewBox. Each object is
 * one path with the even-odd rule, called "object-1", "object-2", … as its number is, and with its
 * name as the title, where it has one. A lone object is black, several have their labels' colours.
 *
 * Threads: any; blocks.
 */
#ifndef FS_APP_EXPORT_SVG_WRITE_H
#define FS_APP_EXPORT_SVG_WRITE_H

#include "app/export/export_rows.h"

G_BEGIN_DECLS

/* An FsExportWriter: of a mask or cut-out the mask's outline, of labels one of each object. */
gboolean fs_svg_write (const FsExport *what, const char *name, const FsExportSink *sink,
                       GError **error);

G_END_DECLS

#endif
