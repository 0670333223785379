/* SPDX-License-Identifier: MIT */
#include "app/folder/session_scan.h"

#include "app/session/session.h"

#include <fcntl.h>
#include <jansson.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
  const char *at, *end;
} Text;

typedef struct {
  const char *start;
  gsize n_bytes;
} Span;

static void
skip_blanks (Text *text)
{
  while (text->at < text->end && strchr (" \t\r\n", *text->at) && *text->at)
    text->at++;
}

static gboolean
take (Text *text, char c)
{
  skip_blanks (text);
  if (text->at == text->end || *text->at != c)
    return FALSE;
  text->at++;
  return TRUE;
}

/* With its quotes. */
static gboolean
skip_string (Text *text)
{
  if (!take (text, '"'))
    return FALSE;
  for (; text->at < text->end && *text->at != '"'; text->at++)
    if (*text->at == '\\')
      text->at++;
  if (text->at >= text->end)
    return FALSE;
  text->at++;
  return TRUE;
}

/* A value of any kind; brackets are counted, not matched. */
static gboolean
take_value (Text *text, Span *value)
{
  guint depth = 0;
  skip_blanks (text);
  value->start = text->at;
  for (; text->at < text->end; text->at++) {
    const char c = *text->at;
    if (c == '"') {
      if (!skip_string (text))
        return FALSE;
      text->at--;
    } else if (c == '[' || c == '{') {
      depth++;
    } else if (depth == 0 && (c == ',' || c == ']' || c == '}')) {
      break;
    } else if (c == ']' || c == '}') {
      depth--;
    }
  }
  value->n_bytes = (gsize)(text->at - value->start);
  return text->at < text->end && value->n_bytes > 0;
}

static gboolean
is_key (const Span *key, const char *name)
{
  return key->n_bytes == strlen (name) + 2 && memcmp (key->start + 1, name, key->n_bytes - 2) == 0;
}

static char *
find_photo_name (const Span *photo)
{
  json_t *root = json_loadb (photo->start, photo->n_bytes, 0, NULL);
  const char *name = json_string_value (json_object_get (root, "name"));
  char *copy = g_strdup (name);
  json_decref (root);
  return copy;
}

/* An array with anything in it. */
static gboolean
has_items (const Span *list)
{
  Text text = { list->start, list->start + list->n_bytes };
  return take (&text, '[') && !take (&text, ']');
}

static void
take_member (const Span *key, const Span *value, FsSessionScan *scan)
{
  if (is_key (key, "photo") && !scan->photo)
    scan->photo = find_photo_name (value);
  else if (is_key (key, "done"))
    scan->done = value->n_bytes >= 4 && memcmp (value->start, "true", 4) == 0;
  else if (is_key (key, "strokes") || is_key (key, "edge"))
    scan->has_strokes = scan->has_strokes || has_items (value);
}

gboolean
fs_session_scan_text (const char *bytes, gsize n_bytes, FsSessionScan *scan)
{
  g_return_val_if_fail ((bytes || n_bytes == 0) && scan, FALSE);

  Text text = { bytes, bytes + n_bytes };
  *scan = (FsSessionScan){ 0 };
  if (!take (&text, '{'))
    return FALSE;
  do {
    skip_blanks (&text);
    Span key = { text.at, 0 }, value;
    if (!skip_string (&text))
      return FALSE;
    key.n_bytes = (gsize)(text.at - key.start);
    if (!take (&text, ':') || !take_value (&text, &value))
      return FALSE;
    take_member (&key, &value, scan);
  } while (take (&text, ','));
  return take (&text, '}');
}

/* NULL where it is no regular file, or none that a session could be. */
static char *
read_bytes (const char *path, gsize *n_bytes)
{
  int fd = open (path, O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY);
  struct stat facts;
  g_autofree char *bytes = NULL;
  ssize_t n = -1;
  *n_bytes = 0;
  if (fd >= 0 && fstat (fd, &facts) == 0 && S_ISREG (facts.st_mode)
      && facts.st_size <= FS_SESSION_MAX_BYTES)
    bytes = g_try_malloc ((gsize)facts.st_size + 1);
  while (bytes && *n_bytes < (gsize)facts.st_size
         && (n = read (fd, bytes + *n_bytes, (gsize)facts.st_size - *n_bytes)) > 0)
    *n_bytes += (gsize)n;
  if (fd >= 0)
    close (fd);
  return *n_bytes > 0 ? g_steal_pointer (&bytes) : NULL;
}

gboolean
fs_session_scan_file (const char *path, FsSessionScan *scan)
{
  g_return_val_if_fail (path && scan, FALSE);

  gsize n_bytes;
  g_autofree char *bytes = read_bytes (path, &n_bytes);
  *scan = (FsSessionScan){ 0 };
  return bytes && fs_session_scan_text (bytes, n_bytes, scan);
}

void
fs_session_scan_clear (FsSessionScan *scan)
{
  g_clear_pointer (&scan->photo, g_free);
}
