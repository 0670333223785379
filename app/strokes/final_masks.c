/* SPDX-License-Identifier: MIT */
#include "app/strokes/final_masks.h"

void
fs_final_masks_init (FsFinalMasks *masks)
{
  *masks = (FsFinalMasks){ .runs = g_ptr_array_new (), .n_bytes_max = FS_FINAL_MASKS_MAX_BYTES };
}

void
fs_final_masks_clear (FsFinalMasks *masks)
{
  fs_final_masks_truncate (masks, 0);
  g_clear_pointer (&masks->runs, g_ptr_array_unref);
}

GBytes *
fs_final_masks_get (const FsFinalMasks *masks, guint n)
{
  return n > 0 && n <= masks->runs->len ? g_ptr_array_index (masks->runs, n - 1) : NULL;
}

gboolean
fs_final_masks_can_take (const FsFinalMasks *masks, GBytes *runs)
{
  return masks->n_bytes + g_bytes_get_size (runs) <= masks->n_bytes_max;
}

gboolean
fs_final_masks_set (FsFinalMasks *masks, guint n, GBytes *runs)
{
  g_return_val_if_fail (n > 0 && runs && !fs_final_masks_get (masks, n), FALSE);

  if (!fs_final_masks_can_take (masks, runs)) {
    g_bytes_unref (runs);
    return FALSE;
  }
  if (masks->runs->len < n)
    g_ptr_array_set_size (masks->runs, (int)n);
  masks->n_bytes += g_bytes_get_size (runs);
  masks->runs->pdata[n - 1] = runs;
  return TRUE;
}

void
fs_final_masks_drop (FsFinalMasks *masks, guint n)
{
  GBytes *runs = fs_final_masks_get (masks, n);
  if (!runs)
    return;
  masks->n_bytes -= g_bytes_get_size (runs);
  masks->runs->pdata[n - 1] = NULL;
  g_bytes_unref (runs);
}

void
fs_final_masks_truncate (FsFinalMasks *masks, guint n)
{
  for (guint i = masks->runs->len; i > n; i--)
    fs_final_masks_drop (masks, i);
  if (masks->runs->len > n)
    g_ptr_array_set_size (masks->runs, (int)n);
}
