/* SPDX-License-Identifier: MIT */
/* Edits of the edge in sessions and journals: what is refused and in which words, and what is left
 * of a damaged journal. */
#include "app/session/journal.h"
#include "app/session/session.h"

#include <glib/gstdio.h>
#include <string.h>

#define SUM "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define HEAD                                                                                       \
  "{ \"format\": \"fretsaw-session-1\", \"photo\": { \"name\": \"a/b.jpg\", \"sha256\": \"" SUM    \
  "\", \"width\": 300, \"height\": 200 }, \"settings\": {}, \"labels\": [ { \"name\": \"Back\", "  \
  "\"colour\": \"#0000ff\" }, { \"name\": \"Object\", \"colour\": \"#ff8000\" } ], "
#define WITH_EDGE(edge)                                                                            \
  HEAD "\"strokes\": [ { \"label\": 2, \"radius_px\": 8, \"samples\": [[1, 1, 1, 0]] } ], "        \
       "\"edge\": " edge " }"
#define ZONE_AFTER(after)                                                                          \
  "{ \"after\": " after ", \"zone\": \"hard\", \"radius_px\": 2, \"samples\": [[1, 1, 1, 0]] }"

static const struct {
  const char *text, *message;
} refused[] = {
  { WITH_EDGE ("{}"), "edge is not an array" },
  { WITH_EDGE ("[7]"), "edge[0] is not an object" },
  { WITH_EDGE ("[{ \"after\": 0, \"label\": 1 }]"),
    "edge[0] has a key that is not known: \"label\"" },
  { WITH_EDGE ("[{ \"zone\": \"hard\" }]"), "edge[0].after is not a whole number" },
  { WITH_EDGE ("[{ \"after\": 2, \"zone\": \"hard\" }]"), "edge[0].after is not in 0 … 1" },
  { WITH_EDGE ("[" ZONE_AFTER ("1") ", " ZONE_AFTER ("0") "]"), "edge[1].after is not in 1 … 1" },
  { WITH_EDGE ("[{ \"after\": 1 }]"), "edge[0].zone is not \"refine\", \"hard\" or \"erase\"" },
  { WITH_EDGE ("[{ \"after\": 1, \"zone\": \"soft\" }]"),
    "edge[0].zone is not \"refine\", \"hard\" or \"erase\"" },
  { WITH_EDGE ("[{ \"after\": 1, \"zone\": \"hard\", \"shape\": \"outline\" }]"),
    "edge[0].shape is not \"pen\"" },
  { WITH_EDGE ("[{ \"after\": 1, \"zone\": \"hard\", \"radius_px\": 0 }]"),
    "edge[0].radius_px is not a number above 0 and up to 100000" },
  { WITH_EDGE ("[{ \"after\": 1, \"zone\": \"hard\", \"radius_px\": 2 }]"),
    "edge[0].samples is not an array of samples, or empty" },
  { WITH_EDGE ("[" ZONE_AFTER ("0") ", { \"after\": 1, \"zone\": \"erase\", \"radius_px\": 2, "
                                    "\"samples\": [[1, 2, 1, 0], [1, 2, 1.5, 0]] }]"),
    "edge[1].samples[1]: pressure is not in 0 … 1" },
  { WITH_EDGE ("[{ \"after\": 1, \"settings\": {}, \"zone\": \"hard\" }]"),
    "edge[0] has a key that is not known: \"zone\"" },
  { WITH_EDGE ("[{ \"after\": 1, \"settings\": 5 }]"), "edge[0].settings is not an object" },
  { WITH_EDGE ("[{ \"after\": 1, \"settings\": {} }]"),
    "edge[0].settings.width_px is not a whole number" },
  { WITH_EDGE ("[{ \"after\": 1, \"settings\": { \"width_px\": -1 } }]"),
    "edge[0].settings.width_px is not in 0 … 32" },
  { WITH_EDGE ("[{ \"after\": 1, \"settings\": { \"width_px\": \"auto\", "
               "\"shift_tenths\": 101 } }]"),
    "edge[0].settings.shift_tenths is not in -100 … 100" },
};

static void
test_refusals (void)
{
  for (guint i = 0; i < G_N_ELEMENTS (refused); i++) {
    g_autoptr (GError) error = NULL;
    const char *text = refused[i].text;
    g_autoptr (FsSession) session = fs_session_parse ("s.fretsaw", text, strlen (text), &error);
    g_assert_null (session);
    g_assert_error (error, FS_SESSION_ERROR, FS_SESSION_ERROR_INVALID);
    g_assert_cmpstr (error->message + strlen ("s.fretsaw: "), ==, refused[i].message);
  }
}

/* A file without edits of the edge has no word of it. */
static void
test_left_out (void)
{
  const char *text = HEAD "\"strokes\": [] }";
  g_autoptr (FsSession) session = fs_session_parse ("s.fretsaw", text, strlen (text), NULL);
  g_assert_cmpuint (session->edge->len, ==, 0);
  g_autofree char *written = fs_session_to_text (session);
  g_assert_null (strstr (written, "edge"));
}

