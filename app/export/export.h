/* SPDX-License-Identifier: MIT */
/* Export of masks, cut-outs and outlines to files, written atomically.   Layer: app.
 *
 * The ending of a file's name selects the format: .webp, .tif or .tiff, .jpg or .jpeg, .ora for
 * layers, .svg for outlines; all others are PNG (app/export/export_format.h). Pictures but JPEGs
 * are lossless.
 *
 * The file is written beside its destination under another name, flushed to the disk and renamed,
 * so that the old file or the complete new one is there at every moment, also under kill −9, a full
 * disk or an I/O error; a symbolic link keeps pointing and its target is replaced. Messages name
 * the user's path.
 *
 * Threads: the blocking calls on any thread; the async call reports and finishes on the caller's
 * thread-default main context.
 */
#ifndef FS_APP_EXPORT_EXPORT_H
#define FS_APP_EXPORT_EXPORT_H

#include "app/export/export_content.h"
#include "app/files/file_error.h"
#include <gio/gio.h>

G_BEGIN_DECLS

/* Blocks. `progress` (may be NULL) gets fractions in [0, 1] on the calling thread. */
gboolean fs_export_write (const FsExport *what, const char *path, GCancellable *cancellable,
                          void (*progress) (double fraction, gpointer user_data),
                          gpointer user_data, GError **error);

/* The same on a worker. Takes a reference to the image and copies of the planes at once. `progress`
 * comes on the caller's main context. */
void fs_export_write_async (const FsExport *what, const char *path, GCancellable *cancellable,
                            void (*progress) (double fraction, gpointer user_data),
                            GAsyncReadyCallback callback, gpointer user_data);
gboolean fs_export_write_finish (GAsyncResult *result, GError **error);
/* The notes that FsExport.notes would get, which is ignored there; "": none. Owned by the result.
 */
const char *fs_export_write_get_notes (GAsyncResult *result);

/* The same as PNG into memory, for a clipboard: no file, no progress. g_bytes_unref. */
void fs_export_encode_async (const FsExport *what, GCancellable *cancellable,
                             GAsyncReadyCallback callback, gpointer user_data);
GBytes *fs_export_encode_finish (GAsyncResult *result, GError **error);

/* Checks, before a long computation, that these n files can be written, as far as that can be
 * known. Changes nothing. Any path may be NULL. Errors: FS_EXPORT_ERROR_WRITE. */
gboolean fs_export_can_write (const char *const *paths, guint n, GError **error);

/* Writes a small text or JSON file, atomically too. */
gboolean fs_export_write_text (const char *path, const char *text, gssize length, GError **error);

G_END_DECLS

#endif
