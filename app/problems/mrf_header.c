/* SPDX-License-Identifier: MIT */
#include "app/problems/mrf_header.h"

#include "app/files/display_name.h"
#include "app/photo/input/photo_error.h"

#include <string.h>

enum { MAX_LINES = 1000, MAX_LINE_BYTES = 20000, MAX_WORDS = 64 };

typedef struct {
  FsMrfHeader *header;
  int line;
  char *words[MAX_WORDS + 1]; /* of the line, its keyword first */
  int n_words;
  guint seen; /* a bit a keyword */
  GError **error;
} Parser;

static gboolean refuse_header (Parser *parser, const char *format, ...) G_GNUC_PRINTF (2, 3);

static gboolean
refuse_header (Parser *parser, const char *format, ...)
{
  va_list arguments;
  va_start (arguments, format);
  g_autofree char *reason = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  g_autofree char *line = fs_display_name (reason);
  g_set_error (parser->error, FS_PHOTO_ERROR, FS_PHOTO_ERROR_FORMAT, "line %d: %s", parser->line,
               line);
  return FALSE;
}

void
fs_mrf_header_clear (FsMrfHeader *header)
{
  for (int i = 0; i < header->n_images; i++)
    g_free (header->images[i]);
  g_free (header->cue_image);
  *header = (FsMrfHeader){ 0 };
}

static void
forget_words (Parser *parser)
{
  for (int i = 0; i < parser->n_words; i++)
    g_clear_pointer (&parser->words[i], g_free);
  parser->n_words = 0;
}

/* --- Words ------------------------------------------------------------------------------------ */

/* The end of the word at `at`, of `length` bytes of text; past the end where a quote is missing. */
static gsize
word_end (const char *text, gsize at, gsize length, gboolean quoted)
{
  while (at < length && (quoted ? text[at] != '"' : !g_ascii_isspace (text[at])))
    at++;
  return quoted && at == length ? length + 1 : at;
}

static gboolean
split_line (Parser *parser, const char *text, gsize length)
{
  forget_words (parser);
  if (length > MAX_LINE_BYTES || memchr (text, '\0', length) != NULL)
    return refuse_header (parser, "is not a line of text of at most %d bytes", MAX_LINE_BYTES);
  for (gsize at = 0; at < length;) {
    if (g_ascii_isspace (text[at])) {
      at++;
      continue;
    }
    if (text[at] == '#')
      break;
    gboolean quoted = text[at] == '"';
    gsize first = at + quoted, end = word_end (text, first, length, quoted);
    if (end > length)
      return refuse_header (parser, "a quote is not closed");
    if (parser->n_words == MAX_WORDS)
      return refuse_header (parser, "more than %d words", MAX_WORDS);
    parser->words[parser->n_words++] = g_strndup (text + first, end - first);
    at = end + quoted;
  }
  return TRUE;
}

/* Word `i` as a whole number in [least, most]. */
static gboolean
read_number (Parser *parser, int i, gint64 min, gint64 max, gint64 *number)
{
  if (i >= parser->n_words)
    return refuse_header (parser, "“%s” lacks a number", parser->words[0]);
  if (g_ascii_string_to_signed (parser->words[i], 10, min, max, number, NULL))
    return TRUE;
  return refuse_header (parser,
                        "“%.40s” is not a whole number from %" G_GINT64_FORMAT
                        " to %" G_GINT64_FORMAT,
                        parser->words[i], min, max);
}

static gboolean
read_int (Parser *parser, int i, gint64 min, gint64 max, int *number)
{
  gint64 value = 0;
  gboolean done = read_number (parser, i, min, max, &value);
  *number = (int)value;
  return done;
}

/* Which of the words, which a NULL ends, word `i` is. */
static gboolean
read_choice (Parser *parser, int i, const char *const *choices, int *choice)
{
  for (*choice = 0; i < parser->n_words && choices[*choice] != NULL; ++*choice)
    if (strcmp (choices[*choice], parser->words[i]) == 0)
      return TRUE;
  g_autofree char *list = g_strjoinv (", ", (char **)choices);
  return refuse_header (parser, "“%s” takes one of: %s", parser->words[0], list);
}

static gboolean
has_words (Parser *parser, int min, int max)
{
  return (parser->n_words >= min && parser->n_words <= max)
         || refuse_header (parser, "“%s” with %d words after it", parser->words[0],
                           parser->n_words - 1);
}

