/* SPDX-License-Identifier: MIT */
#include "ui/status/accessible_announcer.h"

#include "ui/settings/object_name.h"
#include <glib/gi18n.h>

struct _FsAccessibleAnnouncer {
  GObject parent;
  GtkWidget *canvas; /* weak */
  FsTools *tools;
  FsStatusLine *status_line;
  FsAccessibleNameFunc call;
  gpointer data;
  FsProject *project;   /* may be NULL */
  FsDocument *document; /* the project's */
};

G_DEFINE_FINAL_TYPE (FsAccessibleAnnouncer, fs_accessible_announcer, G_TYPE_OBJECT)

static const char *
name_choice (FsAccessibleAnnouncer *self, const char *property)
{
  int value;
  g_object_get (self->tools, property, &value, NULL);
  GParamSpec *spec = g_object_class_find_property (G_OBJECT_GET_CLASS (self->tools), property);
  GEnumValue *choice = g_enum_get_value (G_PARAM_SPEC_ENUM (spec)->enum_class, value);
  const char *name = self->call (property, choice->value_nick, self->data);
  return name != NULL ? name : "";
}

/* The tool, with the object that it paints if there are several or it has a name. */
static char *
name_tool (FsAccessibleAnnouncer *self)
{
  int object = fs_tools_get_object (self->tools);
  gboolean is_said =
      object > 1
      || (self->project != NULL
          && (fs_document_count_objects (self->document) > 1
              || fs_project_get_name (self->project, fs_tools_object_label (object)) != NULL));
  if (fs_tools_get_tool (self->tools) != FS_TOOL_OBJECT || !is_said)
    return g_strdup (name_choice (self, "tool"));
  g_autofree char *called = fs_object_name_call (self->project, object);
  return g_strdup_printf ("%s, %s", name_choice (self, "tool"), called);
}

static char *
describe_tools (FsAccessibleAnnouncer *self)
{
  int size = fs_tools_get_brush_size (self->tools);
  g_autofree char *tool = name_tool (self);
  if (!fs_tools_paints (self->tools))
    /* Translators: the tool, then the view of the photo, as their buttons are called */
    return g_strdup_printf (_ ("%s; view: %s"), tool, name_choice (self, "view"));
  return g_strdup_printf (
      /* Translators: the tool, the width of its brush, and the view of the photo */
      ngettext ("%s, %d pixel wide; view: %s", "%s, %d pixels wide; view: %s", (gulong)size), tool,
      size, name_choice (self, "view"));
}

/* The text for guess and strokes; NULL if there are none. g_free. */
static char *
count_strokes (FsDocument *document)
{
  gboolean guessed = fs_document_get_guess (document) != NULL;
  guint n = 0;
  for (guint i = 0; i < fs_document_get_n_strokes (document); i++)
    n += fs_document_get_stroke (document, i)->shape != FS_STROKE_GUESS;
  if (n == 0)
    return guessed ? g_strdup (_ ("A guess")) : NULL;
  g_autofree char *strokes = g_strdup_printf (ngettext ("%u stroke", "%u strokes", n), n);
  /* Translators: a first guess of what to keep, and a number of strokes that correct it */
  return guessed ? g_strdup_printf (_ ("A guess and %s"), strokes) : g_steal_pointer (&strokes);
}

static char *
describe_cut (FsAccessibleAnnouncer *self)
{
  if (self->document == NULL)
    return NULL;
  g_autofree char *strokes = count_strokes (self->document);
  if (strokes == NULL)
    return g_strdup (_ ("Nothing painted yet"));
  FsDocumentStatus status = fs_document_get_status (self->document);
  gboolean is_updating_edge;
  g_object_get (self->status_line, "updating-edge", &is_updating_edge, NULL);
  const char *state = !status.is_final   ? _ ("solving…")
                      : is_updating_edge ? _ ("updating the edge…")
                      : status.exact     ? _ ("exact")
                                         : _ ("preview");
  return g_strdup_printf ("%s, %s", strokes, state);
}

static void
update_description (FsAccessibleAnnouncer *self)
{
  if (self->canvas == NULL)
    return;
  AtkObject *accessible = gtk_widget_get_accessible (self->canvas);
  g_autofree char *tools = describe_tools (self);
  g_autofree char *cut = describe_cut (self);
  g_autofree char *text = cut != NULL ? g_strdup_printf ("%s. %s.", cut, tools) : g_strdup (tools);
  if (g_strcmp0 (text, atk_object_get_description (accessible)) != 0)
    atk_object_set_description (accessible, text);
}

/* Not during a stroke: each mask's text would interrupt the one before. */
static void
on_cut_status (FsAccessibleAnnouncer *self)
{
  if (self->document != NULL && !fs_document_is_drawing (self->document))
    update_description (self);
}

static void
forget_document (FsAccessibleAnnouncer *self)
{
  if (self->project == NULL)
    return;
  g_signal_handlers_disconnect_by_data (self->document, self);
  g_signal_handlers_disconnect_by_data (self->project, self);
  self->document = NULL;
  g_clear_object (&self->project);
}

static void
watch_document (FsAccessibleAnnouncer *self, FsProject *project)
{
  static const char *const changes[] = { "status-changed", "edited" };
  self->project = g_object_ref (project);
  self->document = fs_project_get_document (project);
  for (gsize i = 0; i < G_N_ELEMENTS (changes); i++)
    g_signal_connect_object (self->document, changes[i], G_CALLBACK (on_cut_status), self,
                             G_CONNECT_SWAPPED);
  g_signal_connect_object (project, "changed", G_CALLBACK (on_cut_status), self, G_CONNECT_SWAPPED);
}

void
fs_accessible_announcer_set_project (FsAccessibleAnnouncer *self, FsProject *project)
{
  forget_document (self);
  if (project != NULL)
    watch_document (self, project);
  update_description (self);
}

FsAccessibleAnnouncer *
fs_accessible_announcer_new (GtkWidget *canvas, FsTools *tools, FsStatusLine *status_line,
                             FsAccessibleNameFunc call, gpointer data)
{
  FsAccessibleAnnouncer *self = g_object_new (FS_TYPE_ACCESSIBLE_ANNOUNCER, NULL);
  g_set_weak_pointer (&self->canvas, canvas);
  self->tools = g_object_ref (tools);
  self->status_line = g_object_ref (status_line);
  self->call = call;
  self->data = data;
  g_signal_connect_object (tools, "notify", G_CALLBACK (update_description), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (status_line, "notify::updating-edge", G_CALLBACK (on_cut_status), self,
                           G_CONNECT_SWAPPED);
  update_description (self);
  return self;
}

static void
fs_accessible_announcer_dispose (GObject *object)
{
  FsAccessibleAnnouncer *self = FS_ACCESSIBLE_ANNOUNCER (object);
  forget_document (self);
  g_clear_weak_pointer (&self->canvas);
  g_clear_object (&self->tools);
  g_clear_object (&self->status_line);
  G_OBJECT_CLASS (fs_accessible_announcer_parent_class)->dispose (object);
}

static void
fs_accessible_announcer_class_init (FsAccessibleAnnouncerClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = fs_accessible_announcer_dispose;
}

static void
fs_accessible_announcer_init (FsAccessibleAnnouncer *self)
{
}
