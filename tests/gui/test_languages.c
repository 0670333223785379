/* SPDX-License-Identifier: MIT */
/* The window in other languages: one whose every word is marked and long, ours, and from right to
 * left. Each in a process of its own, since a process has one language. */
#include "app/export/export_format.h"
#include "tests/gui/dialogs.h"

#include <libintl.h>
#include <locale.h>
#include <string.h>

#define PSEUDO        "en@pseudo"
#define OPEN_MARK     "⟦"
#define MAX_WIDTH_PX  683 /* half of a laptop's screen */
#define MAX_HEIGHT_PX 600 /* the smallest that is asked for */

static const char *const languages[] = { "de", "fr", "pt_BR" };

/* ---- What the window says ---- */

typedef struct {
  GPtrArray *faults;
  guint n_texts;
} Reading;

static void
add_fault (Reading *reading, const char *text, const char *what, GtkWidget *widget)
{
  g_ptr_array_add (reading->faults,
                   g_strdup_printf ("“%s” %s (%s)", text, what, G_OBJECT_TYPE_NAME (widget)));
}

static gboolean
names_format (const char *text)
{
  for (int format = 0; format < FS_EXPORT_N_FORMATS; format++)
    if (strcmp (text, fs_export_format_get_name ((FsExportFormat)format)) == 0)
      return TRUE;
  return FALSE;
}

/* Whether somebody who knows no English misses something; the names of files and formats are
 * nobody's. */
static gboolean
is_english (const char *text)
{
  return text != NULL && strstr (text, OPEN_MARK) == NULL && !g_str_has_suffix (text, ".png")
         && !names_format (text) && g_regex_match_simple ("[A-Za-z]{3}", text, 0, 0);
}

/* The names of devices are the same in every language. */
static gboolean
is_a_name (GtkWidget *label)
{
  return g_strcmp0 (gtk_buildable_get_name (GTK_BUILDABLE (label)), "device") == 0;
}

/* GTK brings its own words with its own translations, and names these by itself. */
static gboolean
is_of_gtk (GtkWidget *widget)
{
  return gtk_style_context_has_class (gtk_widget_get_style_context (widget), "titlebutton");
}

static gboolean
is_named_by_gtk (GtkWidget *widget)
{
  return GTK_IS_LABEL (widget) || GTK_IS_WINDOW (widget) || GTK_IS_IMAGE (widget)
         || GTK_IS_INFO_BAR (widget) || GTK_IS_SPINNER (widget);
}

static void
read_label (GtkWidget *widget, Reading *reading)
{
  GtkLabel *label = GTK_LABEL (widget);
  const char *text = gtk_label_get_text (label);
  reading->n_texts++;
  if (is_english (text) && !is_a_name (widget))
    add_fault (reading, text, "is not translated", widget);
  if (!gtk_widget_get_mapped (widget) || gtk_label_get_ellipsize (label) != PANGO_ELLIPSIZE_NONE)
    return;
  int width, height;
  pango_layout_get_pixel_size (gtk_label_get_layout (label), &width, &height);
  if (width > gtk_widget_get_allocated_width (widget)
      || height > gtk_widget_get_allocated_height (widget))
    add_fault (reading, text, "does not fit", widget);
}

static void
read_widget (GtkWidget *widget, gpointer data)
{
  Reading *reading = data;
  if (is_of_gtk (widget))
    return;
  if (GTK_IS_LABEL (widget))
    read_label (widget, reading);
  AtkObject *object = gtk_widget_get_accessible (widget);
  gboolean ours = !is_named_by_gtk (widget);
  g_autofree char *tooltip = gtk_widget_get_tooltip_text (widget);
  const char *texts[] = { tooltip, ours ? atk_object_get_name (object) : NULL,
                          ours ? atk_object_get_description (object) : NULL };
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    if (is_english (texts[i]))
      add_fault (reading, texts[i], "is not translated", widget);
  if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), read_widget, reading);
}

static guint
read_window (GtkWidget *window, GPtrArray *faults)
{
  Reading reading = { .faults = faults };
  read_widget (window, &reading);
  return reading.n_texts;
}

static void
assert_faultless (gpointer window, guint n_texts)
{
  g_autoptr (GPtrArray) faults = g_ptr_array_new_with_free_func (g_free);
  guint n = read_window (window, faults);
  for (guint i = 0; i < faults->len; i++)
    g_printerr ("# %s\n", (char *)faults->pdata[i]);
  g_assert_cmpuint (faults->len, ==, 0);
  g_assert_cmpuint (n, >=, n_texts);
}

static void
assert_size (Stage *stage)
{
  GtkRequisition min;
  gtk_widget_get_preferred_size (GTK_WIDGET (stage->window), &min, NULL);
  g_assert_cmpint (min.width, <=, MAX_WIDTH_PX);
  g_assert_cmpint (min.height, <=, MAX_HEIGHT_PX);
}

