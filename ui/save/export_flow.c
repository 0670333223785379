/* SPDX-License-Identifier: MIT */
#include "ui/save/export_flow.h"

#include "app/export/parts/crop.h"
#include "app/export/export.h"
#include "app/files/display_name.h"
#include "app/files/same_file.h"
#include "app/live/objects/document_objects.h"
#include "app/session/pasted.h"
#include "solver/system/checked_memory.h"
#include "ui/open/file_filters.h"
#include "ui/save/export_choice.h"
#include "ui/save/export_dialog.h"
#include "ui/save/export_names.h"
#include "ui/status/wait_reason.h"
#include <glib/gi18n.h>
#include <string.h>

typedef struct {
  FsExportKind kind;
  char *path;
  uint8_t label; /* of the object that it holds alone, or FS_SEED_NONE */
} File;

struct _FsExportFlow {
  GObject parent_instance;
  GtkWindow *parent;      /* NULL once closed */
  FsMessageBar *messages; /* NULL once closed */
  GtkWidget *dialog;
  GtkFileChooserNative *chooser;
  GCancellable *cancellable;

  /* The export that is asked for or runs. */
  FsProject *project;
  FsDocument *document;
  guint64 generation; /* of the mask that is written */
  guint n_written;
  char *notes;      /* of what the first file that lacks something lacks, or NULL */
  uint8_t *numbers; /* of objects in that mask, where they are asked for */

  /* Choices of that export, or of the last one. */
  FsExportWhat what;
  char *chosen;  /* the path that was asked for */
  GArray *files; /* of File */
  GWeakRef last; /* the project whose files they are */
};

G_DEFINE_FINAL_TYPE (FsExportFlow, fs_export_flow, G_TYPE_OBJECT)

static void
file_clear (gpointer data)
{
  g_free (((File *)data)->path);
}

static const File *
get_file (FsExportFlow *self, guint i)
{
  return &g_array_index (self->files, File, i);
}

static void
forget_export (FsExportFlow *self)
{
  if (self->messages != NULL && self->cancellable != NULL)
    fs_message_bar_end_task (self->messages);
  g_clear_pointer (&self->dialog, gtk_widget_destroy);
  g_clear_object (&self->chooser);
  g_clear_object (&self->cancellable);
  g_clear_object (&self->document);
  g_clear_object (&self->project);
  g_clear_pointer (&self->numbers, fs_memory_free);
  g_clear_pointer (&self->notes, g_free);
}

static GArray *
new_files (void)
{
  GArray *files = g_array_new (FALSE, FALSE, sizeof (File));
  g_array_set_clear_func (files, file_clear);
  return files;
}

static void
take_file (GArray *files, FsExportKind kind, char *path, uint8_t label)
{
  File file = { kind, path, label };
  g_array_append_val (files, file);
}

static gboolean
needs_numbers (FsExportFlow *self)
{
  return self->what == FS_EXPORT_WHAT_EACH || get_file (self, 0)->kind == FS_EXPORT_LABELS;
}

/* ---- Writing ---- */

static gboolean
was_cancelled (const GError *error)
{
  return g_error_matches (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_CANCELLED)
         || g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED);
}

static char *
shown_name (FsExportFlow *self, guint i)
{
  g_autofree char *shown = fs_display_name (get_file (self, i)->path);
  return g_path_get_basename (shown);
}

static void
report_export_error (FsExportFlow *self, const GError *error)
{
  guint last = MIN (self->n_written, self->files->len - 1);
  g_autofree char *name = shown_name (self, 0), *other = shown_name (self, last);
  g_autofree char *text = NULL;
  if (self->messages == NULL)
    return;
  if (error == NULL && self->what == FS_EXPORT_WHAT_EACH && self->files->len > 1)
    /* Translators: names of the first and the last of some files */
    text = g_strdup_printf (_ ("Saved each object: “%s” … “%s”."), name, other);
  else if (error == NULL && self->files->len > 1)
    text = g_strdup_printf (_ ("Saved “%s” and “%s”."), name, other);
  else if (error == NULL)
    text = g_strdup_printf (_ ("Saved “%s”."), name);
  else if (was_cancelled (error))
    text = g_strdup_printf (_ ("Stopped. “%s” was not written."), other);
  g_autofree char *all =
      text != NULL && self->notes != NULL ? g_strdup_printf ("%s\n%s", text, self->notes) : NULL;
  if (text != NULL)
    fs_message_bar_show (self->messages, error == NULL ? GTK_MESSAGE_INFO : GTK_MESSAGE_OTHER,
                         all != NULL ? all : text);
  else
    fs_message_bar_show_about (self->messages, GTK_MESSAGE_ERROR, error->message,
                               get_file (self, last)->path);
}

