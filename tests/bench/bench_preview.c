/* SPDX-License-Identifier: MIT */
/* Previews against our own exact cold cut: time, memory, wrong pixels, excess energy.
 *
 *   bench_preview [--mp X] [--levels N] [--band D] [--downsampling KIND] [--neighbours 4|8]
 * [--photo PHOTO]
 *
 * Photos are those of the data pack ($FRETSAW_SHARED, or ../shared beside the sources), brought to
 * X megapixels by bilinear interpolation, with the pack's strokes where there are some and
 * otherwise with a disc in the middle and the photo's frame. One line a photo, the most wrong
 * first. */
#include "app/photo.h"
#include "energy/energy.h"
#include "solver/preview.h"
#include "solver/solver.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double megapixels = 2.5;
static int neighbours = 8;
static char *downsampling;
static char *only;
static FsPreviewOptions options = { .n_levels = 3, .band_px = 2, .soft_tlink = FS_DATA_SCALE };

typedef struct {
  char *name;
  double exact_ms;  /* solver made and solved */
  double make_ms;   /* fs_preview_new */
  double first_ms;  /* first solve */
  double again_ms;  /* all t-links changed */
  double stroke_ms; /* one dab later */
  double wrong;     /* share of the pixels */
  double excess;    /* share of the energy */
  double band;      /* share of the photo's pixels */
  double bytes;     /* per pixel of the photo */
  double exact_bytes;
} Row;

/* Processor time: other load on the machine counts less. In microseconds. */
static gint64
now_us (void)
{
  struct timespec time;
  clock_gettime (CLOCK_PROCESS_CPUTIME_ID, &time);
  return (gint64)time.tv_sec * G_USEC_PER_SEC + time.tv_nsec / 1000;
}

static double
ms_since (gint64 start)
{
  return (double)(now_us () - start) / 1000.0;
}

static int
blend (uint32_t a, uint32_t b, uint32_t c, uint32_t d, int shift, double fx, double fy)
{
  double top = (a >> shift & 255) * (1 - fx) + (b >> shift & 255) * fx;
  double bottom = (c >> shift & 255) * (1 - fx) + (d >> shift & 255) * fx;
  return (int)(top * (1 - fy) + bottom * fy + 0.5);
}

static FsImage *
resize (const FsImage *from, int width, int height)
{
  FsImage *to = fs_image_new (width, height);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      double sx = (x + 0.5) * from->width / width - 0.5;
      double sy = (y + 0.5) * from->height / height - 0.5;
      int x0 = CLAMP ((int)floor (sx), 0, from->width - 1);
      int y0 = CLAMP ((int)floor (sy), 0, from->height - 1);
      int x1 = MIN (x0 + 1, from->width - 1);
      const uint32_t *upper = from->pixels + (size_t)y0 * from->width;
      const uint32_t *lower = y0 + 1 < from->height ? upper + from->width : upper;
      double fx = CLAMP (sx - x0, 0, 1);
      double fy = CLAMP (sy - y0, 0, 1);
      int value[3];
      for (int i = 0; i < 3; i++)
        value[i] = blend (upper[x0], upper[x1], lower[x0], lower[x1], 8 * i, fx, fy);
      to->pixels[(size_t)y * width + x] = FS_PIXEL (255, value[2], value[1], value[0]);
    }
  return to;
}

static uint8_t
stroke_label (const uint8_t *strokes, const FsImage *photo, double x, double y)
{
  if (strokes != NULL)
    return strokes[(size_t)(y * photo->height) * photo->width + (size_t)(x * photo->width)];
  if (hypot (x - 0.5, y - 0.5) < 0.06)
    return FS_SEED_OBJECT;
  return x < 0.01 || y < 0.01 || x > 0.99 || y > 0.99 ? FS_SEED_BACKGROUND : FS_SEED_NONE;
}

static FsSeedMap *
make_seeds (const uint8_t *strokes, const FsImage *photo, int width, int height)
{
  FsSeedMap *seeds = fs_seed_map_new (width, height);
  g_autofree uint8_t *labels = g_malloc ((size_t)width * height);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++)
      labels[(size_t)y * width + x] =
          stroke_label (strokes, photo, (x + 0.5) / width, (y + 0.5) / height);
  fs_seed_map_set (seeds, labels);
  return seeds;
}

