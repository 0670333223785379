/* SPDX-License-Identifier: MIT */
/* The choice of what is exported, remembered from one run to the next.   Layer: ui.
 *
 * Properties: "what" (FsExportWhat), "crop" (boolean), "soft-mask" (boolean: masks have the alpha
 * of the edge), "format" (string: the ending of a format's name, ".png", ".webp", ".tif", ".svg",
 * ".ora",
 * ".psd" or ".jpg"), "background" (string: "none", "colour", or "picture", which is of this run of
 * the program alone) and "background-colour" (string: "#rrggbb"), of files that somebody named, as
 * "keep-hidden": a JPEG has one, so that "none" with it becomes "colour", and it with "none" PNG;
 * "mask-page" (boolean: FsExport's has_mask_page), "outline-tolerance" (double, pixels: FsExport's
 * outline_tolerance_px), and "keep-hidden" (boolean, as FsExport has it), which is of this run of
 * the program alone and of files that somebody named: what is copied or dragged never holds what
 * was cut away.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_SAVE_EXPORT_CHOICE_H
#define FS_UI_SAVE_EXPORT_CHOICE_H

#include "app/export/export_format.h"
#include "app/live/document.h"

G_BEGIN_DECLS

typedef enum {
  FS_EXPORT_WHAT_CUTOUT,
  FS_EXPORT_WHAT_MASK,
  FS_EXPORT_WHAT_BOTH,
  FS_EXPORT_WHAT_LABELS,
  FS_EXPORT_WHAT_EACH, /* a cut-out of each object, in a file of its own */
} FsExportWhat;

#define FS_TYPE_EXPORT_WHAT (fs_export_what_get_type ())
GType fs_export_what_get_type (void);

#define FS_TYPE_EXPORT_CHOICE (fs_export_choice_get_type ())
G_DECLARE_FINAL_TYPE (FsExportChoice, fs_export_choice, FS, EXPORT_CHOICE, GObject)

/* The one of the program, as it was left. Borrowed. */
FsExportChoice *fs_export_choice_get (void);

FsExportWhat fs_export_choice_get_what (FsExportChoice *self);
/* The cut-out where there are two. */
FsExportKind fs_export_choice_get_kind (FsExportChoice *self);
/* The kind of a mask: hard, or with the alpha of the edge. */
FsExportKind fs_export_choice_get_mask_kind (FsExportChoice *self);
/* One that this build writes, and that can hold what is chosen. */
FsExportFormat fs_export_choice_get_format (FsExportChoice *self);
/* The contents of a file of `kind`; borrows from the document, until its next change. Labels
 * are still the mask, until the object map is computed (app/live/objects/document_objects.h). */
FsExport fs_export_choice_apply (FsExportChoice *self, FsDocument *document, FsExportKind kind);
/* The same of another mask and other marks than the document's, which have to stay as long. */
FsExport fs_export_choice_apply_to (FsExportChoice *self, FsDocument *document, FsExportKind kind,
                                    const uint8_t *mask, const uint8_t *marks);

gboolean fs_export_choice_get_keep_hidden (FsExportChoice *self);

/* That a file in `format` is put on; NULL: it is transparent, or has layers, or lacks its picture.
 * A name may be typed with another ending than the chosen format's: a JPEG without a background is
 * refused by its writer. fs_background_unref. */
FsBackground *fs_export_choice_get_background (FsExportChoice *self, FsExportFormat format);
/* TRUE if a picture is to be the background, and there is none yet. */
gboolean fs_export_choice_lacks_picture (FsExportChoice *self);
/* The picture, NULL where it could not be read, and its path; "background" is notified. */
void fs_export_choice_set_picture (FsExportChoice *self, FsBackground *picture, const char *path);
const char *fs_export_choice_get_picture_path (FsExportChoice *self);

/* The folder to which photos of `folder` are exported: that of the last export, in this run of the
 * program; NULL: nowhere yet, or that is gone. Borrowed. */
const char *fs_export_choice_get_place (FsExportChoice *self, const char *folder);
void fs_export_choice_set_place (FsExportChoice *self, const char *folder, const char *place);

G_END_DECLS

#endif
