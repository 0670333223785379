/* SPDX-License-Identifier: MIT */
/* Writing masks and cut-outs, whole or not at all.   Layer: app.
 *
 * The ending of a file's name says its format: .webp, .tif or .tiff; all others are PNG
 * (app/export/export_format.h). None loses anything.
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

#include "app/files/file_error.h"
#include "energy/image/image.h"
#include "energy/image/seed_map.h"
#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum {
  FS_EXPORT_MASK,   /* 8-bit grey, 0 or 255                                           */
  FS_EXPORT_CUTOUT, /* RGBA, straight alpha; transparent pixels are 0 in all channels */
  FS_EXPORT_LABELS, /* indexed, the bytes as they are: the seeds' numbers             */
  FS_EXPORT_GREY,   /* 8-bit grey, the bytes as they are                              */
} FsExportKind;

typedef struct {
  FsImage *image;      /* for its size, and for the cut-out its colours and own alpha */
  const uint8_t *mask; /* width·height bytes, 0 or 1; with GREY and LABELS any        */
  FsExportKind kind;
  FsRect area;       /* of the photo that is written, inside it; empty: all of it            */
  const char *photo; /* of which a cut-out takes along what its colours mean, resolution and
                      * texts, if it can be read; or NULL */
  int soft_px; /* a cut-out's border is soft so far from the mask's (energy/refine/soft_edge.h);
                * 0: alpha is the mask, and all colours are the photo's                 */
  const uint8_t *marks;   /* width·height labels as painted, which a soft border spares; or NULL */
  gboolean keep_hidden;   /* a cut-out holds the photo's colours under alpha 0, too */
  gboolean keep_metadata; /* a cut-out takes along the photo's whole Exif block, with its GPS and
                           * thumbnail, where the format has one */
  GString *notes; /* gets a line about each thing of the photo that the file cannot hold; or NULL */
} FsExport;

#define FS_EXPORT_MAX_SOFT_PX 32 /* pixels */

/* The pixels of a cut-out with a soft border in `area`, a place in the photo: the caller's own;
 * NULL where memory is short. */
FsImage *fs_export_render_soft (const FsExport *what, FsRect area);

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

/* Returns whether these n files can be written, as far as that can be known before: a long
 * computation asks first. Changes nothing. Any may be NULL, which asks for no file. */
gboolean fs_export_can_write (const char *const *paths, guint n, GError **error);

/* Writes a small text or JSON file with the same promise. */
gboolean fs_export_write_text (const char *path, const char *text, gssize length, GError **error);

G_END_DECLS

#endif
