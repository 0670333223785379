/* SPDX-License-Identifier: MIT */
/* Edits of the edge among strokes: one order of undo, the zones and settings of a plain list of
 * edits, sessions and journals that bring all of it back, and masks that never see them. */
#include "app/live/document_edge.h"
#include "app/session/journals.h"
#include "app/session/project.h"
#include "tests/app/session/work.h"

#include <string.h>

enum { W = WORK_SIDE, N = W * W };

/* One edit: `edge` NULL for a stroke of the mask. */
typedef struct {
  FsEdgeEdit *edge;
} Edit;

typedef struct {
  GPtrArray *done, *undone; /* of Edit */
} Model;

static void
edit_free (gpointer data)
{
  fs_edge_edit_unref (((Edit *)data)->edge);
  g_free (data);
}

static void
model_clear (Model *model)
{
  g_ptr_array_unref (model->done);
  g_ptr_array_unref (model->undone);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Model, model_clear)

static Model
model_new (void)
{
  return (Model){ g_ptr_array_new_with_free_func (edit_free),
                  g_ptr_array_new_with_free_func (edit_free) };
}

static void
add_edit (Model *model, FsEdgeEdit *edge)
{
  Edit *edit = g_new0 (Edit, 1);
  edit->edge = edge;
  g_ptr_array_set_size (model->undone, 0);
  g_ptr_array_add (model->done, edit);
}

static void
move_last (GPtrArray *from, GPtrArray *to)
{
  g_ptr_array_add (to, g_ptr_array_steal_index (from, from->len - 1));
}

/* --- the plain model -------------------------------------------------------------------------- */

static guint
count_strokes (const GPtrArray *edits)
{
  guint n = 0;
  for (guint i = 0; i < edits->len; i++)
    n += ((const Edit *)edits->pdata[i])->edge == NULL;
  return n;
}

static void
check_zones (FsDocument *document, const Model *model)
{
  g_autoptr (FsSeedMap) map = fs_seed_map_new (W, W);
  FsEdgeSettings settings = FS_EDGE_SETTINGS_DEFAULT;
  gboolean has_zones = FALSE;
  for (guint i = 0; i < model->done->len; i++) {
    const FsEdgeEdit *edge = ((const Edit *)model->done->pdata[i])->edge;
    if (edge && !edge->zone)
      settings = edge->settings;
    for (guint k = 0; edge && edge->zone && k < edge->zone->samples->len; k++) {
      FsCapsule capsule = fs_stroke_capsule (edge->zone, k);
      fs_seed_map_paint (map, &capsule, edge->zone->label, NULL, NULL);
      has_zones = TRUE;
    }
  }
  FsEdgeSettings found = fs_document_get_edge_settings (document);
  g_assert_true (fs_edge_settings_equal (&found, &settings));
  const uint8_t *zones = fs_document_get_zones (document);
  g_assert_true ((zones != NULL) == has_zones);
  if (zones)
    g_assert_cmpmem (zones, N, map->label, N);
}

static void
check_document (FsDocument *document, const Model *model)
{
  guint n_edge;
  const GPtrArray *edge = fs_document_get_edge_edits (document, &n_edge);
  guint n = count_strokes (model->done), n_undone = count_strokes (model->undone);
  g_assert_cmpuint (fs_document_get_n_strokes (document), ==, n);
  g_assert_cmpuint (fs_document_get_n_undone (document), ==, n_undone);
  g_assert_cmpuint (n_edge, ==, model->done->len - n);
  g_assert_cmpuint (edge->len - n_edge, ==, model->undone->len - n_undone);
  g_assert_cmpint (fs_document_can_undo (document), ==, model->done->len > 0);
  g_assert_cmpint (fs_document_can_redo (document), ==, model->undone->len > 0);
  check_zones (document, model);
}

/* --- random edits ----------------------------------------------------------------------------- */

static FsSample
random_sample (GRand *rand)
{
  return (FsSample){ (float)g_rand_double_range (rand, -4, W + 4),
                     (float)g_rand_double_range (rand, -4, W + 4), (float)g_rand_double (rand), 3 };
}