static void
on_export_progress (double fraction, gpointer user_data)
{
  FsExportFlow *self = user_data;
  if (self->messages == NULL || self->files->len == 0)
    return;
  double whole = (self->n_written + fraction) / self->files->len;
  g_autofree char *reason = fs_wait_reason_new (_ ("writing the picture"), whole);
  fs_message_bar_set_fraction (self->messages, whole);
  fs_message_bar_set_reason (self->messages, reason);
}

static void write_next (FsExportFlow *self);

static void
on_written (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FsExportFlow) self = user_data;
  g_autoptr (GError) error = NULL;
  const gboolean done = fs_export_write_finish (result, &error);
  if (done && self->notes == NULL && *fs_export_write_get_notes (result) != '\0')
    self->notes = g_strchomp (g_strdup (fs_export_write_get_notes (result)));
  if (done && ++self->n_written < self->files->len) {
    write_next (self);
    return;
  }
  FsDocumentStatus status = fs_document_get_status (self->document);
  if (error == NULL && status.is_final && status.generation == self->generation)
    fs_project_mark_exported (self->project);
  report_export_error (self, error);
  forget_export (self);
}

/* Around all objects of these numbers. */
static FsRect
crop_to_numbers (FsExportFlow *self, const uint8_t *numbers, const uint8_t *marks)
{
  const FsImage *image = fs_document_get_image (self->document);
  const size_t n = (size_t)image->width * (size_t)image->height;
  uint8_t *mask = fs_memory_new (n, 1);
  for (size_t p = 0; mask != NULL && p < n; p++)
    mask[p] = numbers[p] >= FS_SEED_OBJECT;
  const FsRect area =
      mask != NULL ? fs_crop_to_object (mask, marks, image->width, image->height) : (FsRect){ 0 };
  fs_memory_free (mask);
  return area;
}

static void
write_as (FsExportFlow *self, const File *file, const uint8_t *mask, const uint8_t *marks)
{
  FsExport what =
      fs_export_choice_apply_to (fs_export_choice_get (), self->document, file->kind, mask, marks);
  what.photo = fs_project_get_photo_path (self->project);
  what.keep_hidden = fs_export_choice_get_keep_hidden (fs_export_choice_get ());
  g_autoptr (FsBackground) background =
      fs_export_choice_get_background (fs_export_choice_get (), fs_export_format_of (file->path));
  what.background = background;
  if (file->kind == FS_EXPORT_LABELS && !fs_rect_is_empty (what.area))
    what.area = crop_to_numbers (self, mask, marks);
  const char *names[FS_SEED_MAX + 1] = { NULL };
  for (int label = FS_SEED_OBJECT; label <= FS_SEED_MAX; label++)
    names[label] = fs_project_get_name (self->project, (uint8_t)label);
  if (file->label != FS_SEED_NONE)
    names[FS_SEED_OBJECT] = names[file->label];
  what.object_names = names;
  fs_export_write_async (&what, file->path, self->cancellable, on_export_progress, on_written,
                         g_object_ref (self));
}

/* Its own mask and strokes, all else is what it is cut out of. */
static gboolean
write_object (FsExportFlow *self, const File *file, const uint8_t *marks)
{
  const FsImage *image = fs_document_get_image (self->document);
  size_t n = (size_t)image->width * (size_t)image->height;
  uint8_t *mask = fs_memory_new (n, 1), *own_marks = fs_memory_new (n, 1);
  gboolean is_ready = mask != NULL && own_marks != NULL;
  if (is_ready) {
    fs_export_pick_object (self->numbers, marks, n, file->label, mask, own_marks);
    write_as (self, file, mask, own_marks);
  }
  fs_memory_free (mask);
  fs_memory_free (own_marks);
  return is_ready;
}

/* Objects are those of one moment. Of other files each takes the mask of its own: with an edit
 * between two of them, the later one is newer. */
static void
write_next (FsExportFlow *self)
{
  const File *file = get_file (self, self->n_written);
  const uint8_t *marks = fs_document_get_marks (self->document);
  if (file->label == FS_SEED_NONE) {
    write_as (self, file,
              file->kind == FS_EXPORT_LABELS ? self->numbers
                                             : fs_document_get_mask (self->document),
              marks);
  } else if (!write_object (self, file, marks)) {
    g_autofree char *name = shown_name (self, self->n_written);
    g_autoptr (GError) error = g_error_new (FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE,
                                            _ ("There is not enough memory to write “%s”."), name);
    report_export_error (self, error);
    forget_export (self);
  }
}

