/* SPDX-License-Identifier: MIT */
#include "app/mask_parts.h"

enum { NOBODY = -1, WAITS = -2 };

void
fs_mask_parts_free (FsMaskParts *parts)
{
  if (!parts)
    return;
  g_free (parts->of);
  g_array_unref (parts->list);
  g_free (parts);
}

FsMaskPart *
fs_mask_parts_get (const FsMaskParts *parts, guint i)
{
  return &g_array_index (parts->list, FsMaskPart, i);
}

static void
visit (FsMaskParts *parts, const uint8_t *labels, uint32_t pixel, uint8_t label, GArray *waiting)
{
  if (parts->of[pixel] != WAITS || labels[pixel] != label)
    return;
  parts->of[pixel] = (int32_t)parts->list->len;
  g_array_append_val (waiting, pixel);
}

static void
collect (FsMaskParts *parts, const uint8_t *labels, uint32_t first, GArray *waiting)
{
  uint32_t width = (uint32_t)parts->width, n = width * (uint32_t)parts->height;
  FsMaskPart part = { .first = first, .label = labels[first] };
  visit (parts, labels, first, part.label, waiting);
  while (waiting->len > 0) {
    uint32_t pixel = g_array_index (waiting, uint32_t, waiting->len - 1), x = pixel % width;
    g_array_set_size (waiting, waiting->len - 1);
    part.n_pixels++;
    if (x > 0)
      visit (parts, labels, pixel - 1, part.label, waiting);
    if (x + 1 < width)
      visit (parts, labels, pixel + 1, part.label, waiting);
    if (pixel >= width)
      visit (parts, labels, pixel - width, part.label, waiting);
    if (pixel + width < n)
      visit (parts, labels, pixel + width, part.label, waiting);
  }
  g_array_append_val (parts->list, part);
}

FsMaskParts *
fs_mask_parts_new (const uint8_t *labels, int width, int height)
{
  g_return_val_if_fail (labels && width > 0 && height > 0, NULL);

  size_t n = (size_t)width * (size_t)height;
  int32_t *of = n <= G_MAXINT32 ? g_try_new (int32_t, n) : NULL;
  if (!of)
    return NULL;
  FsMaskParts *parts = g_new0 (FsMaskParts, 1);
  *parts = (FsMaskParts){ width, height, of, g_array_new (FALSE, FALSE, sizeof (FsMaskPart)) };
  g_autoptr (GArray) waiting = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  for (size_t p = 0; p < n; p++)
    of[p] = labels[p] == FS_SEED_BACKGROUND || labels[p] == FS_SEED_OBJECT ? WAITS : NOBODY;
  for (size_t p = 0; p < n; p++)
    if (of[p] == WAITS)
      collect (parts, labels, (uint32_t)p, waiting);
  return parts;
}
