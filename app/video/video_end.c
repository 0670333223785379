/* SPDX-License-Identifier: MIT */
#include "app/video/video_end.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HEAD = 12 };

/* A page: a head, the lengths of its segments, and these. */
enum { OGG_HEAD = 27, OGG_MAX_SEGMENTS = 255, OGG_IS_LAST = 4 };
enum { OGG_MAX_BYTES = OGG_HEAD + OGG_MAX_SEGMENTS + OGG_MAX_SEGMENTS * 255 };

/* GStreamer counts what an AVI file has and does not say what it should have: its header does, its
 * size in the second word. Larger files than that can say have a header for each part. */
static gboolean
is_short_avi (const guint8 *head, gint64 size)
{
  gint64 n_bytes = head[4] | head[5] << 8 | head[6] << 16 | (gint64)head[7] << 24;
  return n_bytes + 8 > size;
}

/* 0 where no page begins. */
static gsize
ogg_page_bytes (const guint8 *page, gsize n)
{
  if (n < OGG_HEAD || memcmp (page, "OggS", 4) != 0)
    return 0;
  gsize n_segments = page[26], n_bytes = OGG_HEAD + n_segments;
  for (gsize i = 0; i < n_segments && OGG_HEAD + i < n; i++)
    n_bytes += page[OGG_HEAD + i];
  return n_bytes;
}

/* Each multiplexed stream has a last page, and the file's last page is one of these. */
static gboolean
is_short_ogg (int fd, gint64 size)
{
  gsize n = (gsize)MIN (size, OGG_MAX_BYTES);
  g_autofree guint8 *tail = g_malloc (n);
  if (pread (fd, tail, n, size - (gint64)n) != (gssize)n)
    return FALSE;
  for (gsize at = 0; at < n; at++)
    if (ogg_page_bytes (tail + at, n - at) == n - at)
      return (tail[at + 5] & OGG_IS_LAST) == 0;
  return TRUE;
}

static const char *
find_cut (int fd)
{
  guint8 head[HEAD];
  struct stat facts;
  if (pread (fd, head, HEAD, 0) != HEAD || fstat (fd, &facts) != 0)
    return NULL;
  if (memcmp (head, "RIFF", 4) == 0 && memcmp (head + 8, "AVI ", 4) == 0)
    return is_short_avi (head, facts.st_size) ? "the file is shorter than it says" : NULL;
  if (memcmp (head, "OggS", 4) == 0)
    return is_short_ogg (fd, facts.st_size) ? "the file ends before its stream does" : NULL;
  return NULL;
}

const char *
fs_video_end_find_cut (const char *path)
{
  g_return_val_if_fail (path, NULL);
  int fd = open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0)
    return NULL;
  const char *cut = find_cut (fd);
  close (fd);
  return cut;
}
