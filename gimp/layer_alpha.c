/* SPDX-License-Identifier: MIT */
#include "gimp/layer_alpha.h"

#include <glib/gi18n.h>
#include <libgimp/gimp.h>
#include <string.h>

static gboolean
fail_for_file (GError **error, const char *reason)
{
  g_set_error_literal (error, G_FILE_ERROR, G_FILE_ERROR_FAILED, reason);
  return FALSE;
}

/* ---- Files ---- */

gboolean
fs_layer_save_png (gint32 image, gint32 layer, const char *path, GError **error)
{
  gint n_values;
  GimpParam *values =
      gimp_run_procedure ("file-png-save", &n_values, GIMP_PDB_INT32, GIMP_RUN_NONINTERACTIVE,
                          GIMP_PDB_IMAGE, image, GIMP_PDB_DRAWABLE, layer, GIMP_PDB_STRING, path,
                          GIMP_PDB_STRING, path,                /**/
                          GIMP_PDB_INT32, 0, GIMP_PDB_INT32, 1, /* not interlaced, packed fast */
                          GIMP_PDB_INT32, 0, GIMP_PDB_INT32, 0, GIMP_PDB_INT32,
                          0,                                    /* bKGD, gAMA, oFFs            */
                          GIMP_PDB_INT32, 1, GIMP_PDB_INT32, 0, /* pHYs, tIME                  */
                          GIMP_PDB_END);
  const gboolean done = values[0].data.d_status == GIMP_PDB_SUCCESS;
  gimp_destroy_params (values, n_values);
  return done || fail_for_file (error, _ ("The layer could not be written as PNG."));
}

static void
read_rows (FsLayerAlpha *self, gint32 drawable)
{
  GeglBuffer *buffer = gimp_drawable_get_buffer (drawable);
  const gsize width = (gsize)self->width;
  guint8 *row = g_malloc (4 * width);
  for (int y = 0; y < self->height; y++) {
    gegl_buffer_get (buffer, GEGL_RECTANGLE (0, y, self->width, 1), 1.0, babl_format ("R'G'B'A u8"),
                     row, GEGL_AUTO_ROWSTRIDE, GEGL_ABYSS_NONE);
    for (gsize x = 0; x < width; x++)
      self->alpha[(gsize)y * width + x] = row[4 * x + 3];
  }
  g_free (row);
  g_object_unref (buffer);
}

gboolean
fs_layer_read_alpha (FsLayerAlpha *self, gint32 layer, const char *path, GError **error)
{
  *self = (FsLayerAlpha){ gimp_drawable_width (layer), gimp_drawable_height (layer), NULL };
  const gint32 image = gimp_file_load (GIMP_RUN_NONINTERACTIVE, path, path);
  if (image < 0)
    return fail_for_file (error, _ ("The cut-out could not be read."));
  const gint32 drawable = gimp_image_get_active_drawable (image);
  const gboolean fits = gimp_drawable_width (drawable) == self->width
                        && gimp_drawable_height (drawable) == self->height;
  self->alpha = fits ? g_try_malloc_n ((gsize)self->width, (gsize)self->height) : NULL;
  if (self->alpha != NULL)
    read_rows (self, drawable);
  gimp_image_delete (image);
  return self->alpha != NULL
         || fail_for_file (error, fits ? _ ("There is not enough memory for the cut-out.")
                                       : _ ("The cut-out has another size than the layer."));
}

void
fs_layer_alpha_clear (FsLayerAlpha *self)
{
  g_clear_pointer (&self->alpha, g_free);
}

/* ---- Masks and selections ---- */

/* Writes the alpha into a mask or channel, and 0 around it. Their values are fractions, whatever
 * the precision: linear in GIMP 2.10, so that no curve comes between. */
static void
write_rows (gint32 channel, const FsLayerAlpha *alpha, int left, int top)
{
  GeglBuffer *buffer = gimp_drawable_get_buffer (channel);
  const char *name = babl_get_name (gimp_drawable_get_format (channel));
  const Babl *format = babl_format (g_str_has_prefix (name, "Y'") ? "Y' u8" : "Y u8");
  const GeglRectangle place = { left, top, alpha->width, alpha->height };
  gegl_buffer_clear (buffer, NULL);
  gegl_buffer_set (buffer, &place, 0, format, alpha->alpha, GEGL_AUTO_ROWSTRIDE);
  gegl_buffer_flush (buffer);
  g_object_unref (buffer);
  gimp_drawable_update (channel, 0, 0, gimp_drawable_width (channel),
                        gimp_drawable_height (channel));
}

gboolean
fs_layer_set_mask (gint32 image, gint32 layer, const FsLayerAlpha *alpha)
{
  if (gimp_layer_get_mask (layer) >= 0)
    gimp_layer_remove_mask (layer, GIMP_MASK_DISCARD);
  const gint32 mask = gimp_layer_create_mask (layer, GIMP_ADD_MASK_BLACK);
  if (mask < 0 || !gimp_layer_add_mask (layer, mask))
    return FALSE;
  write_rows (mask, alpha, 0, 0);
  return TRUE;
}

gboolean
fs_layer_select (gint32 image, gint32 layer, const FsLayerAlpha *alpha)
{
  const GimpRGB black = { 0, 0, 0, 1 };
  const gint32 channel = gimp_channel_new (image, "Fretsaw", gimp_image_width (image),
                                           gimp_image_height (image), 100, &black);
  gint left, top;
  if (channel < 0 || !gimp_drawable_offsets (layer, &left, &top)
      || !gimp_image_insert_channel (image, channel, -1, 0))
    return FALSE;
  write_rows (channel, alpha, left, top);
  const gboolean done = gimp_image_select_item (image, GIMP_CHANNEL_OP_REPLACE, channel);
  gimp_image_remove_channel (image, channel);
  return done;
}
