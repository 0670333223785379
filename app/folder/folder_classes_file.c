/* SPDX-License-Identifier: MIT */
#include "app/export/export.h"
#include "app/files/display_name.h"
#include "app/files/json_text.h"
#include "app/folder/folder_classes.h"
#include "app/session/session.h"

#include <glib/gi18n.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_ID_BYTES   64
#define LOCK_TRIES     250
#define LOCK_PAUSE_US  20000
#define MAX_JSON_ITEMS 100000

G_DEFINE_QUARK (fs - folder - error - quark, fs_folder_error)
G_DEFINE_AUTOPTR_CLEANUP_FUNC (json_t, json_decref)

/* --- Reading ---------------------------------------------------------------------------------- */

typedef struct {
  const char *name; /* of the file */
  GError **error;
} Reader;

static gboolean refuse (const Reader *reader, FsFolderError code, const char *format, ...)
    G_GNUC_PRINTF (3, 4);

static gboolean
refuse (const Reader *reader, FsFolderError code, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  g_autofree char *reason = g_strdup_vprintf (format, args);
  va_end (args);
  g_autofree char *name = fs_display_name (reader->name);
  g_set_error (reader->error, FS_FOLDER_ERROR, code, "%s: %s", name, reason);
  return FALSE;
}

/* All members but the known ones, as text. */
static char *
take_others (json_t *object, const char *const *known)
{
  g_autoptr (json_t) others = json_deep_copy (object);
  for (; others && *known; known++)
    json_object_del (others, *known);
  char *dumped = others ? json_dumps (others, JSON_SORT_KEYS) : NULL;
  char *text = g_strdup (dumped ? dumped : "{}");
  free (dumped);
  return text;
}

static gboolean
read_name (const Reader *reader, json_t *value, guint i, const FsFolderClasses *classes,
           FsFolderClass *one)
{
  const char *name = json_string_value (value);
  if (!name || !fs_session_is_label_name (name) || strlen (name) != json_string_length (value))
    return refuse (reader, FS_FOLDER_ERROR_INVALID,
                   "classes[%u].name is not a line of 1 … %d bytes", i, FS_SESSION_MAX_LABEL_BYTES);
  if (fs_folder_classes_find (classes, name))
    return refuse (reader, FS_FOLDER_ERROR_INVALID, "classes[%u].name is that of another class", i);
  one->name = g_strdup (name);
  return TRUE;
}

static gboolean
is_id (const char *id)
{
  gsize n = id ? strlen (id) : 0;
  for (const char *at = id; at && *at; at++)
    if (!g_ascii_isalnum (*at) && *at != '-' && *at != '_')
      return FALSE;
  return n > 0 && n <= MAX_ID_BYTES;
}

static gboolean
read_id (const Reader *reader, json_t *value, guint i, const FsFolderClasses *classes,
         FsFolderClass *one)
{
  const char *id = json_string_value (value);
  if (!value) {
    one->id = fs_folder_classes_make_id (classes, one->name);
    return TRUE;
  }
  if (!is_id (id))
    return refuse (reader, FS_FOLDER_ERROR_INVALID,
                   "classes[%u].id is not 1 … %d letters and digits", i, MAX_ID_BYTES);
  for (guint k = 0; k < classes->classes->len; k++)
    if (strcmp (fs_folder_classes_get (classes, k)->id, id) == 0)
      return refuse (reader, FS_FOLDER_ERROR_INVALID, "classes[%u].id is that of another class", i);
  one->id = g_strdup (id);
  return TRUE;
}

static gboolean
read_colour (const Reader *reader, json_t *value, guint i, const FsFolderClasses *classes,
             FsFolderClass *one)
{
  const char *text = json_string_value (value);
  guint64 colour = 0;
  one->colour = fs_folder_classes_next_colour (classes);
  if (!value)
    return TRUE;
  if (!text || strlen (text) != 7 || text[0] != '#'
      || !g_ascii_string_to_unsigned (text + 1, 16, 0, 0xffffff, &colour, NULL))
    return refuse (reader, FS_FOLDER_ERROR_INVALID, "classes[%u].colour is not \"#rrggbb\"", i);
  one->colour = (uint32_t)colour;
  return TRUE;
}

static gboolean
read_key (const Reader *reader, json_t *value, guint i, const FsFolderClasses *classes,
          FsFolderClass *one)
{
  if (!value)
    return TRUE;
  json_int_t key = json_integer_value (value);
  if (!json_is_integer (value) || key < 1 || key > FS_FOLDER_CLASSES_MAX_KEY)
    return refuse (reader, FS_FOLDER_ERROR_INVALID, "classes[%u].key is not a whole number 1 … %d",
                   i, FS_FOLDER_CLASSES_MAX_KEY);
  one->key = fs_folder_classes_find_key (classes, (int)key) ? 0 : (int)key;
  return TRUE;
}