static gboolean
wrote_before (FsExportFlow *self, const char *path)
{
  gboolean found = FALSE;
  for (guint i = 0; i < self->files->len; i++)
    found |= strcmp (get_file (self, i)->path, path) == 0;
  return found;
}

/* A file for each object that there is. Nobody was asked about them: but for those that the last
 * export wrote they replace none. */
static gboolean
name_objects (FsExportFlow *self, GError **error)
{
  const FsImage *image = fs_document_get_image (self->document);
  size_t n = (size_t)image->width * (size_t)image->height;
  g_autoptr (GArray) files = new_files ();
  for (int label = FS_SEED_OBJECT; label <= FS_SEED_MAX; label++) {
    if (memchr (self->numbers, label, n) == NULL)
      continue;
    take_file (files, FS_EXPORT_CUTOUT,
               fs_export_names_object (self->chosen, label - FS_SEED_BACKGROUND,
                                       fs_project_get_name (self->project, (uint8_t)label)),
               (uint8_t)label);
    const char *path = g_array_index (files, File, files->len - 1).path;
    if (g_file_test (path, G_FILE_TEST_EXISTS) && !wrote_before (self, path)) {
      g_autofree char *shown = fs_display_name (path);
      g_set_error (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE,
                   _ ("“%s” is there already; nothing was written."), shown);
      return FALSE;
    }
  }
  if (files->len == 0) {
    g_set_error (error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE,
                 _ ("There is no object; nothing was written."));
    return FALSE;
  }
  g_array_unref (self->files);
  self->files = g_steal_pointer (&files);
  return TRUE;
}

static void
on_mapped (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FsExportFlow) self = user_data;
  g_autoptr (GError) error = NULL;
  self->numbers = fs_document_map_objects_finish (FS_DOCUMENT (source), result, &error);
  if (self->numbers != NULL && (self->what != FS_EXPORT_WHAT_EACH || name_objects (self, &error))) {
    write_next (self);
    return;
  }
  report_export_error (self, error);
  forget_export (self);
}

static void
on_export_final (GObject *source, GAsyncResult *result, gpointer user_data)
{
  g_autoptr (FsExportFlow) self = user_data;
  g_autoptr (GError) error = NULL;
  FsDocumentStatus status = fs_document_get_status (self->document);
  if (fs_document_wait_final_finish (self->document, result, &error) && !status.exact)
    g_set_error (&error, FS_EXPORT_ERROR, FS_EXPORT_ERROR_WRITE,
                 _ ("The cut is only a preview so far; nothing was written."));
  if (error == NULL)
    g_cancellable_set_error_if_cancelled (self->cancellable, &error);
  if (error != NULL) {
    report_export_error (self, error);
    forget_export (self);
    return;
  }
  self->generation = status.generation;
  if (self->messages != NULL)
    fs_message_bar_set_reason (self->messages, needs_numbers (self) ? _ ("separating the objects")
                                                                    : _ ("writing the picture"));
  if (needs_numbers (self))
    fs_document_map_objects_async (self->document, self->cancellable, on_mapped,
                                   g_object_ref (self));
  else
    write_next (self);
}

static void
start_export (FsExportFlow *self)
{
  g_autofree char *name = shown_name (self, 0);
  g_autofree char *text = g_strdup_printf (_ ("Saving “%s”…"), name);
  self->n_written = 0;
  self->cancellable = g_cancellable_new ();
  g_weak_ref_set (&self->last, self->project);
  fs_message_bar_clear (self->messages);
  fs_message_bar_begin_task (self->messages, text, self->cancellable);
  fs_message_bar_follow (self->messages, self->document);
  fs_document_wait_final_async (self->document, self->cancellable, on_export_final,
                                g_object_ref (self));
}

/* ---- Where ---- */

/* The path of the window's last export of such pictures of this photo, or NULL. */
static const char *
last_path (FsExportFlow *self, FsExportWhat what)
{
  g_autoptr (FsProject) last = g_weak_ref_get (&self->last);
  return last == self->project
                 && strcmp (fs_export_names_suffix (what, FS_EXPORT_PNG),
                            fs_export_names_suffix (self->what, FS_EXPORT_PNG))
                        == 0
             ? self->chosen
             : NULL;
}

/* Another object of the same photo has a name of its own; a corrected one keeps the one it has. */
static char *
suggested_name (FsExportFlow *self, const char *folder, FsExportWhat what)
{
  const char *last = last_path (self, what);
  g_autofree char *shown =
      fs_display_name (last != NULL ? last : fs_project_get_photo_path (self->project));
  g_autofree char *base = g_path_get_basename (shown);
  FsExportFormat format = fs_export_choice_get_format (fs_export_choice_get ());
  if (last != NULL && fs_export_format_of (last) == format)
    return g_steal_pointer (&base);
  return last != NULL ? fs_export_names_change_format (base, format)
                      : fs_export_names_suggest (folder, base, what, format);
}

