/* SPDX-License-Identifier: MIT */
#include "ui/folder/class_choice.h"

gboolean
fs_class_choice_is_used (FsProject *project, int object)
{
  FsDocument *document = fs_project_get_document (project);
  const uint8_t label = fs_tools_object_label (object);
  const FsGuess *guess = fs_document_get_guess (document);
  for (guint i = 0; i < fs_document_get_n_strokes (document); i++)
    if (fs_document_get_stroke (document, i)->label == label)
      return TRUE;
  for (guint i = 0; i < fs_document_get_n_undone (document); i++)
    if (fs_document_get_undone (document, i)->label == label)
      return TRUE;
  return guess != NULL && fs_guess_count_object (guess, label) > 0;
}

static gboolean
is_of_class (FsProject *project, int object, const char *name)
{
  return g_strcmp0 (fs_project_get_name (project, fs_tools_object_label (object)), name) == 0;
}

int
fs_class_choice_find (FsProject *project, const FsFolderClass *class, gboolean is_new)
{
  g_return_val_if_fail (FS_IS_PROJECT (project) && class != NULL, 0);

  int last = 0, free_object = 0;
  for (int object = 1; object <= FS_TOOLS_LAST_OBJECT; object++) {
    const gboolean is_used = fs_class_choice_is_used (project, object);
    if (is_used && is_of_class (project, object, class->name))
      last = object;
    if (!is_used && free_object == 0)
      free_object = object;
  }
  const int object = last != 0 && !is_new ? last : free_object;
  if (object != 0)
    fs_project_set_label (project, fs_tools_object_label (object), class->name, class->colour);
  return object;
}

const char *
fs_class_choice_get_first (FsProject *project)
{
  FsDocument *document = fs_project_get_document (project);
  for (guint i = 0; i < fs_document_get_n_strokes (document); i++) {
    const FsStroke *stroke = fs_document_get_stroke (document, i);
    if (stroke->shape != FS_STROKE_GUESS && stroke->label >= FS_SEED_OBJECT)
      return fs_project_get_name (project, stroke->label);
  }
  return NULL;
}

int
fs_class_choice_get_instance (FsProject *project, int object)
{
  const char *name = fs_project_get_name (project, fs_tools_object_label (object));
  int n = 1;
  for (int other = 1; name != NULL && other < object; other++)
    n += is_of_class (project, other, name);
  return n;
}

void
fs_class_choice_show_colours (FsTools *tools, FsProject *project, const FsFolderClasses *classes)
{
  FsViewLabels labels = *fs_tools_get_labels (tools);
  for (int object = 1; object <= FS_TOOLS_LAST_OBJECT; object++) {
    const uint8_t label = fs_tools_object_label (object);
    const char *name = fs_project_get_name (project, label);
    const FsFolderClass *class =
        classes != NULL && name != NULL ? fs_folder_classes_find (classes, name) : NULL;
    labels.rgb[label] = class != NULL ? class->colour : fs_project_get_colour (project, label);
  }
  fs_tools_set_labels (tools, &labels);
}
