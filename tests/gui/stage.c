/* SPDX-License-Identifier: MIT */
#include "tests/gui/stage.h"

#include "tests/gui/fresh_cut.h"
#include "tests/gui/scene.h"
#include "ui/settings/preferences.h"
#include <glib/gstdio.h>
#include <string.h>

#define DEADLINE_S 120

/* Asked for by LeakSanitizer. Fontconfig keeps offsets where others keep pointers, so that patterns
 * in its caches look lost; GLib gives up its table of interned strings, first made by a library's
 * constructor, when that is full. GTK's file dialog, closed while files still arrive, may leave a
 * key by which it sorts them; no code of ours makes one. Frames are only seen by the thorough way
 * of unwinding, which costs more than all the rest: a few say who asked. */
const char *__lsan_default_suppressions (void);
const char *__asan_default_options (void);

const char *
__lsan_default_suppressions (void)
{
  return "leak:libfontconfig\nleak:ld-linux\nleak:g_utf8_collate_key_for_filename\n";
}

const char *
__asan_default_options (void)
{
  return "fast_unwind_on_malloc=0:malloc_context_size=8";
}

static gboolean
on_deadline (gpointer user_data)
{
  g_error ("the state that the test waits for was not reached in %d s", DEADLINE_S);
  return G_SOURCE_REMOVE;
}

void
stage_wait (gboolean (*reached) (gpointer data), gpointer data)
{
  guint deadline = g_timeout_add_seconds (DEADLINE_S, on_deadline, NULL);
  while (!reached (data))
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (deadline);
}

static gboolean
note_passed (gpointer passed)
{
  *(gboolean *)passed = TRUE;
  return G_SOURCE_REMOVE;
}

static gboolean
has_passed (gpointer passed)
{
  return *(gboolean *)passed;
}

void
stage_pause (guint ms)
{
  gboolean passed = FALSE;
  g_timeout_add_full (G_PRIORITY_HIGH, ms, note_passed, &passed, NULL);
  stage_wait (has_passed, &passed);
}

static gboolean
is_drawn (gpointer data)
{
  return gtk_widget_get_mapped (data);
}

static gboolean
count_frame (GtkWidget *widget, GdkFrameClock *clock, gpointer data)
{
  return ++*(int *)data < 2;
}

static gboolean
two_frames_passed (gpointer data)
{
  return *(int *)data >= 2;
}

static gboolean
input_is_taken (gpointer canvas)
{
  return !fs_canvas_awaits_frame (canvas);
}

void
stage_frame (Stage *stage)
{
  int n_frames = 0;
  stage_wait (input_is_taken, stage_canvas (stage));
  gtk_widget_add_tick_callback (GTK_WIDGET (stage->window), count_frame, &n_frames, NULL);
  stage_wait (two_frames_passed, &n_frames);
  while (g_main_context_pending (NULL))
    g_main_context_iteration (NULL, FALSE);
}

static gboolean
shows_final_mask (gpointer data)
{
  return fs_document_get_status (data).is_final;
}

void
stage_wait_for_final (Stage *stage)
{
  stage_wait (shows_final_mask, stage_document (stage));
  stage_frame (stage);
}

/* One for the whole process: only g_application_run() can end an application. */
static FsApplication *
the_application (void)
{
  static FsApplication *application;
  g_autoptr (GError) error = NULL;
  if (application != NULL)
    return application;
  application = fs_application_new ();
  g_application_set_flags (G_APPLICATION (application),
                           G_APPLICATION_HANDLES_OPEN | G_APPLICATION_NON_UNIQUE);
  g_application_register (G_APPLICATION (application), NULL, &error);
  g_assert_no_error (error);
  return application;
}

Stage *
stage_new (void)
{
  g_autoptr (GError) error = NULL;
  Stage *stage = g_new0 (Stage, 1);
  stage->folder = g_dir_make_tmp ("fretsaw-XXXXXX", &error);
  g_assert_no_error (error);
  stage->application = the_application ();
  fs_preferences_reset ();
  g_object_set (gtk_settings_get_default (), "gtk-enable-animations", FALSE, NULL);
  stage->window = fs_window_new (GTK_APPLICATION (stage->application));
  g_object_add_weak_pointer (G_OBJECT (stage->window), (gpointer *)&stage->window);
  /* A slow machine may take longer from a message to the test's look at it than reading does. */
  fs_message_bar_set_news_seconds (fs_window_get_messages (stage->window), DEADLINE_S);
  gtk_window_present (GTK_WINDOW (stage->window));
  stage_wait (is_drawn, stage->window);
  stage_frame (stage);
  return stage;
}