/* The photo's folder. g_free. */
static char *
own_folder (FsExportFlow *self)
{
  return g_path_get_dirname (fs_project_get_photo_path (self->project));
}

/* The dialog's first folder; NULL: its default. g_free. */
static char *
suggested_folder (FsExportFlow *self, FsExportWhat what)
{
  g_autofree char *folder = own_folder (self);
  const char *path = last_path (self, what);
  const char *place = fs_export_choice_get_place (fs_export_choice_get (), folder);
  if (path != NULL)
    return g_path_get_dirname (path);
  if (place != NULL)
    return g_strdup (place);
  if (fs_pasted_is (fs_project_get_photo_path (self->project)))
    return g_strdup (g_get_user_special_dir (G_USER_DIRECTORY_PICTURES));
  return g_steal_pointer (&folder);
}

/* Strokes of a session or a journal are of no use without the photo that they were painted on. */
static gboolean
is_photo (FsExportFlow *self, const char *path)
{
  if (!fs_same_file (path, fs_project_get_photo_path (self->project)))
    return FALSE;
  g_autofree char *shown = fs_display_name (path);
  g_autofree char *name = g_path_get_basename (shown);
  g_autofree char *text =
      g_strdup_printf (_ ("“%s” is the photo itself. Choose another name."), name);
  if (self->messages != NULL)
    fs_message_bar_show (self->messages, GTK_MESSAGE_ERROR, text);
  return TRUE;
}

/* The ending of a name: the typed one, where that is a format's. */
static const char *
wanted_ending (const char *name)
{
  gsize n_ending = name != NULL ? fs_export_format_count_ending (name) : 0;
  return n_ending > 0
             ? name + strlen (name) - n_ending
             : fs_export_format_get_ending (fs_export_choice_get_format (fs_export_choice_get ()));
}

/* Outlines have a path for each object, layers one of their own. */
static FsExportKind
kind_of (const char *path)
{
  const FsExportFormat format = fs_export_format_of (path);
  return format == FS_EXPORT_SVG || fs_export_format_has_layers (format)
             ? FS_EXPORT_LABELS
             : fs_export_choice_get_kind (fs_export_choice_get ());
}

static void ask_what (FsExportFlow *self);

/* The files of the path that was chosen, which it takes. */
static void
export_to (FsExportFlow *self, char *taken, FsExportWhat what)
{
  g_autofree char *path = taken;
  /* The files of objects that the last export wrote are its own to replace. */
  if (what != FS_EXPORT_WHAT_EACH || g_strcmp0 (last_path (self, what), path) != 0) {
    g_array_set_size (self->files, 0);
    take_file (self->files, kind_of (path), g_strdup (path), FS_SEED_NONE);
  }
  if (what == FS_EXPORT_WHAT_BOTH)
    take_file (self->files, fs_export_choice_get_mask_kind (fs_export_choice_get ()),
               fs_export_names_mask_of (path), FS_SEED_NONE);
  self->what = what;
  g_free (self->chosen);
  self->chosen = g_steal_pointer (&path);
  start_export (self);
}

/* Cancel goes one step back. */
static void
on_chosen (FsExportFlow *self, int response)
{
  FsExportChoice *choice = fs_export_choice_get ();
  if (response != GTK_RESPONSE_ACCEPT) {
    g_clear_object (&self->chooser);
    ask_what (self);
    return;
  }
  g_autofree char *name = gtk_file_chooser_get_filename (GTK_FILE_CHOOSER (self->chooser));
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;
  if (fs_file_filters_take_path (self->chooser, wanted_ending (name), &path, &error)
      && path == NULL)
    return;
  g_clear_object (&self->chooser);
  if (error != NULL && self->messages != NULL)
    fs_message_bar_show (self->messages, GTK_MESSAGE_ERROR, error->message);
  if (path == NULL || is_photo (self, path)) {
    forget_export (self);
    return;
  }
  g_autofree char *folder = own_folder (self), *place = g_path_get_dirname (path);
  fs_export_choice_set_place (choice, folder, place);
  export_to (self, g_steal_pointer (&path), fs_export_choice_get_what (choice));
}

