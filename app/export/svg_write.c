/* SPDX-License-Identifier: MIT */
#include "app/export/svg_write.h"

#include "app/export/parts/label_colour.h"
#include "app/export/outline/contour.h"
#include <string.h>

#define FLUSH_BYTES (64 * 1024)

typedef struct {
  const FsExport *what;
  const char *name;
  const FsExportSink *sink;
  FsContourMap map;
  int first_row[256], end_row[256]; /* of each label, in the area; equal where it has no pixel */
  int n_labels;
  uint8_t label;     /* of the path that is written */
  gboolean has_path; /* it has begun */
  GString *text;
  GError *error;
} SvgWriter;

static gboolean
flush_text (SvgWriter *writer, gsize min_bytes)
{
  if (writer->text->len < min_bytes)
    return TRUE;
  const gboolean done = writer->sink->write (writer->sink->user_data, writer->text->str,
                                             writer->text->len, &writer->error);
  g_string_truncate (writer->text, 0);
  return done;
}

/* Half pixels. */
static void
append_number (GString *text, char command, int n2)
{
  char digits[16];
  int n = 0;
  if (command)
    g_string_append_c (text, command);
  for (int whole = n2 / 2; n == 0 || whole > 0; whole /= 10)
    digits[n++] = (char)('0' + whole % 10);
  while (n > 0)
    g_string_append_c (text, digits[--n]);
  if (n2 % 2)
    g_string_append (text, ".5");
}

static void
begin_path (SvgWriter *writer)
{
  const gboolean is_labels = writer->what->kind == FS_EXPORT_LABELS;
  const int number = is_labels ? writer->label - FS_SEED_BACKGROUND : 1;
  g_string_append_printf (writer->text, "  <path id=\"object-%d\"", number);
  if (writer->n_labels > 1)
    g_string_append_printf (writer->text, " fill=\"#%06x\"", fs_label_colour (writer->label));
  g_string_append (writer->text, " fill-rule=\"evenodd\" d=\"");
  writer->has_path = TRUE;
}

static void
end_path (SvgWriter *writer)
{
  const FsExport *what = writer->what;
  const uint8_t named = what->kind == FS_EXPORT_LABELS ? writer->label : FS_SEED_OBJECT;
  const char *title = what->object_names ? what->object_names[named] : NULL;
  g_string_append (writer->text, "\"");
  if (title && *title) {
    g_string_append (writer->text, "><title>");
    fs_export_append_xml (writer->text, title);
    g_string_append (writer->text, "</title></path>\n");
  } else {
    g_string_append (writer->text, "/>\n");
  }
}

static gboolean
take_contour (gpointer user_data, const FsContourPoint *points, gsize n)
{
  SvgWriter *writer = user_data;
  if (!writer->has_path)
    begin_path (writer);
  append_number (writer->text, 'M', points[0].x2);
  append_number (writer->text, ' ', points[0].y2);
  for (gsize i = 1; i < n; i++) {
    if (points[i].y2 == points[i - 1].y2) {
      append_number (writer->text, 'H', points[i].x2);
    } else if (points[i].x2 == points[i - 1].x2) {
      append_number (writer->text, 'V', points[i].y2);
    } else {
      append_number (writer->text, 'L', points[i].x2);
      append_number (writer->text, ' ', points[i].y2);
    }
    if (!flush_text (writer, FLUSH_BYTES))
      return FALSE;
  }
  g_string_append (writer->text, "Z\n");
  return TRUE;
}

/* Rows in which each object has pixels. */
static void
find_rows (SvgWriter *writer)
{
  const FsContourMap *map = &writer->map;
  for (int y = map->area.y0; y < map->area.y1; y++) {
    const uint8_t *row = map->labels + (gsize)y * (gsize)map->width;
    uint8_t is_there[256] = { 0 };
    for (int x = map->area.x0; x < map->area.x1; x++)
      is_there[row[x]] = 1;
    for (int label = map->max_ground + 1; label < 256; label++) {
      if (!is_there[label])
        continue;
      if (writer->end_row[label] == 0) {
        writer->first_row[label] = y - map->area.y0;
        writer->n_labels++;
      }
      writer->end_row[label] = y - map->area.y0 + 1;
    }
  }
}

static gboolean
write_paths (SvgWriter *writer)
{
  int n_done = 0;
  for (int label = writer->map.max_ground + 1; label < 256; label++) {
    if (writer->end_row[label] == 0)
      continue;
    if (!writer->sink->rows_done (writer->sink->user_data, n_done++, writer->n_labels,
                                  &writer->error))
      return FALSE;
    writer->label = (uint8_t)label;
    writer->has_path = FALSE;
    if (!fs_contour_trace (&writer->map, writer->label, writer->first_row[label],
                           writer->end_row[label], writer->what->outline_tolerance_px, take_contour,
                           writer))
      return FALSE;
    end_path (writer);
  }
  return TRUE;
}

static gboolean
write_svg (SvgWriter *writer)
{
  const FsRect area = writer->map.area;
  const int width = area.x1 - area.x0, height = area.y1 - area.y0;
  find_rows (writer);
  g_string_append_printf (writer->text,
                          "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                          "<svg xmlns=\"http://www.w3.org/2000/svg\" version=\"1.1\" width=\"%d\" "
                          "height=\"%d\" viewBox=\"%d %d %d %d\">\n",
                          width, height, area.x0, area.y0, width, height);
  if (!write_paths (writer))
    return FALSE;
  g_string_append (writer->text, "</svg>\n");
  return flush_text (writer, 0)
         && writer->sink->rows_done (writer->sink->user_data, 1, 1, &writer->error);
}

gboolean
fs_svg_write (const FsExport *what, const char *name, const FsExportSink *sink, GError **error)
{
  g_return_val_if_fail (what->kind != FS_EXPORT_GREY, FALSE);
  const FsRect all = { 0, 0, what->image->width, what->image->height };
  SvgWriter writer = {
    .what = what,
    .name = name,
    .sink = sink,
    .map = { .labels = what->mask,
             .width = what->image->width,
             .area = fs_rect_is_empty (what->area) ? all : fs_rect_intersect (what->area, all),
             .max_ground = what->kind == FS_EXPORT_LABELS ? FS_SEED_BACKGROUND : 0 },
    .text = g_string_sized_new (FLUSH_BYTES + 256)
  };
  const gboolean done = write_svg (&writer);
  if (!done && !writer.error)
    fs_export_fail_for_memory (name, &writer.error);
  g_string_free (writer.text, TRUE);
  if (!done)
    g_propagate_error (error, writer.error);
  return done;
}