static void
remove_folder (const char *folder)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  for (const char *name = g_dir_read_name (dir); name != NULL; name = g_dir_read_name (dir)) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_assert_cmpint (g_unlink (path), ==, 0);
  }
  g_rmdir (folder);
}

static gboolean
is_gone (gpointer data)
{
  return *(gpointer *)data == NULL;
}

void
stage_free (Stage *stage)
{
  if (stage->window != NULL)
    gtk_widget_destroy (GTK_WIDGET (stage->window));
  /* Jobs that were under way hold the window until their workers have come back. */
  stage_wait (is_gone, &stage->window);
  while (g_main_context_pending (NULL))
    g_main_context_iteration (NULL, FALSE);
  remove_folder (stage->folder);
  g_free (stage->folder);
  g_free (stage);
}

static gboolean
opening_is_over (gpointer data)
{
  return !fs_message_bar_has_task (fs_window_get_messages (data));
}

void
stage_open (Stage *stage, const char *path)
{
  g_autoptr (GFile) file = g_file_new_for_path (path);
  fs_window_open (stage->window, file);
  stage_wait (opening_is_over, stage->window);
  stage_frame (stage);
}

void
stage_open_scene (Stage *stage)
{
  g_autofree char *path = scene_write (stage->folder, "scene.png");
  stage_open (stage, path);
  g_assert_nonnull (stage_document (stage));
}

FsDocument *
stage_document (Stage *stage)
{
  return fs_window_get_document (stage->window);
}

FsCanvas *
stage_canvas (Stage *stage)
{
  return fs_window_get_canvas (stage->window);
}

void
stage_activate (Stage *stage, const char *action)
{
  g_assert_true (g_action_group_get_action_enabled (G_ACTION_GROUP (stage->window), action));
  g_action_group_activate_action (G_ACTION_GROUP (stage->window), action, NULL);
}

/* ---- Events ---- */

static GdkEvent *
new_event (Stage *stage, GdkEventType type, GtkWidget *widget)
{
  GdkEvent *event = gdk_event_new (type);
  GdkSeat *seat = gdk_display_get_default_seat (gdk_display_get_default ());
  gboolean is_key = type == GDK_KEY_PRESS || type == GDK_KEY_RELEASE;
  event->any.window = g_object_ref (gtk_widget_get_window (widget));
  event->any.send_event = TRUE;
  gdk_event_set_device (event, is_key ? gdk_seat_get_keyboard (seat) : gdk_seat_get_pointer (seat));
  stage->time_ms += 8;
  return event;
}

static void
play (GdkEvent *event)
{
  gtk_main_do_event (event);
  gdk_event_free (event);
}

static void
play_button (Stage *stage, GdkEventType type, guint button, double x, double y)
{
  GdkEvent *event = new_event (stage, type, GTK_WIDGET (stage_canvas (stage)));
  event->button.time = stage->time_ms;
  event->button.button = button;
  event->button.state = stage->state;
  event->button.x = x;
  event->button.y = y;
  play (event);
}

void
stage_press (Stage *stage, guint button, double x, double y)
{
  play_button (stage, GDK_BUTTON_PRESS, button, x, y);
  stage->state |= GDK_BUTTON1_MASK << (button - 1);
}

void
stage_release (Stage *stage, guint button, double x, double y)
{
  play_button (stage, GDK_BUTTON_RELEASE, button, x, y);
  stage->state &= ~(GDK_BUTTON1_MASK << (button - 1));
}

void
stage_move (Stage *stage, double x, double y)
{
  GdkEvent *event = new_event (stage, GDK_MOTION_NOTIFY, GTK_WIDGET (stage_canvas (stage)));
  event->motion.time = stage->time_ms;
  event->motion.state = stage->state;
  event->motion.x = x;
  event->motion.y = y;
  play (event);
}

void
stage_scroll (Stage *stage, GdkScrollDirection direction, double x, double y)
{
  GdkEvent *event = new_event (stage, GDK_SCROLL, GTK_WIDGET (stage_canvas (stage)));
  event->scroll.time = stage->time_ms;
  event->scroll.state = stage->state;
  event->scroll.direction = direction;
  event->scroll.x = x;
  event->scroll.y = y;
  play (event);
}

void
stage_key (Stage *stage, guint keyval, gboolean down)
{
  g_autofree GdkKeymapKey *keys = NULL;
  int n_keys = 0;
  GdkKeymap *keymap = gdk_keymap_get_for_display (gdk_display_get_default ());
  g_assert_true (gdk_keymap_get_entries_for_keyval (keymap, keyval, &keys, &n_keys));

  GdkEvent *event =
      new_event (stage, down ? GDK_KEY_PRESS : GDK_KEY_RELEASE, GTK_WIDGET (stage->window));
  event->key.time = stage->time_ms;
  event->key.state = stage->state;
  event->key.keyval = keyval;
  event->key.hardware_keycode = (guint16)keys[0].keycode;
  event->key.group = (guint8)keys[0].group;
  play (event);
}

