/* SPDX-License-Identifier: MIT */
#include "app/labels/coco_runs.h"

static void
append_length (GArray *lengths, gint64 length)
{
  g_array_append_val (lengths, length);
}

/* Runs of two columns may join. */
static void
append_pixels (GArray *lengths, gint64 *n_covered, gint64 start, gint64 end)
{
  if (start == *n_covered && lengths->len > 0)
    g_array_index (lengths, gint64, lengths->len - 1) += end - start;
  else {
    append_length (lengths, start - *n_covered);
    append_length (lengths, end - start);
  }
  *n_covered = end;
}

GArray *
fs_coco_runs_new (const FsLabelObject *object, int width, int height)
{
  g_return_val_if_fail (object && width > 0 && height > 0, NULL);

  const FsRect box = object->box;
  const int box_width = box.x1 - box.x0, box_height = box.y1 - box.y0;
  const gint64 n_all = (gint64)width * height;
  g_autofree uint8_t *plane = g_try_malloc0 ((gsize)box_width * (gsize)box_height + 1);
  if (!plane)
    return NULL;
  GArray *lengths = g_array_new (FALSE, FALSE, sizeof (gint64));
  gint64 n_covered = 0;
  fs_label_object_paint (object, box, 1, plane);
  for (int x = 0; x < box_width; x++) {
    const uint8_t *column = plane + x;
    const gint64 first = (gint64)(box.x0 + x) * height + box.y0;
    for (int y = 0, end; y < box_height; y = end) {
      const uint8_t value = column[(gsize)y * (gsize)box_width];
      for (end = y + 1; end < box_height; end++)
        if (column[(gsize)end * (gsize)box_width] != value)
          break;
      if (value)
        append_pixels (lengths, &n_covered, first + y, first + end);
    }
  }
  if (n_covered < n_all)
    append_length (lengths, n_all - n_covered);
  return lengths;
}

void
fs_coco_runs_append_packed (GString *text, const GArray *lengths)
{
  for (guint i = 0; i < lengths->len; i++) {
    gint64 left = g_array_index (lengths, gint64, i);
    if (i > 2)
      left -= g_array_index (lengths, gint64, i - 2);
    gboolean has_more;
    do {
      const int group = (int)(left & 31);
      left = left < 0 ? -((-left + 31) / 32) : left / 32;
      has_more = left != ((group & 16) ? -1 : 0);
      g_string_append_c (text, (char)(48 + (group | (has_more ? 32 : 0))));
    } while (has_more);
  }
}
