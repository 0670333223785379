/* SPDX-License-Identifier: MIT */
/* File names of exports.   Layer: ui.
 *
 * All strings that are returned are the caller's, g_free, but the suffix. Threads: the main one.
 */
#ifndef FS_UI_SAVE_EXPORT_NAMES_H
#define FS_UI_SAVE_EXPORT_NAMES_H

#include "ui/save/export_choice.h"

G_BEGIN_DECLS

/* The suffix of the photo's name, in the user's language: "cutout", …. */
const char *fs_export_names_suffix (FsExportWhat what, FsExportFormat format);

/* For a photo "robin.jpg" and PNG: "robin-cutout.png", or the first of "robin-cutout-2.png", … that
 * would replace nothing in `folder`; of SVG "robin-outline.svg"; of objects "robin-object.png",
 * "robin-2-object.png", …. Without a folder, or where all of them are there, the first one. */
char *fs_export_names_suggest (const char *folder, const char *photo_name, FsExportWhat what,
                               FsExportFormat format);

/* "robin-cutout.png" with the ending of another format. */
char *fs_export_names_change_format (const char *name, FsExportFormat format);

/* The path of one object's file where "robin-object.png" was chosen: "robin-object-3.png", or
 * "robin-object-3-Pot.png" of one that is called so, as far as names of files may; `name` may be
 * NULL. */
char *fs_export_names_object (const char *chosen, int object, const char *name);

/* The path of a mask beside a cut-out's, a PNG. It is not there yet, for nobody was asked about it.
 */
char *fs_export_names_mask_of (const char *cutout_path);

G_END_DECLS

#endif
