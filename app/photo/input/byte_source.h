/* SPDX-License-Identifier: MIT */
/* Random access to untrusted bytes, in memory or in a file, with bounds-checked views.   Layer:
 * app.
 *
 * Metadata readers follow offsets that a file claims. Nothing outside a view can be read, and
 * nothing is allocated for a claimed length. A file is read through a small buffer, so that many
 * short blocks cost few system calls, and of long blocks only the headers are read.
 *
 * Threads: one at a time per source.
 */
#ifndef FS_APP_PHOTO_INPUT_BYTE_SOURCE_H
#define FS_APP_PHOTO_INPUT_BYTE_SOURCE_H

#include "app/photo/input/photo_input.h"

G_BEGIN_DECLS

typedef struct {
  FsPhotoInput *input; /* NULL: `bytes` are the source */
  const guint8 *bytes;
  guint64 n_bytes;
  guint64 buffer_at;
  gsize n_buffered;
  guint8 buffer[8 * 1024];
} FsByteSource;

typedef struct {
  FsByteSource *source;
  guint64 at;      /* within the source        */
  guint64 n_bytes; /* never beyond its end     */
} FsByteView;

/* Return the view of the whole source. Borrow the input or the bytes. */
FsByteView fs_byte_source_init_file (FsByteSource *source, FsPhotoInput *input);
FsByteView fs_byte_source_init_memory (FsByteSource *source, const guint8 *bytes, gsize n_bytes);

/* The bytes from `at` on, at most `n_bytes` of them: fewer, or none, where the view ends. */
FsByteView fs_byte_view_slice (FsByteView view, guint64 at, guint64 n_bytes);

/* Reads the `n_bytes` at `at`; FALSE where the view or the file has fewer. */
gboolean fs_byte_view_read (FsByteView view, guint64 at, void *to, gsize n_bytes);

/* Appends up to `max_bytes` of the view's first bytes; FALSE where they cannot be read or memory is
 * short. */
gboolean fs_byte_view_append_to (FsByteView view, gsize max_bytes, GByteArray *to);

G_END_DECLS

#endif
