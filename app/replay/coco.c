/* SPDX-License-Identifier: MIT */
#include "app/replay/coco.h"

#include "app/files/json_text.h"

/* The lists grow as text: run lengths as a tree would take ten times as much memory. */
struct _FsCoco {
  GString *photos, *annotations, *categories;
  GHashTable *photo_ids, *category_ids; /* by name */
  guint n_annotations;
};

/* The place of one object. */
typedef struct {
  int64_t n_pixels;
  FsRect bounds;
} Extent;

FsCoco *
fs_coco_new (void)
{
  FsCoco *coco = g_new0 (FsCoco, 1);
  coco->photos = g_string_new (NULL);
  coco->annotations = g_string_new (NULL);
  coco->categories = g_string_new (NULL);
  coco->photo_ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  coco->category_ids = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return coco;
}

void
fs_coco_free (FsCoco *coco)
{
  if (!coco)
    return;
  g_string_free (coco->photos, TRUE);
  g_string_free (coco->annotations, TRUE);
  g_string_free (coco->categories, TRUE);
  g_hash_table_unref (coco->photo_ids);
  g_hash_table_unref (coco->category_ids);
  g_free (coco);
}

static void
begin_entry (GString *list)
{
  g_string_append (list, list->len > 0 ? ",\n    { " : "\n    { ");
}

/* The id of what `key` says the name of. Where nothing has that name an entry of it begins, which
 * is the caller's to end. */
static guint
find_named (GHashTable *ids, GString *list, const char *key, const char *name, gboolean *is_new)
{
  guint id = GPOINTER_TO_UINT (g_hash_table_lookup (ids, name));
  *is_new = id == 0;
  if (id != 0)
    return id;
  id = g_hash_table_size (ids) + 1;
  g_hash_table_insert (ids, g_strdup (name), GUINT_TO_POINTER (id));
  begin_entry (list);
  g_string_append_printf (list, "\"id\": %u, \"%s\": ", id, key);
  fs_json_append_quoted (list, name);
  return id;
}

static guint
find_photo (FsCoco *coco, const char *file_name, int width, int height)
{
  gboolean is_new;
  guint id = find_named (coco->photo_ids, coco->photos, "file_name", file_name, &is_new);
  if (is_new)
    g_string_append_printf (coco->photos, ", \"width\": %d, \"height\": %d }", width, height);
  return id;
}

static guint
find_category (FsCoco *coco, const char *name)
{
  gboolean is_new;
  guint id = find_named (coco->category_ids, coco->categories, "name", name, &is_new);
  if (is_new)
    g_string_append (coco->categories, ", \"supercategory\": \"object\" }");
  return id;
}

static void
extend (Extent *extent, int x0, int x1, int y)
{
  FsRect *r = &extent->bounds;
  if (extent->n_pixels == 0)
    *r = (FsRect){ x0, y, x1, y + 1 };
  r->x0 = MIN (r->x0, x0);
  r->x1 = MAX (r->x1, x1);
  r->y1 = y + 1;
  extent->n_pixels += x1 - x0;
}

/* Measures the extent of every number. */
static void
measure_extents (const uint8_t *numbers, int width, int height, Extent extents[FS_SEED_MAX + 1])
{
  for (int y = 0; y < height; y++) {
    const uint8_t *row = numbers + (size_t)y * (size_t)width;
    for (int x = 0, end; x < width; x = end) {
      for (end = x + 1; end < width && row[end] == row[x]; end++)
        continue;
      extend (&extents[row[x]], x, end, y);
    }
  }
}

/* Runs are written when the next one begins, as those of two columns may join. */
typedef struct {
  GString *text;
  int64_t n_covered;  /* pixels, up to the end of the last run written */
  int64_t start, end; /* of the run that waits                      */
} Runs;

static void
append_count (Runs *runs, int64_t count)
{
  gboolean is_first = runs->text->str[runs->text->len - 1] == '[';
  g_string_append_printf (runs->text, "%s%" G_GINT64_FORMAT, is_first ? "" : ", ", count);
}

