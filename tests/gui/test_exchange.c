/* SPDX-License-Identifier: MIT */
/* In and out without files: the clipboard, and dragging the cut-out away. */
#include "app/export/export.h"
#include "app/export/export_edge.h"
#include "app/live/document_edge.h"
#include "app/photo/photo.h"
#include "app/session/pasted.h"
#include "tests/gui/dialogs.h"
#include "tests/gui/scene.h"
#include "tests/gui/stage.h"

#include <glib/gstdio.h>
#include <string.h>

static FsMessageBar *
messages_of (Stage *stage)
{
  return fs_window_get_messages (stage->window);
}

static void
assert_message (Stage *stage, const char *area)
{
  const char *text = fs_message_bar_get_text (messages_of (stage));
  g_assert_nonnull (text);
  g_assert_nonnull (strstr (text, area));
}

static GtkClipboard *
the_clipboard (void)
{
  return gtk_clipboard_get (GDK_SELECTION_CLIPBOARD);
}

/* The image is the cut-out with the document's edge. */
static void
assert_cutout (FsImage *image, Stage *stage)
{
  FsDocument *document = stage_document (stage);
  const FsExport what = { .image = fs_document_get_image (document),
                          .mask = fs_document_get_mask (document),
                          .marks = fs_document_get_marks (document),
                          .edge = fs_document_get_edge_settings (document) };
  g_autoptr (FsImage) expected =
      fs_export_edge_render (&what, (FsRect){ 0, 0, what.image->width, what.image->height });
  g_assert_cmpint (image->width, ==, expected->width);
  g_assert_cmpint (image->height, ==, expected->height);
  g_assert_true (image->has_alpha);
  for (int i = 0; i < expected->width * expected->height; i++)
    g_assert_cmphex (image->pixels[i], ==,
                     FS_PIXEL_A (expected->pixels[i]) > 0 ? expected->pixels[i] : 0);
}

static void
copy (Stage *stage)
{
  stage_type (stage, GDK_KEY_c, GDK_CONTROL_MASK);
  dialogs_wait_for_task (stage);
  assert_message (stage, "clipboard");
}

static gboolean
has_document (gpointer window)
{
  return fs_window_get_document (window) != NULL;
}

/* What is copied is, pasted into another window, the cut-out; its file goes with the window. */
static void
test_copy_and_paste (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  copy (stage);

  g_autoptr (Stage) other = stage_new ();
  stage_type (other, GDK_KEY_v, GDK_CONTROL_MASK);
  stage_wait (has_document, other->window);
  stage_frame (other);
  assert_cutout (fs_document_get_image (stage_document (other)), stage);
  FsProject *project = fs_window_get_project (other->window);
  g_autofree char *pasted = g_strdup (fs_project_get_photo_path (project));
  g_assert_true (fs_pasted_is (pasted));
  g_assert_false (fs_project_is_unsaved (project));
  gtk_widget_destroy (GTK_WIDGET (other->window));
  g_assert_false (g_file_test (pasted, G_FILE_TEST_EXISTS));
}

static void
test_paste_pixels (void)
{
  g_autoptr (Stage) stage = stage_new ();
  g_autofree char *path = scene_write (stage->folder, "scene.png");
  g_autoptr (GdkPixbuf) pixbuf = gdk_pixbuf_new_from_file (path, NULL);
  gtk_clipboard_set_image (the_clipboard (), pixbuf);
  stage_activate (stage, "paste");
  stage_wait (has_document, stage->window);
  g_assert_cmpint (fs_document_get_image (stage_document (stage))->width, ==, SCENE_WIDTH);
  gtk_clipboard_clear (the_clipboard ());
}

static gboolean
has_message (gpointer messages)
{
  return fs_message_bar_get_text (messages) != NULL;
}

static void
test_paste_nothing (void)
{
  g_autoptr (Stage) stage = stage_new ();
  gtk_clipboard_set_text (the_clipboard (), "words", -1);
  stage_activate (stage, "paste");
  stage_wait (has_message, messages_of (stage));
  assert_message (stage, "no image");
  g_assert_null (stage_document (stage));
}

static void
give_uris (GtkClipboard *clipboard, GtkSelectionData *data, guint info, gpointer uris)
{
  gtk_selection_data_set_uris (data, uris);
}

