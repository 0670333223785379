/* SPDX-License-Identifier: MIT */
#include "ui/save/export_dialog.h"

#include "app/export/parts/crop.h"
#include "app/export/export_rows.h"
#include "ui/save/background_row.h"
#include "ui/save/export_choice.h"
#include "ui/settings/choice.h"
#include "ui/view/thumbnail.h"
#include <glib/gi18n.h>
#include <string.h>

/* The size of the detail in pixels of the photo, and its zoom. */
enum { DETAIL_WIDTH = 150, DETAIL_HEIGHT = 90, DETAIL_ZOOM = 2 };

struct _FsExportDialog {
  GtkDialog parent;
  FsThumbnail *thumbnail;
  FsThumbnail *detail;
  GtkLabel *size;
  GtkComboBoxText *format;
  GtkSpinButton *tolerance;
  GtkWidget *outline;
  GtkWidget *background;
  GtkToggleButton *crop;
  GtkToggleButton *keep_hidden;
  GtkToggleButton *mask_page;
  GtkToggleButton *soft_mask;
  GtkToggleButton *what_cutout;
  GtkToggleButton *what_mask;
  GtkToggleButton *what_both;
  GtkToggleButton *what_labels;
  GtkToggleButton *what_each;
  FsDocument *document;
  FsRect place; /* that the detail shows */
};

G_DEFINE_FINAL_TYPE (FsExportDialog, fs_export_dialog, GTK_TYPE_DIALOG)

static void
put_on_background (FsImage *picture, const FsExport *what, FsRect place)
{
  for (int y = 0; y < picture->height; y++)
    for (int x = 0; x < picture->width; x++) {
      uint32_t *pixel = picture->pixels + (gsize)y * (gsize)picture->width + (gsize)x;
      *pixel = fs_pixel_over (*pixel, fs_background_get_pixel (what->background, what->image->width,
                                                               what->image->height, place.x0 + x,
                                                               place.y0 + y));
    }
}

static void
show_alpha (FsImage *picture)
{
  for (gsize i = 0; i < (gsize)picture->width * (gsize)picture->height; i++)
    picture->pixels[i] = 0xff000000u | FS_PIXEL_A (picture->pixels[i]) * 0x010101u;
}

/* The border is too fine for a picture of the whole. */
static void
refresh_detail (FsExportDialog *self, const FsExport *what)
{
  FsExport detail = *what;
  g_autofree uint8_t *all = NULL;
  g_autoptr (FsImage) picture = NULL;
  detail.area = self->place;
  if (what->kind == FS_EXPORT_CUTOUT || what->kind == FS_EXPORT_ALPHA)
    picture = fs_export_edge_render (what, self->place);
  if (picture != NULL) {
    gsize n = (gsize)picture->width * (gsize)picture->height;
    if (what->kind == FS_EXPORT_ALPHA)
      show_alpha (picture);
    else if (what->background != NULL)
      put_on_background (picture, what, self->place);
    all = memset (g_malloc (n), 1, n);
    detail = (FsExport){ .image = picture, .mask = all, .kind = FS_EXPORT_CUTOUT };
  }
  fs_thumbnail_set (self->detail, &detail);
}

static void
refresh_preview (FsExportDialog *self)
{
  FsExportChoice *choice = fs_export_choice_get ();
  FsExport what =
      fs_export_choice_apply (choice, self->document, fs_export_choice_get_kind (choice));
  g_autoptr (FsBackground) background =
      fs_export_choice_get_background (choice, fs_export_choice_get_format (choice));
  what.background = background;
  int width = what.image->width, height = what.image->height;
  if (!fs_rect_is_empty (what.area)) {
    width = what.area.x1 - what.area.x0;
    height = what.area.y1 - what.area.y0;
  }
  const gboolean is_outline = fs_export_choice_get_format (choice) == FS_EXPORT_SVG;
  const gboolean is_cutout = what.kind == FS_EXPORT_CUTOUT && !is_outline;
  const char *format = fs_export_format_get_name (fs_export_choice_get_format (choice));
  const gboolean grows = !fs_rect_is_empty (what.area) && !is_outline
                         && what.kind != FS_EXPORT_LABELS && fs_export_has_edge (&what);
  g_autofree char *size =
      fs_export_choice_get_what (choice) == FS_EXPORT_WHAT_EACH
          /* Translators: %s is PNG, WebP, TIFF, JPEG, SVG, OpenRaster or PSD */
          ? g_strdup_printf (_ ("A %s for each object"), format)
          : grows ? g_strdup (format) /* so large as the edge is: a worker finds it */
                  : g_strdup_printf (_ ("%d × %d pixels, %s"), width, height, format);
  gtk_label_set_text (self->size, size);
  if (is_outline)
    what.edge = FS_EDGE_SETTINGS_HARD;
  fs_thumbnail_set (self->thumbnail, &what);
  refresh_detail (self, &what);
  const FsExportWhat chosen = fs_export_choice_get_what (choice);
  gtk_widget_set_sensitive (GTK_WIDGET (self->soft_mask),
                            !is_outline
                                && (chosen == FS_EXPORT_WHAT_MASK
                                    || chosen == FS_EXPORT_WHAT_BOTH));
  gtk_widget_set_sensitive (self->outline, is_outline);
  gtk_widget_set_sensitive (GTK_WIDGET (self->mask_page),
                            is_cutout && fs_export_choice_get_format (choice) == FS_EXPORT_TIFF);
  const gboolean has_layers = fs_export_format_has_layers (fs_export_choice_get_format (choice));
  const gboolean is_flat = is_cutout && !has_layers;
  gtk_widget_set_sensitive (self->background, is_flat);
  gtk_widget_set_sensitive (GTK_WIDGET (self->keep_hidden), is_cutout && background == NULL);
  gtk_dialog_set_response_sensitive (GTK_DIALOG (self), GTK_RESPONSE_ACCEPT,
                                     !is_flat || !fs_export_choice_lacks_picture (choice));
}