static void
grow_and_end (FsDocument *document, GRand *rand, FsStroke *stroke, gboolean keep)
{
  g_assert_true (fs_document_is_drawing (document));
  g_assert_false (fs_document_undo (document));
  g_assert_false (fs_document_redo (document));
  g_assert_false (fs_document_begin_stroke (document, FS_SEED_OBJECT, 2));
  g_assert_false (fs_document_begin_zone (document, FS_STROKE_BRUSH, FS_EDGE_ZONE_HARD, 2));
  for (int i = g_rand_int_range (rand, 0, 4); i > 0; i--) {
    FsSample sample = random_sample (rand);
    g_array_append_val (stroke->samples, sample);
    fs_document_extend_stroke (document, &sample, 1);
  }
  if (keep)
    fs_document_end_stroke (document);
  else
    fs_document_cancel_stroke (document);
  g_assert_false (fs_document_is_drawing (document));
}

static void
paint_zone (FsDocument *document, Model *model, GRand *rand)
{
  FsEdgeZone zone = (FsEdgeZone)g_rand_int_range (rand, 0, FS_EDGE_N_ZONES);
  g_autoptr (FsStroke) stroke = fs_stroke_new ((uint8_t)zone, (float)g_rand_int_range (rand, 1, 9));
  stroke->shape = g_rand_boolean (rand) ? FS_STROKE_PEN : FS_STROKE_BRUSH;
  gboolean keep = g_rand_int_range (rand, 0, 4) > 0;
  g_assert_true (fs_document_begin_zone (document, stroke->shape, zone, stroke->radius_px));
  grow_and_end (document, rand, stroke, keep);
  if (keep && stroke->samples->len > 0)
    add_edit (model, fs_edge_edit_new_zone (stroke, count_strokes (model->done)));
}

static void
paint_stroke (FsDocument *document, Model *model, GRand *rand)
{
  g_autoptr (FsStroke) stroke = fs_stroke_new ((uint8_t)g_rand_int_range (rand, 0, 3), 3);
  gboolean keep = g_rand_int_range (rand, 0, 4) > 0;
  g_assert_true (fs_document_begin_stroke (document, stroke->label, stroke->radius_px));
  grow_and_end (document, rand, stroke, keep);
  if (keep && stroke->samples->len > 0)
    add_edit (model, NULL);
}

static void
change_settings (FsDocument *document, Model *model, GRand *rand)
{
  FsEdgeSettings before = fs_document_get_edge_settings (document), settings = before;
  settings.width_px = g_rand_int_range (rand, FS_EDGE_WIDTH_AUTO, 4);
  settings.shift_tenths = g_rand_int_range (rand, -1, 2);
  gboolean continues = g_rand_boolean (rand),
           changes = !fs_edge_settings_equal (&before, &settings);
  const Edit *newest = model->done->len > 0 ? model->done->pdata[model->done->len - 1] : NULL;
  g_assert_cmpint (fs_document_set_edge_settings (document, &settings, continues), ==, changes);
  if (!changes)
    return;
  if (continues && newest && newest->edge && !newest->edge->zone)
    g_ptr_array_set_size (model->done, (int)model->done->len - 1);
  add_edit (model, fs_edge_edit_new_settings (&settings, count_strokes (model->done)));
}

static void
random_edit (FsDocument *document, Model *model, GRand *rand)
{
  switch (g_rand_int_range (rand, 0, 7)) {
  case 0:
  case 1:
    g_assert_cmpint (fs_document_undo (document), ==, model->done->len > 0);
    if (model->done->len > 0)
      move_last (model->done, model->undone);
    break;
  case 2:
    g_assert_cmpint (fs_document_redo (document), ==, model->undone->len > 0);
    if (model->undone->len > 0)
      move_last (model->undone, model->done);
    break;
  case 3:
    change_settings (document, model, rand);
    break;
  case 4:
    paint_stroke (document, model, rand);
    break;
  default:
    paint_zone (document, model, rand);
  }
}

