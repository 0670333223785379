/* SPDX-License-Identifier: MIT */
#include "app/photo/input/xmp.h"

#include <math.h>
#include <string.h>

#define TIFF_SPACE "http://ns.adobe.com/tiff/1.0/"
#define DC_SPACE   "http://purl.org/dc/elements/1.1/"

/* The limits of a value, and of the number of namespaces in one file. */
enum { MAX_VALUE_BYTES = 64 * 1024, MAX_SPACES = 256 };

/* Elements within each other; a packet has a dozen. */
enum { MAX_DEPTH = 100 };

typedef enum {
  NOTHING,
  ORIENTATION,
  X_RESOLUTION,
  Y_RESOLUTION,
  RESOLUTION_UNIT,
  ARTIST,
  COPYRIGHT,
  DESCRIPTION,
} Fact;

static const struct {
  const char *space, *name;
  Fact fact;
} facts[] = {
  { TIFF_SPACE, "Orientation", ORIENTATION },
  { TIFF_SPACE, "XResolution", X_RESOLUTION },
  { TIFF_SPACE, "YResolution", Y_RESOLUTION },
  { TIFF_SPACE, "ResolutionUnit", RESOLUTION_UNIT },
  { DC_SPACE, "creator", ARTIST },
  { DC_SPACE, "rights", COPYRIGHT },
  { DC_SPACE, "description", DESCRIPTION },
  { TIFF_SPACE, "Artist", ARTIST },
  { TIFF_SPACE, "Copyright", COPYRIGHT },
  { TIFF_SPACE, "ImageDescription", DESCRIPTION },
};

typedef struct {
  FsPhotoMetadata *metadata;
  GHashTable *spaces; /* prefix → its namespace                        */
  Fact fact;          /* of the element within which the reader stands */
  guint depth;        /* below that element                            */
  guint n_open;       /* elements                                      */
  GString *value;
  double x, y, unit;
} Reader;

static Fact
fact_of (const Reader *reader, const char *name)
{
  const char *colon = strchr (name, ':');
  if (!colon)
    return NOTHING;
  g_autofree char *prefix = g_strndup (name, (gsize)(colon - name));
  const char *space = g_hash_table_lookup (reader->spaces, prefix);
  for (gsize i = 0; space && i < G_N_ELEMENTS (facts); i++)
    if (strcmp (facts[i].name, colon + 1) == 0 && strcmp (facts[i].space, space) == 0)
      return facts[i].fact;
  return NOTHING;
}

/* "300/1", or "300". */
static double
ratio_of (const char *text)
{
  char *end;
  const double above = g_ascii_strtod (text, &end);
  const double below = *end == '/' ? g_ascii_strtod (end + 1, NULL) : 1;
  return below > 0 && isfinite (above / below) ? above / below : 0;
}

static void
take_value (Reader *reader, Fact fact, const char *text)
{
  FsPhotoMetadata *metadata = reader->metadata;
  const double number = ratio_of (text);
  switch (fact) {
  case ORIENTATION:
    if (!metadata->orientation && number >= 1 && number <= 8)
      metadata->orientation = (int)number;
    break;
  case X_RESOLUTION:
    reader->x = number;
    break;
  case Y_RESOLUTION:
    reader->y = number;
    break;
  case RESOLUTION_UNIT:
    reader->unit = number;
    break;
  case ARTIST:
    fs_photo_metadata_set_text (&metadata->artist, text, strlen (text));
    break;
  case COPYRIGHT:
    fs_photo_metadata_set_text (&metadata->copyright, text, strlen (text));
    break;
  case DESCRIPTION:
    fs_photo_metadata_set_text (&metadata->description, text, strlen (text));
    break;
  case NOTHING:
  default:
    break;
  }
}