static void
list_formats (FsExportDialog *self)
{
  for (int i = 0; i < FS_EXPORT_N_FORMATS; i++) {
    FsExportFormat format = (FsExportFormat)i;
    if (fs_export_format_get_writer (format) != NULL)
      gtk_combo_box_text_append (self->format, fs_export_format_get_ending (format),
                                 format == FS_EXPORT_SVG   ? _ ("Outline (SVG)")
                                 : format == FS_EXPORT_ORA ? _ ("Layers (OpenRaster)")
                                 : format == FS_EXPORT_PSD ? _ ("Layers (PSD)")
                                                           : fs_export_format_get_name (format));
  }
}

static void
on_mask_updated (FsExportDialog *self)
{
  const FsImage *image = fs_document_get_image (self->document);
  self->place = fs_crop_to_border (fs_document_get_mask (self->document), image->width,
                                   image->height, DETAIL_WIDTH, DETAIL_HEIGHT);
  refresh_preview (self);
}

FsExportDialog *
fs_export_dialog_new (GtkWindow *parent, FsDocument *document)
{
  FsExportDialog *self =
      g_object_new (FS_TYPE_EXPORT_DIALOG, "transient-for", parent, "use-header-bar", TRUE, NULL);
  FsExportChoice *choice = fs_export_choice_get ();
  self->document = g_object_ref (document);
  fs_choice_bind (self->what_cutout, G_OBJECT (choice), "what", FS_EXPORT_WHAT_CUTOUT);
  fs_choice_bind (self->what_mask, G_OBJECT (choice), "what", FS_EXPORT_WHAT_MASK);
  fs_choice_bind (self->what_both, G_OBJECT (choice), "what", FS_EXPORT_WHAT_BOTH);
  fs_choice_bind (self->what_labels, G_OBJECT (choice), "what", FS_EXPORT_WHAT_LABELS);
  fs_choice_bind (self->what_each, G_OBJECT (choice), "what", FS_EXPORT_WHAT_EACH);
  g_object_bind_property (choice, "crop", self->crop, "active",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  g_object_bind_property (choice, "keep-hidden", self->keep_hidden, "active",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  g_object_bind_property (choice, "mask-page", self->mask_page, "active",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  g_object_bind_property (choice, "soft-mask", self->soft_mask, "active",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  g_object_bind_property (choice, "outline-tolerance",
                          gtk_spin_button_get_adjustment (self->tolerance), "value",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  list_formats (self);
  g_object_bind_property (choice, "format", self->format, "active-id",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  g_signal_connect_object (choice, "notify", G_CALLBACK (refresh_preview), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "mask-updated", G_CALLBACK (on_mask_updated), self,
                           G_CONNECT_SWAPPED);
  on_mask_updated (self);
  return self;
}

static void
fs_export_dialog_dispose (GObject *object)
{
  FsExportDialog *self = FS_EXPORT_DIALOG (object);
  g_clear_object (&self->document);
  G_OBJECT_CLASS (fs_export_dialog_parent_class)->dispose (object);
}

static void
fs_export_dialog_class_init (FsExportDialogClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fs_export_dialog_dispose;
  g_type_ensure (FS_TYPE_THUMBNAIL);
  g_type_ensure (FS_TYPE_BACKGROUND_ROW);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/fretsaw/Fretsaw/export_dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, FsExportDialog, thumbnail);
  gtk_widget_class_bind_template_child (widget_class, FsExportDialog, size);
  gtk_widget_class_bind_template_child (widget_class, FsExportDialog, detail);
  gtk_widget_class_bind_template_child (widget_class, FsExportDialog, soft_mask);
  gtk_widget_class_bind_template_child (widget_class, FsExportDialog, format);
  gtk_widget_class_bind_template_child (widget_class, FsExportDialog, tolerance);
  gtk_widget_class_bind_template_child (widget_class, FsExportDialog, outline);
  gtk_widget_class_bind_template_child (widget_class, FsExportDialog, background);
  gtk_widget_class_bind_template_child (widget_class, FsExportDialog, crop);
  gtk_widget_class_bind_template_child (widget_class, FsExportDialog, keep_hidden);
  gtk_widget_class_bind_template_child (widget_class, FsExportDialog, mask_page);
  gtk_widget_class_bind_template_child (widget_class, FsExportDialog, what_cutout);
  gtk_widget_class_bind_template_child (widget_class, FsExportDialog, what_mask);
  gtk_widget_class_bind_template_child (widget_class, FsExportDialog, what_both);
  gtk_widget_class_bind_template_child (widget_class, FsExportDialog, what_labels);
  gtk_widget_class_bind_template_child (widget_class, FsExportDialog, what_each);
}

static void
fs_export_dialog_init (FsExportDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  fs_thumbnail_set_zoom (self->detail, DETAIL_ZOOM);
}
