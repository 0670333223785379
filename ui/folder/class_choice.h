/* SPDX-License-Identifier: MIT */
/* Classes as objects of a photo: which object strokes of a class belong to.   Layer: ui.
 *
 * An object has the class whose name it has; several objects of one class are its instances. An
 * object that no stroke and no guess has is free: whoever is chosen next may have it.
 *
 * Threads: the main one.
 */
#ifndef FS_UI_FOLDER_CLASS_CHOICE_H
#define FS_UI_FOLDER_CLASS_CHOICE_H

#include "app/folder/folder_classes.h"
#include "app/session/project.h"
#include "ui/canvas/tools.h"

G_BEGIN_DECLS

/* TRUE if strokes, also undone ones, or the guess have this object. */
gboolean fs_class_choice_is_used (FsProject *project, int object);

/* The object to paint for a class, which gets its name and colour: the last one that has them, or a
 * free one; with `is_new` a free one in any case. 0: there are too many objects. */
int fs_class_choice_find (FsProject *project, const FsFolderClass *class, gboolean is_new);

/* The name of the object that the first object stroke is of; NULL: there is none, or it has no
 * name. */
const char *fs_class_choice_get_first (FsProject *project);

/* The number of an object among those of its name, from 1 on. */
int fs_class_choice_get_instance (FsProject *project, int object);

/* Gives the tools the colours of the project's objects: those of their classes, where `classes`
 * (may be NULL) have them, and else those of the project. */
void fs_class_choice_show_colours (FsTools *tools, FsProject *project,
                                   const FsFolderClasses *classes);

G_END_DECLS

#endif