void
stage_type (Stage *stage, guint keyval, GdkModifierType state)
{
  stage->state |= state;
  stage_key (stage, keyval, TRUE);
  stage_key (stage, keyval, FALSE);
  stage->state &= ~state;
}

void
stage_to_widget (Stage *stage, double image_x, double image_y, double *x, double *y)
{
  fs_view_transform_to_widget (fs_canvas_get_transform (stage_canvas (stage)), image_x, image_y, x,
                               y);
}

void
stage_stroke (Stage *stage, guint button, double x0, double y0, double x1, double y1, int n)
{
  double x, y;
  stage_to_widget (stage, x0, y0, &x, &y);
  stage_move (stage, x, y);
  stage_press (stage, button, x, y);
  for (int i = 1; i <= n; i++) {
    stage_to_widget (stage, x0 + (x1 - x0) * i / n, y0 + (y1 - y0) * i / n, &x, &y);
    stage_move (stage, x, y);
    if (i % 4 == 0)
      stage_frame (stage);
  }
  stage_release (stage, button, x, y);
}

/* ---- What came of it ---- */

static GBytes *
copy_plane (FsDocument *document, const uint8_t *plane)
{
  FsImage *image = fs_document_get_image (document);
  return g_bytes_new (plane, (gsize)image->width * (gsize)image->height);
}

GBytes *
stage_mask (Stage *stage)
{
  return copy_plane (stage_document (stage), fs_document_get_mask (stage_document (stage)));
}

GBytes *
stage_marks (Stage *stage)
{
  return copy_plane (stage_document (stage), fs_document_get_marks (stage_document (stage)));
}

void
stage_paint_both (Stage *stage)
{
  stage_stroke (stage, GDK_BUTTON_PRIMARY, 140, 90, 200, 140, 12);
  stage_stroke (stage, GDK_BUTTON_SECONDARY, 20, 20, 300, 24, 12);
  stage_wait_for_final (stage);
}

void
stage_assert_fresh (Stage *stage)
{
  FsDocument *document = stage_document (stage);
  FsImage *image = fs_document_get_image (document);
  FsSettings settings = fs_document_get_settings (document);
  gsize n = (gsize)image->width * (gsize)image->height;
  g_autoptr (GPtrArray) strokes = g_ptr_array_new ();
  for (guint i = 0; i < fs_document_get_n_strokes (document); i++)
    g_ptr_array_add (strokes, (gpointer)fs_document_get_stroke (document, i));
  g_autofree uint8_t *mask = fresh_cut (image, &settings, strokes, strokes->len);
  g_assert_cmpmem (fs_document_get_mask (document), n, mask, n);
  g_assert_true (fs_document_get_status (document).exact);
}

GtkWidget *
stage_widget_under_pointer (GtkWidget *canvas, int x, int y)
{
  GdkWindow *window = gtk_widget_get_window (canvas);
  GdkDevice *pointer =
      gdk_seat_get_pointer (gdk_display_get_default_seat (gtk_widget_get_display (canvas)));
  gpointer widget = NULL;
  int root_x, root_y;
  gdk_window_get_root_coords (window, x, y, &root_x, &root_y);
  gdk_device_warp (pointer, gtk_widget_get_screen (canvas), root_x, root_y);
  GdkWindow *there = gdk_device_get_window_at_position (pointer, NULL, NULL);
  if (there != NULL)
    gdk_window_get_user_data (there, &widget);
  return widget;
}

cairo_surface_t *
stage_shoot (GtkWidget *widget)
{
  int scale = gtk_widget_get_scale_factor (widget);
  cairo_surface_t *surface =
      cairo_image_surface_create (CAIRO_FORMAT_RGB24,
                                  gtk_widget_get_allocated_width (widget) * scale,
                                  gtk_widget_get_allocated_height (widget) * scale);
  cairo_surface_set_device_scale (surface, scale, scale);
  cairo_t *cr = cairo_create (surface);
  gtk_widget_draw (widget, cr);
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  return surface;
}

guint32
stage_pixel (cairo_surface_t *surface, int x, int y)
{
  unsigned char *row = cairo_image_surface_get_data (surface)
                       + (gsize)y * (gsize)cairo_image_surface_get_stride (surface);
  guint32 pixel;
  memcpy (&pixel, row + 4 * x, sizeof pixel);
  return pixel & 0xffffff;
}
