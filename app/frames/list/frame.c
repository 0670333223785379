/* SPDX-License-Identifier: MIT */
#include "app/frames/list/frame.h"

#include "app/export/export.h"
#include "app/files/display_name.h"
#include "app/photo/photo.h"
#include "app/session/session.h"

#include <string.h>
#include <zlib.h>

G_DEFINE_QUARK (fs - frames - error - quark, fs_frames_error)

gboolean
fs_frames_fail (GError **error, FsFramesError code, const char *path, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *reason = g_strdup_vprintf (format, args);
  va_end (args);
  g_autofree char *name = fs_display_name (path);
  g_set_error (error, FS_FRAMES_ERROR, code, "%s: %s", name, reason);
  return FALSE;
}

static void
frame_clear (gpointer data)
{
  FsFrame *frame = data;
  g_free (frame->path);
  g_free (frame->stem);
  g_free (frame->sum);
  g_clear_pointer (&frame->image, fs_image_unref);
}

FsFrame *
fs_frame_new (char *path, char *stem, guint64 number)
{
  FsFrame *frame = g_rc_box_new0 (FsFrame);
  frame->path = path;
  frame->stem = stem;
  frame->number = number;
  return frame;
}

FsFrame *
fs_frame_ref (FsFrame *frame)
{
  return g_rc_box_acquire (frame);
}

void
fs_frame_unref (FsFrame *frame)
{
  if (frame)
    g_rc_box_release_full (frame, frame_clear);
}

FsImage *
fs_frame_load (const FsFrame *frame, char **warning, GError **error)
{
  g_return_val_if_fail (frame, NULL);
  if (warning)
    *warning = NULL;
  if (frame->image)
    return fs_image_ref (frame->image);
  g_autoptr (FsPhoto) photo = fs_photo_load (frame->path, NULL, NULL, error);
  if (photo && warning)
    *warning = g_steal_pointer (&photo->warning);
  return photo ? fs_image_ref (photo->image) : NULL;
}

/* A checksum that is fast compared with decoding. It need not resist deliberate collisions. */
static char *
sum_pixels (const FsImage *image)
{
  size_t n = (size_t)image->width * (size_t)image->height * sizeof *image->pixels;
  const Bytef *bytes = (const Bytef *)image->pixels;
  return g_strdup_printf ("%dx%d-%08lx%08lx", image->width, image->height,
                          crc32_z (0, bytes, n) & 0xffffffff, adler32_z (1, bytes, n) & 0xffffffff);
}

const char *
fs_frame_sum (FsFrame *frame, GError **error)
{
  g_return_val_if_fail (frame, NULL);
  if (!frame->sum)
    frame->sum =
        frame->image ? sum_pixels (frame->image) : fs_session_sum_photo (frame->path, NULL, error);
  return frame->sum;
}

gboolean
fs_frame_write (FsImage *image, const char *path, GError **error)
{
  g_return_val_if_fail (image && path, FALSE);
  size_t n = (size_t)image->width * (size_t)image->height;
  g_autofree uint8_t *whole = g_try_malloc (n);
  if (!whole) {
    g_autofree char *name = fs_display_name (path);
    g_set_error (error, FS_FRAMES_ERROR, FS_FRAMES_ERROR_FRAME, "%s: not enough memory", name);
    return FALSE;
  }
  memset (whole, 1, n);
  FsExport export = { .image = image, .mask = whole, .kind = FS_EXPORT_CUTOUT };
  return fs_export_write (&export, path, NULL, NULL, NULL, error);
}
