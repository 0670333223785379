/* SPDX-License-Identifier: MIT */
#include "app/photo/input/colour_transform.h"

#include <math.h>

const FsRgbMeaning fs_rgb_meaning_srgb = { { 0.3127, 0.3290, 0.64, 0.33, 0.30, 0.60, 0.15, 0.06 },
                                           0 };

/* ---- L*a*b* ---- */

static double
uncube (double value)
{
  const double e = 6.0 / 29;
  return value > e ? value * value * value : 3 * e * e * (value - 4.0 / 29);
}

static guint16
to_srgb_sample (double light)
{
  const double value = light <= 0.0031308 ? 12.92 * light : 1.055 * pow (light, 1 / 2.4) - 0.055;
  return (guint16)(CLAMP (value, 0, 1) * 65535 + 0.5);
}

/* White is that of sRGB, whatever it was: so other readers take L*a*b* in TIFF files. */
void
fs_lab_to_srgb (const double lab[3], guint16 rgb[3])
{
  const double y = (lab[0] + 16) / 116;
  const double X = 0.9505 * uncube (y + lab[1] / 500), Y = uncube (y),
               Z = 1.0890 * uncube (y - lab[2] / 200);
  rgb[0] = to_srgb_sample (3.2406 * X - 1.5372 * Y - 0.4986 * Z);
  rgb[1] = to_srgb_sample (-0.9689 * X + 1.8758 * Y + 0.0415 * Z);
  rgb[2] = to_srgb_sample (0.0557 * X - 0.2040 * Y + 1.0570 * Z);
}

#ifdef HAVE_LCMS2
#include <lcms2.h>

struct FsColourTransform {
  cmsContext context; /* whose messages go nowhere */
  cmsHTRANSFORM transform;
};

#if G_BYTE_ORDER == G_LITTLE_ENDIAN
#define TYPE_PIXEL TYPE_BGRA_8
#else
#define TYPE_PIXEL TYPE_ARGB_8
#endif

/* A table of so many steps an ink is within a level or two of the profile. */
enum { INK_STEPS = 29, GREY_STEPS = 1024 };

/* ---- Profiles ---- */

/* NULL where the bytes are no profile of that kind. */
static cmsHPROFILE
open_kind (cmsContext context, GBytes *icc, cmsColorSpaceSignature kind)
{
  gsize n_bytes;
  const void *bytes = icc ? g_bytes_get_data (icc, &n_bytes) : NULL;
  cmsHPROFILE profile =
      bytes ? cmsOpenProfileFromMemTHR (context, bytes, (cmsUInt32Number)n_bytes) : NULL;
  if (!profile || cmsGetColorSpace (profile) == kind)
    return profile;
  cmsCloseProfile (profile);
  return NULL;
}

/* An sRGB profile of version 2: with version 4 the library would compensate the black point. */
static cmsHPROFILE
open_srgb (cmsContext context)
{
  cmsHPROFILE profile = cmsCreate_sRGBProfileTHR (context);
  if (profile)
    cmsSetProfileVersion (profile, 2.1);
  return profile;
}

/* sRGB where there is none. */
static cmsHPROFILE
open_rgb (cmsContext context, GBytes *icc)
{
  return icc ? open_kind (context, icc, cmsSigRgbData) : open_srgb (context);
}

/* Takes both profiles. NULL where they go not together. */
static FsColourTransform *
make_transform (cmsContext context, cmsHPROFILE from, cmsUInt32Number from_type, cmsHPROFILE to,
                cmsUInt32Number to_type, cmsUInt32Number flags)
{
  g_autoptr (FsColourTransform) self = g_new0 (FsColourTransform, 1);
  self->context = context;
  if (from && to)
    self->transform =
        cmsCreateTransformTHR (context, from, from_type, to, to_type, INTENT_PERCEPTUAL, flags);
  if (from)
    cmsCloseProfile (from);
  if (to)
    cmsCloseProfile (to);
  return self->transform ? g_steal_pointer (&self) : NULL;
}

void
fs_colour_transform_free (FsColourTransform *self)
{
  if (!self)
    return;
  if (self->transform)
    cmsDeleteTransform (self->transform);
  cmsDeleteContext (self->context);
  g_free (self);
}

/* A context without a handler of errors says nothing. */
static cmsContext
new_context (void)
{
  return cmsCreateContext (NULL, NULL);
}

FsColourTransform *
fs_colour_transform_new_from_ink (GBytes *icc)
{
  cmsContext context = icc ? new_context () : NULL;
  return context
             ? make_transform (context, open_kind (context, icc, cmsSigCmykData), TYPE_CMYK_16,
                               open_srgb (context), TYPE_RGB_16, cmsFLAGS_GRIDPOINTS (INK_STEPS))
             : NULL;
}

void
fs_colour_transform_convert_ink (FsColourTransform *self, const guint16 *ink, guint16 *rgb, guint n)
{
  cmsDoTransform (self->transform, ink, rgb, n);
}

/* Returns whether each of some colours stays, but for a level. */
static gboolean
changes_nothing (FsColourTransform *self)
{
  enum { STEP = 15 };
  for (guint r = 0; r < 256; r += STEP)
    for (guint g = 0; g < 256; g += STEP)
      for (guint b = 0; b < 256; b += STEP) {
        const guint32 from = 0xff000000u | r << 16 | g << 8 | b;
        guint32 to;
        cmsDoTransform (self->transform, &from, &to, 1);
        for (int shift = 0; shift < 24; shift += 8)
          if (ABS ((int)(from >> shift & 0xff) - (int)(to >> shift & 0xff)) > 1)
            return FALSE;
      }
  return TRUE;
}