static void
ask_where (FsExportFlow *self)
{
  FsExportChoice *choice = fs_export_choice_get ();
  FsExportWhat what = fs_export_choice_get_what (choice);
  const char *title = what == FS_EXPORT_WHAT_LABELS || what == FS_EXPORT_WHAT_EACH
                          ? _ ("Export Objects")
                      : fs_export_choice_get_format (choice) == FS_EXPORT_SVG ? _ ("Export Outline")
                      : what == FS_EXPORT_WHAT_MASK                           ? _ ("Export Mask")
                                                    : _ ("Export Cut-Out");
  self->chooser = gtk_file_chooser_native_new (title, self->parent, GTK_FILE_CHOOSER_ACTION_SAVE,
                                               _ ("_Export"), _ ("_Cancel"));
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (self->chooser);
  g_autofree char *folder = suggested_folder (self, what);
  g_autofree char *name = suggested_name (self, folder, what);
  if (folder != NULL)
    gtk_file_chooser_set_current_folder (chooser, folder);
  gtk_file_chooser_set_current_name (chooser, name);
  fs_file_filters_ask (self->chooser, G_CALLBACK (on_chosen), self);
}

/* ---- What ---- */

static void
on_dialog_response (FsExportFlow *self, int response)
{
  g_clear_pointer (&self->dialog, gtk_widget_destroy);
  if (response == GTK_RESPONSE_ACCEPT && self->parent != NULL)
    ask_where (self);
  else
    forget_export (self);
}

static void
ask_what (FsExportFlow *self)
{
  if (self->parent == NULL) {
    forget_export (self);
    return;
  }
  self->dialog = GTK_WIDGET (fs_export_dialog_new (self->parent, self->document));
  g_signal_connect_object (self->dialog, "response", G_CALLBACK (on_dialog_response), self,
                           G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (self->dialog));
}

static void
begin_export (FsExportFlow *self, FsProject *project)
{
  self->project = g_object_ref (project);
  self->document = g_object_ref (fs_project_get_document (project));
}

void
fs_export_flow_ask (FsExportFlow *self, FsProject *project)
{
  g_return_if_fail (self->parent != NULL);
  if (self->project != NULL)
    return;
  begin_export (self, project);
  ask_what (self);
}

/* To the last export's place and format, under the photo's own name, which replaces nothing. */
static void
repeat_for_other (FsExportFlow *self)
{
  g_autofree char *folder = g_path_get_dirname (self->chosen);
  g_autofree char *shown = fs_display_name (fs_project_get_photo_path (self->project));
  g_autofree char *base = g_path_get_basename (shown);
  g_autofree char *name =
      fs_export_names_suggest (folder, base, self->what, fs_export_format_of (self->chosen));
  export_to (self, g_build_filename (folder, name, NULL), self->what);
}

void
fs_export_flow_repeat (FsExportFlow *self, FsProject *project, gboolean goes_on)
{
  g_return_if_fail (self->parent != NULL);
  g_autoptr (FsProject) last = g_weak_ref_get (&self->last);
  if (last != project && (!goes_on || self->chosen == NULL)) {
    fs_export_flow_ask (self, project);
    return;
  }
  if (self->project != NULL)
    return;
  begin_export (self, project);
  if (last == project)
    start_export (self);
  else
    repeat_for_other (self);
}

void
fs_export_flow_close (FsExportFlow *self)
{
  if (self->cancellable != NULL)
    g_cancellable_cancel (self->cancellable);
  else
    forget_export (self);
  self->parent = NULL;
  self->messages = NULL;
}

FsExportFlow *
fs_export_flow_new (GtkWindow *parent, FsMessageBar *messages)
{
  FsExportFlow *self = g_object_new (FS_TYPE_EXPORT_FLOW, NULL);
  self->parent = parent;
  self->messages = messages;
  return self;
}

static void
fs_export_flow_dispose (GObject *object)
{
  FsExportFlow *self = FS_EXPORT_FLOW (object);
  self->messages = NULL;
  forget_export (self);
  G_OBJECT_CLASS (fs_export_flow_parent_class)->dispose (object);
}

static void
fs_export_flow_finalize (GObject *object)
{
  FsExportFlow *self = FS_EXPORT_FLOW (object);
  g_array_unref (self->files);
  g_free (self->chosen);
  g_weak_ref_clear (&self->last);
  G_OBJECT_CLASS (fs_export_flow_parent_class)->finalize (object);
}

static void
fs_export_flow_class_init (FsExportFlowClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fs_export_flow_dispose;
  G_OBJECT_CLASS (klass)->finalize = fs_export_flow_finalize;
}

static void
fs_export_flow_init (FsExportFlow *self)
{
  self->files = new_files ();
  g_weak_ref_init (&self->last, NULL);
}
