/* SPDX-License-Identifier: MIT */
/* A layer as a picture, and the alpha of a cut-out as its mask or as a selection.   Layer: gimp.
 *
 * Threads: one.
 */
#ifndef FS_GIMP_LAYER_ALPHA_H
#define FS_GIMP_LAYER_ALPHA_H

#include <glib.h>

G_BEGIN_DECLS

/* Writes the layer's own pixels as PNG, without its mask; with 16 bits where the image has more
 * than 8. The same pixels are the same bytes. */
gboolean fs_layer_save_png (gint32 image, gint32 layer, const char *path, GError **error);

/* Alpha from 0 to 255. g_free. */
typedef struct {
  int width, height;
  guint8 *alpha;
} FsLayerAlpha;

/* The alpha of a picture that is as large as the layer. Errors: G_FILE_ERROR. */
gboolean fs_layer_read_alpha (FsLayerAlpha *self, gint32 layer, const char *path, GError **error);
void fs_layer_alpha_clear (FsLayerAlpha *self);

/* Gives the layer the alpha as its mask, in place of one that it has. FALSE where GIMP refuses it,
 * which then says why. */
gboolean fs_layer_set_mask (gint32 image, gint32 layer, const FsLayerAlpha *alpha);

/* Selects the alpha in the layer's place, and nothing else. */
gboolean fs_layer_select (gint32 image, gint32 layer, const FsLayerAlpha *alpha);

G_END_DECLS

#endif
