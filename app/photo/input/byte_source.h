/* SPDX-License-Identifier: MIT */
/* Random access to untrusted bytes, in memory or in a file, and views of a part of them.
 * Layer: app.
 *
 * Readers of metadata follow offsets that a file claims; nothing outside a view can be read, and
 * nothing is allocated for a claimed length. A file is read through a small buffer, so that a walk
 * over many short blocks costs few system calls and one over long blocks reads their heads alone.
 *
 * Threads: one at a time per source.
 */
#ifndef FS_APP_PHOTO_INPUT_BYTE_SOURCE_H
#define FS_APP_PHOTO_INPUT_BYTE_SOURCE_H

#include "app/photo/input/photo_input.h"

G_BEGIN_DECLS

typedef struct {
  FsPhotoInput *input; /* NULL: `bytes` are meant */
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

/* Neither the input nor the bytes are owned. Returns the view of everything. */
FsByteView fs_byte_source_init_file (FsByteSource *source, FsPhotoInput *input);
FsByteView fs_byte_source_init_memory (FsByteSource *source, const guint8 *bytes, gsize n_bytes);

/* The bytes from `at` on, at most `n_bytes` of them: fewer, or none, where the view ends. */
FsByteView fs_byte_view_slice (FsByteView view, guint64 at, guint64 n_bytes);

/* All of the `n_bytes` at `at`, or FALSE. */
gboolean fs_byte_view_read (FsByteView view, guint64 at, void *to, gsize n_bytes);

/* Up to `max_bytes` of the view's first bytes, appended; FALSE where they cannot be read or memory
 * is short. */
gboolean fs_byte_view_append_to (FsByteView view, gsize max_bytes, GByteArray *to);

G_END_DECLS

#endif
