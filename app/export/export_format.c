/* SPDX-License-Identifier: MIT */
#include "app/export/export_format.h"

#include "app/export/jpeg_write.h"
#include "app/export/ora_write.h"
#include "app/export/png_write.h"
#include "app/export/psd_write.h"
#include "app/export/svg_write.h"
#include "app/files/display_name.h"

#include <string.h>

#ifdef HAVE_TIFF
#include "app/export/tiff_write.h"
#else
#define fs_tiff_write NULL
#endif
#ifdef HAVE_WEBP
#include "app/export/webp_write.h"
#else
#define fs_webp_write NULL
#endif

static const struct {
  const char *name;
  const char *endings[3]; /* the usual one first */
  FsExportWriter writer;
} formats[FS_EXPORT_N_FORMATS] = {
  [FS_EXPORT_PNG] = { "PNG", { ".png" }, fs_png_write },
  [FS_EXPORT_WEBP] = { "WebP", { ".webp" }, fs_webp_write },
  [FS_EXPORT_TIFF] = { "TIFF", { ".tif", ".tiff" }, fs_tiff_write },
  [FS_EXPORT_SVG] = { "SVG", { ".svg" }, fs_svg_write },
  [FS_EXPORT_ORA] = { "OpenRaster", { ".ora" }, fs_ora_write },
  [FS_EXPORT_PSD] = { "PSD", { ".psd" }, fs_psd_write },
  [FS_EXPORT_JPEG] = { "JPEG", { ".jpg", ".jpeg" }, fs_jpeg_write },
};

/* 0 where the name does not end so. */
static gsize
count_ending (const char *path, FsExportFormat format)
{
  for (const char *const *ending = formats[format].endings; *ending != NULL; ending++)
    if (fs_name_has_ending (path, *ending))
      return strlen (*ending);
  return 0;
}

FsExportFormat
fs_export_format_of (const char *path)
{
  for (int format = 0; format < FS_EXPORT_N_FORMATS; format++)
    if (count_ending (path, (FsExportFormat)format) > 0)
      return (FsExportFormat)format;
  return FS_EXPORT_PNG;
}

gboolean
fs_export_format_is_ending (const char *name)
{
  for (int format = 0; format < FS_EXPORT_N_FORMATS; format++)
    for (const char *const *ending = formats[format].endings; *ending != NULL; ending++)
      if (g_ascii_strcasecmp (name, *ending) == 0)
        return TRUE;
  return FALSE;
}

gsize
fs_export_format_count_ending (const char *path)
{
  return count_ending (path, fs_export_format_of (path));
}

const char *
fs_export_format_get_name (FsExportFormat format)
{
  return formats[format].name;
}

const char *
fs_export_format_get_ending (FsExportFormat format)
{
  return formats[format].endings[0];
}

gboolean
fs_export_format_has_layers (FsExportFormat format)
{
  return format == FS_EXPORT_ORA || format == FS_EXPORT_PSD;
}

gboolean
fs_export_format_holds (FsExportFormat format, FsExportKind kind)
{
  const gboolean is_of_objects = kind == FS_EXPORT_CUTOUT || kind == FS_EXPORT_LABELS;
  return fs_export_format_has_layers (format) ? is_of_objects
                                              : format != FS_EXPORT_SVG || kind != FS_EXPORT_GREY;
}

FsExportWriter
fs_export_format_get_writer (FsExportFormat format)
{
  return formats[format].writer;
}
