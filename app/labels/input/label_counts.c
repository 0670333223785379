/* SPDX-License-Identifier: MIT */
#include "app/labels/input/label_counts.h"

#include "app/files/display_name.h"

#include <glib/gi18n.h>

guint
fs_label_counts_sum_lost (const FsLabelCounts *counts)
{
  guint n = 0;
  for (int loss = 0; loss < FS_N_LABEL_LOSSES; loss++)
    n += counts->n_lost[loss];
  return n;
}

void
fs_label_counts_lose (FsLabelCounts *counts, FsLabelLoss loss, guint n, const char *place)
{
  char *first = counts->first[loss];
  if (n > 0 && counts->n_lost[loss] == 0 && place) {
    g_autofree char *shown = fs_display_name (place);
    const char *end;
    g_strlcpy (first, shown, FS_LABEL_PLACE_BYTES);
    if (!g_utf8_validate (first, -1, &end))
      first[end - first] = '\0';
  }
  counts->n_lost[loss] += n;
}

void
fs_label_counts_add (FsLabelCounts *counts, const FsLabelCounts *more)
{
  counts->n_read += more->n_read;
  for (int loss = 0; loss < FS_N_LABEL_LOSSES; loss++)
    fs_label_counts_lose (counts, (FsLabelLoss)loss, more->n_lost[loss], more->first[loss]);
}

/* Translators: the forms below follow a number of objects: "2 broken". */
static const char *
describe_loss (FsLabelLoss loss)
{
  switch (loss) {
  case FS_LABEL_LOSS_CLASS:
    return _ ("%u of an unknown class");
  case FS_LABEL_LOSS_BROKEN:
    return _ ("%u broken");
  case FS_LABEL_LOSS_BOX:
    return _ ("%u with a box alone");
  case FS_LABEL_LOSS_LINE:
    return _ ("%u without an area");
  case FS_LABEL_LOSS_OUTSIDE:
    return _ ("%u outside the photo");
  case FS_LABEL_LOSS_COVERED:
    return _ ("%u covered by others");
  case FS_LABEL_LOSS_TWICE:
    return _ ("%u with the id of another");
  case FS_LABEL_LOSS_PHOTO:
    return _ ("%u of no photo");
  default:
    return _ ("%u beyond the limit");
  }
}

/* `format` is one of those above. */
static void
append_number (GString *text, const char *format, guint n)
{
  g_auto (GStrv) parts = g_strsplit (format, "%u", 2);
  g_string_append_printf (text, "%s%u%s", parts[0], n, parts[0] && parts[1] ? parts[1] : "");
}

static void
append_first (GString *text, const char *first, guint n)
{
  if (*first == '\0')
    return;
  g_autofree char *place = n == 1 ? g_strdup (first) : g_strdup_printf (_ ("the first: %s"), first);
  g_string_append_printf (text, " (%s)", place);
}

char *
fs_label_counts_to_text (const FsLabelCounts *counts)
{
  GString *text = g_string_new (NULL);
  guint n_lost = fs_label_counts_sum_lost (counts);
  if (counts->n_read > 0 || n_lost == 0)
    append_number (text, ngettext ("%u object", "%u objects", counts->n_read), counts->n_read);
  if (n_lost > 0) {
    g_string_append (text, text->len > 0 ? ", " : "");
    append_number (text, ngettext ("%u left out: ", "%u left out: ", n_lost), n_lost);
  }
  gboolean is_first = TRUE;
  for (int loss = 0; loss < FS_N_LABEL_LOSSES; loss++) {
    if (counts->n_lost[loss] == 0)
      continue;
    if (!is_first)
      g_string_append (text, ", ");
    append_number (text, describe_loss ((FsLabelLoss)loss), counts->n_lost[loss]);
    append_first (text, counts->first[loss], counts->n_lost[loss]);
    is_first = FALSE;
  }
  return g_string_free (text, FALSE);
}
