/* SPDX-License-Identifier: MIT */
/* Every cut has a proof that holds, whatever the smoothness: the whole certificate of first cut,
 * border refinement, stability and several objects, and every grid within its bounds (grid.h). */
#include "cut/multi_object_cut.h"
#include "cut/refine_cut.h"
#include "solver/backend.h"
#include "solver/certificate.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  int width, height;
} Size;

/* The last is refined on a reduced photo, and its border then at its own pixels. */
static const Size sizes[] = { { 1, 1 }, { 23, 1 }, { 37, 29 }, { 211, 173 }, { 941, 541 } };
enum { N_SIZES = G_N_ELEMENTS (sizes), N_MADE_ONCE = 2 };
static const double smoothnesses[] = { 0, 0.001, 1, 4, 6, 8, 9.31, 12, 15, 16, 20, 32, 64, 100 };
enum { N_SMOOTHNESSES = G_N_ELEMENTS (smoothnesses) };

/* As many checks as with this environment variable. */
static int
scale (void)
{
  const char *text = g_getenv ("SCALE");
  return text ? MAX (1, atoi (text)) : 1;
}

typedef struct {
  FsImage *image;
  FsSeedMap *seeds;
} Photo;

/* Even ground, where n-links are greatest, noise, and a disc with a ragged border. */
static uint32_t
colour_at (int x, int y, Size size, GRand *rand)
{
  double dx = x - size.width * 0.5, dy = y - size.height * 0.45,
         r = 0.3 * MIN (size.width, size.height);
  gboolean is_disc = dx * dx + dy * dy < r * r + g_rand_double_range (rand, -2, 2) * r;
  uint32_t noise = x < size.width / 2 ? 0 : (uint32_t)g_rand_int_range (rand, 0, 30) * 0x010201u;
  return 0xff000000u + (is_disc ? 0xb09048u : 0x405868u) + noise;
}

static void
photo_init (Photo *photo, Size size, guint32 number)
{
  g_autoptr (GRand) rand = g_rand_new_with_seed (number);
  double w = size.width, h = size.height, radius = MAX (0.72, 0.04 * MIN (w, h));
  photo->image = fs_image_new (size.width, size.height);
  photo->seeds = fs_seed_map_new (size.width, size.height);
  for (int y = 0; y < size.height; y++)
    for (int x = 0; x < size.width; x++)
      photo->image->pixels[y * size.width + x] = colour_at (x, y, size, rand);
  FsCapsule object = { 0.45 * w, 0.45 * h, 0.55 * w, 0.5 * h, radius },
            ground = { 0.05 * w, 0.9 * h, 0.9 * w, 0.95 * h, radius };
  fs_seed_map_paint (photo->seeds, &ground, FS_SEED_BACKGROUND, NULL, NULL);
  fs_seed_map_paint (photo->seeds, &object, FS_SEED_OBJECT, NULL, NULL);
}

static void
photo_clear (Photo *photo)
{
  fs_image_unref (photo->image);
  fs_seed_map_free (photo->seeds);
}
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (Photo, photo_clear)

static void
assert_holds (const FsCertificate *certificate)
{
  g_assert_true (certificate->feasible && certificate->conserved && certificate->canonical);
  g_assert_cmpint (certificate->energy, ==, certificate->bound);
  g_assert_true (certificate->holds);
}

static void
check_grid (const FsGrid *grid)
{
  g_autoptr (GError) error = NULL;
  fs_grid_validate (grid, &error);
  g_assert_no_error (error);
}

static uint8_t *
check_first_cut (FsEnergy *energy, const Photo *photo)
{
  g_autoptr (GError) error = NULL;
  fs_energy_fill_grid (energy, photo->seeds);
  FsGrid *grid = fs_energy_get_grid (energy);
  check_grid (grid);
  FsSolver *solver = fs_solver_new (&fs_backend_cpu, grid, &error);
  g_assert_no_error (error);
  FsSolution solution;
  FsCertificate certificate;
  g_assert_true (fs_solver_solve (solver, NULL, &solution, NULL) && solution.exact);
  g_assert_true (fs_solver_certify (solver, &certificate, NULL));
  assert_holds (&certificate);
  uint8_t *mask = g_malloc (fs_grid_n_pixels (grid));
  fs_solver_read_mask (solver, 0, 0, grid->width, grid->height, mask, (size_t)grid->width);
  fs_solver_free (solver);
  return mask;
}