/* Takes words [first, end) as names of images. */
static gboolean
take_images (Parser *parser, int first, int end)
{
  if (end <= first || end - first > FS_MONTAGE_SOURCES_MAX)
    return refuse_header (parser, "%d images: there may be 1 to %d", MAX (end - first, 0),
                          FS_MONTAGE_SOURCES_MAX);
  for (int i = first; i < end; i++)
    parser->header->images[parser->header->n_images++] = g_strdup (parser->words[i]);
  return TRUE;
}

/* --- Keywords --------------------------------------------------------------------------------- */

static gboolean
read_grid (Parser *parser)
{
  FsMrfHeader *header = parser->header;
  static const char *const neighbours[] = { "4", "8", NULL };
  int which;
  if (!has_words (parser, 4, 4) || !read_int (parser, 1, 1, FS_MRF_MAX_SIDE_PX, &header->width)
      || !read_int (parser, 2, 1, FS_MRF_MAX_SIDE_PX, &header->height)
      || !read_choice (parser, 3, neighbours, &which))
    return FALSE;
  header->neighbours = which == 0 ? 4 : 8;
  return TRUE;
}

static gboolean
read_labels (Parser *parser)
{
  return has_words (parser, 2, 2)
         && read_int (parser, 1, 1, FS_LABELS_MAX, &parser->header->n_labels);
}

static gboolean
read_stereo (Parser *parser)
{
  static const char *const kinds[] = { "absolute", "squared", NULL };
  int squared;
  if (!has_words (parser, 6, 6) || !read_choice (parser, 4, kinds, &squared)
      || !read_int (parser, 5, 0, FS_LABEL_COST_MAX, &parser->header->data_max))
    return FALSE;
  parser->header->squared = squared;
  return take_images (parser, 2, 4);
}

static gboolean
read_data (Parser *parser)
{
  static const char *const kinds[] = { "planes", "stereo", "restoration", "montage", NULL };
  int kind;
  if (!read_choice (parser, 1, kinds, &kind))
    return FALSE;
  parser->header->data = (FsMrfData)(FS_MRF_DATA_PLANES + kind);
  switch (parser->header->data) {
  case FS_MRF_DATA_STEREO:
    return read_stereo (parser);
  case FS_MRF_DATA_RESTORATION:
    return has_words (parser, 3, 4) && take_images (parser, 2, parser->n_words);
  case FS_MRF_DATA_MONTAGE:
    return read_int (parser, 2, 0, FS_PAIR_COST_MAX, &parser->header->data_max)
           && take_images (parser, 3, parser->n_words);
  default:
    return has_words (parser, 2, 2);
  }
}

static gboolean
read_smoothness (Parser *parser)
{
  static const char *const kinds[] = { "potts", "linear", "square", "table", "montage", NULL };
  FsMrfHeader *header = parser->header;
  int kind;
  if (!read_choice (parser, 1, kinds, &kind))
    return FALSE;
  if (kind > 2) {
    header->smoothness = kind == 3 ? FS_MRF_SMOOTHNESS_TABLE : FS_MRF_SMOOTHNESS_MONTAGE;
    return has_words (parser, 2, 2);
  }
  header->smoothness = FS_MRF_SMOOTHNESS_POWER;
  header->power = kind;
  header->smooth_max = FS_PAIR_COST_MAX;
  return has_words (parser, 3, kind == 0 ? 3 : 4)
         && read_int (parser, 2, 0, FS_PAIR_COST_MAX, &header->scale)
         && (parser->n_words < 4 || read_int (parser, 3, 0, FS_PAIR_COST_MAX, &header->smooth_max));
}

static gboolean
read_weights (Parser *parser)
{
  static const char *const kinds[] = { "cue", "planes", NULL };
  FsMrfHeader *header = parser->header;
  int kind, factor = 0;
  if (!read_choice (parser, 1, kinds, &kind))
    return FALSE;
  header->weights = kind == 0 ? FS_MRF_WEIGHTS_CUE : FS_MRF_WEIGHTS_PLANES;
  if (kind == 1)
    return has_words (parser, 2, 2);
  if (!has_words (parser, 5, 5) || !read_int (parser, 3, 0, 1 << 20, &header->cue_below)
      || !read_int (parser, 4, 0, G_MAXUINT16, &factor))
    return FALSE;
  header->cue_factor = (uint16_t)factor;
  header->cue_image = g_strdup (parser->words[2]);
  return TRUE;
}

static gboolean
read_present (Parser *parser)
{
  parser->header->has_present = TRUE;
  return has_words (parser, 1, 1);
}

static gboolean
read_start (Parser *parser)
{
  static const char *const kinds[] = { "zero", "cheapest", "coarse", "chains", NULL };
  int kind;
  if (!has_words (parser, 2, 2) || !read_choice (parser, 1, kinds, &kind))
    return FALSE;
  parser->header->start = (FsMrfStart)kind;
  return TRUE;
}

