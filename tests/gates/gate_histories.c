/* SPDX-License-Identifier: MIT */
/* Strokes, erasures, undo, redo and changes of settings on small photos; after every step the mask
 * that followed the history against one that knows the seed map only. */
#include "app/cut/cut_state.h"
#include "app/strokes/history.h"
#include "tests/gates/crew.h"

enum { N_STEPS = 10 };

static FsImage *
random_photo (GRand *rand, int max_side)
{
  int w = g_rand_int_range (rand, 1, max_side + 1);
  int h = g_rand_int_range (rand, 1, max_side + 1);
  FsImage *image = fs_image_new (w, h);
  int noise = g_rand_int_range (rand, 1, 120);
  for (int i = 0; i < w * h; i++) {
    int base = (i % w) * 2 > w ? 60 : 130;
    int v = base + g_rand_int_range (rand, 0, noise);
    image->pixels[i] = FS_PIXEL (255, v, 255 - v, (v * 7) & 255);
  }
  return image;
}

static void
paint (FsHistory *history, GRand *rand, const FsImage *image, FsPixelList *changed)
{
  fs_history_begin (history, (uint8_t)g_rand_int_range (rand, 0, 3),
                    (float)g_rand_double_range (rand, 0.5, 4));
  for (int i = g_rand_int_range (rand, 1, 4); i > 0; i--) {
    FsSample sample = { (float)g_rand_double_range (rand, 0, image->width),
                        (float)g_rand_double_range (rand, 0, image->height), 1, 0 };
    fs_history_extend (history, &sample, 1, changed);
  }
  if (g_rand_int_range (rand, 0, 6) == 0)
    fs_history_cancel (history, changed);
  else
    fs_history_end (history);
}

static void
append_differences (const FsSeedMap *a, const FsSeedMap *b, FsPixelList *pixels)
{
  uint32_t n = (uint32_t)a->width * (uint32_t)a->height;
  for (uint32_t i = 0; i < n; i++)
    if (a->label[i] != b->label[i])
      g_array_append_val (pixels, i);
}

static void
change (FsModelCut *cut, const FsPixelList *pixels, const FsSeedMap *seeds)
{
  g_autoptr (GArray) none = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  for (gboolean done = fs_model_cut_change (cut, pixels, seeds); !done;)
    done = fs_model_cut_change (cut, none, seeds);
}

/* Fitted to the same seeds, and told of all that was painted since at once. */
static gboolean
matches_fresh (FsModelCut *cut, const FsSeedMap *fitted, const FsSeedMap *seeds)
{
  g_autoptr (FsModelCut) fresh = fs_model_cut_new_sibling (cut, NULL);
  g_autoptr (GArray) pixels = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  append_differences (fitted, seeds, pixels);
  FsSolution expected, solution;
  g_autoptr (GError) error = NULL;
  gboolean right = fs_model_cut_fit (fresh, fitted, &error);
  if (right)
    change (fresh, pixels, seeds);
  right = right && fs_model_cut_update_solver (fresh, &error)
          && fs_model_cut_update_solver (cut, &error) && crew_solve (fresh->solver, &expected)
          && crew_solve (cut->solver, &solution) && expected.energy == solution.energy;
  g_autofree uint8_t *a = read_whole_mask (cut->solver);
  g_autofree uint8_t *b = read_whole_mask (fresh->solver);
  return right && memcmp (a, b, fs_grid_n_pixels (fs_energy_get_grid (cut->energy))) == 0;
}

typedef struct {
  FsImage *image;
  FsSettings settings;
  FsHistory *history;
  FsModelCut *cut;
  FsSeedMap *fitted; /* the seeds of the present models */
} State;

static void
edit (State *state, GRand *rand, FsPixelList *changed)
{
  switch (g_rand_int_range (rand, 0, 7)) {
  case 0:
    fs_history_undo (state->history, changed, NULL);
    break;
  case 1:
    fs_history_redo (state->history, changed, NULL);
    break;
  case 2:
    state->settings = (FsSettings){ .neighbours = g_rand_boolean (rand) ? 8 : 4,
                                    .smoothness = g_rand_int_range (rand, 0, 5),
                                    .model = (FsModelKind)g_rand_int_range (rand, 0, FS_N_MODELS),
                                    .star = g_rand_boolean (rand) };
    g_clear_pointer (&state->cut, fs_model_cut_free);
    break;
  default:
    paint (state->history, rand, state->image, changed);
  }
}

/* Half of the steps keep the models and change pixels, half fit anew. */
static gboolean
step (State *state, GRand *rand)
{
  g_autoptr (GArray) changed = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  edit (state, rand, changed);
  const FsSeedMap *seeds = fs_history_get_seeds (state->history);
  gboolean fit = !state->cut || g_rand_boolean (rand);
  if (!state->cut)
    state->cut = fs_model_cut_new (state->image, &state->settings, NULL, NULL);
  if (fit) {
    fs_seed_map_set (state->fitted, seeds->label);
    fs_model_cut_fit (state->cut, seeds, NULL);
  } else
    change (state->cut, changed, seeds);
  return matches_fresh (state->cut, state->fitted, seeds);
}

static GateResult
check (GRand *rand, const GateWork *work, int64_t number)
{
  g_autoptr (FsImage) image = random_photo (rand, work->size);
  g_autoptr (FsHistory) history = fs_history_new (image->width, image->height, NULL);
  g_autoptr (FsSeedMap) fitted = fs_seed_map_new (image->width, image->height);
  State state = {
    .image = image, .settings = FS_SETTINGS_DEFAULT, .history = history, .fitted = fitted
  };
  gboolean right = TRUE;
  for (int i = 0; i < N_STEPS && right; i++)
    right = step (&state, rand);
  fs_model_cut_free (state.cut);
  return gate_result (right);
}

/* The large ones reach over several of the mask's tiles, and are tall enough for the solver's
 * threads to share. */
static const GateWork WORKS[] = {
  { .name = "photos up to 300×300", .check = check, .n = 20, .size = 300 },
  { .name = "photos up to 24×24", .check = check, .n = 4980, .size = 24 },
};

const Gate gate_histories = { .id = "S5", .works = WORKS, .n_works = G_N_ELEMENTS (WORKS) };
