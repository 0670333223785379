/* SPDX-License-Identifier: MIT */
#include "app/files/shard.h"

#include <string.h>

/* A number from 1 to FS_SHARD_MAX without sign or leading zeros; 0 for all else. */
static guint
parse_count (const char *text, const char *end)
{
  guint count = 0;
  if (*text == '0')
    return 0;
  for (; text < end; text++) {
    if (!g_ascii_isdigit (*text))
      return 0;
    count = count * 10 + (guint)(*text - '0');
    if (count > FS_SHARD_MAX)
      return 0;
  }
  return count;
}

gboolean
fs_shard_parse (const char *text, FsShard *shard)
{
  g_return_val_if_fail (shard, FALSE);

  FsShard read = { 0 };
  if (text) {
    const char *slash = strchr (text, '/');
    if (!slash)
      return FALSE;
    read.k = parse_count (text, slash);
    read.n = parse_count (slash + 1, slash + strlen (slash));
    if (read.k == 0 || read.k > read.n)
      return FALSE;
  }
  *shard = read;
  return TRUE;
}

gboolean
fs_shard_takes (const FsShard *shard, gsize place)
{
  return shard->n == 0 || place % shard->n == shard->k - 1;
}

static gint
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(const char *const *)a, *(const char *const *)b);
}

void
fs_shard_sort (GPtrArray *names)
{
  g_ptr_array_sort (names, compare_names);
}

void
fs_shard_keep (const FsShard *shard, GPtrArray *names)
{
  for (guint place = names->len; place-- > 0;)
    if (!fs_shard_takes (shard, place))
      g_ptr_array_remove_index (names, place);
}
