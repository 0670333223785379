/* SPDX-License-Identifier: MIT */
/* The starts that suit OpenCV's grabCut best. */
#ifndef FS_QUALITY_OPENCV_START_H
#define FS_QUALITY_OPENCV_START_H

#include "tests/quality/cutter.h"

G_BEGIN_DECLS

/* FALSE for every method where this program was built without OpenCV. */
gboolean quality_opencv_knows (const char *method);

/* A method that quality_opencv_knows. Without pixels that can be either side nothing is object. */
void quality_opencv_cut (const QualityRequest *request, uint8_t *mask);

G_END_DECLS

#endif
