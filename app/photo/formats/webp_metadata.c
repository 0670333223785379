/* SPDX-License-Identifier: MIT */
#include "app/photo/formats/webp_metadata.h"

#include "app/photo/input/exif.h"

#include <string.h>

/* Source: RFC 9649. The chunks are found wherever they stand and whatever the header says of
 * them. */
enum { FIRST_AT = 12, HEAD_BYTES = 8 };

void
fs_webp_find_metadata (FsByteView file, FsMetadataFinds *finds)
{
  guint8 head[HEAD_BYTES];
  for (guint64 at = FIRST_AT; fs_byte_view_read (file, at, head, sizeof head);) {
    const guint64 n =
        (guint64)head[4] | (guint64)head[5] << 8 | (guint64)head[6] << 16 | (guint64)head[7] << 24;
    const FsByteView chunk = fs_byte_view_slice (file, at + HEAD_BYTES, n);
    if (memcmp (head, "EXIF", 4) == 0)
      fs_finds_take_exif (finds, chunk);
    else if (memcmp (head, "XMP", 3) == 0)
      fs_finds_take_xmp (finds, chunk);
    else if (memcmp (head, "ICCP", 4) == 0)
      fs_finds_take_icc (finds, chunk);
    at += HEAD_BYTES + n + n % 2;
  }
}
