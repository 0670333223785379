/* SPDX-License-Identifier: MIT */
/* Data sets in the format of Pascal VOC.   Layer: app.
 *
 * Source: Everingham and Winn, "The PASCAL Visual Object Classes Challenge 2012 development kit".
 *
 *   SegmentationClass/NAME.png    indexed: 0 background, N the N-th class
 *   SegmentationObject/NAME.png   indexed: 0 background, N the N-th object of the XML file
 *   Annotations/NAME.xml          size, and each object with its box
 *   ImageSets/Segmentation/trainval.txt   NAME, one a line
 *   classes.txt                   a class a line, as fs_label_classes_read takes it
 *   labelmap.txt                  the same with colours, as CVAT and Datumaro read it
 *
 * Pixels of a box count from 1, and its last ones are part of it. Pictures have the kit's colours;
 * 255, void, is not used: masks are exact. What the kit knows of an object beyond its mask (pose,
 * truncated, difficult) is unknown here.
 */
#include "app/labels/output/label_format.h"

#include "app/export/export_rows.h"
#include "app/labels/output/label_planes.h"

typedef struct {
  const FsLabelOut *out;
  GString *list;
  uint8_t palette[256][3];
} Voc;

static gpointer
voc_begin (const FsLabelOut *out, GError **error)
{
  static const char *const folders[] = { "SegmentationClass", "SegmentationObject", "Annotations",
                                         "ImageSets/Segmentation" };
  for (gsize i = 0; i < G_N_ELEMENTS (folders); i++)
    if (!fs_label_out_make_folder (out, folders[i], error))
      return NULL;
  Voc *voc = g_new0 (Voc, 1);
  voc->out = out;
  voc->list = g_string_new (NULL);
  fs_label_fill_palette (voc->palette);
  return voc;
}

static void
voc_free (gpointer self)
{
  Voc *voc = self;
  g_string_free (voc->list, TRUE);
  g_free (voc);
}

static void
append_element (GString *text, const char *indent, const char *name, const char *value)
{
  g_string_append_printf (text, "%s<%s>", indent, name);
  fs_export_append_xml (text, value);
  g_string_append_printf (text, "</%s>\n", name);
}

static void
append_xml_object (GString *text, const FsLabelClasses *classes, const FsLabelObject *object)
{
  const FsRect *box = &object->box;
  g_string_append (text, "  <object>\n");
  append_element (text, "    ", "name", fs_label_classes_get_name (classes, object->class_number));
  g_string_append_printf (text,
                          "    <pose>Unspecified</pose>\n"
                          "    <truncated>0</truncated>\n"
                          "    <difficult>0</difficult>\n"
                          "    <bndbox>\n"
                          "      <xmin>%d</xmin>\n      <ymin>%d</ymin>\n"
                          "      <xmax>%d</xmax>\n      <ymax>%d</ymax>\n"
                          "    </bndbox>\n  </object>\n",
                          box->x0 + 1, box->y0 + 1, box->x1, box->y1);
}

static gboolean
write_xml (const Voc *voc, const FsLabelPhoto *photo, const char *stem, GError **error)
{
  g_autoptr (GString) text = g_string_new ("<annotation>\n");
  g_autofree char *path = fs_label_out_path (voc->out, "Annotations", stem, ".xml");
  g_autofree char *file = g_path_get_basename (photo->file_name);
  append_element (text, "  ", "folder", "JPEGImages");
  append_element (text, "  ", "filename", file);
  g_string_append_printf (text,
                          "  <source>\n    <database>Fretsaw</database>\n"
                          "    <annotation>Fretsaw</annotation>\n    <image>unknown</image>\n"
                          "  </source>\n  <size>\n    <width>%d</width>\n    <height>%d</height>\n"
                          "    <depth>3</depth>\n  </size>\n  <segmented>1</segmented>\n",
                          photo->width, photo->height);
  for (guint i = 0; i < photo->objects->len; i++)
    append_xml_object (text, voc->out->classes, photo->objects->pdata[i]);
  g_string_append (text, "</annotation>\n");
  return fs_label_out_write_text (voc->out, path, text->str, error);
}

/* Takes the plane. */
static gboolean
write_plane (const Voc *voc, const FsLabelPhoto *photo, const char *path, uint8_t *plane,
             GError **error)
{
  const FsLabelPicture picture = { photo->width, photo->height, plane, voc->palette };
  const gboolean done = plane && fs_label_out_write_picture (voc->out, path, &picture, error);
  g_free (plane);
  return done;
}

static gboolean
voc_add (gpointer self, const FsLabelPhoto *photo, const char *stem, GError **error)
{
  Voc *voc = self;
  g_autofree char *of_classes = fs_label_out_path (voc->out, "SegmentationClass", stem, ".png");
  g_autofree char *of_objects = fs_label_out_path (voc->out, "SegmentationObject", stem, ".png");
  uint8_t *plane = fs_label_plane_of_classes (photo, of_classes, error);
  if (!write_plane (voc, photo, of_classes, plane, error))
    return FALSE;
  plane = fs_label_plane_of_objects (photo, of_objects, error);
  if (!write_plane (voc, photo, of_objects, plane, error) || !write_xml (voc, photo, stem, error))
    return FALSE;
  g_string_append_printf (voc->list, "%s\n", stem);
  return TRUE;
}

/* Columns are separated by colons there, so that a name's own become underscores. */
static char *
make_label_map (const Voc *voc)
{
  GString *text = g_string_new ("# label:color_rgb:parts:actions\nbackground:0,0,0::\n");
  for (guint i = 0; i < fs_label_classes_get_n (voc->out->classes); i++) {
    g_autofree char *name = g_strdup (fs_label_classes_get_name (voc->out->classes, i));
    const uint8_t *colour = voc->palette[MIN (i + 1, 255)];
    g_string_append_printf (text, "%s:%d,%d,%d::\n", g_strdelimit (name, ":", '_'), colour[0],
                            colour[1], colour[2]);
  }
  return g_string_free (text, FALSE);
}

static gboolean
voc_end (gpointer self, GError **error)
{
  const Voc *voc = self;
  g_autofree char *list = fs_label_out_list_path (voc->out, "ImageSets/Segmentation", "trainval");
  g_autofree char *classes = fs_label_out_path (voc->out, NULL, "classes", ".txt");
  g_autofree char *map = fs_label_out_path (voc->out, NULL, "labelmap", ".txt");
  g_autofree char *names = fs_label_classes_to_text (voc->out->classes);
  g_autofree char *colours = make_label_map (voc);
  return fs_label_out_write_text (voc->out, classes, names, error)
         && fs_label_out_write_text (voc->out, map, colours, error)
         && fs_label_out_write_list (voc->out, list, voc->list->str, error);
}

const FsLabelFormat fs_label_voc = {
  .name = "voc",
  .title = "Pascal VOC",
  .is_folder = TRUE,
  .has_numbers = TRUE,
  .begin = voc_begin,
  .add = voc_add,
  .end = voc_end,
  .free = voc_free,
};