static gboolean
read_class (const Reader *reader, json_t *value, guint i, FsFolderClasses *classes)
{
  static const char *const known[] = { "id", "name", "colour", "key", NULL };
  if (!json_is_object (value))
    return refuse (reader, FS_FOLDER_ERROR_INVALID, "classes[%u] is not an object", i);
  FsFolderClass one = { .others = take_others (value, known) };
  gboolean is_valid = read_name (reader, json_object_get (value, "name"), i, classes, &one)
                      && read_id (reader, json_object_get (value, "id"), i, classes, &one)
                      && read_colour (reader, json_object_get (value, "colour"), i, classes, &one)
                      && read_key (reader, json_object_get (value, "key"), i, classes, &one);
  if (is_valid) {
    g_ptr_array_add (classes->classes, g_memdup2 (&one, sizeof one));
    return TRUE;
  }
  g_free (one.id);
  g_free (one.name);
  g_free (one.others);
  return FALSE;
}

static gboolean
read_root (const Reader *reader, json_t *root, FsFolderClasses *classes)
{
  static const char *const known[] = { "format", "classes", NULL };
  const char *format = json_string_value (json_object_get (root, "format"));
  if (g_strcmp0 (format, FS_FOLDER_CLASSES_FORMAT) != 0)
    return refuse (reader, FS_FOLDER_ERROR_FORMAT,
                   _ ("is not a list of classes that this version reads (format \"%s\")"),
                   FS_FOLDER_CLASSES_FORMAT);
  json_t *list = json_object_get (root, "classes");
  if (!json_is_array (list))
    return refuse (reader, FS_FOLDER_ERROR_INVALID, "classes is not an array");
  if (json_array_size (list) > FS_FOLDER_CLASSES_MAX)
    return refuse (reader, FS_FOLDER_ERROR_LIMIT, "has more than %d classes",
                   FS_FOLDER_CLASSES_MAX);
  g_free (classes->others);
  classes->others = take_others (root, known);
  for (guint i = 0; i < json_array_size (list); i++)
    if (!read_class (reader, json_array_get (list, i), i, classes))
      return FALSE;
  return TRUE;
}

FsFolderClasses *
fs_folder_classes_parse (const char *name, const char *text, gsize n_bytes, GError **error)
{
  g_return_val_if_fail (name && (text || n_bytes == 0), NULL);

  const Reader reader = { name, error };
  FsJsonScan scan =
      n_bytes <= FS_FOLDER_CLASSES_MAX_BYTES ? fs_json_scan (text, n_bytes) : (FsJsonScan){ 0 };
  if (n_bytes > FS_FOLDER_CLASSES_MAX_BYTES || scan.depth > FS_FOLDER_CLASSES_MAX_DEPTH
      || scan.n_values > MAX_JSON_ITEMS) {
    refuse (&reader, FS_FOLDER_ERROR_LIMIT, "is larger than a list of %d classes can be",
            FS_FOLDER_CLASSES_MAX);
    return NULL;
  }
  g_autofree char *reason = NULL;
  g_autoptr (json_t) root = fs_json_parse (text, n_bytes, FS_JSON_UNIQUE_NAMES, &reason);
  if (!root) {
    refuse (&reader, FS_FOLDER_ERROR_FORMAT, _ ("is damaged, or not a list of classes: %s"),
            reason);
    return NULL;
  }
  g_autoptr (FsFolderClasses) classes = fs_folder_classes_new ();
  return read_root (&reader, root, classes) ? g_steal_pointer (&classes) : NULL;
}

