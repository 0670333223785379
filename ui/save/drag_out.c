/* SPDX-License-Identifier: MIT */
#include "ui/save/drag_out.h"

#include "ui/save/export_choice.h"
#include "ui/view/thumbnail.h"
#include <glib/gi18n.h>
#include <glib/gstdio.h>
#include <string.h>

#define ICON_PX 128

enum { INFO_URI, INFO_PNG };

struct _FsDragOut {
  GObject parent_instance;
  GtkWidget *widget;
  FsProject *project; /* NULL: nothing to drag */
  GPtrArray *paths;   /* files of earlier drags, and of this one last */
  GCancellable *cancellable;
  gboolean writing;
  gboolean written; /* the last path is whole */
};

G_DEFINE_FINAL_TYPE (FsDragOut, fs_drag_out, G_TYPE_OBJECT)

/* ---- The file ---- */

/* A folder of its own, so that the file's name is the one that a person wants to see. */
static char *
fresh_path (FsProject *project)
{
  g_autofree char *cache = g_build_filename (g_get_user_cache_dir (), "fretsaw", NULL);
  g_autofree char *folder = g_build_filename (cache, "drag-XXXXXX", NULL);
  g_autofree char *base = g_path_get_basename (fs_project_get_photo_path (project));
  char *dot = strrchr (base, '.');
  if (dot != NULL && dot != base)
    *dot = '\0';
  g_autofree char *name = g_strdup_printf ("%s-%s.png", base, C_ ("file name", "cutout"));
  g_mkdir_with_parents (cache, 0700);
  return g_mkdtemp (folder) != NULL ? g_build_filename (folder, name, NULL) : NULL;
}

static void
remove_file (gpointer path)
{
  g_autofree char *folder = g_path_get_dirname (path);
  g_unlink (path);
  g_rmdir (folder);
  g_free (path);
}

static void
on_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FsDragOut) self = user_data;
  self->written = fs_export_write_finish (result, NULL);
  self->writing = FALSE;
}

static void
on_drag_final (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FsDragOut) self = user_data;
  FsDocument *document = FS_DOCUMENT (source);
  if (!fs_document_wait_final_finish (document, result, NULL) || self->paths->len == 0
      || !fs_document_get_status (document).exact) {
    self->writing = FALSE;
    return;
  }
  FsExport what = fs_export_choice_apply (fs_export_choice_get (), document, FS_EXPORT_CUTOUT);
  if (self->project != NULL && fs_project_get_document (self->project) == document)
    what.photo = fs_project_get_photo_path (self->project);
  fs_export_write_async (&what, self->paths->pdata[self->paths->len - 1], self->cancellable, NULL,
                         on_written, g_object_ref (self));
}

/* ---- The drag ---- */

static void
set_icon (FsDragOut *self, GdkDragContext *context)
{
  FsExport what =
      fs_export_choice_apply (fs_export_choice_get (), fs_project_get_document (self->project),
                              FS_EXPORT_CUTOUT);
  cairo_surface_t *icon = fs_thumbnail_render (&what, ICON_PX);
  if (icon == NULL)
    return;
  gtk_drag_set_icon_surface (context, icon);
  cairo_surface_destroy (icon);
}

static void
on_drag_begin (FsDragOut *self, GdkDragContext *context)
{
  char *path = self->project != NULL && !self->writing ? fresh_path (self->project) : NULL;
  if (path == NULL)
    return;
  set_icon (self, context);
  g_ptr_array_add (self->paths, path);
  self->written = FALSE;
  self->writing = TRUE;
  fs_document_wait_final_async (fs_project_get_document (self->project), self->cancellable,
                                on_drag_final, g_object_ref (self));
}

/* The data must be given before this returns. The rest of the window goes on meanwhile. */
static const char *
wait_for_file (FsDragOut *self)
{
  g_autoptr (FsDragOut) alive = g_object_ref (self);
  while (alive->writing)
    g_main_context_iteration (NULL, TRUE);
  return alive->written && alive->paths->len > 0 ? alive->paths->pdata[alive->paths->len - 1]
                                                 : NULL;
}

static void
give_png (GtkSelectionData *data, const char *path)
{
  g_autofree char *bytes = NULL;
  gsize n_bytes;
  if (g_file_get_contents (path, &bytes, &n_bytes, NULL) && n_bytes <= G_MAXINT)
    gtk_selection_data_set (data, gtk_selection_data_get_target (data), 8, (const guchar *)bytes,
                            (int)n_bytes);
}

static void
on_drag_data_get (FsDragOut *self, GdkDragContext *context, GtkSelectionData *data, guint info,
                  guint time)
{
  const char *path = wait_for_file (self);
  g_autofree char *uri = path != NULL ? g_filename_to_uri (path, NULL, NULL) : NULL;
  char *uris[] = { uri, NULL };
  if (path == NULL)
    return;
  if (info == INFO_PNG)
    give_png (data, path);
  else
    gtk_selection_data_set_uris (data, uris);
}

void
fs_drag_out_set_project (FsDragOut *self, FsProject *project)
{
  static const GtkTargetEntry targets[] = {
    { (char *)"text/uri-list", 0, INFO_URI },
    { (char *)"image/png", 0, INFO_PNG },
  };
  if (!g_set_object (&self->project, project))
    return;
  if (project != NULL)
    gtk_drag_source_set (self->widget, GDK_BUTTON1_MASK, targets, G_N_ELEMENTS (targets),
                         GDK_ACTION_COPY);
  else
    gtk_drag_source_unset (self->widget);
}

FsDragOut *
fs_drag_out_new (GtkWidget *widget)
{
  FsDragOut *self = g_object_new (FS_TYPE_DRAG_OUT, NULL);
  self->widget = widget;
  g_signal_connect_object (widget, "drag-begin", G_CALLBACK (on_drag_begin), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (widget, "drag-data-get", G_CALLBACK (on_drag_data_get), self,
                           G_CONNECT_SWAPPED);
  return self;
}

static void
fs_drag_out_finalize (GObject *object)
{
  FsDragOut *self = FS_DRAG_OUT (object);
  g_clear_object (&self->project);
  g_object_unref (self->cancellable);
  g_ptr_array_unref (self->paths);
  G_OBJECT_CLASS (fs_drag_out_parent_class)->finalize (object);
}

static void
fs_drag_out_class_init (FsDragOutClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fs_drag_out_finalize;
}

static void
fs_drag_out_init (FsDragOut *self)
{
  self->paths = g_ptr_array_new_with_free_func (remove_file);
  self->cancellable = g_cancellable_new ();
}
