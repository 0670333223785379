/* SPDX-License-Identifier: MIT */
#include "app/labels/parse/voc_xml.h"

#include <string.h>

typedef struct {
  GPtrArray *names;
  guint depth;
  gboolean is_annotation;
} Parsing;

/* The elements that are open, the innermost first. */
static gboolean
is_at (GMarkupParseContext *context, const char *const *names)
{
  const GSList *open = g_markup_parse_context_get_element_stack (context);
  for (; *names && open; names++, open = open->next)
    if (strcmp (*names, open->data) != 0)
      return FALSE;
  return !*names && !open;
}

static const char *const object[] = { "object", "annotation", NULL };
static const char *const object_name[] = { "name", "object", "annotation", NULL };

static void
on_start (GMarkupParseContext *context, const char *name, const char **keys, const char **values,
          gpointer data, GError **error)
{
  Parsing *parsing = data;
  if (++parsing->depth > FS_VOC_XML_MAX_DEPTH)
    g_set_error_literal (error, G_MARKUP_ERROR, G_MARKUP_ERROR_INVALID_CONTENT, "too deep");
  else if (parsing->depth == 1)
    parsing->is_annotation = strcmp (name, "annotation") == 0;
  else if (is_at (context, object) && parsing->names->len < FS_VOC_XML_MAX_OBJECTS)
    g_ptr_array_add (parsing->names, g_strdup (""));
}

static void
on_end (GMarkupParseContext *context, const char *name, gpointer data, GError **error)
{
  ((Parsing *)data)->depth--;
}

static void
on_text (GMarkupParseContext *context, const char *text, gsize n_bytes, gpointer data,
         GError **error)
{
  GPtrArray *names = ((Parsing *)data)->names;
  if (names->len == 0 || !is_at (context, object_name))
    return;
  char **name = (char **)&names->pdata[names->len - 1];
  if (**name)
    return;
  g_free (*name);
  *name = g_strstrip (g_strndup (text, n_bytes));
}

GPtrArray *
fs_voc_xml_parse (const char *text, gsize n_bytes)
{
  static const GMarkupParser parser = { .start_element = on_start,
                                        .end_element = on_end,
                                        .text = on_text };
  Parsing parsing = { .names = g_ptr_array_new_with_free_func (g_free) };
  GMarkupParseContext *context = g_markup_parse_context_new (&parser, 0, &parsing, NULL);
  gboolean done = g_markup_parse_context_parse (context, text, (gssize)n_bytes, NULL)
                  && g_markup_parse_context_end_parse (context, NULL) && parsing.is_annotation;
  g_markup_parse_context_free (context);
  if (done)
    return parsing.names;
  g_ptr_array_unref (parsing.names);
  return NULL;
}