/* A file that is no regular one would be waited for for ever. */
static char *
read_text (const Reader *reader, gsize *n_bytes)
{
  int fd = open (reader->name, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  struct stat facts;
  g_autofree char *text = NULL;
  ssize_t n = -1;
  if (fd >= 0 && fstat (fd, &facts) == 0 && S_ISREG (facts.st_mode)) {
    text = g_malloc (FS_FOLDER_CLASSES_MAX_BYTES + 1);
    *n_bytes = 0;
    while (*n_bytes <= FS_FOLDER_CLASSES_MAX_BYTES
           && (n = read (fd, text + *n_bytes, FS_FOLDER_CLASSES_MAX_BYTES + 1 - *n_bytes)) > 0)
      *n_bytes += (gsize)n;
  } else if (fd >= 0) {
    errno = EINVAL;
  }
  if (n < 0)
    refuse (reader, FS_FOLDER_ERROR_READ, _ ("cannot be read: %s"), g_strerror (errno));
  if (fd >= 0)
    close (fd);
  return n < 0 ? NULL : g_steal_pointer (&text);
}

char *
fs_folder_classes_path (const char *folder)
{
  return g_build_filename (folder, FS_FOLDER_CLASSES_FILE, NULL);
}

gboolean
fs_folder_classes_is_there (const char *folder)
{
  g_autofree char *path = fs_folder_classes_path (folder);
  return g_file_test (path, G_FILE_TEST_EXISTS);
}

FsFolderClasses *
fs_folder_classes_read (const char *folder, GError **error)
{
  g_return_val_if_fail (folder, NULL);

  g_autofree char *path = fs_folder_classes_path (folder);
  const Reader reader = { path, error };
  gsize n_bytes = 0;
  g_autofree char *text = read_text (&reader, &n_bytes);
  return text ? fs_folder_classes_parse (path, text, n_bytes, error) : NULL;
}

/* --- Writing ---------------------------------------------------------------------------------- */

/* The members of an object's text, after a comma where there are any. */
static void
append_others (GString *text, const char *others)
{
  gsize n = strlen (others);
  if (n > 2)
    g_string_append_printf (text, ", %.*s", (int)(n - 2), others + 1);
}

char *
fs_folder_classes_to_text (const FsFolderClasses *classes)
{
  g_return_val_if_fail (classes, NULL);

  GString *text = g_string_new ("{ \"format\": \"" FS_FOLDER_CLASSES_FORMAT "\"");
  append_others (text, classes->others);
  g_string_append (text, ",\n  \"classes\": [");
  for (guint i = 0; i < classes->classes->len; i++) {
    const FsFolderClass *one = fs_folder_classes_get (classes, i);
    g_string_append_printf (text, "%s\n    { \"id\": \"%s\", \"name\": ", i > 0 ? "," : "",
                            one->id);
    fs_json_append_quoted (text, one->name);
    g_string_append_printf (text, ", \"colour\": \"#%06x\"", one->colour);
    if (one->key > 0)
      g_string_append_printf (text, ", \"key\": %d", one->key);
    append_others (text, one->others);
    g_string_append (text, " }");
  }
  g_string_append (text, "\n  ] }\n");
  return g_string_free (text, FALSE);
}

/* Some file systems have no such lock; then there is none. */
static gboolean
lock_folder (int fd)
{
  for (int i = 0; fd >= 0 && i < LOCK_TRIES; i++) {
    if (flock (fd, LOCK_EX | LOCK_NB) == 0 || (errno != EWOULDBLOCK && errno != EINTR))
      return TRUE;
    g_usleep (LOCK_PAUSE_US);
  }
  return fd < 0;
}

static FsFolderClasses *
merge_and_write (const char *folder, const FsFolderClasses *base, const FsFolderClasses *mine,
                 GError **error)
{
  g_autofree char *path = fs_folder_classes_path (folder);
  g_autoptr (FsFolderClasses) theirs = fs_folder_classes_is_there (folder)
                                           ? fs_folder_classes_read (folder, error)
                                           : fs_folder_classes_copy (base ? base : mine);
  if (!theirs)
    return NULL;
  g_autoptr (FsFolderClasses) merged = fs_folder_classes_merge (base, mine, theirs);
  g_autofree char *text = fs_folder_classes_to_text (merged);
  /* A list that cannot be read again would be lost. */
  g_autoptr (FsFolderClasses) readable = fs_folder_classes_parse (path, text, strlen (text), error);
  return readable && fs_export_write_text (path, text, -1, error) ? g_steal_pointer (&merged)
                                                                  : NULL;
}

FsFolderClasses *
fs_folder_classes_save (const char *folder, const FsFolderClasses *base,
                        const FsFolderClasses *mine, GError **error)
{
  g_return_val_if_fail (folder && mine, NULL);

  int fd = open (folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  FsFolderClasses *merged = NULL;
  if (lock_folder (fd)) {
    merged = merge_and_write (folder, base, mine, error);
  } else {
    g_autofree char *path = fs_folder_classes_path (folder);
    const Reader reader = { path, error };
    refuse (&reader, FS_FOLDER_ERROR_BUSY, _ ("is being written by another program"));
  }
  if (fd >= 0)
    close (fd);
  return merged;
}
