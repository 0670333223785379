/* SPDX-License-Identifier: MIT */
/* Masks, cut-outs and label maps as PNG bytes.   Layer: app.
 *
 * The cut-out is written with zlib's level 1 and the SUB filter: five times as fast as the usual
 * level for a few per cent more bytes.
 *
 * Threads: any; blocks.
 */
#ifndef FS_APP_PNG_WRITE_H
#define FS_APP_PNG_WRITE_H

#include "app/export.h"

G_BEGIN_DECLS

typedef struct {
  /* Takes every byte or sets an error. */
  gboolean (*write) (gpointer user_data, const void *bytes, gsize n_bytes, GError **error);
  /* Called every few rows; FALSE with an error stops. */
  gboolean (*rows_done) (gpointer user_data, int n_rows, int n_all, GError **error);
  gpointer user_data;
} FsPngSink;

/* `name` goes into messages. Errors: the sink's, or FS_EXPORT_ERROR_WRITE where memory is short. */
gboolean fs_png_write (const FsExport *what, const char *name, const FsPngSink *sink,
                       GError **error);

G_END_DECLS

#endif