/* A dab of the other label on the preview's border, as a stroke would put it there. */
static GArray *
dab (FsEnergy *energy, const uint8_t *mask)
{
  FsGrid *grid = fs_energy_get_grid (energy);
  GArray *pixels = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  int y0 = grid->height / 2, x0 = 1;
  const uint8_t *row = mask + (size_t)y0 * grid->width;
  while (x0 < grid->width - 1 && row[x0] == row[x0 - 1])
    x0++;
  for (int y = MAX (y0 - 8, 0); y < MIN (y0 + 8, grid->height); y++)
    for (int x = MAX (x0 - 8, 0); x < MIN (x0 + 8, grid->width); x++) {
      uint32_t p = (uint32_t)((size_t)y * grid->width + x);
      grid->tlink[p] = fs_energy_tlink (energy, p, FS_SEED_OBJECT);
      g_array_append_val (pixels, p);
    }
  return pixels;
}

static uint8_t *
exact_mask (FsGrid *grid, Row *row, FsSolution *solution)
{
  g_autoptr (GError) error = NULL;
  gint64 start = now_us ();
  g_autoptr (FsSolver) solver = fs_solver_new (&fs_backend_cpu, grid, &error);
  if (solver == NULL || !fs_solver_solve (solver, NULL, solution, &error))
    g_error ("%s: %s", row->name, error->message);
  row->exact_ms = ms_since (start);
  row->exact_bytes = (double)fs_solver_size_bytes (solver) / (double)fs_grid_n_pixels (grid);
  uint8_t *mask = g_malloc (fs_grid_n_pixels (grid));
  fs_solver_read_mask (solver, 0, 0, grid->width, grid->height, mask, grid->width);
  return mask;
}

static double
solve_ms (FsPreview *preview, const Row *row, uint8_t *mask, FsPreviewStats *stats)
{
  g_autoptr (GError) error = NULL;
  gint64 start = now_us ();
  if (!fs_preview_solve (preview, NULL, mask, stats, &error))
    g_error ("%s: %s", row->name, error->message);
  return ms_since (start);
}

static void
compare (FsEnergy *energy, Row *row)
{
  FsGrid *grid = fs_energy_get_grid (energy);
  size_t n = fs_grid_n_pixels (grid);
  FsSolution solution;
  g_autofree uint8_t *exact = exact_mask (grid, row, &solution);
  g_autofree uint8_t *mask = g_malloc (n);
  g_autoptr (GError) error = NULL;
  gint64 start = now_us ();
  g_autoptr (FsPreview) preview = fs_preview_new (grid, &options, NULL, &error);
  if (preview == NULL)
    g_error ("%s: %s", row->name, error->message);
  row->make_ms = ms_since (start);
  FsPreviewStats stats;
  row->first_ms = solve_ms (preview, row, mask, &stats);
  size_t wrong = 0;
  for (size_t p = 0; p < n; p++)
    wrong += mask[p] != exact[p];
  row->wrong = (double)wrong / (double)n;
  row->excess =
      solution.energy > 0 ? (double)(stats.energy - solution.energy) / solution.energy : 0;
  row->band = (double)stats.n_solved[0] / (double)n;
  row->bytes = (double)stats.size_bytes / (double)n;
  g_autoptr (GArray) changed = dab (energy, mask);
  start = now_us ();
  fs_preview_change (preview, (const uint32_t *)(void *)changed->data, changed->len);
  row->stroke_ms = ms_since (start) + solve_ms (preview, row, mask, &stats);
  fs_preview_change_all (preview);
  row->again_ms = solve_ms (preview, row, mask, &stats);
}

static void
bench_photo (const char *folder, const char *name, const char *seeds_folder, GArray *rows)
{
  g_autofree char *path = g_build_filename (folder, name, NULL);
  g_autoptr (FsPhoto) photo = fs_photo_load (path, NULL, NULL, NULL);
  if (photo == NULL)
    return;
  double scale = sqrt (megapixels * 1e6 / ((double)photo->image->width * photo->image->height));
  int width = (int)(photo->image->width * scale + 0.5);
  int height = (int)(photo->image->height * scale + 0.5);
  g_autofree char *stem = g_strndup (name, strcspn (name, "."));
  g_autofree char *seeds_name = g_strconcat (stem, ".png", NULL);
  g_autofree char *seeds_path =
      g_build_filename (seeds_folder != NULL ? seeds_folder : "", seeds_name, NULL);
  g_autofree uint8_t *strokes =
      seeds_folder != NULL
          ? fs_seeds_load (seeds_path, photo->image->width, photo->image->height, NULL, NULL)
          : NULL;
  if (seeds_folder != NULL && strokes == NULL)
    return;
  g_autoptr (FsImage) image = resize (photo->image, width, height);
  g_autoptr (FsSeedMap) seeds = make_seeds (strokes, photo->image, width, height);
  FsSettings settings = FS_SETTINGS_DEFAULT;
  settings.neighbours = neighbours;
  g_autoptr (FsEnergy) energy = fs_energy_new (image, &settings, NULL, NULL);
  fs_energy_fit (energy, seeds);
  fs_energy_fill_tlinks (energy, seeds, fs_energy_get_grid (energy)->tlink);
  Row row = { .name = g_strdup (name) };
  compare (energy, &row);
  g_array_append_val (rows, row);
  fprintf (stderr, ".");
}

