/* SPDX-License-Identifier: MIT */
#include "energy/matting/matting.h"

#include "energy/matting/estimate.h"
#include "energy/matting/laplacian.h"
#include "energy/matting/trim.h"

#include <math.h>
#include <string.h>

/* An alpha of up to HAZE becomes 0, one of at least 1 − HAZE 1; the rest is stretched. */
#define HAZE 0.03
/* Progress once Laplacian, estimates and mixtures are there. */
#define LINKED    0.1
#define ESTIMATED 0.5
#define MIXED     0.6

static gboolean
has_label (const FsZone *zone, uint8_t label)
{
  return memchr (zone->label, label, (size_t)zone->width * (size_t)zone->height) != NULL;
}

static void
write_known (const FsZone *zone, uint8_t *alpha)
{
  const uint8_t rest = has_label (zone, FS_TRIMAP_BACKGROUND) || !has_label (zone, FS_TRIMAP_OBJECT)
                           ? FS_TRIMAP_BACKGROUND
                           : FS_TRIMAP_OBJECT;
  const size_t n = (size_t)zone->width * (size_t)zone->height;
  for (size_t p = 0; p < n; p++)
    alpha[p] = zone->label[p] == FS_TRIMAP_UNKNOWN ? rest : zone->label[p];
}

static void
write_unknown (const FsMattingSystem *system, uint8_t *alpha)
{
  const FsZone *zone = system->zone;
  for (uint32_t k = 0; k < zone->n_runs; k++) {
    const FsZoneRun *run = &zone->run[k];
    uint8_t *to = alpha + fs_zone_pixel (zone, run->x, run->y);
    for (int i = 0; i < run->n; i++) {
      const double stretched = (system->alpha[run->first + (uint32_t)i] - HAZE) / (1 - 2 * HAZE);
      to[i] = (uint8_t)(CLAMP (stretched, 0, 1) * 255 + 0.5);
    }
  }
}

/* FALSE where memory is short; when cancelled, sooner or later TRUE. */
static gboolean
solve_unknown (const FsZone *zone, uint8_t *alpha)
{
  g_auto (FsMattingSystem) system = { 0 };
  if (!fs_matting_system_init (&system, zone))
    return FALSE;
  fs_laplacian_fill (&system);
  if (!fs_zone_report (zone, LINKED))
    return TRUE;
  if (!fs_estimate_add (&system))
    return FALSE;
  if (!fs_zone_report (zone, ESTIMATED))
    return TRUE;
  if (!fs_mixture_init (&system.mixture, zone))
    return FALSE;
  if (!fs_zone_report (zone, MIXED))
    return TRUE;
  fs_mixture_add_right (&system.mixture, system.right);
  if (!fs_matting_system_solve (&system, MIXED))
    return FALSE;
  if (!fs_progress_is_cancelled (zone->progress))
    write_unknown (&system, alpha);
  return TRUE;
}

static gboolean
solve (FsZone *zone, uint8_t *alpha)
{
  const gboolean has_both =
      has_label (zone, FS_TRIMAP_OBJECT) && has_label (zone, FS_TRIMAP_BACKGROUND);
  if (has_both && !fs_zone_trim (zone))
    return FALSE;
  write_known (zone, alpha);
  if (!has_both || fs_progress_is_cancelled (zone->progress))
    return TRUE;
  if (!fs_zone_number_pixels (zone))
    return FALSE;
  return zone->n_unknown == 0 || solve_unknown (zone, alpha);
}

gboolean
fs_matting_solve (const FsImage *image, const uint8_t *trimap, FsRect area, uint8_t *alpha,
                  const FsProgress *progress, GError **error)
{
  g_auto (FsZone) zone = { 0 };
  if (area.x0 >= area.x1 || area.y0 >= area.y1)
    return TRUE;
  g_return_val_if_fail (area.x0 >= 0 && area.y0 >= 0 && area.x1 <= image->width
                            && area.y1 <= image->height,
                        FALSE);
  if (!fs_zone_init (&zone, image, trimap, area, progress) || !solve (&zone, alpha)) {
    g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                         "not enough memory for the alpha of unknown zones");
    return FALSE;
  }
  if (!fs_zone_report (&zone, 1)) {
    g_set_error_literal (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED, "cancelled");
    return FALSE;
  }
  return TRUE;
}
