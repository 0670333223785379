/* SPDX-License-Identifier: MIT */
/* The classes of a folder whose photos are labelled: names, colours and keys.   Layer: app.
 *
 * They are in a file among the photos, fretsaw-classes.json, one class a line, so that people share
 * it by version control or a common drive:
 *
 *   { "format": "fretsaw-classes-1",
 *     "classes": [
 *       { "id": "9b1d6e0c", "name": "cat", "colour": "#ff7800", "key": 1 },
 *       { "id": "5f0c21aa", "name": "dog", "colour": "#3584e4" } ] }
 *
 * "name" is one line of UTF-8 and stands once; "colour" may be left out for a usual one; "key" is
 * the digit, 1 to 9, that selects the class, or left out; where two classes have the same, the
 * second has none. "id" stays when a class is renamed, which is how a change is told from a removal
 * and an addition; left out, it follows from the name. Keys that are not known are kept.
 *
 * Several people may have the file open. Saving reads it again under a lock on the folder (flock;
 * where there is none, without) and merges three ways, class by class:
 *
 *   - what only one side changed, added or removed is changed, added or removed;
 *   - a class that one side removed and the other changed stays;
 *   - of two new names both stay: the file's keeps the id, the other becomes a class of its own;
 *   - of two colours or keys, mine is taken;
 *   - two classes that have come to the same name are one.
 *
 * Threads: plain data, one thread at a time; reading and saving block.
 */
#ifndef FS_APP_FOLDER_FOLDER_CLASSES_H
#define FS_APP_FOLDER_FOLDER_CLASSES_H

#include <glib.h>
#include <stdint.h>

G_BEGIN_DECLS

#define FS_FOLDER_ERROR (fs_folder_error_quark ())
GQuark fs_folder_error_quark (void);

typedef enum {
  FS_FOLDER_ERROR_READ,    /* cannot be opened or read                    */
  FS_FOLDER_ERROR_FORMAT,  /* not JSON, or not of this format              */
  FS_FOLDER_ERROR_INVALID, /* a value is missing or outside its range      */
  FS_FOLDER_ERROR_LIMIT,   /* beyond one of the limits below               */
  FS_FOLDER_ERROR_BUSY,    /* somebody else has been writing it for seconds */
} FsFolderError;

#define FS_FOLDER_CLASSES_FILE      "fretsaw-classes.json"
#define FS_FOLDER_CLASSES_FORMAT    "fretsaw-classes-1"
#define FS_FOLDER_CLASSES_MAX_BYTES (1 << 20)
#define FS_FOLDER_CLASSES_MAX       250
#define FS_FOLDER_CLASSES_MAX_DEPTH 16
#define FS_FOLDER_CLASSES_MAX_KEY   9

typedef struct {
  char *id;        /* up to 64 letters, digits, "-" and "_" */
  char *name;      /* as a session's label (app/session/session.h) */
  uint32_t colour; /* 0xRRGGBB */
  int key;         /* 1 … 9; 0: none */
  char *others;    /* members that are not known, as a JSON object */
} FsFolderClass;

typedef struct {
  GPtrArray *classes; /* of FsFolderClass */
  char *others;       /* as above */
} FsFolderClasses;

FsFolderClasses *fs_folder_classes_new (void);
FsFolderClasses *fs_folder_classes_copy (const FsFolderClasses *from);
void fs_folder_classes_free (FsFolderClasses *classes);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsFolderClasses, fs_folder_classes_free)

/* Text of the same meaning, the ids included. */
gboolean fs_folder_classes_equal (const FsFolderClasses *a, const FsFolderClasses *b);

const FsFolderClass *fs_folder_classes_get (const FsFolderClasses *classes, guint i);
/* NULL: there is none. `name` may be NULL. */
const FsFolderClass *fs_folder_classes_find (const FsFolderClasses *classes, const char *name);
const FsFolderClass *fs_folder_classes_find_key (const FsFolderClasses *classes, int key);

/* Defaults of a class: the id that follows from a name, and that no class has yet (g_free); a usual
 * colour that no class has, as long as there is one. */
char *fs_folder_classes_make_id (const FsFolderClasses *classes, const char *name);
uint32_t fs_folder_classes_next_colour (const FsFolderClasses *classes);

/* Each returns FALSE, and changes nothing, where the name is taken or no session could have it, or
 * where there are too many. Blanks around a name are removed. A new class has the first free key
 * and the next usual colour. */
gboolean fs_folder_classes_add (FsFolderClasses *classes, const char *name);
gboolean fs_folder_classes_rename (FsFolderClasses *classes, const char *name, const char *other);
void fs_folder_classes_remove (FsFolderClasses *classes, const char *name);
void fs_folder_classes_set_colour (FsFolderClasses *classes, const char *name, uint32_t colour);

/* The merge described above; `base` is what `mine` was made from, NULL: nothing. */
FsFolderClasses *fs_folder_classes_merge (const FsFolderClasses *base, const FsFolderClasses *mine,
                                          const FsFolderClasses *theirs);

/* Errors of reading: FS_FOLDER_ERROR, "PATH: reason". */
FsFolderClasses *fs_folder_classes_parse (const char *name, const char *text, gsize n_bytes,
                                          GError **error);
char *fs_folder_classes_to_text (const FsFolderClasses *classes);

/* The path of a folder's file. g_free. */
char *fs_folder_classes_path (const char *folder);
/* TRUE if the folder has the file: it is labelled as one job. */
gboolean fs_folder_classes_is_there (const char *folder);
FsFolderClasses *fs_folder_classes_read (const char *folder, GError **error);
/* Merges `mine` into the folder's file, whole or not at all, and returns what is in it now. Errors:
 * those of reading, and nothing is written then; FS_EXPORT_ERROR_WRITE. */
FsFolderClasses *fs_folder_classes_save (const char *folder, const FsFolderClasses *base,
                                         const FsFolderClasses *mine, GError **error);

G_END_DECLS

#endif