/* A file that was copied in a file manager; one of another computer is refused. */
static void
test_paste_file (void)
{
  g_autoptr (Stage) stage = stage_new ();
  GtkTargetEntry target = { (char *)"text/uri-list", 0, 0 };
  g_autofree char *path = scene_write (stage->folder, "scene.png");
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);
  char *uris[] = { uri, NULL }, *foreign[] = { (char *)"file://elsewhere/a.png", NULL };
  gtk_clipboard_set_with_data (the_clipboard (), &target, 1, give_uris, NULL, foreign);
  stage_activate (stage, "paste");
  stage_wait (has_message, messages_of (stage));
  assert_message (stage, "not on this computer");
  gtk_clipboard_set_with_data (the_clipboard (), &target, 1, give_uris, NULL, uris);
  stage_activate (stage, "paste");
  stage_wait (has_document, stage->window);
  g_assert_cmpstr (fs_project_get_photo_path (fs_window_get_project (stage->window)), ==, path);
  gtk_clipboard_clear (the_clipboard ());
}

/* ---- Dragging ---- */

typedef struct {
  char *path;
  gboolean over;
} Dropped;

static void
on_dropped (GtkWidget *widget, GdkDragContext *context, int x, int y, GtkSelectionData *data,
            guint info, guint time, Dropped *dropped)
{
  g_auto (GStrv) uris = gtk_selection_data_get_uris (data);
  if (uris != NULL && uris[0] != NULL)
    dropped->path = g_filename_from_uri (uris[0], NULL, NULL);
  dropped->over = TRUE;
}

static gboolean
is_over (gpointer dropped)
{
  return ((Dropped *)dropped)->over;
}

/* The window takes it along. */
static gboolean
is_gone (gpointer path)
{
  return !g_file_test (path, G_FILE_TEST_EXISTS);
}

static gboolean
is_mapped (gpointer widget)
{
  return gtk_widget_get_mapped (widget);
}

static void
xdotool (const char *arguments)
{
  g_autofree char *line = g_strdup_printf ("xdotool %s", arguments);
  g_autoptr (GError) error = NULL;
  g_assert_true (g_spawn_command_line_async (line, &error));
}

static GtkWidget *
open_file_manager (Dropped *dropped)
{
  GtkWidget *window = gtk_window_new (GTK_WINDOW_POPUP);
  gtk_window_move (GTK_WINDOW (window), 1300, 300);
  gtk_window_set_default_size (GTK_WINDOW (window), 400, 400);
  gtk_drag_dest_set (window, GTK_DEST_DEFAULT_ALL, NULL, 0, GDK_ACTION_COPY);
  gtk_drag_dest_add_uri_targets (window);
  g_signal_connect (window, "drag-data-received", G_CALLBACK (on_dropped), dropped);
  gtk_widget_show (window);
  stage_wait (is_mapped, window);
  return window;
}

static GtkWidget *
get_export_button (Stage *stage)
{
  return GTK_WIDGET (
      gtk_widget_get_template_child (GTK_WIDGET (stage->window), FS_TYPE_WINDOW, "export_button"));
}

/* Its middle, on the screen. */
static void
find_export_button (Stage *stage, int *x, int *y)
{
  GtkWidget *button = get_export_button (stage);
  int root_x, root_y;
  gtk_widget_translate_coordinates (button, GTK_WIDGET (stage->window),
                                    gtk_widget_get_allocated_width (button) / 2,
                                    gtk_widget_get_allocated_height (button) / 2, x, y);
  gdk_window_get_origin (gtk_widget_get_window (GTK_WIDGET (stage->window)), &root_x, &root_y);
  *x += root_x;
  *y += root_y;
}

static void
on_drag_end (GtkWidget *widget, GdkDragContext *context, gpointer ended)
{
  *(gboolean *)ended = TRUE;
}

static gboolean
is_true (gpointer value)
{
  return *(gboolean *)value;
}

/* A click that slips opens no second window. */
static void
test_drag_onto_itself (void)
{
  g_autofree char *program = g_find_program_in_path ("xdotool");
  if (program == NULL) {
    g_test_skip ("xdotool is not installed");
    return;
  }
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  FsDocument *document = stage_document (stage);
  GtkApplication *application = GTK_APPLICATION (stage->application);
  guint n_windows = g_list_length (gtk_application_get_windows (application));
  gboolean ended = FALSE;
  int x, y;
  g_signal_connect (get_export_button (stage), "drag-end", G_CALLBACK (on_drag_end), &ended);
  find_export_button (stage, &x, &y);
  g_autofree char *drag = g_strdup_printf (
      "mousemove %d %d sleep 0.2 mousedown 1 sleep 0.1 mousemove %d %d sleep 0.1 mousemove %d %d "
      "sleep 0.3 mousemove %d %d sleep 0.3 mouseup 1",
      x, y, x + 15, y + 10, x - 60, y + 200, x - 65, y + 205);
  xdotool (drag);
  stage_wait (is_true, &ended);
  stage_frame (stage);
  g_assert_cmpuint (g_list_length (gtk_application_get_windows (application)), ==, n_windows);
  g_assert_true (stage_document (stage) == document);
}