static gboolean
read_order (Parser *parser)
{
  static const char *const kinds[] = { "ascending", "shuffled", NULL };
  int kind;
  gint64 seed = 0;
  if (!read_choice (parser, 1, kinds, &kind) || !has_words (parser, 2 + kind, 2 + kind)
      || (kind == 1 && !read_number (parser, 2, 1, G_MAXUINT32, &seed)))
    return FALSE;
  parser->header->shuffle = (guint32)seed;
  return TRUE;
}

static gboolean
read_planes (Parser *parser)
{
  static const char *const kinds[] = { "binary", "text", NULL };
  parser->header->has_planes = TRUE;
  return has_words (parser, 2, 2) && read_choice (parser, 1, kinds, &parser->header->is_text);
}

static const struct {
  const char *word;
  gboolean (*read) (Parser *parser);
} keywords[] = {
  { "grid", read_grid },       { "labels", read_labels },
  { "data", read_data },       { "smoothness", read_smoothness },
  { "weights", read_weights }, { "present", read_present },
  { "start", read_start },     { "order", read_order },
  { "planes", read_planes },
};

static gboolean
read_keyword (Parser *parser)
{
  for (guint i = 0; i < G_N_ELEMENTS (keywords); i++) {
    if (strcmp (keywords[i].word, parser->words[0]) != 0)
      continue;
    if (parser->seen & 1u << i)
      return refuse_header (parser, "a second “%s”", parser->words[0]);
    parser->seen |= 1u << i;
    return keywords[i].read (parser);
  }
  return refuse_header (parser, "“%.40s” is no keyword", parser->words[0]);
}

/* --- The whole -------------------------------------------------------------------------------- */

static gboolean
check_whole (Parser *parser)
{
  const FsMrfHeader *header = parser->header;
  for (guint i = 0; i < 4; i++)
    if (!(parser->seen & 1u << i))
      return refuse_header (parser, "the header ends without “%s”", keywords[i].word);
  gboolean is_montage = header->data == FS_MRF_DATA_MONTAGE;
  if (is_montage && header->n_images != header->n_labels)
    return refuse_header (parser, "%d labels, but %d images to choose from", header->n_labels,
                          header->n_images);
  if (header->smoothness == FS_MRF_SMOOTHNESS_MONTAGE
      && (!is_montage || header->weights != FS_MRF_WEIGHTS_NONE))
    return refuse_header (parser,
                          "“smoothness montage” needs “data montage”, and takes no weights");
  gboolean wants_planes = header->data == FS_MRF_DATA_PLANES
                          || header->smoothness == FS_MRF_SMOOTHNESS_TABLE
                          || header->weights == FS_MRF_WEIGHTS_PLANES || header->has_present;
  if (wants_planes != header->has_planes)
    return refuse_header (parser, wants_planes ? "“planes text” or “planes binary” is missing"
                                               : "“planes”, but nothing is given by planes");
  return TRUE;
}

/* Reads lines until "end". */
static gboolean
read_lines (Parser *parser, const char *text, gsize n_bytes, gsize *n_read)
{
  for (gsize at = 0; at < n_bytes && parser->line < MAX_LINES;) {
    const char *newline = memchr (text + at, '\n', MIN (n_bytes - at, MAX_LINE_BYTES + 1));
    gsize length = newline ? (gsize)(newline - text) - at : n_bytes - at;
    parser->line++;
    if (!split_line (parser, text + at, length))
      return FALSE;
    at += MIN (length + 1, n_bytes - at);
    *n_read = at;
    if (parser->line == 1) {
      if (parser->n_words != 2 || strcmp (parser->words[0], "fretsaw-mrf") != 0
          || strcmp (parser->words[1], "1") != 0)
        return refuse_header (parser, "is not “fretsaw-mrf 1”");
    } else if (parser->n_words == 1 && strcmp (parser->words[0], "end") == 0)
      return check_whole (parser);
    else if (parser->n_words > 0 && !read_keyword (parser))
      return FALSE;
  }
  parser->line = MAX (parser->line, 1);
  return refuse_header (parser, "the header does not come to its “end”");
}

gboolean
fs_mrf_header_parse (const char *text, gsize n_bytes, FsMrfHeader *header, gsize *n_read,
                     GError **error)
{
  *header = (FsMrfHeader){ 0 };
  *n_read = 0;
  Parser parser = { .header = header, .error = error };
  gboolean done = read_lines (&parser, text, n_bytes, n_read);
  forget_words (&parser);
  return done;
}
