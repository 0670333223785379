/* SPDX-License-Identifier: MIT */
#include "app/folder/folder_classes.h"

#include "app/export/parts/label_colour.h"
#include "app/session/session.h"

#include <string.h>

#define ID_DIGITS 8

static void
class_free (gpointer data)
{
  FsFolderClass *one = data;
  g_free (one->id);
  g_free (one->name);
  g_free (one->others);
  g_free (one);
}

static FsFolderClass *
class_copy (const FsFolderClass *from)
{
  FsFolderClass *one = g_new (FsFolderClass, 1);
  *one = (FsFolderClass){ g_strdup (from->id), g_strdup (from->name), from->colour, from->key,
                          g_strdup (from->others) };
  return one;
}

static gboolean
class_equal (const FsFolderClass *a, const FsFolderClass *b)
{
  return strcmp (a->id, b->id) == 0 && strcmp (a->name, b->name) == 0 && a->colour == b->colour
         && a->key == b->key && strcmp (a->others, b->others) == 0;
}

FsFolderClasses *
fs_folder_classes_new (void)
{
  FsFolderClasses *classes = g_new0 (FsFolderClasses, 1);
  classes->classes = g_ptr_array_new_with_free_func (class_free);
  classes->others = g_strdup ("{}");
  return classes;
}

FsFolderClasses *
fs_folder_classes_copy (const FsFolderClasses *from)
{
  g_return_val_if_fail (from, NULL);

  FsFolderClasses *classes = fs_folder_classes_new ();
  for (guint i = 0; i < from->classes->len; i++)
    g_ptr_array_add (classes->classes, class_copy (from->classes->pdata[i]));
  g_free (classes->others);
  classes->others = g_strdup (from->others);
  return classes;
}

void
fs_folder_classes_free (FsFolderClasses *classes)
{
  if (!classes)
    return;
  g_ptr_array_unref (classes->classes);
  g_free (classes->others);
  g_free (classes);
}

gboolean
fs_folder_classes_equal (const FsFolderClasses *a, const FsFolderClasses *b)
{
  g_return_val_if_fail (a && b, FALSE);

  if (a->classes->len != b->classes->len || strcmp (a->others, b->others) != 0)
    return FALSE;
  for (guint i = 0; i < a->classes->len; i++)
    if (!class_equal (a->classes->pdata[i], b->classes->pdata[i]))
      return FALSE;
  return TRUE;
}

/* --- Looking up ------------------------------------------------------------------------------- */

const FsFolderClass *
fs_folder_classes_get (const FsFolderClasses *classes, guint i)
{
  g_return_val_if_fail (classes && i < classes->classes->len, NULL);

  return classes->classes->pdata[i];
}

static FsFolderClass *
find_name (const FsFolderClasses *classes, const char *name)
{
  for (guint i = 0; i < classes->classes->len; i++) {
    FsFolderClass *one = classes->classes->pdata[i];
    if (g_strcmp0 (one->name, name) == 0)
      return one;
  }
  return NULL;
}

const FsFolderClass *
fs_folder_classes_find (const FsFolderClasses *classes, const char *name)
{
  g_return_val_if_fail (classes, NULL);

  return find_name (classes, name);
}

const FsFolderClass *
fs_folder_classes_find_key (const FsFolderClasses *classes, int key)
{
  g_return_val_if_fail (classes && key > 0, NULL);

  for (guint i = 0; i < classes->classes->len; i++)
    if (fs_folder_classes_get (classes, i)->key == key)
      return fs_folder_classes_get (classes, i);
  return NULL;
}

static const FsFolderClass *
find_id (const FsFolderClasses *classes, const char *id)
{
  for (guint i = 0; classes && i < classes->classes->len; i++)
    if (strcmp (fs_folder_classes_get (classes, i)->id, id) == 0)
      return fs_folder_classes_get (classes, i);
  return NULL;
}