/* With a real pointer, from the button to a window that takes files. */
static void
test_drag_out (void)
{
  g_autofree char *program = g_find_program_in_path ("xdotool");
  if (program == NULL) {
    g_test_skip ("xdotool is not installed");
    return;
  }
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  Dropped dropped = { NULL, FALSE };
  GtkWidget *manager = open_file_manager (&dropped);
  int x, y;
  find_export_button (stage, &x, &y);
  g_autofree char *drag = g_strdup_printf (
      "mousemove %d %d sleep 0.2 mousedown 1 sleep 0.1 mousemove %d %d sleep 0.1 mousemove %d %d "
      "sleep 0.3 mousemove 1450 450 sleep 0.2 mousemove 1455 455 sleep 0.5 mouseup 1",
      x, y, x + 15, y + 10, x + 60, y + 60);
  xdotool (drag);
  stage_wait (is_over, &dropped);
  g_assert_nonnull (dropped.path);
  g_assert_true (g_str_has_suffix (dropped.path, "/scene-cutout.png"));
  g_autoptr (FsPhoto) photo = fs_photo_load (dropped.path, NULL, NULL, NULL);
  g_assert_nonnull (photo);
  assert_cutout (photo->image, stage);
  gtk_widget_destroy (manager);
  gtk_widget_destroy (GTK_WIDGET (stage->window));
  stage_wait (is_gone, dropped.path);
  g_free (dropped.path);
}

/* ---- Masks ---- */

/* The mask of the two strokes, with three more parts of nine pixels far from them. */
static GBytes *
make_mask (Stage *stage, const char *path)
{
  FsDocument *document = stage_document (stage);
  gsize n;
  g_autoptr (GBytes) mask = stage_mask (stage);
  uint8_t *plane = g_memdup2 (g_bytes_get_data (mask, &n), SCENE_WIDTH * SCENE_HEIGHT);
  for (int i = 0; i < 27; i++)
    plane[(5 + i / 3 % 3) * SCENE_WIDTH + 10 + i / 9 * 50 + i % 3] = 1;
  FsExport what = { .image = fs_document_get_image (document),
                    .mask = plane,
                    .kind = FS_EXPORT_MASK };
  g_assert_true (fs_export_write (&what, path, NULL, NULL, NULL, NULL));
  return g_bytes_new_take (plane, n);
}

static void
import_mask (Stage *stage, const char *path)
{
  stage_type (stage, GDK_KEY_i, GDK_CONTROL_MASK);
  dialogs_choose (path);
  dialogs_wait_for_task (stage);
}

static int
count_differences (Stage *stage, GBytes *mask)
{
  g_autoptr (GBytes) now = stage_mask (stage);
  const uint8_t *a = g_bytes_get_data (mask, NULL), *b = g_bytes_get_data (now, NULL);
  int n = 0;
  for (int i = 0; i < SCENE_WIDTH * SCENE_HEIGHT; i++)
    n += a[i] != b[i];
  return n;
}

