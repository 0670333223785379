/* SPDX-License-Identifier: MIT */
/* What stands in for opencv_start.c where OpenCV is not installed. */
#include "tests/quality/opencv_start.h"

gboolean
quality_opencv_knows (const char *method)
{
  return FALSE;
}

void
quality_opencv_cut (const QualityRequest *request, uint8_t *mask)
{
  g_return_if_reached ();
}