static void
on_start (GMarkupParseContext *context, const char *element, const char **names,
          const char **values, gpointer user_data, GError **error)
{
  Reader *reader = user_data;
  if (++reader->n_open > MAX_DEPTH) {
    g_set_error_literal (error, G_MARKUP_ERROR, G_MARKUP_ERROR_INVALID_CONTENT, "too deep");
    return;
  }
  for (int i = 0; names[i]; i++)
    if (g_str_has_prefix (names[i], "xmlns:") && g_hash_table_size (reader->spaces) < MAX_SPACES)
      g_hash_table_insert (reader->spaces, g_strdup (names[i] + 6), g_strdup (values[i]));
  for (int i = 0; names[i]; i++)
    take_value (reader, fact_of (reader, names[i]), values[i]);
  if (reader->fact != NOTHING) {
    reader->depth++;
    return;
  }
  reader->fact = fact_of (reader, element);
  reader->depth = 0;
  g_string_set_size (reader->value, 0);
}

/* A list's first value that is not empty ends with its own element. */
static void
on_end (GMarkupParseContext *context, const char *element, gpointer user_data, GError **error)
{
  Reader *reader = user_data;
  reader->n_open--;
  if (reader->fact == NOTHING)
    return;
  take_value (reader, reader->fact, reader->value->str);
  g_string_set_size (reader->value, 0);
  if (reader->depth > 0)
    reader->depth--;
  else
    reader->fact = NOTHING;
}

static void
on_text (GMarkupParseContext *context, const char *text, gsize n_bytes, gpointer user_data,
         GError **error)
{
  Reader *reader = user_data;
  if (reader->fact != NOTHING && reader->value->len + n_bytes <= MAX_VALUE_BYTES)
    g_string_append_len (reader->value, text, (gssize)n_bytes);
}

static void
take_resolution (const Reader *reader)
{
  enum { CENTIMETRE = 3, UNSAID = 0, INCH = 2 };
  const int unit = (int)CLAMP (reader->unit, -1, 100);
  const double inch = unit == CENTIMETRE ? 2.54 : unit == UNSAID || unit == INCH ? 1 : 0;
  if (reader->metadata->dpi_x > 0 || !(reader->x * inch > 0))
    return;
  reader->metadata->dpi_x = reader->x * inch;
  reader->metadata->dpi_y = (reader->y > 0 ? reader->y : reader->x) * inch;
}

/* The packet as UTF-8 from its first sign on: XMP part 1, 7.3, allows UTF-16 and a mark of the byte
 * order, and some programs write texts in other encodings, whose bytes become U+FFFD. g_free. */
static char *
decode (const char *text, gsize n_bytes)
{
  static const char mark[] = "\xef\xbb\xbf";
  const gboolean is_little = n_bytes >= 2 && memcmp (text, "\xff\xfe", 2) == 0;
  const gboolean is_big = n_bytes >= 2 && memcmp (text, "\xfe\xff", 2) == 0;
  if (is_little || is_big) {
    const gsize n_whole = (n_bytes - 2) & ~(gsize)1;
    char *wide = g_convert (text + 2, (gssize)n_whole, "UTF-8", is_little ? "UTF-16LE" : "UTF-16BE",
                            NULL, NULL, NULL);
    return wide ? wide : g_strdup ("");
  }
  if (n_bytes >= 3 && memcmp (text, mark, 3) == 0)
    return decode (text + 3, n_bytes - 3);
  const char *end = memchr (text, 0, n_bytes);
  return g_utf8_make_valid (text, end ? end - text : (gssize)n_bytes);
}

void
fs_xmp_read (const char *text, gsize n_bytes, FsPhotoMetadata *metadata)
{
  static const GMarkupParser parser = { on_start, on_end, on_text, NULL, NULL };
  Reader reader = { .metadata = metadata,
                    .spaces = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free),
                    .value = g_string_new (NULL) };
  GMarkupParseContext *context =
      g_markup_parse_context_new (&parser, G_MARKUP_TREAT_CDATA_AS_TEXT, &reader, NULL);
  g_autofree char *packet = decode (text, n_bytes);
  g_markup_parse_context_parse (context, packet, -1, NULL);
  g_markup_parse_context_free (context);
  take_resolution (&reader);
  g_string_free (reader.value, TRUE);
  g_hash_table_unref (reader.spaces);
}
