/* SPDX-License-Identifier: MIT */
#include "app/labels/output/label_out.h"

#include "app/export/export.h"
#include "app/export/export_rows.h"
#include "app/files/atomic_file.h"
#include "app/files/display_name.h"
#include "app/files/same_file.h"

#include <errno.h>
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <png.h>
#include <setjmp.h>
#include <string.h>
#include <zlib.h>

#define MASK_ZLIB_MEM 5 /* as png_write.c has it */

char *
fs_label_out_path (const FsLabelOut *out, const char *folder, const char *stem, const char *ending)
{
  g_autofree char *name = g_strconcat (stem, ending, NULL);
  return folder ? g_build_filename (out->options.path, folder, name, NULL)
                : g_build_filename (out->options.path, name, NULL);
}

char *
fs_label_out_list_path (const FsLabelOut *out, const char *folder, const char *name)
{
  const FsShard *shard = &out->options.shard;
  if (shard->n == 0)
    return fs_label_out_path (out, folder, name, ".txt");
  g_autofree char *stem = g_strdup_printf ("%s-%u-of-%u", name, shard->k, shard->n);
  return fs_label_out_path (out, folder, stem, ".txt");
}

gboolean
fs_label_out_make_folder (const FsLabelOut *out, const char *folder, GError **error)
{
  g_autofree char *path =
      folder ? g_build_filename (out->options.path, folder, NULL) : g_strdup (out->options.path);
  if (g_mkdir_with_parents (path, 0777) == 0)
    return TRUE;
  int code = errno;
  g_autofree char *name = fs_display_name (path);
  g_set_error (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE, _ ("%s: cannot be written: %s"), name,
               g_strerror (code));
  return FALSE;
}

/* Records the file, and commits it. */
static gboolean
commit_own (const FsLabelOut *out, const char *path, FsAtomicFile *file, GError **error)
{
  g_autofree char *sum = out->own ? fs_atomic_file_sum (file) : NULL;
  return (!sum || fs_own_files_put (out->own, path, out->stem, sum, error))
         && fs_atomic_file_commit (file, error);
}

/* Commits, unless that would replace what may be others' work. */
static gboolean
commit_spared (const FsLabelOut *out, const char *path, FsAtomicFile *file, gboolean is_list,
               GError **error)
{
  const gboolean loses_photos =
      is_list && out->own && out->options.shard.n == 0 && fs_own_files_have_others (out->own);
  if (out->options.replace || !fs_atomic_file_would_change (file)
      || (out->own && !loses_photos && fs_own_files_has (out->own, path)))
    return commit_own (out, path, file, error);
  g_autofree char *name = fs_display_name (path);
  g_set_error (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE,
               loses_photos ? _ ("%s: names photos of an earlier export that are not in this one; "
                                 "--replace writes over it")
                            : _ ("%s: is there with other contents; --replace writes over it"),
               name);
  return FALSE;
}

static gboolean
write_spared (const FsLabelOut *out, const char *path, const char *text, gboolean is_list,
              GError **error)
{
  if (out->photo && !fs_same_file_spare (out->photo, &path, 1, error))
    return FALSE;
  g_autoptr (FsAtomicFile) file = fs_atomic_file_new (path, error);
  return file && fs_atomic_file_write (file, text, strlen (text), error)
         && commit_spared (out, path, file, is_list, error);
}

gboolean
fs_label_out_write_text (const FsLabelOut *out, const char *path, const char *text, GError **error)
{
  return write_spared (out, path, text, FALSE, error);
}

gboolean
fs_label_out_write_list (const FsLabelOut *out, const char *path, const char *text, GError **error)
{
  return write_spared (out, path, text, TRUE, error);
}

gboolean
fs_label_fail_for_memory (const char *path, GError **error)
{
  g_autofree char *name = fs_display_name (path);
  fs_export_fail_for_memory (name, error);
  return FALSE;
}

/* --- pictures --------------------------------------------------------------------------------- */

