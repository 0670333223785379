/* SPDX-License-Identifier: MIT */
#include "app/photo/colour_profile.h"

#include "app/photo/input/colour_transform.h"
#include "app/photo/metadata_reader.h"

#include <math.h>
#include <string.h>

/* ITU-T H.273, tables 2 and 3. */
enum { PRIMARIES_BT709 = 1, PRIMARIES_UNSPECIFIED = 2 };
enum {
  TRANSFER_BT709 = 1,
  TRANSFER_UNSPECIFIED = 2,
  TRANSFER_GAMMA_22 = 4,
  TRANSFER_GAMMA_28 = 5,
  TRANSFER_BT601 = 6,
  TRANSFER_LINEAR = 8,
  TRANSFER_SRGB = 13,
  TRANSFER_BT2020_10 = 14,
  TRANSFER_BT2020_12 = 15,
};

#define D65 0.3127, 0.3290
#define C   0.310, 0.316

static const struct {
  guint8 number;
  double xy[8];
} primaries[] = {
  { 1, { D65, 0.640, 0.330, 0.300, 0.600, 0.150, 0.060 } },
  { 4, { C, 0.67, 0.33, 0.21, 0.71, 0.14, 0.08 } },
  { 5, { D65, 0.64, 0.33, 0.29, 0.60, 0.15, 0.06 } },
  { 6, { D65, 0.630, 0.340, 0.310, 0.595, 0.155, 0.070 } },
  { 7, { D65, 0.630, 0.340, 0.310, 0.595, 0.155, 0.070 } },
  { 8, { C, 0.681, 0.319, 0.243, 0.692, 0.145, 0.049 } },
  { 9, { D65, 0.708, 0.292, 0.170, 0.797, 0.131, 0.046 } },
  { 11, { 0.314, 0.351, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060 } },
  { 12, { D65, 0.680, 0.320, 0.265, 0.690, 0.150, 0.060 } },
  { 22, { D65, 0.630, 0.340, 0.295, 0.605, 0.155, 0.077 } },
};

/* A camera's curve is shown by that of sRGB, as other programs do. FALSE where there is none. */
static gboolean
set_gamma (FsRgbMeaning *meaning, guint8 transfer)
{
  switch (transfer) {
  case TRANSFER_BT709:
  case TRANSFER_UNSPECIFIED:
  case TRANSFER_BT601:
  case TRANSFER_SRGB:
  case TRANSFER_BT2020_10:
  case TRANSFER_BT2020_12:
    meaning->gamma = 0;
    return TRUE;
  case TRANSFER_GAMMA_22:
    meaning->gamma = 2.2;
    return TRUE;
  case TRANSFER_GAMMA_28:
    meaning->gamma = 2.8;
    return TRUE;
  case TRANSFER_LINEAR:
    meaning->gamma = 1;
    return TRUE;
  default:
    return FALSE;
  }
}

static gboolean
read_cicp (const guint8 cicp[4], FsRgbMeaning *meaning)
{
  const guint8 number = cicp[0] == PRIMARIES_UNSPECIFIED ? PRIMARIES_BT709 : cicp[0];
  if (cicp[3] == 0 || !set_gamma (meaning, cicp[1])) /* of a part of the range */
    return FALSE;
  for (gsize i = 0; i < G_N_ELEMENTS (primaries); i++)
    if (primaries[i].number == number) {
      memcpy (meaning->xy, primaries[i].xy, sizeof meaning->xy);
      return TRUE;
    }
  return FALSE;
}

/* White or a primary of another is no more than a rounding away. */
static gboolean
is_like_srgb (const FsRgbMeaning *meaning)
{
  for (int i = 0; i < 8; i++)
    if (fabs (meaning->xy[i] - fs_rgb_meaning_srgb.xy[i]) > 0.0015)
      return FALSE;
  return meaning->gamma == 0;
}

/* With the primaries of sRGB, 1/2.2 means its curve: nobody writes anything else there. */
static void
read_png (const FsPngColour *png, FsRgbMeaning *meaning)
{
  const gboolean has_curve = png->has_gama && png->gama > 0;
  if (png->has_chrm)
    for (int i = 0; i < 8; i++)
      meaning->xy[i] = png->chrm[i] / 100000.0;
  if (has_curve && (!is_like_srgb (meaning) || ABS ((int)png->gama - 45455) > 200))
    meaning->gamma = 100000.0 / png->gama;
}

static GBytes *
make_profile (const FsRgbMeaning *meaning, gboolean *is_lost)
{
  GBytes *profile = is_like_srgb (meaning) ? NULL : fs_colour_profile_new (meaning);
  *is_lost = !profile && !is_like_srgb (meaning);
  return profile;
}

static gboolean
is_grey (const FsImage *image)
{
  const gsize n = (gsize)image->width * (gsize)image->height;
  for (gsize i = 0; i < n; i++)
    if (((image->pixels[i] ^ image->pixels[i] >> 8) & 0xffff) != 0)
      return FALSE;
  return TRUE;
}

/* Returns whether a profile says what colours are, and not how one kind becomes another. */
static gboolean
is_of_colours (GBytes *icc, const char *space)
{
  static const char classes[][5] = { "link", "abst", "nmcl" };
  if (!fs_icc_is_for (icc, space))
    return FALSE;
  const guint8 *bytes = g_bytes_get_data (icc, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (classes); i++)
    if (memcmp (bytes + 12, classes[i], 4) == 0)
      return FALSE;
  return TRUE;
}

GBytes *
fs_colour_profile_of (const FsPhotoMetadata *metadata, const FsImage *image, gboolean *is_lost)
{
  FsRgbMeaning meaning = fs_rgb_meaning_srgb;
  *is_lost = FALSE;
  if (metadata->has_cicp && read_cicp (metadata->cicp, &meaning))
    return make_profile (&meaning, is_lost);
  if (is_of_colours (metadata->icc, "RGB "))
    return g_bytes_ref (metadata->icc);
  if (is_of_colours (metadata->icc, "GRAY") && image && is_grey (image)) {
    GBytes *profile = fs_colour_profile_new_from_grey (metadata->icc);
    *is_lost = !profile;
    return profile;
  }
#ifndef HAVE_LCMS2
  *is_lost = fs_icc_is_for (metadata->icc, "CMYK");
#endif
  if (metadata->has_cicp) {
    *is_lost = TRUE;
    return NULL;
  }
  if (metadata->icc || metadata->png.has_srgb)
    return NULL;
  read_png (&metadata->png, &meaning);
  return make_profile (&meaning, is_lost);
}

GBytes *
fs_colour_profile_read (const char *path)
{
  g_return_val_if_fail (path, NULL);

  gboolean is_lost;
  g_autoptr (FsPhotoMetadata) metadata = fs_photo_metadata_read (path);
  return fs_colour_profile_of (metadata, NULL, &is_lost);
}
