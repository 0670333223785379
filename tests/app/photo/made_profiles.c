/* SPDX-License-Identifier: MIT */
#include "tests/app/photo/made_profiles.h"

#ifdef HAVE_LCMS2
#include <lcms2.h>
#include <math.h>

enum { STEPS = 17 };

static double
light_of (double sample)
{
  return sample <= 0.04045 ? sample / 12.92 : pow ((sample + 0.055) / 1.055, 2.4);
}

void
made_ink_colour (const double ink[4], double rgb[3])
{
  for (int k = 0; k < 3; k++)
    rgb[k] = pow ((1 - ink[k]) * (1 - ink[3]), MADE_INK_POWER);
}

static int
sample_ink (const cmsUInt16Number in[], cmsUInt16Number out[], void *cargo)
{
  /* From light to XYZ, adapted to D50. */
  static const double matrix[3][3] = { { 0.43607, 0.38515, 0.14307 },
                                       { 0.22249, 0.71687, 0.06061 },
                                       { 0.01392, 0.09708, 0.71410 } };
  double ink[4], rgb[3], xyz[3] = { 0 };
  cmsCIELab lab;
  for (int k = 0; k < 4; k++)
    ink[k] = in[k] / 65535.0;
  made_ink_colour (ink, rgb);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 3; k++)
      xyz[i] += matrix[i][k] * light_of (rgb[k]);
  const cmsCIEXYZ colour = { xyz[0], xyz[1], xyz[2] };
  cmsXYZ2Lab (NULL, &lab, &colour);
  cmsFloat2LabEncoded (out, &lab);
  return TRUE;
}

static GBytes *
save (cmsHPROFILE profile)
{
  cmsUInt32Number n_bytes = 0;
  g_assert_true (cmsSaveProfileToMem (profile, NULL, &n_bytes));
  guint8 *bytes = g_malloc (n_bytes);
  g_assert_true (cmsSaveProfileToMem (profile, bytes, &n_bytes));
  cmsCloseProfile (profile);
  return g_bytes_new_take (bytes, n_bytes);
}

GBytes *
made_ink_profile (void)
{
  cmsHPROFILE profile = cmsCreateProfilePlaceholder (NULL);
  cmsPipeline *pipeline = cmsPipelineAlloc (NULL, 4, 3);
  cmsStage *table = cmsStageAllocCLut16bit (NULL, STEPS, 4, 3, NULL);
  cmsSetProfileVersion (profile, 4.2);
  cmsSetDeviceClass (profile, cmsSigOutputClass);
  cmsSetColorSpace (profile, cmsSigCmykData);
  cmsSetPCS (profile, cmsSigLabData);
  g_assert_true (cmsStageSampleCLut16bit (table, sample_ink, NULL, 0));
  g_assert_true (
      cmsPipelineInsertStage (pipeline, cmsAT_END, cmsStageAllocToneCurves (NULL, 4, NULL)));
  g_assert_true (cmsPipelineInsertStage (pipeline, cmsAT_END, table));
  g_assert_true (
      cmsPipelineInsertStage (pipeline, cmsAT_END, cmsStageAllocToneCurves (NULL, 3, NULL)));
  g_assert_true (cmsWriteTag (profile, cmsSigAToB0Tag, pipeline));
  cmsPipelineFree (pipeline);
  return save (profile);
}

GBytes *
made_grey_profile (double gamma)
{
  cmsToneCurve *curve = cmsBuildGamma (NULL, gamma);
  cmsHPROFILE profile = cmsCreateGrayProfile (cmsD50_xyY (), curve);
  cmsFreeToneCurve (curve);
  return save (profile);
}

#endif
