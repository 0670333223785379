/* SPDX-License-Identifier: MIT */
#include "tests/gui/spoken.h"

#include <string.h>

typedef struct {
  GPtrArray *faults;
  guint n_controls;
} Walk;

static gboolean
is_control (GtkWidget *widget)
{
  if (GTK_IS_SCROLLBAR (widget))
    return FALSE;
  return GTK_IS_BUTTON (widget) || GTK_IS_RANGE (widget) || GTK_IS_ENTRY (widget)
         || GTK_IS_COMBO_BOX (widget) || GTK_IS_SWITCH (widget) || GTK_IS_PROGRESS_BAR (widget)
         || GTK_IS_SPINNER (widget) || GTK_IS_DRAWING_AREA (widget) || GTK_IS_TREE_VIEW (widget)
         || GTK_IS_WINDOW (widget) || GTK_IS_MENU_ITEM (widget);
}

static gboolean
has_name (AtkObject *object)
{
  const char *name = atk_object_get_name (object);
  return name != NULL && strspn (name, " ") < strlen (name);
}

static gboolean
is_labelled (AtkObject *object)
{
  g_autoptr (AtkRelationSet) relations = atk_object_ref_relation_set (object);
  AtkRelation *relation =
      atk_relation_set_get_relation_by_type (relations, ATK_RELATION_LABELLED_BY);
  if (relation == NULL)
    return FALSE;
  GPtrArray *labels = atk_relation_get_target (relation);
  return labels->len > 0 && has_name (labels->pdata[0]);
}

/* The named widgets around it, for whoever has to find it. */
static char *
way_to (GtkWidget *widget)
{
  GString *way = g_string_new (NULL);
  for (GtkWidget *at = widget; at != NULL; at = gtk_widget_get_parent (at))
    g_string_append_printf (way, " < %s",
                            gtk_buildable_get_name (GTK_BUILDABLE (at)) != NULL
                                ? gtk_buildable_get_name (GTK_BUILDABLE (at))
                                : G_OBJECT_TYPE_NAME (at));
  return g_string_free (way, FALSE);
}

static void
look_at (GtkWidget *widget, Walk *walk)
{
  AtkObject *object = gtk_widget_get_accessible (widget);
  AtkRole role = atk_object_get_role (object);
  walk->n_controls++;
  gboolean named = has_name (object) || is_labelled (object);
  if (named && role != ATK_ROLE_INVALID && role != ATK_ROLE_UNKNOWN)
    return;
  g_autofree char *way = way_to (widget);
  g_ptr_array_add (walk->faults, g_strdup_printf ("no %s: %s%s", named ? "role" : "name",
                                                  atk_role_get_name (role), way));
}

static void
visit (GtkWidget *widget, gpointer data)
{
  Walk *walk = data;
  if (!gtk_widget_get_visible (widget))
    return;
  if (is_control (widget))
    look_at (widget, walk);
  /* What these are made of is GTK's, and no control of its own. */
  if (GTK_IS_CONTAINER (widget) && !GTK_IS_COMBO_BOX (widget) && !GTK_IS_FILE_CHOOSER (widget)
      && !GTK_IS_SHORTCUTS_WINDOW (widget))
    gtk_container_forall (GTK_CONTAINER (widget), visit, walk);
}

guint
spoken_find_faults (GtkWidget *widget, GPtrArray *faults)
{
  Walk walk = { .faults = faults };
  visit (widget, &walk);
  return walk.n_controls;
}

void
spoken_assert (GtkWidget *widget, guint n_controls)
{
  g_autoptr (GPtrArray) faults = g_ptr_array_new_with_free_func (g_free);
  guint n = spoken_find_faults (widget, faults);
  for (guint i = 0; i < faults->len; i++)
    g_test_message ("%s", (char *)faults->pdata[i]);
  g_test_message ("%u controls", n);
  g_assert_cmpuint (faults->len, ==, 0);
  g_assert_cmpuint (n, >=, n_controls);
}