typedef struct {
  png_structp png;
  png_infop info;
  jmp_buf escape;
  const FsLabelPicture *picture;
  FsAtomicFile *file;
  GError *error; /* NULL where the library failed: memory is short */
} Painter;

static void
on_painter_error (png_structp png, png_const_charp text)
{
  Painter *painter = png_get_error_ptr (png);
  longjmp (painter->escape, 1);
}

static void
on_painter_warning (png_structp png, png_const_charp text)
{
}

static void
on_painter_write (png_structp png, png_bytep bytes, size_t n_bytes)
{
  Painter *painter = png_get_io_ptr (png);
  if (!fs_atomic_file_write (painter->file, bytes, n_bytes, &painter->error))
    longjmp (painter->escape, 1);
}

static void
on_painter_flush (png_structp png)
{
}

static void
set_picture_palette (Painter *painter)
{
  png_color colours[PNG_MAX_PALETTE_LENGTH];
  for (int i = 0; i < PNG_MAX_PALETTE_LENGTH; i++) {
    const uint8_t *from = painter->picture->palette[i];
    colours[i] = (png_color){ from[0], from[1], from[2] };
  }
  png_set_PLTE (painter->png, painter->info, colours, PNG_MAX_PALETTE_LENGTH);
}

static void
paint (Painter *painter)
{
  const FsLabelPicture *picture = painter->picture;
  png_structp png = painter->png;
  png_set_write_fn (png, painter, on_painter_write, on_painter_flush);
  png_set_user_limits (png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  png_set_IHDR (png, painter->info, (png_uint_32)picture->width, (png_uint_32)picture->height, 8,
                picture->palette ? PNG_COLOR_TYPE_PALETTE : PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE,
                PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (picture->palette)
    set_picture_palette (painter);
  png_set_compression_strategy (png, Z_RLE);
  png_set_compression_mem_level (png, MASK_ZLIB_MEM);
  png_set_filter (png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
  png_write_info (png, painter->info);
  for (int y = 0; y < picture->height; y++)
    png_write_row (png, picture->pixels + (gsize)y * (gsize)picture->width);
  png_write_end (png, painter->info);
}

static gboolean
guarded_paint (Painter *painter)
{
  if (!painter->info || setjmp (painter->escape))
    return FALSE;
  paint (painter);
  return TRUE;
}

/* Refuses the folder that holds the photo. */
static gboolean
check_picture_folder (const FsLabelOut *out, const char *path, GError **error)
{
  if (!out->photo)
    return TRUE;
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *photos = g_path_get_dirname (out->photo);
  if (!fs_same_file (folder, photos))
    return TRUE;
  g_autofree char *name = fs_display_name (folder);
  g_set_error (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE,
               _ ("%s: holds photos, which pictures of labels could replace; name another folder"),
               name);
  return FALSE;
}

gboolean
fs_label_out_write_picture (const FsLabelOut *out, const char *path, const FsLabelPicture *picture,
                            GError **error)
{
  if (!check_picture_folder (out, path, error))
    return FALSE;
  g_autoptr (FsAtomicFile) file = fs_atomic_file_new (path, error);
  if (!file)
    return FALSE;
  Painter painter = { .picture = picture, .file = file };
  painter.png = png_create_write_struct (PNG_LIBPNG_VER_STRING, &painter, on_painter_error,
                                         on_painter_warning);
  painter.info = painter.png ? png_create_info_struct (painter.png) : NULL;
  const gboolean done = guarded_paint (&painter);
  png_destroy_write_struct (&painter.png, &painter.info);
  if (done)
    return commit_spared (out, path, file, FALSE, error);
  if (!painter.error)
    return fs_label_fail_for_memory (path, error);
  g_propagate_error (error, painter.error);
  return FALSE;
}

void
fs_label_fill_palette (uint8_t palette[256][3])
{
  for (int i = 0; i < 256; i++)
    for (int channel = 0; channel < 3; channel++) {
      palette[i][channel] = 0;
      for (int bit = 0; 3 * bit + channel < 8; bit++)
        palette[i][channel] |= (uint8_t)((i >> (3 * bit + channel) & 1) << (7 - bit));
    }
}