static void
append_run (Runs *runs)
{
  if (runs->end == runs->start)
    return;
  append_count (runs, runs->start - runs->n_covered);
  append_count (runs, runs->end - runs->start);
  runs->n_covered = runs->end;
}

static void
add_run (Runs *runs, int64_t start, int64_t end)
{
  if (start != runs->end) {
    append_run (runs);
    runs->start = start;
  }
  runs->end = end;
}

static void
append_counts (GString *text, const uint8_t *numbers, int width, int height, uint8_t label,
               const FsRect *bounds)
{
  Runs runs = { .text = text };
  for (int x = bounds->x0; x < bounds->x1; x++) {
    const uint8_t *column = numbers + x;
    int64_t first = (int64_t)x * height;
    for (int y = bounds->y0, end; y < bounds->y1; y = end) {
      gboolean is_object = column[(size_t)y * (size_t)width] == label;
      for (end = y + 1; end < bounds->y1; end++)
        if ((column[(size_t)end * (size_t)width] == label) != is_object)
          break;
      if (is_object)
        add_run (&runs, first + y, first + end);
    }
  }
  append_run (&runs);
  int64_t left = (int64_t)width * height - runs.n_covered;
  if (left > 0)
    append_count (&runs, left);
}

static void
append_annotation (FsCoco *coco, guint photo, guint category, const Extent *extent)
{
  const FsRect *r = &extent->bounds;
  begin_entry (coco->annotations);
  g_string_append_printf (coco->annotations,
                          "\"id\": %u, \"image_id\": %u, \"category_id\": %u, \"area\": "
                          "%" G_GINT64_FORMAT ", \"bbox\": [%d, %d, %d, %d], \"iscrowd\": 0,\n",
                          ++coco->n_annotations, photo, category, extent->n_pixels, r->x0, r->y0,
                          r->x1 - r->x0, r->y1 - r->y0);
}

guint
fs_coco_add (FsCoco *coco, const char *file_name, int width, int height, const uint8_t *numbers,
             const GArray *labels)
{
  g_return_val_if_fail (coco && file_name && width > 0 && height > 0 && numbers && labels, 0);

  Extent extents[FS_SEED_MAX + 1] = { 0 };
  guint photo = find_photo (coco, file_name, width, height), n_objects = 0;
  measure_extents (numbers, width, height, extents);
  for (guint label = FS_SEED_OBJECT; label <= labels->len; label++) {
    if (extents[label].n_pixels == 0)
      continue;
    const char *name = g_array_index (labels, FsSessionLabel, label - 1).name;
    append_annotation (coco, photo, find_category (coco, name), &extents[label]);
    g_string_append_printf (coco->annotations,
                            "      \"segmentation\": { \"size\": [%d, %d], \"counts\": [", height,
                            width);
    append_counts (coco->annotations, numbers, width, height, (uint8_t)label,
                   &extents[label].bounds);
    g_string_append (coco->annotations, "] } }");
    n_objects++;
  }
  return n_objects;
}

guint
fs_coco_get_n_photos (const FsCoco *coco)
{
  return g_hash_table_size (coco->photo_ids);
}

char *
fs_coco_to_json (const FsCoco *coco)
{
  g_return_val_if_fail (coco, NULL);

  const struct {
    const char *name;
    const GString *entries;
  } lists[] = { { "images", coco->photos },
                { "annotations", coco->annotations },
                { "categories", coco->categories } };
  GString *text = g_string_new ("{\n  \"info\": { \"description\": \"Fretsaw " FS_VERSION "\" },\n"
                                "  \"licenses\": []");
  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++) {
    g_string_append_printf (text, ",\n  \"%s\": [", lists[i].name);
    g_string_append_len (text, lists[i].entries->str, (gssize)lists[i].entries->len);
    g_string_append (text, "\n  ]");
  }
  g_string_append (text, "\n}\n");
  return g_string_free (text, FALSE);
}