FsColourTransform *
fs_colour_transform_new_for_display (GBytes *icc, GBytes *display_icc)
{
  if (icc == display_icc || (icc && display_icc && g_bytes_equal (icc, display_icc)))
    return NULL;
  cmsContext context = new_context ();
  g_autoptr (FsColourTransform) self =
      context ? make_transform (context, open_rgb (context, icc), TYPE_PIXEL,
                                open_rgb (context, display_icc), TYPE_PIXEL, cmsFLAGS_COPY_ALPHA)
              : NULL;
  return self && !changes_nothing (self) ? g_steal_pointer (&self) : NULL;
}

void
fs_colour_transform_convert_pixels (FsColourTransform *self, const guint32 *from, guint32 *to,
                                    guint n)
{
  cmsDoTransform (self->transform, from, to, n);
}

/* ---- Making profiles ---- */

/* Closes the profile. */
static GBytes *
save_profile (cmsHPROFILE profile)
{
  cmsUInt32Number n_bytes = 0;
  GBytes *saved = NULL;
  if (profile && cmsSaveProfileToMem (profile, NULL, &n_bytes) && n_bytes > 0) {
    void *bytes = g_try_malloc (n_bytes);
    if (bytes && cmsSaveProfileToMem (profile, bytes, &n_bytes))
      saved = g_bytes_new_take (bytes, n_bytes);
    else
      g_free (bytes);
  }
  if (profile)
    cmsCloseProfile (profile);
  return saved;
}

/* Frees the curve. */
static GBytes *
save_rgb (cmsContext context, const double xy[8], cmsToneCurve *curve)
{
  const cmsCIExyY white = { xy[0], xy[1], 1 };
  const cmsCIExyYTRIPLE primaries = { { xy[2], xy[3], 1 },
                                      { xy[4], xy[5], 1 },
                                      { xy[6], xy[7], 1 } };
  cmsToneCurve *curves[3] = { curve, curve, curve };
  GBytes *saved =
      curve ? save_profile (cmsCreateRGBProfileTHR (context, &white, &primaries, curves)) : NULL;
  if (curve)
    cmsFreeToneCurve (curve);
  return saved;
}

GBytes *
fs_colour_profile_new (const FsRgbMeaning *meaning)
{
  static const double srgb[5] = { 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045 };
  for (int i = 0; i < 8; i++) /* but one that is blue may lie on an axis */
    if (!(meaning->xy[i] >= -1) || !(meaning->xy[i] <= 2) || (i < 2 && !(meaning->xy[i] > 0.01)))
      return NULL;
  cmsContext context = new_context ();
  if (!context)
    return NULL;
  GBytes *saved = save_rgb (context, meaning->xy,
                            meaning->gamma > 0 ? cmsBuildGamma (context, meaning->gamma)
                                               : cmsBuildParametricToneCurve (context, 4, srgb));
  cmsDeleteContext (context);
  return saved;
}

/* The luminance of each grey, from 0 to 1. */
static cmsToneCurve *
curve_of_grey (cmsContext context, GBytes *icc)
{
  cmsHPROFILE grey = open_kind (context, icc, cmsSigGrayData);
  cmsHPROFILE lab = cmsCreateLab4ProfileTHR (context, NULL);
  cmsHTRANSFORM transform =
      grey && lab ? cmsCreateTransformTHR (context, grey, TYPE_GRAY_16, lab, TYPE_Lab_DBL,
                                           INTENT_RELATIVE_COLORIMETRIC, cmsFLAGS_NOOPTIMIZE)
                  : NULL;
  guint16 light[GREY_STEPS];
  for (int i = 0; transform && i < GREY_STEPS; i++) {
    const guint16 sample = (guint16)(i * 65535.0 / (GREY_STEPS - 1) + 0.5);
    cmsCIELab colour;
    cmsCIEXYZ xyz;
    cmsDoTransform (transform, &sample, &colour, 1);
    cmsLab2XYZ (NULL, &xyz, &colour);
    light[i] = (guint16)(CLAMP (xyz.Y, 0, 1) * 65535 + 0.5);
  }
  cmsToneCurve *curve =
      transform ? cmsBuildTabulatedToneCurve16 (context, GREY_STEPS, light) : NULL;
  if (transform)
    cmsDeleteTransform (transform);
  if (grey)
    cmsCloseProfile (grey);
  if (lab)
    cmsCloseProfile (lab);
  return curve;
}

GBytes *
fs_colour_profile_new_from_grey (GBytes *grey_icc)
{
  cmsContext context = grey_icc ? new_context () : NULL;
  if (!context)
    return NULL;
  GBytes *saved = save_rgb (context, fs_rgb_meaning_srgb.xy, curve_of_grey (context, grey_icc));
  cmsDeleteContext (context);
  return saved;
}

#else /* without Little CMS */

void
fs_colour_transform_free (FsColourTransform *self)
{
}

FsColourTransform *
fs_colour_transform_new_from_ink (GBytes *icc)
{
  return NULL;
}

void
fs_colour_transform_convert_ink (FsColourTransform *self, const guint16 *ink, guint16 *rgb, guint n)
{
}

FsColourTransform *
fs_colour_transform_new_for_display (GBytes *icc, GBytes *display_icc)
{
  return NULL;
}

void
fs_colour_transform_convert_pixels (FsColourTransform *self, const guint32 *from, guint32 *to,
                                    guint n)
{
}

GBytes *
fs_colour_profile_new (const FsRgbMeaning *meaning)
{
  return NULL;
}

GBytes *
fs_colour_profile_new_from_grey (GBytes *grey_icc)
{
  return NULL;
}

#endif