static void
test_too_many (void)
{
  const char *one = "{\"after\":0,\"zone\":\"hard\",\"radius_px\":1,\"samples\":[[1,1,1,1]]},";
  g_autoptr (GString) text = g_string_new (HEAD "\"strokes\": [], \"edge\": [");
  for (guint i = 0; i <= FS_SESSION_MAX_EDGE_EDITS; i++)
    g_string_append (text, one);
  g_string_truncate (text, text->len - 1);
  g_string_append (text, "] }");
  g_autoptr (GError) error = NULL;
  g_autoptr (FsSession) session = fs_session_parse ("s.fretsaw", text->str, text->len, &error);
  g_assert_null (session);
  g_assert_error (error, FS_SESSION_ERROR, FS_SESSION_ERROR_LIMIT);
  g_assert_cmpstr (error->message, ==, "s.fretsaw: has more than 100000 edits of the edge");
}

/* --- journals --------------------------------------------------------------------------------- */

static FsStroke *
make_stroke (uint8_t label, guint n_samples)
{
  FsStroke *stroke = fs_stroke_new (label, 2.5f + label);
  for (guint i = 0; i < n_samples; i++) {
    FsSample sample = { 0.1f + (float)i, 1000.0f / (1 + (float)i), 0.25f, 16 * i };
    g_array_append_val (stroke->samples, sample);
  }
  return stroke;
}

static void
add_stroke (FsJournal *journal, uint8_t label, guint n_samples)
{
  g_autoptr (FsStroke) stroke = make_stroke (label, n_samples);
  g_assert_true (fs_journal_add_stroke (journal, stroke, NULL));
}

static void
add_zone (FsJournal *journal, FsEdgeZone zone)
{
  g_autoptr (FsStroke) stroke = make_stroke ((uint8_t)zone, 3);
  g_autoptr (FsEdgeEdit) edit = fs_edge_edit_new_zone (stroke, 0);
  g_assert_true (fs_journal_add_edge (journal, edit, FALSE, NULL));
}

static void
add_edge_settings (FsJournal *journal, int width_px, gboolean continues)
{
  const FsEdgeSettings settings = { .width_px = width_px, .shift_tenths = -5 };
  g_autoptr (FsEdgeEdit) edit = fs_edge_edit_new_settings (&settings, 0);
  g_assert_true (fs_journal_add_edge (journal, edit, continues, NULL));
}

/* Edits of the edge have one order of undo with strokes, also behind one of either that is lost. */
static void
test_damage (void)
{
  g_autofree char *folder = g_dir_make_tmp ("fretsaw-XXXXXX", NULL);
  FsJournal *journal = fs_journal_new (folder, NULL);
  gsize at[4];
  g_assert_true (fs_journal_add_photo (journal, "/a.jpg", 300, 200, NULL));
  at[0] = fs_journal_get_size (journal);
  add_stroke (journal, 1, 3);
  at[1] = fs_journal_get_size (journal);
  add_zone (journal, FS_EDGE_ZONE_REFINE);
  at[2] = fs_journal_get_size (journal);
  add_edge_settings (journal, 3, FALSE);
  at[3] = fs_journal_get_size (journal);
  add_edge_settings (journal, FS_EDGE_WIDTH_AUTO, TRUE);
  add_stroke (journal, 2, 4);
  for (int i = 0; i < 3; i++)
    g_assert_true (fs_journal_add_undo (journal, NULL));
  g_assert_true (fs_journal_add_redo (journal, NULL));
  g_autofree char *bytes = NULL;
  gsize n_bytes;
  g_assert_true (g_file_get_contents (fs_journal_get_path (journal), &bytes, &n_bytes, NULL));
  for (guint lost = 0; lost <= G_N_ELEMENTS (at); lost++) {
    if (lost < G_N_ELEMENTS (at))
      bytes[at[lost] + 30] ^= 1;
    g_autoptr (FsJournalContent) content =
        fs_journal_parse ("j", (const uint8_t *)bytes, n_bytes, NULL);
    if (lost < G_N_ELEMENTS (at))
      bytes[at[lost] + 30] ^= 1;
    const GPtrArray *strokes = content->session->strokes, *edge = content->session->edge;
    g_assert_cmpuint (strokes->len, ==, lost == 0 ? 1 : 2);
    g_assert_cmpuint (edge->len, ==, lost == 1 ? 1 : 2);
    g_assert_cmpuint (content->n_undone, ==, 1);
    g_assert_cmpuint (content->n_edge_undone, ==, 1);
    const FsEdgeEdit *settings = edge->pdata[edge->len - 1];
    g_assert_cmpuint (settings->after_strokes, ==, lost == 0 ? 0 : 1);
    g_assert_cmpint (settings->settings.width_px, ==, lost == 3 ? 3 : FS_EDGE_WIDTH_AUTO);
    g_assert_cmpint (settings->settings.shift_tenths, ==, -5);
    const FsStroke *zone = ((const FsEdgeEdit *)edge->pdata[0])->zone;
    g_assert_true (lost == 1
                   || (zone->label == FS_EDGE_ZONE_REFINE && zone->radius_px == 4.5f
                       && zone->samples->len == 3));
  }
  fs_journal_remove (journal);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/saved_edge/refusals", test_refusals);
  g_test_add_func ("/saved_edge/left_out", test_left_out);
  g_test_add_func ("/saved_edge/too_many", test_too_many);
  g_test_add_func ("/saved_edge/damage", test_damage);
  return g_test_run ();
}
