/* SPDX-License-Identifier: MIT */
#include "ui/export_dialog.h"

#include "ui/choice.h"
#include "ui/export_choice.h"
#include "ui/thumbnail.h"
#include <glib/gi18n.h>

struct _FsExportDialog {
  GtkDialog parent;
  FsThumbnail *thumbnail;
  GtkLabel *size;
  GtkToggleButton *crop;
  GtkToggleButton *what_cutout;
  GtkToggleButton *what_mask;
  GtkToggleButton *what_both;
  FsDocument *document;
};

G_DEFINE_FINAL_TYPE (FsExportDialog, fs_export_dialog, GTK_TYPE_DIALOG)

static void
refresh (FsExportDialog *self)
{
  FsExportChoice *choice = fs_export_choice_get ();
  FsExport what =
      fs_export_choice_apply (choice, self->document, fs_export_choice_get_kind (choice));
  int width = what.image->width, height = what.image->height;
  if (!fs_rect_is_empty (what.part)) {
    width = what.part.x1 - what.part.x0;
    height = what.part.y1 - what.part.y0;
  }
  g_autofree char *size = g_strdup_printf (_ ("%d × %d pixels, PNG"), width, height);
  gtk_label_set_text (self->size, size);
  fs_thumbnail_set (self->thumbnail, &what);
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
  g_object_bind_property (choice, "crop", self->crop, "active",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  g_signal_connect_object (choice, "notify", G_CALLBACK (refresh), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (document, "mask-updated", G_CALLBACK (refresh), self, G_CONNECT_SWAPPED);
  refresh (self);
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
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/fretsaw/Fretsaw/export_dialog.ui");
  gtk_widget_class_bind_template_child (widget_class, FsExportDialog, thumbnail);
  gtk_widget_class_bind_template_child (widget_class, FsExportDialog, size);
  gtk_widget_class_bind_template_child (widget_class, FsExportDialog, crop);
  gtk_widget_class_bind_template_child (widget_class, FsExportDialog, what_cutout);
  gtk_widget_class_bind_template_child (widget_class, FsExportDialog, what_mask);
  gtk_widget_class_bind_template_child (widget_class, FsExportDialog, what_both);
}

static void
fs_export_dialog_init (FsExportDialog *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
