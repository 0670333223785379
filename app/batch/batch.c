/* SPDX-License-Identifier: MIT */
#include "app/batch/batch.h"

#include "app/files/display_name.h"

#include <stdarg.h>

G_DEFINE_QUARK (fs - batch - error - quark, fs_batch_error)

gboolean
fs_batch_fail (GError **error, FsBatchError code, const char *path, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  g_autofree char *reason = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_autofree char *name = fs_display_name (path);
  g_set_error (error, FS_BATCH_ERROR, (gint)code, "%s: %s", name, reason);
  return FALSE;
}

const char *
fs_batch_kind_name (FsBatchKind kind)
{
  static const char *const names[FS_BATCH_N_KINDS] = {
    [FS_BATCH_MASKS] = "mask",    [FS_BATCH_ALPHAS] = "alpha",     [FS_BATCH_CUTOUTS] = "cutout",
    [FS_BATCH_LABELS] = "labels", [FS_BATCH_OUTLINES] = "outline",
  };
  return names[kind];
}

void
fs_batch_result_clear (FsBatchResult *result)
{
  g_clear_pointer (&result->failures, g_ptr_array_unref);
}
