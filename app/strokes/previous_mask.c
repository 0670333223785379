/* SPDX-License-Identifier: MIT */
#include "app/strokes/previous_mask.h"

FsFormer *
fs_former_new (GBytes *runs)
{
  g_return_val_if_fail (runs, NULL);

  FsFormer *former = g_new0 (FsFormer, 1);
  former->runs = g_bytes_ref (runs);
  former->painted = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  return former;
}

void
fs_former_free (FsFormer *former)
{
  if (!former)
    return;
  g_bytes_unref (former->runs);
  g_array_unref (former->painted);
  g_free (former);
}