char *
fs_folder_classes_make_id (const FsFolderClasses *classes, const char *name)
{
  for (guint number = 1;; number++) {
    g_autofree char *text = g_strdup_printf (number > 1 ? "%s\n%u" : "%s", name, number);
    g_autofree char *id = g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1);
    id[ID_DIGITS] = '\0';
    if (!find_id (classes, id))
      return g_steal_pointer (&id);
  }
}

/* 0: all are taken. */
static int
find_free_key (const FsFolderClasses *classes)
{
  for (int key = 1; key <= FS_FOLDER_CLASSES_MAX_KEY; key++)
    if (!fs_folder_classes_find_key (classes, key))
      return key;
  return 0;
}

uint32_t
fs_folder_classes_next_colour (const FsFolderClasses *classes)
{
  for (uint8_t label = FS_SEED_OBJECT; label < FS_SEED_OBJECT + FS_FOLDER_CLASSES_MAX_KEY;
       label++) {
    gboolean taken = FALSE;
    for (guint i = 0; i < classes->classes->len; i++)
      taken = taken || fs_folder_classes_get (classes, i)->colour == fs_label_colour (label);
    if (!taken)
      return fs_label_colour (label);
  }
  return fs_label_colour ((uint8_t)(FS_SEED_OBJECT + classes->classes->len));
}

/* --- Editing ---------------------------------------------------------------------------------- */

/* NULL where no session could have it, or it is taken. g_free. */
static char *
check_name (const FsFolderClasses *classes, const char *name)
{
  g_autofree char *trimmed = g_strstrip (g_strdup (name));
  return fs_session_is_label_name (trimmed) && !find_name (classes, trimmed)
             ? g_steal_pointer (&trimmed)
             : NULL;
}

gboolean
fs_folder_classes_add (FsFolderClasses *classes, const char *name)
{
  g_return_val_if_fail (classes && name, FALSE);

  g_autofree char *trimmed = check_name (classes, name);
  if (!trimmed || classes->classes->len >= FS_FOLDER_CLASSES_MAX)
    return FALSE;
  FsFolderClass *one = g_new0 (FsFolderClass, 1);
  one->id = fs_folder_classes_make_id (classes, trimmed);
  one->name = g_steal_pointer (&trimmed);
  one->colour = fs_folder_classes_next_colour (classes);
  one->key = find_free_key (classes);
  one->others = g_strdup ("{}");
  g_ptr_array_add (classes->classes, one);
  return TRUE;
}

gboolean
fs_folder_classes_rename (FsFolderClasses *classes, const char *name, const char *other)
{
  g_return_val_if_fail (classes && name && other, FALSE);

  FsFolderClass *one = find_name (classes, name);
  g_autofree char *trimmed = check_name (classes, other);
  if (!one || !trimmed)
    return FALSE;
  g_free (one->name);
  one->name = g_steal_pointer (&trimmed);
  return TRUE;
}

void
fs_folder_classes_remove (FsFolderClasses *classes, const char *name)
{
  g_return_if_fail (classes && name);

  FsFolderClass *one = find_name (classes, name);
  if (one)
    g_ptr_array_remove (classes->classes, one);
}

void
fs_folder_classes_set_colour (FsFolderClasses *classes, const char *name, uint32_t colour)
{
  g_return_if_fail (classes && name);

  FsFolderClass *one = find_name (classes, name);
  if (one)
    one->colour = colour & 0xffffff;
}

/* --- Merging ---------------------------------------------------------------------------------- */

static const char *
merge_text (const char *base, const char *mine, const char *theirs)
{
  return g_strcmp0 (mine, base) == 0 ? theirs : mine;
}