/* A mask is there whole, paints nothing over the photo, and is one edit among the strokes. */
static void
test_import_mask (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  stage_paint_both (stage);
  FsDocument *document = stage_document (stage);
  g_autofree char *path = g_build_filename (stage->folder, "a 100%sure.png", NULL);
  g_autoptr (GBytes) mask = make_mask (stage, path);
  stage_activate (stage, "undo");
  stage_activate (stage, "undo");
  g_autoptr (GBytes) no_marks = stage_marks (stage);
  fs_tools_set_view (fs_window_get_tools (stage->window), FS_VIEW_MARKS);
  import_mask (stage, path);
  assert_message (stage, "“a 100%sure.png” is the mask now.");
  g_assert_cmpint (fs_tools_get_view (fs_window_get_tools (stage->window)), ==, FS_VIEW_OVERLAY);
  stage_wait_for_final (stage);
  g_assert_cmpint (count_differences (stage, mask), ==, 0);
  g_autoptr (GBytes) marks = stage_marks (stage);
  g_assert_true (g_bytes_equal (marks, no_marks));
  g_assert_cmpstr (fs_document_get_guess_name (document), ==, "a 100%sure.png");

  /* A stroke in one of the parts takes it away and leaves the rest. */
  stage_stroke (stage, 3, 11, 6, 11.5, 6.5, 2);
  stage_wait_for_final (stage);
  int n_less = count_differences (stage, mask);
  g_assert_cmpint (n_less, >=, 9);
  g_assert_cmpint (n_less, <, 100);
  stage_activate (stage, "undo");
  stage_wait_for_final (stage);
  g_assert_cmpint (count_differences (stage, mask), ==, 0);
  stage_activate (stage, "undo");
  g_assert_false (fs_document_can_undo (document));
  g_assert_null (fs_document_get_guess (document));
  stage_activate (stage, "redo");
  stage_wait_for_final (stage);
  g_assert_cmpint (count_differences (stage, mask), ==, 0);
}

static void
import_plane (Stage *stage, int width, int height, guint32 rgba)
{
  g_autofree char *path = g_build_filename (stage->folder, "other.png", NULL);
  g_autoptr (GdkPixbuf) pixbuf = gdk_pixbuf_new (GDK_COLORSPACE_RGB, FALSE, 8, width, height);
  gdk_pixbuf_fill (pixbuf, 0x000000ff);
  g_autoptr (GdkPixbuf) area = gdk_pixbuf_new_subpixbuf (pixbuf, 0, 0, width / 2, height);
  gdk_pixbuf_fill (area, rgba);
  g_assert_true (gdk_pixbuf_save (pixbuf, path, "png", NULL, NULL));
  import_mask (stage, path);
}

/* Of the photo's proportions, of a network's square, of another photo; of nothing, and no picture.
 */
static void
test_import_other_sizes (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  FsDocument *document = stage_document (stage);
  import_plane (stage, 10, 30, 0xffffffff);
  assert_message (stage, "10 × 30 pixels, but the photo is 320 × 240");
  import_plane (stage, 320, 240, 0x010101ff);
  import_plane (stage, 160, 120, 0x202020ff);
  assert_message (stage, "“other.png” marks no object");
  g_assert_cmpint (fs_document_get_n_strokes (document), ==, 1);
  import_plane (stage, 64, 64, 0xffffffff);
  assert_message (stage, "was stretched to the photo's proportions");
  import_plane (stage, 160, 120, 0xffffffff);
  assert_message (stage, "The cut follows “other.png”");
  g_autofree char *text = g_build_filename (stage->folder, "text.png", NULL);
  g_assert_true (g_file_set_contents (text, "no picture", -1, NULL));
  import_mask (stage, text);
  assert_message (stage, "text.png: ");
  g_assert_cmpint (fs_document_get_n_strokes (document), ==, 3);
  g_assert_cmpint (fs_guess_get_width (fs_document_get_guess (document)), ==, 160);
}

#define SEGMENTATION(x0, y0, x1, y1)                                                               \
  "[[" #x0 "," #y0 "," #x1 "," #y0 "," #x1 "," #y1 "," #x0 "," #y1 "]]"

static const char labels[] =
    "{\"images\":[{\"id\":1,\"file_name\":\"scene.png\",\"width\":320,\"height\":240},"
    "{\"id\":2,\"file_name\":\"b.png\",\"width\":9,\"height\":9}],\"annotations\":["
    "{\"id\":1,\"image_id\":1,\"category_id\":5,\"segmentation\":" SEGMENTATION (
        10, 10, 60,
        50) "},"
            "{\"id\":2,\"image_id\":1,\"category_id\":6,\"segmentation\":" SEGMENTATION (
                60, 10, 90, 50) "},"
                                "{\"id\":3,\"image_id\":1,\"category_id\":7,"
                                "\"segmentation\":[]}],\"categories\":["
                                "{\"id\":5,\"name\":\"cow\"},"
                                "{\"id\":6,\"name\":\"calf\"}]}";

static const char no_labels[] =
    "{\"images\":[{\"id\":1,\"file_name\":\"x.png\",\"width\":320,\"height\":240}],"
    "\"annotations\":[],\"categories\":[{\"id\":5,\"name\":\"cow\"}]}";

