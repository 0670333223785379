/* SPDX-License-Identifier: MIT */
#include "app/labels/mask_parts.h"

/* The first run of the part that a run is of (union-find; paths are halved). */
static guint
find_first (guint *parent, guint run)
{
  while (parent[run] != run) {
    parent[run] = parent[parent[run]];
    run = parent[run];
  }
  return run;
}

static void
join_runs (guint *parent, guint a, guint b)
{
  const guint first_a = find_first (parent, a), first_b = find_first (parent, b);
  parent[MAX (first_a, first_b)] = MIN (first_a, first_b);
}

/* Joins runs of neighbouring rows that share a column. */
static void
join_rows (const FsLabelRun *runs, guint n, guint *parent)
{
  guint above = 0;
  for (guint i = 0; i < n; i++) {
    while (above < i
           && (runs[above].y < runs[i].y - 1
               || (runs[above].y == runs[i].y - 1 && runs[above].x1 <= runs[i].x0)))
      above++;
    for (guint k = above; k < i && runs[k].y == runs[i].y - 1 && runs[k].x0 < runs[i].x1; k++)
      join_runs (parent, k, i);
  }
}

GPtrArray *
fs_mask_parts_new (const FsLabelObject *object)
{
  g_return_val_if_fail (object, NULL);

  const FsLabelRun *runs = (const FsLabelRun *)(gpointer)object->runs->data;
  const guint n = object->runs->len;
  GPtrArray *parts = g_ptr_array_new_with_free_func ((GDestroyNotify)fs_label_object_free);
  g_autofree guint *parent = g_new (guint, MAX (n, 1));
  g_autofree FsLabelObject **part_of = g_new0 (FsLabelObject *, MAX (n, 1));
  for (guint i = 0; i < n; i++)
    parent[i] = i;
  join_rows (runs, n, parent);
  for (guint i = 0; i < n; i++) {
    const guint first = find_first (parent, i);
    if (first == i) {
      part_of[i] = fs_label_object_new (object->class_number);
      g_ptr_array_add (parts, part_of[i]);
    }
    fs_label_object_add_run (part_of[first], runs[i].y, runs[i].x0, runs[i].x1);
  }
  return parts;
}
