/* SPDX-License-Identifier: MIT */
#include "app/strokes/previous_mask.h"

FsPreviousMask *
fs_previous_mask_new (GBytes *runs)
{
  g_return_val_if_fail (runs, NULL);

  FsPreviousMask *previous = g_new0 (FsPreviousMask, 1);
  previous->runs = g_bytes_ref (runs);
  previous->painted = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  return previous;
}

void
fs_previous_mask_free (FsPreviousMask *previous)
{
  if (!previous)
    return;
  g_bytes_unref (previous->runs);
  g_array_unref (previous->painted);
  g_free (previous);
}