static void
test_random_edits (void)
{
  for (guint32 seed = 0; seed < 20; seed++) {
    g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
    g_autoptr (FsImage) image = work_make_image ();
    g_autoptr (FsDocument) document = fs_document_new (image, NULL, NULL);
    g_auto (Model) model = model_new ();
    for (int i = 0; i < 100; i++) {
      random_edit (document, &model, rand);
      check_document (document, &model);
    }
  }
}

/* The mask is that of the same strokes alone. */
static void
test_masks_do_not_change (void)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (5);
  g_autoptr (FsImage) image = work_make_image ();
  g_autoptr (FsDocument) document = fs_document_new (image, NULL, NULL);
  g_autoptr (FsDocument) plain = fs_document_new (image, NULL, NULL);
  g_auto (Model) model = model_new ();
  for (int i = 0; i < 60; i++)
    random_edit (document, &model, rand);
  for (guint i = 0; i < fs_document_get_n_strokes (document); i++) {
    const FsStroke *stroke = fs_document_get_stroke (document, i);
    fs_document_begin_again (plain, stroke);
    fs_document_extend_stroke (plain, (const FsSample *)(gpointer)stroke->samples->data,
                               stroke->samples->len);
    fs_document_end_stroke (plain);
  }
  work_wait_for_final (document);
  work_wait_for_final (plain);
  g_assert_cmpmem (fs_document_get_mask (document), N, fs_document_get_mask (plain), N);
}

/* --- files ------------------------------------------------------------------------------------ */

static void
random_work (Work *work, Model *model, guint32 seed)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (seed);
  FsDocument *document = fs_project_get_document (work->project);
  for (int i = 0; i < 40 || model->done->len == 0; i++)
    random_edit (document, model, rand);
  work_wait_for_final (document);
}

static void
check_saved (guint32 seed)
{
  Work work;
  work_init (&work);
  g_auto (Model) model = model_new ();
  random_work (&work, &model, seed);
  g_autofree char *path = g_build_filename (work.folder, "a.fretsaw", NULL);
  g_autoptr (GError) error = NULL;
  work_save (&work, path, &error);
  g_assert_no_error (error);
  g_assert_false (fs_project_is_unsaved (work.project));
  g_autoptr (FsSession) session = fs_session_read (path, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (session->edge->len, ==, model.done->len - count_strokes (model.done));
  work_close (&work);
  work_open (&work);
  g_assert_true (fs_restore_run (fs_project_get_document (work.project), session, NULL));
  g_ptr_array_set_size (model.undone, 0);
  check_document (fs_project_get_document (work.project), &model);
  /* Undone one by one in the same order. */
  while (model.done->len > 0) {
    g_assert_true (fs_document_undo (fs_project_get_document (work.project)));
    move_last (model.done, model.undone);
    check_document (fs_project_get_document (work.project), &model);
  }
  work_clear (&work);
}

static void
test_sessions (void)
{
  for (guint32 seed = 0; seed < 12; seed++)
    check_saved (seed);
}

/* After a crash all edits are there, undone ones too, and a second journal says the same. */
static void
check_recovered (guint32 seed)
{
  Work work;
  work_init (&work);
  g_auto (Model) model = model_new ();
  random_work (&work, &model, seed);
  for (int i = 0; i < 2; i++) {
    work_close (&work);
    work_recover (&work);
    check_document (fs_project_get_document (work.project), &model);
    const FsEdgeSettings hard = FS_EDGE_SETTINGS_HARD, other = { .width_px = 9 };
    fs_document_set_edge_settings (fs_project_get_document (work.project), i ? &hard : &other,
                                   FALSE);
    add_edit (&model, fs_edge_edit_new_settings (i ? &hard : &other, count_strokes (model.done)));
    check_document (fs_project_get_document (work.project), &model);
  }
  fs_project_discard (work.project);
  work_clear (&work);
}

static void
test_journals (void)
{
  for (guint32 seed = 100; seed < 112; seed++)
    check_recovered (seed);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/document_edge/random_edits", test_random_edits);
  g_test_add_func ("/document_edge/masks_do_not_change", test_masks_do_not_change);
  g_test_add_func ("/document_edge/sessions", test_sessions);
  g_test_add_func ("/document_edge/journals", test_journals);
  return g_test_run ();
}
