/* SPDX-License-Identifier: MIT */
#include "ui/status/hint.h"

#include "app/finder/subject_finder.h"
#include "ui/settings/preferences.h"

#define KEY "hints-left"
/* Time to read the last line, which asks for no action; the text after a guess gets twice as much.
 */
#define READING_SECONDS 6
#define SIDES_GAP_PX    24
#define LINES_GAP_PX    8

struct _FsHint {
  GtkRevealer parent;
  GtkWidget *sides; /* one above the other where they do not fit side by side */
  GtkWidget *find;
  GtkWidget *dismiss;
  GtkWidget *object;
  GtkWidget *by_left;
  GtkWidget *to_correct;
  GtkWidget *to_refine;
  GtkWidget *background;
  GtkWidget *by_button;
  GtkWidget *by_brush;
  FsDocument *document; /* NULL: no hints are left */
  gboolean has_finder, finding;
  int parent_width;
  guint reading_id, arrange_id;
};

G_DEFINE_FINAL_TYPE (FsHint, fs_hint, GTK_TYPE_REVEALER)

/* ---- Layout ---- */

/* The width that both sides need side by side, with what is around them. */
static int
measure_sides (FsHint *self)
{
  int object, background, sides, all;
  gtk_widget_get_preferred_width (self->object, &object, NULL);
  gtk_widget_get_preferred_width (self->background, &background, NULL);
  gtk_widget_get_preferred_width (self->sides, &sides, NULL);
  gtk_widget_get_preferred_width (GTK_WIDGET (self), &all, NULL);
  return object + background + SIDES_GAP_PX + all - sides;
}

static gboolean
on_arrange (gpointer user_data)
{
  FsHint *self = user_data;
  self->arrange_id = 0;
  const gboolean fits = measure_sides (self) <= self->parent_width;
  gtk_box_set_spacing (GTK_BOX (self->sides), fits ? SIDES_GAP_PX : LINES_GAP_PX);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->sides),
                                  fits ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL);
  return G_SOURCE_REMOVE;
}

/* Sizes must not change during allocation. */
static void
arrange_later (FsHint *self)
{
  if (self->arrange_id == 0)
    self->arrange_id = g_idle_add_full (GTK_PRIORITY_RESIZE - 1, on_arrange, self, NULL);
}

static void
on_parent_allocated (FsHint *self, const GdkRectangle *allocation)
{
  if (allocation->width == self->parent_width)
    return;
  self->parent_width = allocation->width;
  arrange_later (self);
}

/* ---- Lines ---- */

static gboolean
is_painted (FsDocument *document, uint8_t label)
{
  for (guint i = 0; i < fs_document_get_n_strokes (document); i++)
    if (fs_document_get_stroke (document, i)->label == label)
      return TRUE;
  return FALSE;
}

static void
forget_document (FsHint *self)
{
  g_clear_handle_id (&self->reading_id, g_source_remove);
  if (self->document != NULL)
    g_signal_handlers_disconnect_by_data (self->document, self);
  g_clear_object (&self->document);
  gtk_revealer_set_reveal_child (GTK_REVEALER (self), FALSE);
}

static void
finish_hint (FsHint *self)
{
  if (fs_preferences_has (KEY)) {
    int left = g_settings_get_int (fs_preferences_get (), KEY);
    g_settings_set_int (fs_preferences_get (), KEY, MAX (left - 1, 0));
  }
  forget_document (self);
}

static gboolean
on_read (gpointer user_data)
{
  FsHint *self = user_data;
  self->reading_id = 0;
  finish_hint (self);
  return G_SOURCE_REMOVE;
}

/* After a lasso the left button draws the next one. After a lasso or a guess no stroke is required
 * any more. */
static void
name_brush (FsHint *self, gboolean outlined, gboolean guessed)
{
  gtk_widget_set_visible (self->by_left, !outlined && !guessed);
  gtk_widget_set_visible (self->to_correct, !outlined && guessed);
  gtk_widget_set_visible (self->to_refine, outlined);
  if (outlined || guessed)
    self->reading_id =
        g_timeout_add_seconds (guessed ? 2 * READING_SECONDS : READING_SECONDS, on_read, self);
}

static void
show_lines (FsHint *self, gboolean object, gboolean background)
{
  gboolean guessed = fs_document_get_guess (self->document) != NULL;
  gboolean outlined = !object && fs_document_get_outline (self->document) != NULL;
  gboolean begun = object || background || guessed || outlined;
  gtk_widget_set_visible (self->find, self->has_finder && !self->finding && !begun);
  gtk_widget_set_visible (self->dismiss, guessed);
  gtk_widget_set_visible (self->object, !object);
  gtk_widget_set_visible (self->background, !background);
  name_brush (self, outlined, guessed);
  arrange_later (self);
}

