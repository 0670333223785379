/* SPDX-License-Identifier: MIT */
#include "app/strokes/settled_masks.h"

void
fs_kept_masks_init (FsKeptMasks *kept)
{
  *kept = (FsKeptMasks){ .runs = g_ptr_array_new (), .n_bytes_max = FS_KEPT_BYTES_MAX };
}

void
fs_kept_masks_clear (FsKeptMasks *kept)
{
  fs_kept_masks_forget (kept, 0);
  g_clear_pointer (&kept->runs, g_ptr_array_unref);
}

GBytes *
fs_kept_masks_get (const FsKeptMasks *kept, guint n)
{
  return n > 0 && n <= kept->runs->len ? g_ptr_array_index (kept->runs, n - 1) : NULL;
}

gboolean
fs_kept_masks_has_room (const FsKeptMasks *kept, GBytes *runs)
{
  return kept->n_bytes + g_bytes_get_size (runs) <= kept->n_bytes_max;
}

gboolean
fs_kept_masks_set (FsKeptMasks *kept, guint n, GBytes *runs)
{
  g_return_val_if_fail (n > 0 && runs && !fs_kept_masks_get (kept, n), FALSE);

  if (!fs_kept_masks_has_room (kept, runs)) {
    g_bytes_unref (runs);
    return FALSE;
  }
  if (kept->runs->len < n)
    g_ptr_array_set_size (kept->runs, (int)n);
  kept->n_bytes += g_bytes_get_size (runs);
  kept->runs->pdata[n - 1] = runs;
  return TRUE;
}

void
fs_kept_masks_drop (FsKeptMasks *kept, guint n)
{
  GBytes *runs = fs_kept_masks_get (kept, n);
  if (!runs)
    return;
  kept->n_bytes -= g_bytes_get_size (runs);
  kept->runs->pdata[n - 1] = NULL;
  g_bytes_unref (runs);
}

void
fs_kept_masks_forget (FsKeptMasks *kept, guint n)
{
  for (guint i = kept->runs->len; i > n; i--)
    fs_kept_masks_drop (kept, i);
  if (kept->runs->len > n)
    g_ptr_array_set_size (kept->runs, (int)n);
}