static void
bench_folder (const char *shared, const char *photos, const char *seeds, GArray *rows)
{
  g_autofree char *folder = g_build_filename (shared, "data", "photos", photos, NULL);
  g_autofree char *seeds_folder =
      seeds != NULL ? g_build_filename (shared, "data", "seeds", seeds, NULL) : NULL;
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;
  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    if (only == NULL || g_str_has_prefix (name, only))
      bench_photo (folder, name, seeds_folder, rows);
}

static int
most_wrong_first (gconstpointer a, gconstpointer b)
{
  double x = ((const Row *)a)->wrong, y = ((const Row *)b)->wrong;
  return (x < y) - (x > y);
}

static void
print_rows (GArray *rows)
{
  g_array_sort (rows, most_wrong_first);
  printf ("%-28s %8s %7s %7s %7s %7s %6s %8s %8s %6s %6s %6s\n", "photo", "exact", "make", "first",
          "refit", "stroke", "ratio", "wrong %", "excess %", "band %", "B/px", "mem %");
  double logs = 0;
  for (guint i = 0; i < rows->len; i++) {
    const Row *r = &g_array_index (rows, Row, i);
    printf ("%-28s %8.1f %7.1f %7.1f %7.1f %7.1f %6.1f %8.3f %8.3f %6.2f %6.2f %6.1f\n", r->name,
            r->exact_ms, r->make_ms, r->first_ms, r->again_ms, r->stroke_ms,
            r->exact_ms / r->first_ms, 100 * r->wrong, 100 * r->excess, 100 * r->band, r->bytes,
            100 * r->bytes / r->exact_bytes);
    logs += log (r->exact_ms / r->first_ms);
  }
  printf ("geometric mean of the ratios: %.1f\n", exp (logs / rows->len));
}

int
main (int argc, char **argv)
{
  const GOptionEntry entries[] = {
    { "mp", 0, 0, G_OPTION_ARG_DOUBLE, &megapixels, "Megapixels", "X" },
    { "levels", 0, 0, G_OPTION_ARG_INT, &options.n_levels, "Coarse levels", "N" },
    { "band", 0, 0, G_OPTION_ARG_INT, &options.band_px, "Dilation of the band", "D" },
    { "downsampling", 0, 0, G_OPTION_ARG_STRING, &downsampling, "weakest, restriction or even",
      "KIND" },
    { "neighbours", 0, 0, G_OPTION_ARG_INT, &neighbours, "4 or 8", "N" },
    { "photo", 0, 0, G_OPTION_ARG_STRING, &only, "Only photos that begin so", "NAME" },
    G_OPTION_ENTRY_NULL
  };
  g_autoptr (GOptionContext) context = g_option_context_new (NULL);
  g_option_context_add_main_entries (context, entries, NULL);
  if (!g_option_context_parse (context, &argc, &argv, NULL))
    return 2;
  if (g_strcmp0 (downsampling, "even") == 0)
    options.downsampling = FS_DOWNSAMPLING_EVEN_PIXELS;
  else if (g_strcmp0 (downsampling, "restriction") == 0)
    options.downsampling = FS_DOWNSAMPLING_RESTRICTION;
  const char *source = g_getenv ("FRETSAW_SOURCE");
  g_autofree char *beside = g_build_filename (source != NULL ? source : ".", "..", "shared", NULL);
  const char *shared = g_getenv ("FRETSAW_SHARED") != NULL ? g_getenv ("FRETSAW_SHARED") : beside;
  g_autoptr (GArray) rows = g_array_new (FALSE, TRUE, sizeof (Row));
  bench_folder (shared, "grabcut", "grabcut-scr2", rows);
  bench_folder (shared, "matting", "matting-scr", rows);
  bench_folder (shared, "large", NULL, rows);
  fprintf (stderr, "\n");
  if (rows->len == 0) {
    printf ("no photos under %s\n", shared);
    return 1;
  }
  print_rows (rows);
  return 0;
}