static void
check_refinement (FsEnergy *energy, const Photo *photo, uint8_t *mask)
{
  g_autoptr (GError) error = NULL;
  g_auto (FsRefineCut) refined = { 0 };
  fs_refine_cut_run (&refined, energy, photo->seeds, &fs_backend_cpu, mask, NULL, &error);
  g_assert_no_error (error);
  if (!refined.solver)
    return;
  check_grid (refined.solver->grid);
  g_assert_true (refined.solution.exact);
  FsCertificate certificate;
  g_assert_true (fs_refine_cut_certify (&refined, mask, &certificate, NULL));
  assert_holds (&certificate);
}

/* All that is cut for a photo with these settings; with stability what follows a stroke. */
static void
check (const Photo *photo, const FsSettings *settings)
{
  g_autoptr (GError) error = NULL;
  FsEnergy *energy = fs_energy_new (photo->image, settings, NULL, &error);
  g_assert_no_error (error);
  fs_energy_fit (energy, photo->seeds);
  g_autofree uint8_t *mask = check_first_cut (energy, photo);
  if (settings->stability) {
    uint32_t painted = (uint32_t)(photo->image->width * photo->image->height / 2);
    memset (mask, 1, painted);
    g_assert_true (fs_energy_set_mask_prior (energy, mask, &painted, 1, NULL));
    g_free (mask);
    mask = check_first_cut (energy, photo);
  }
  if (fs_energy_wants_refinement (energy))
    check_refinement (energy, photo, mask);
  fs_energy_free (energy);
}

static gboolean
is_chosen (guint32 number, int size, double smoothness)
{
  if (scale () > 1 || smoothness == 15 || smoothness == 100)
    return TRUE;
  return number % (size == N_SIZES - 1 ? 24 : size == N_SIZES - 2 ? 5 : 1) == 0;
}

/* Each size with every smoothness, model and neighbourhood; of the larger ones some. */
static void
test_sweep (gconstpointer data)
{
  int size = GPOINTER_TO_INT (data);
  guint32 number = 0;
  int n_trials = size < N_MADE_ONCE ? 1 : (scale () + 3) / 4;
  for (int trial = 0; trial < n_trials; trial++) {
    g_auto (Photo) photo = { 0 };
    photo_init (&photo, sizes[size], (guint32)trial);
    for (int s = 0; s < N_SMOOTHNESSES; s++)
      for (int model = 0; model < FS_N_MODELS; model++)
        for (int neighbours = 4; neighbours <= 8; neighbours += 4)
          for (int star = 0; star <= (model == FS_MODEL_GEODESIC); star++) {
            FsSettings settings = { .neighbours = (FsNeighbours)neighbours,
                                    .smoothness = smoothnesses[s],
                                    .model = (FsModelKind)model,
                                    .star = star,
                                    .stability = number++ % 3 == 0 };
            if (is_chosen (number, size, smoothnesses[s]))
              check (&photo, &settings);
          }
  }
}

static void
test_objects (void)
{
  Size size = { 61, 47 };
  g_auto (Photo) photo = { 0 };
  photo_init (&photo, size, 7);
  FsCapsule other = { 5, 5, 12, 6, 2 };
  fs_seed_map_paint (photo.seeds, &other, FS_SEED_OBJECT + 1, NULL, NULL);
  g_autofree uint8_t *numbers = g_malloc ((gsize)size.width * (gsize)size.height);
  for (int s = 0; s < N_SMOOTHNESSES; s++)
    for (int model = 0; model < FS_N_MODELS; model++) {
      g_autoptr (GError) error = NULL;
      FsSettings settings = FS_SETTINGS_DEFAULT;
      settings.smoothness = smoothnesses[s];
      settings.model = (FsModelKind)model;
      FsObjectsCut cut = { .backend = &fs_backend_cpu, .verify = TRUE };
      fs_cut_objects (photo.image, &settings, photo.seeds, NULL, &cut, numbers, &error);
      g_assert_no_error (error);
      g_assert_cmpint (cut.bound, <=, cut.energy);
    }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  for (int size = 0; size < N_SIZES; size++) {
    g_autofree char *name =
        g_strdup_printf ("/proofs/%d-by-%d", sizes[size].width, sizes[size].height);
    g_test_add_data_func (name, GINT_TO_POINTER (size), test_sweep);
  }
  g_test_add_func ("/proofs/objects", test_objects);
  return g_test_run ();
}
