/* SPDX-License-Identifier: MIT */
/* Writes a part of a photo's cut-out as the window does, without a cut:
 *   export_part PHOTO LABELS.png OUT X0 Y0 X1 Y1 [SOFT_PX [BACKGROUND]]
 * TIFFs get a page with the mask. */
#include "app/export/export.h"
#include "app/export/export_format.h"
#include "app/photo/photo.h"

#include <stdio.h>
#include <stdlib.h>

static int
fail (const GError *error)
{
  fprintf (stderr, "%s\n", error->message);
  return 1;
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  if (argc < 8)
    return 2;
  g_autoptr (FsPhoto) photo = fs_photo_load (argv[1], NULL, NULL, &error);
  if (!photo)
    return fail (error);
  const FsImage *image = photo->image;
  g_autofree uint8_t *labels = fs_seeds_load (argv[2], image->width, image->height, NULL, &error);
  g_autoptr (FsBackground) background =
      argc > 9 && !error ? fs_background_new (argv[9], &error) : NULL;
  if (error)
    return fail (error);
  const FsExportFormat format = fs_export_format_of (argv[3]);
  const gboolean is_of_labels = format == FS_EXPORT_SVG || fs_export_format_has_layers (format);
  for (gsize p = 0; !is_of_labels && p < (gsize)image->width * (gsize)image->height; p++)
    labels[p] = labels[p] >= FS_SEED_OBJECT;
  const char *names[FS_SEED_MAX + 1] = { [FS_SEED_OBJECT] = "Köder", [FS_SEED_OBJECT + 1] = "Egg" };
  const FsExport what = { .image = photo->image,
                          .mask = labels,
                          .kind = is_of_labels ? FS_EXPORT_LABELS : FS_EXPORT_CUTOUT,
                          .area = { atoi (argv[4]), atoi (argv[5]), atoi (argv[6]),
                                    atoi (argv[7]) },
                          .photo = argv[1],
                          .edge = { .width_px = argc > 8 ? atoi (argv[8]) : 0, .clean = 100 },
                          .has_mask_page = TRUE,
                          .background = background,
                          .quality = 97,
                          .object_names = names };
  return fs_export_write (&what, argv[3], NULL, NULL, NULL, &error) ? 0 : fail (error);
}