/* One that both have. Where both have a new name, the result has theirs. */
static FsFolderClass *
merge_class (const FsFolderClass *base, const FsFolderClass *mine, const FsFolderClass *theirs)
{
  FsFolderClass *one = g_new (FsFolderClass, 1);
  *one = (FsFolderClass){
    .id = g_strdup (theirs->id),
    .name = g_strdup (base && strcmp (theirs->name, base->name) == 0 ? mine->name : theirs->name),
    .colour = base && mine->colour == base->colour ? theirs->colour : mine->colour,
    .key = base && mine->key == base->key ? theirs->key : mine->key,
    .others = g_strdup (merge_text (base ? base->others : NULL, mine->others, theirs->others)),
  };
  return one;
}

/* My new name of a class that has another new name now; NULL: there is no such conflict. */
static const char *
find_lost_name (const FsFolderClass *base, const FsFolderClass *mine, const FsFolderClass *merged)
{
  gboolean is_new = !base || strcmp (mine->name, base->name) != 0;
  return is_new && strcmp (mine->name, merged->name) != 0 ? mine->name : NULL;
}

/* Adds the classes of the file, with my changes. */
static void
merge_theirs (FsFolderClasses *merged, const FsFolderClasses *base, const FsFolderClasses *mine,
              const FsFolderClasses *theirs)
{
  for (guint i = 0; i < theirs->classes->len; i++) {
    const FsFolderClass *of_theirs = theirs->classes->pdata[i];
    const FsFolderClass *of_mine = find_id (mine, of_theirs->id);
    const FsFolderClass *of_base = find_id (base, of_theirs->id);
    if (of_mine)
      g_ptr_array_add (merged->classes, merge_class (of_base, of_mine, of_theirs));
    else if (!of_base || !class_equal (of_theirs, of_base))
      g_ptr_array_add (merged->classes, class_copy (of_theirs));
  }
}

/* Adds those that are mine alone: additions, changes of what was removed, and names that lost. */
static void
merge_mine (FsFolderClasses *merged, const FsFolderClasses *base, const FsFolderClasses *mine,
            const FsFolderClasses *theirs)
{
  for (guint i = 0; i < mine->classes->len; i++) {
    const FsFolderClass *of_mine = mine->classes->pdata[i];
    const FsFolderClass *of_base = find_id (base, of_mine->id);
    const FsFolderClass *both =
        find_id (theirs, of_mine->id) ? find_id (merged, of_mine->id) : NULL;
    const char *lost = both ? find_lost_name (of_base, of_mine, both) : NULL;
    if (lost) {
      FsFolderClass *one = class_copy (of_mine);
      g_free (one->id);
      one->id = fs_folder_classes_make_id (merged, lost);
      g_ptr_array_add (merged->classes, one);
    } else if (!both && (!of_base || !class_equal (of_mine, of_base))) {
      g_ptr_array_add (merged->classes, class_copy (of_mine));
    }
  }
}

/* A name or a key that stands twice is the first one's. */
static void
make_unique (FsFolderClasses *merged)
{
  for (guint i = 0; i < merged->classes->len; i++) {
    FsFolderClass *one = merged->classes->pdata[i];
    if (find_name (merged, one->name) != one)
      g_ptr_array_remove_index (merged->classes, i--);
  }
  for (guint i = 0; i < merged->classes->len; i++) {
    FsFolderClass *one = merged->classes->pdata[i];
    if (one->key > 0 && fs_folder_classes_find_key (merged, one->key) != one)
      one->key = find_free_key (merged);
  }
}

FsFolderClasses *
fs_folder_classes_merge (const FsFolderClasses *base, const FsFolderClasses *mine,
                         const FsFolderClasses *theirs)
{
  g_return_val_if_fail (mine && theirs, NULL);

  FsFolderClasses *merged = fs_folder_classes_new ();
  g_free (merged->others);
  merged->others = g_strdup (merge_text (base ? base->others : "{}", mine->others, theirs->others));
  merge_theirs (merged, base, mine, theirs);
  merge_mine (merged, base, mine, theirs);
  make_unique (merged);
  return merged;
}
