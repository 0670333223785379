/* SPDX-License-Identifier: MIT */
/* The engine as a library: cut_photo PHOTO.png SEEDS.png MASK.png
 *
 * Seeds: grey values 0 none, 1 background, 2 object. Build it with
 *   cc cut_photo.c $(pkg-config --cflags --libs fretsaw libpng) -o cut_photo
 */
#include <energy/energy.h>
#include <png.h>
#include <solver/solver.h>

/* Rows without padding, g_free; NULL with a message. */
static uint8_t *
read_png (const char *path, png_uint_32 format, png_image *png)
{
  *png = (png_image){ .version = PNG_IMAGE_VERSION };
  g_autofree uint8_t *pixels = NULL;
  if (png_image_begin_read_from_file (png, path)) {
    png->format = format;
    pixels = g_malloc (PNG_IMAGE_SIZE (*png));
  }
  if (pixels && png_image_finish_read (png, NULL, pixels, 0, NULL))
    return g_steal_pointer (&pixels);
  g_printerr ("%s: %s\n", path, png->message);
  return NULL;
}

/* The exact cut: labels become the mask. */
static gboolean
cut (FsImage *image, uint8_t *labels, GError **error)
{
  g_autoptr (FsSeedMap) seeds = fs_seed_map_new (image->width, image->height);
  fs_seed_map_set (seeds, labels);
  g_autoptr (FsEnergy) energy = fs_energy_new (image, &FS_SETTINGS_DEFAULT, NULL, error);
  if (!energy)
    return FALSE;
  FsGrid *grid = fs_energy_get_grid (energy);
  fs_energy_fit (energy, seeds);
  fs_energy_fill_grid (energy, seeds);

  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, grid, error);
  FsSolution solution;
  if (!solver || !fs_solver_solve (solver, NULL, &solution, error))
    return FALSE;
  fs_solver_read_mask (solver, 0, 0, image->width, image->height, labels, (size_t)image->width);
  g_print ("energy %" G_GINT64_FORMAT ", %s\n", solution.energy,
           solution.exact ? "exact" : "not exact");
  return TRUE;
}

int
main (int argc, char **argv)
{
  png_image png, seeds_png;
  g_autofree uint8_t *bgra = argc == 4 ? read_png (argv[1], PNG_FORMAT_BGRA, &png) : NULL;
  g_autofree uint8_t *labels = bgra ? read_png (argv[2], PNG_FORMAT_GRAY, &seeds_png) : NULL;
  if (!labels || png.width != seeds_png.width || png.height != seeds_png.height)
    return g_printerr ("usage: cut_photo PHOTO.png SEEDS.png MASK.png, both of one size\n"), 2;

  size_t n = (size_t)png.width * png.height;
  g_autoptr (FsImage) image = fs_image_new ((int)png.width, (int)png.height);
  for (size_t i = 0; i < n; i++)
    image->pixels[i] = FS_PIXEL (bgra[4 * i + 3], bgra[4 * i + 2], bgra[4 * i + 1], bgra[4 * i]);
  g_autoptr (GError) error = NULL;
  if (!cut (image, labels, &error))
    return g_printerr ("%s\n", error->message), 1;
  for (size_t i = 0; i < n; i++)
    labels[i] = labels[i] ? 255 : 0;
  return !png_image_write_to_file (&seeds_png, argv[3], 0, labels, 0, NULL);
}