static void
pop_up (GtkWidget *widget, gpointer data)
{
  if (GTK_IS_MENU_BUTTON (widget) && gtk_widget_get_mapped (widget)
      && gtk_widget_is_sensitive (widget)) {
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (widget), TRUE);
    stage_frame (data);
    assert_faultless (((Stage *)data)->window, 10);
    gtk_toggle_button_set_active (GTK_TOGGLE_BUTTON (widget), FALSE);
    stage_frame (data);
  }
  if (GTK_IS_CONTAINER (widget))
    gtk_container_forall (GTK_CONTAINER (widget), pop_up, data);
}

/* ---- The cases ---- */

static void
speak (const char *language, const char *folder)
{
  g_autofree char *place = g_build_filename (g_getenv ("FRETSAW_BUILD"), folder, NULL);
  g_setenv ("LANGUAGE", language, TRUE);
  setlocale (LC_ALL, "");
  bindtextdomain ("fretsaw", place);
  bind_textdomain_codeset ("fretsaw", "UTF-8");
  textdomain ("fretsaw");
}

static void
read_dialog (Stage *stage, const char *action)
{
  stage_activate (stage, action);
  GtkWidget *dialog = dialogs_wait ();
  stage_frame (stage);
  assert_faultless (dialog, 3);
  gtk_dialog_response (GTK_DIALOG (dialog), GTK_RESPONSE_CANCEL);
  stage_frame (stage);
}

/* Empty, with a photo, with strokes: what it says, and whether it fits a small screen. */
static void
walk_through (void)
{
  g_autoptr (Stage) stage = stage_new ();
  assert_faultless (stage->window, 5);
  assert_size (stage);
  stage_open_scene (stage);
  assert_faultless (stage->window, 10);
  stage_paint_both (stage);
  assert_faultless (stage->window, 10);
  assert_size (stage);
  pop_up (GTK_WIDGET (stage->window), stage);
  read_dialog (stage, "export");
  read_dialog (stage, "close");
}

static void
test_pseudo (void)
{
  if (g_test_subprocess ()) {
    speak (PSEUDO, "tests/gui/pseudo");
    walk_through ();
    return;
  }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

/* The reading itself: in English everything is a fault. */
static void
test_reading (void)
{
  g_autoptr (GPtrArray) faults = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (Stage) stage = stage_new ();
  guint n = read_window (GTK_WIDGET (stage->window), faults);
  g_assert_cmpuint (faults->len, >=, 20);
  g_assert_cmpuint (n, >=, 5);
}

static void
test_ours (gconstpointer data)
{
  if (g_test_subprocess ()) {
    speak (data, "po");
    g_assert_cmpstr (gettext ("Undo"), !=, "Undo");
    g_autoptr (Stage) stage = stage_new ();
    assert_size (stage);
    stage_open_scene (stage);
    stage_paint_both (stage);
    assert_size (stage);
    return;
  }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

static int
left_of (Stage *stage, const char *child)
{
  GtkWidget *window = GTK_WIDGET (stage->window);
  GtkWidget *widget = GTK_WIDGET (gtk_widget_get_template_child (window, FS_TYPE_WINDOW, child));
  int x, y;
  g_assert_true (gtk_widget_translate_coordinates (widget, window, 0, 0, &x, &y));
  return x;
}

/* Tools stand on the right, and a stroke lies where it was painted: a photo has no direction. */
static void
test_right_to_left (void)
{
  if (g_test_subprocess ()) {
    gtk_widget_set_default_direction (GTK_TEXT_DIR_RTL);
    g_autoptr (Stage) stage = stage_new ();
    stage_open_scene (stage);
    g_assert_cmpint (left_of (stage, "tool_object"), >, left_of (stage, "canvas"));
    g_assert_cmpint (left_of (stage, "view_marks"), >, left_of (stage, "view_mask"));
    stage_paint_both (stage);
    stage_assert_fresh (stage);
    FsImage *image = fs_document_get_image (stage_document (stage));
    const uint8_t *marks = fs_document_get_marks (stage_document (stage));
    g_assert_cmpint (marks[115 * image->width + 170], ==, FS_SEED_OBJECT);
    return;
  }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_test_trap_assert_passed ();
}

int
main (int argc, char **argv)
{
  gtk_test_init (&argc, &argv, NULL);
  g_test_add_func ("/languages/reading", test_reading);
  g_test_add_func ("/languages/pseudo", test_pseudo);
  g_test_add_func ("/languages/right-to-left", test_right_to_left);
  for (gsize i = 0; i < G_N_ELEMENTS (languages); i++) {
    g_autofree char *path = g_strdup_printf ("/languages/%s", languages[i]);
    g_test_add_data_func (path, languages[i], test_ours);
  }
  return g_test_run ();
}
