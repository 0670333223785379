/* SPDX-License-Identifier: MIT */
/* The photos of a folder in order, each with its session and how far it is.   Layer: app.
 *
 * A session belongs to a photo by its name (folder_photos.h) and by the photo that it names; one
 * whose photo is not there any more counts too, since that may have been renamed. Only sessions
 * that have changed since the previous list, by size or time, are read again.
 *
 * Threads: plain data, one thread at a time; reading blocks.
 */
#ifndef FS_APP_FOLDER_FOLDER_LIST_H
#define FS_APP_FOLDER_FOLDER_LIST_H

#include <gio/gio.h>

G_BEGIN_DECLS

typedef enum {
  FS_FOLDER_EMPTY, /* no session, or one without strokes; not done        */
  FS_FOLDER_BEGUN, /* strokes, or a session that cannot be read: not done */
  FS_FOLDER_DONE,
} FsFolderState;

typedef struct {
  char *name;    /* in the folder, in the file system's encoding */
  char *session; /* the same; NULL: there is none                */
  FsFolderState state;
  goffset n_bytes;   /* of the session, by which it is known again */
  gint64 changed_us; /* the same */
} FsFolderPhoto;

typedef struct {
  char *folder;      /* absolute path      */
  GPtrArray *photos; /* of FsFolderPhoto   */
} FsFolderList;

/* `previous` may be NULL. Errors: those of GIO. */
FsFolderList *fs_folder_list_read (const char *folder, const FsFolderList *previous,
                                   GCancellable *cancellable, GError **error);
FsFolderList *fs_folder_list_copy (const FsFolderList *from);
void fs_folder_list_free (FsFolderList *list);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsFolderList, fs_folder_list_free)

FsFolderPhoto *fs_folder_list_get (const FsFolderList *list, guint i);
/* The place of a photo by its name, or by its path; -1: it is not there. */
int fs_folder_list_find (const FsFolderList *list, const char *photo);
guint fs_folder_list_count (const FsFolderList *list, FsFolderState state);
/* The next photo that is not done after place `from` (-1: from the start), and then from the start
 * on; -1: all others are done. */
int fs_folder_list_next_unfinished (const FsFolderList *list, int from);
/* The path of a photo. g_free. */
char *fs_folder_list_path (const FsFolderList *list, guint i);

G_END_DECLS

#endif
