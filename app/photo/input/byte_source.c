/* SPDX-License-Identifier: MIT */
#include "app/photo/input/byte_source.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

FsByteView
fs_byte_source_init_file (FsByteSource *source, FsPhotoInput *input)
{
  source->input = input;
  source->bytes = NULL;
  source->n_bytes = input->n_bytes;
  source->buffer_at = 0;
  source->n_buffered = 0;
  return (FsByteView){ source, 0, source->n_bytes };
}

FsByteView
fs_byte_source_init_memory (FsByteSource *source, const guint8 *bytes, gsize n_bytes)
{
  source->input = NULL;
  source->bytes = bytes;
  source->n_bytes = n_bytes;
  source->buffer_at = 0;
  source->n_buffered = 0;
  return (FsByteView){ source, 0, n_bytes };
}

FsByteView
fs_byte_view_slice (FsByteView view, guint64 at, guint64 n_bytes)
{
  const guint64 start = MIN (at, view.n_bytes);
  return (FsByteView){ view.source, view.at + start, MIN (n_bytes, view.n_bytes - start) };
}

/* Bytes of the file at `at`, as many as come; 0 where none do. */
static gsize
read_file (FsByteSource *source, guint64 at, guint8 *to, gsize n_bytes)
{
  gsize n = 0;
  while (n < n_bytes) {
    if (!fs_photo_input_go_on (source->input, NULL))
      return 0;
    const ssize_t got = pread (source->input->fd, to + n, n_bytes - n, (off_t)(at + n));
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      break;
    n += (gsize)got;
  }
  return n;
}

static gboolean
read_buffered (FsByteSource *source, guint64 at, guint8 *to, gsize n_bytes)
{
  if (n_bytes > sizeof source->buffer)
    return read_file (source, at, to, n_bytes) == n_bytes;
  if (at < source->buffer_at || at + n_bytes > source->buffer_at + source->n_buffered) {
    source->buffer_at = at;
    source->n_buffered = read_file (source, at, source->buffer, sizeof source->buffer);
    if (source->n_buffered < n_bytes)
      return FALSE;
  }
  memcpy (to, source->buffer + (at - source->buffer_at), n_bytes);
  return TRUE;
}

gboolean
fs_byte_view_read (FsByteView view, guint64 at, void *to, gsize n_bytes)
{
  if (at > view.n_bytes || n_bytes > view.n_bytes - at)
    return FALSE;
  if (n_bytes == 0)
    return TRUE;
  if (view.source->input)
    return read_buffered (view.source, view.at + at, to, n_bytes);
  memcpy (to, view.source->bytes + view.at + at, n_bytes);
  return TRUE;
}

gboolean
fs_byte_view_append_to (FsByteView view, gsize max_bytes, GByteArray *to)
{
  const gsize n_bytes = (gsize)MIN (view.n_bytes, max_bytes);
  const guint n_before = to->len;
  g_autofree guint8 *bytes = n_bytes ? g_try_malloc (n_bytes) : NULL;
  if (n_bytes == 0)
    return TRUE;
  if (!bytes || n_bytes > G_MAXINT32 - n_before || !fs_byte_view_read (view, 0, bytes, n_bytes))
    return FALSE;
  g_byte_array_append (to, bytes, (guint)n_bytes);
  return TRUE;
}
