/* SPDX-License-Identifier: MIT */
#include "ui/save/hand_over_flow.h"

#include "app/export/export.h"
#include "app/export/export_rows.h"
#include "ui/save/export_choice.h"
#include <glib/gi18n.h>

struct _FsHandOverFlow {
  GObject parent_instance;
  char *folder;
  FsMessageBar *messages;            /* NULL once closed */
  void (*done) (gpointer user_data); /* NULL once closed */
  gpointer user_data;
  FsProject *project; /* that is handed over now; NULL: none is */
  GCancellable *cancellable;
};

G_DEFINE_FINAL_TYPE (FsHandOverFlow, fs_hand_over_flow, G_TYPE_OBJECT)

static void
end_hand_over (FsHandOverFlow *self, const GError *error)
{
  const gboolean was_cancelled = g_cancellable_is_cancelled (self->cancellable);
  g_clear_object (&self->project);
  g_clear_object (&self->cancellable);
  if (self->messages == NULL)
    return;
  fs_message_bar_end_task (self->messages);
  if (error == NULL)
    self->done (self->user_data);
  else if (!was_cancelled)
    fs_message_bar_show (self->messages, GTK_MESSAGE_ERROR, error->message);
}

static void
on_cutout_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FsHandOverFlow) self = user_data;
  g_autoptr (GError) error = NULL;
  fs_export_write_finish (result, &error);
  end_hand_over (self, error);
}

/* A copy of the photo without its alpha, which the other program has already. NULL where memory is
 * short. */
static FsImage *
make_opaque (FsImage *image)
{
  if (!image->has_alpha)
    return fs_image_ref (image);
  FsImage *opaque = fs_image_new_whole (image->width, image->height);
  const gsize n = opaque != NULL ? (gsize)image->width * (gsize)image->height : 0;
  for (gsize i = 0; i < n; i++)
    opaque->pixels[i] = image->pixels[i] | 0xff000000u;
  return opaque;
}

static void
write_cutout (FsHandOverFlow *self)
{
  FsExport what =
      fs_export_choice_apply (fs_export_choice_get (), fs_project_get_document (self->project),
                              FS_EXPORT_CUTOUT);
  g_autoptr (FsImage) opaque = make_opaque (what.image);
  g_autofree char *path = g_build_filename (self->folder, FS_HAND_OVER_CUTOUT, NULL);
  if (opaque == NULL) {
    g_autoptr (GError) error = NULL;
    fs_export_fail_for_memory (path, &error);
    end_hand_over (self, error);
    return;
  }
  what.image = opaque;
  what.area = (FsRect){ 0 };
  fs_export_write_async (&what, path, self->cancellable, NULL, on_cutout_written,
                         g_object_ref (self));
}

static void
on_session_saved (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FsHandOverFlow) self = user_data;
  g_autoptr (GError) error = NULL;
  if (fs_project_save_finish (self->project, result, &error))
    write_cutout (self);
  else
    end_hand_over (self, error);
}

static void
on_hand_over_final (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FsHandOverFlow) self = user_data;
  g_autoptr (GError) error = NULL;
  FsDocument *document = FS_DOCUMENT (source);
  g_autofree char *path = g_build_filename (self->folder, FS_HAND_OVER_SESSION, NULL);
  if (fs_document_wait_final_finish (document, result, &error)
      && !fs_document_get_status (document).exact)
    g_set_error (&error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE,
                 _ ("The cut is only a preview so far; nothing was written."));
  if (error != NULL)
    end_hand_over (self, error);
  else
    fs_project_save_async (self->project, path, TRUE, self->cancellable, on_session_saved,
                           g_object_ref (self));
}

void
fs_hand_over_flow_start (FsHandOverFlow *self, FsProject *project)
{
  g_return_if_fail (self->messages != NULL);
  if (self->project != NULL)
    return;
  FsDocument *document = fs_project_get_document (project);
  self->project = g_object_ref (project);
  self->cancellable = g_cancellable_new ();
  fs_message_bar_clear (self->messages);
  fs_message_bar_begin_task (self->messages, _ ("Returning the cut-out…"), self->cancellable);
  fs_message_bar_follow (self->messages, document);
  fs_document_wait_final_async (document, self->cancellable, on_hand_over_final,
                                g_object_ref (self));
}

void
fs_hand_over_flow_close (FsHandOverFlow *self)
{
  self->messages = NULL;
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
}

FsHandOverFlow *
fs_hand_over_flow_new (const char *folder, FsMessageBar *messages,
                       void (*done) (gpointer user_data), gpointer user_data)
{
  FsHandOverFlow *self = g_object_new (FS_TYPE_HAND_OVER_FLOW, NULL);
  self->folder = g_strdup (folder);
  self->messages = messages;
  self->done = done;
  self->user_data = user_data;
  return self;
}

static void
fs_hand_over_flow_finalize (GObject *object)
{
  FsHandOverFlow *self = FS_HAND_OVER_FLOW (object);
  g_free (self->folder);
  G_OBJECT_CLASS (fs_hand_over_flow_parent_class)->finalize (object);
}

static void
fs_hand_over_flow_class_init (FsHandOverFlowClass *klass)
{
  G_OBJECT_CLASS (klass)->finalize = fs_hand_over_flow_finalize;
}

static void
fs_hand_over_flow_init (FsHandOverFlow *self)
{
}