/* The last line keeps its position while it fades out. */
static void
on_edited (FsHint *self)
{
  g_clear_handle_id (&self->reading_id, g_source_remove);
  gboolean object = is_painted (self->document, FS_SEED_OBJECT);
  gboolean background = is_painted (self->document, FS_SEED_BACKGROUND);
  if (!object || !background)
    show_lines (self, object, background);
  else
    finish_hint (self);
}

static gboolean
is_wanted (void)
{
  return !fs_preferences_has (KEY) || g_settings_get_int (fs_preferences_get (), KEY) > 0;
}

void
fs_hint_set_finding (FsHint *self, gboolean finding)
{
  self->finding = finding;
  if (self->document != NULL)
    on_edited (self);
}

void
fs_hint_set_document (FsHint *self, FsDocument *document)
{
  forget_document (self);
  if (document == NULL || !is_wanted ())
    return;
  g_autoptr (FsSubjectFinder) finder = fs_subject_finder_new (NULL, NULL);
  self->has_finder = finder != NULL;
  self->document = g_object_ref (document);
  g_signal_connect_object (document, "edited", G_CALLBACK (on_edited), self, G_CONNECT_SWAPPED);
  gtk_revealer_set_reveal_child (GTK_REVEALER (self), TRUE);
  on_edited (self);
}

static void
on_right_button_changed (FsTools *tools, GParamSpec *spec, FsHint *self)
{
  FsRightButton action;
  g_object_get (tools, "right-button", &action, NULL);
  gtk_widget_set_visible (self->by_button, action == FS_RIGHT_BUTTON_OTHER);
  gtk_widget_set_visible (self->by_brush, action != FS_RIGHT_BUTTON_OTHER);
}

void
fs_hint_follow (FsHint *self, FsTools *tools)
{
  g_signal_connect_object (tools, "notify::right-button", G_CALLBACK (on_right_button_changed),
                           self, 0);
  on_right_button_changed (tools, NULL, self);
}

static void
fs_hint_parent_set (GtkWidget *widget, GtkWidget *previous)
{
  GtkWidget *parent = gtk_widget_get_parent (widget);
  if (previous != NULL)
    g_signal_handlers_disconnect_by_data (previous, widget);
  if (parent != NULL)
    g_signal_connect_object (parent, "size-allocate", G_CALLBACK (on_parent_allocated), widget,
                             G_CONNECT_SWAPPED);
}

/* Lets pointer events through, so that strokes can begin on it. A GtkRevealer has a window, and one
 * for its child. */
static void
fs_hint_realize (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (fs_hint_parent_class)->realize (widget);
  GdkWindow *window = gtk_widget_get_window (widget);
  gdk_window_set_pass_through (window, TRUE);
  for (GList *inner = gdk_window_peek_children (window); inner != NULL; inner = inner->next)
    gdk_window_set_pass_through (inner->data, TRUE);
}

static void
fs_hint_dispose (GObject *object)
{
  FsHint *self = FS_HINT (object);
  forget_document (self);
  g_clear_handle_id (&self->arrange_id, g_source_remove);
  G_OBJECT_CLASS (fs_hint_parent_class)->dispose (object);
}

static void
fs_hint_class_init (FsHintClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);
  G_OBJECT_CLASS (klass)->dispose = fs_hint_dispose;
  widget_class->realize = fs_hint_realize;
  widget_class->parent_set = fs_hint_parent_set;
  gtk_widget_class_set_template_from_resource (widget_class, "/io/github/fretsaw/Fretsaw/hint.ui");
  gtk_widget_class_bind_template_child (widget_class, FsHint, object);
  gtk_widget_class_bind_template_child (widget_class, FsHint, sides);
  gtk_widget_class_bind_template_child (widget_class, FsHint, by_left);
  gtk_widget_class_bind_template_child (widget_class, FsHint, to_correct);
  gtk_widget_class_bind_template_child (widget_class, FsHint, to_refine);
  gtk_widget_class_bind_template_child (widget_class, FsHint, find);
  gtk_widget_class_bind_template_child (widget_class, FsHint, dismiss);
  gtk_widget_class_bind_template_child (widget_class, FsHint, background);
  gtk_widget_class_bind_template_child (widget_class, FsHint, by_button);
  gtk_widget_class_bind_template_child (widget_class, FsHint, by_brush);
}

static void
fs_hint_init (FsHint *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}
