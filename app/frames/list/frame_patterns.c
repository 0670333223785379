/* SPDX-License-Identifier: MIT */
#include "app/frames/list/frame_patterns.h"

#include "app/files/display_name.h"
#include "app/frames/list/frame_names.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SHOWN = 3 };

static void
pattern_clear (gpointer data)
{
  g_free (((FsFramePattern *)data)->pattern);
}

/* A name with its last number apart. */
typedef struct {
  const char *name;
  gsize begin, end;
} Numbered;

/* FALSE for a name without a number. */
static gboolean
find_digits (const FsFrame *frame, Numbered *numbered)
{
  const char *slash = strrchr (frame->path, G_DIR_SEPARATOR);
  gsize end = strlen (frame->stem);
  while (end > 0 && !g_ascii_isdigit (frame->stem[end - 1]))
    end--;
  gsize begin = end;
  while (begin > 0 && g_ascii_isdigit (frame->stem[begin - 1]))
    begin--;
  *numbered = (Numbered){ slash ? slash + 1 : frame->path, begin, end };
  return end > begin;
}

static void
append_escaped (GString *text, const char *from, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    g_string_append_c (text, from[i]);
    if (from[i] == '%')
      g_string_append_c (text, '%');
  }
}

/* `n_digits`: 0 for %d. */
static char *
make_pattern (const Numbered *numbered, gsize n_digits)
{
  GString *text = g_string_new (NULL);
  append_escaped (text, numbered->name, numbered->begin);
  if (n_digits > 0)
    g_string_append_printf (text, "%%0%" G_GSIZE_FORMAT "d", n_digits);
  else
    g_string_append (text, "%d");
  append_escaped (text, numbered->name + numbered->end, strlen (numbered->name) - numbered->end);
  return g_string_free (text, FALSE);
}

static void
count_pattern (GHashTable *counts, char *pattern)
{
  guint n = GPOINTER_TO_UINT (g_hash_table_lookup (counts, pattern));
  g_hash_table_replace (counts, pattern, GUINT_TO_POINTER (n + 1));
}

static gboolean
is_padded (const Numbered *numbered)
{
  return numbered->name[numbered->begin] == '0' && numbered->end - numbered->begin > 1;
}

/* The pattern of numbers without a leading zero: that of padded ones beside them which are no
 * longer than they are, else %d. */
static char *
find_pattern (GHashTable *counts, const Numbered *numbered)
{
  for (gsize n = numbered->end - numbered->begin; n > 1; n--) {
    char *padded = make_pattern (numbered, n);
    if (g_hash_table_contains (counts, padded))
      return padded;
    g_free (padded);
  }
  return make_pattern (numbered, 0);
}

static gint
compare_patterns (gconstpointer a, gconstpointer b)
{
  const FsFramePattern *first = a, *second = b;
  if (first->n != second->n)
    return first->n > second->n ? -1 : 1;
  return strcmp (first->pattern, second->pattern);
}

GArray *
fs_frame_patterns_list (const GPtrArray *frames)
{
  g_return_val_if_fail (frames, NULL);
  g_autoptr (GHashTable) counts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Numbered numbered;
  for (guint i = 0; i < frames->len; i++)
    if (find_digits (frames->pdata[i], &numbered) && is_padded (&numbered))
      count_pattern (counts, make_pattern (&numbered, numbered.end - numbered.begin));
  for (guint i = 0; i < frames->len; i++)
    if (find_digits (frames->pdata[i], &numbered) && !is_padded (&numbered))
      count_pattern (counts, find_pattern (counts, &numbered));
  GArray *patterns = g_array_new (FALSE, FALSE, sizeof (FsFramePattern));
  g_array_set_clear_func (patterns, pattern_clear);
  GHashTableIter iter;
  gpointer key, n;
  g_hash_table_iter_init (&iter, counts);
  while (g_hash_table_iter_next (&iter, &key, &n)) {
    FsFramePattern pattern = { g_strdup (key), GPOINTER_TO_UINT (n) };
    g_array_append_val (patterns, pattern);
  }
  g_array_sort (patterns, compare_patterns);
  return patterns;
}

char *
fs_frame_patterns_describe (const GArray *patterns)
{
  g_return_val_if_fail (patterns, NULL);
  GString *text = g_string_new (NULL);
  for (guint i = 0; i < patterns->len && i < MAX_SHOWN; i++) {
    const FsFramePattern *pattern = &g_array_index (patterns, FsFramePattern, i);
    g_autofree char *name = fs_display_name (pattern->pattern);
    g_string_append_printf (text, "%s%s (%u%s)", i > 0 ? ", " : "", name, pattern->n,
                            i > 0             ? ""
                            : pattern->n == 1 ? " image"
                                              : " images");
  }
  if (patterns->len > MAX_SHOWN)
    g_string_append (text, ", …");
  return g_string_free (text, FALSE);
}