/* The objects of this photo, with their names, in one edit; what is left out is told. */
static void
test_import_labels (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  FsDocument *document = stage_document (stage);
  FsProject *project = fs_window_get_project (stage->window);
  g_autofree char *name = g_path_get_basename (fs_project_get_photo_path (project));
  g_auto (GStrv) parts = g_strsplit (labels, "scene.png", 2);
  g_autofree char *text = g_strjoinv (name, parts);
  g_autofree char *path = g_build_filename (stage->folder, "set.json", NULL);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  import_mask (stage, path);
  assert_message (stage, "From “set.json”: 2 objects, 1 left out: 1 of an unknown class "
                         "(annotation 3).");
  stage_wait_for_final (stage);
  g_autoptr (GBytes) mask = stage_mask (stage);
  const uint8_t *pixels = g_bytes_get_data (mask, NULL);
  for (int p = 0; p < SCENE_WIDTH * SCENE_HEIGHT; p++) {
    int x = p % SCENE_WIDTH, y = p / SCENE_WIDTH;
    g_assert_cmpint (pixels[p], ==, x >= 10 && x < 90 && y >= 10 && y < 50);
  }
  g_assert_cmpint (fs_document_count_objects (document), ==, 2);
  g_assert_cmpstr (fs_project_get_name (project, 2), ==, "cow");
  g_assert_cmpstr (fs_project_get_name (project, 3), ==, "calf");
  g_assert_cmpstr (fs_document_get_guess_name (document), ==, "set.json");
  stage_activate (stage, "undo");
  g_assert_false (fs_document_can_undo (document));
  g_assert_cmpint (fs_document_count_objects (document), ==, 0);
  g_assert_null (fs_message_bar_get_text (messages_of (stage)));
  g_assert_true (g_file_set_contents (path, no_labels, -1, NULL));
  import_mask (stage, path);
  assert_message (stage, "“set.json” has no object for this photo.");
  g_assert_true (g_file_set_contents (path, "{\"images\":[],\"annotations\":[]}", -1, NULL));
  import_mask (stage, path);
  assert_message (stage, "set.json: has no labels of this photo");
}

/* A set of VOC that names no class: that its names are assumed is told. */
static void
test_import_assumed_names (void)
{
  g_autoptr (Stage) stage = stage_new ();
  stage_open_scene (stage);
  FsProject *project = fs_window_get_project (stage->window);
  g_autofree char *name = g_path_get_basename (fs_project_get_photo_path (project));
  g_autofree char *folder = g_build_filename (stage->folder, "SegmentationClass", NULL);
  g_autofree char *path = g_build_filename (folder, name, NULL);
  uint8_t plane[SCENE_WIDTH * SCENE_HEIGHT] = { 0 };
  memset (plane, 12, SCENE_WIDTH * 20);
  const FsExport what = { .image = fs_document_get_image (stage_document (stage)),
                          .mask = plane,
                          .kind = FS_EXPORT_LABELS };
  g_assert_cmpint (g_mkdir (folder, 0700), ==, 0);
  g_assert_true (fs_export_write (&what, path, NULL, NULL, NULL, NULL));
  import_mask (stage, path);
  assert_message (stage, "1 object");
  assert_message (stage, "the names are those of VOC's twenty classes");
  g_assert_cmpstr (fs_project_get_name (project, 2), ==, "dog");

  g_autofree char *list = g_build_filename (stage->folder, "classes.txt", NULL);
  g_assert_true (g_file_set_contents (list, "a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\ncat\n", -1, NULL));
  import_mask (stage, path);
  g_assert_null (strstr (fs_message_bar_get_text (messages_of (stage)), "twenty"));
  g_assert_cmpstr (fs_project_get_name (project, 3), ==, "cat");
  g_assert_cmpint (g_unlink (path), ==, 0);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/exchange/copy-and-paste", test_copy_and_paste);
  g_test_add_func ("/exchange/paste-pixels", test_paste_pixels);
  g_test_add_func ("/exchange/paste-nothing", test_paste_nothing);
  g_test_add_func ("/exchange/paste-file", test_paste_file);
  g_test_add_func ("/exchange/drag-out", test_drag_out);
  g_test_add_func ("/exchange/drag-onto-itself", test_drag_onto_itself);
  g_test_add_func ("/exchange/import-mask", test_import_mask);
  g_test_add_func ("/exchange/import-other-sizes", test_import_other_sizes);
  g_test_add_func ("/exchange/import-labels", test_import_labels);
  g_test_add_func ("/exchange/import-assumed-names", test_import_assumed_names);
  return g_test_run ();
}
