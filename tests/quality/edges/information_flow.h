/* SPDX-License-Identifier: MIT */
/* Information-flow matting by OpenCV's alphamat, where the program was built with it. */
#ifndef FS_TESTS_QUALITY_EDGES_INFORMATION_FLOW_H
#define FS_TESTS_QUALITY_EDGES_INFORMATION_FLOW_H

#ifdef __cplusplus
#include <cstdint>
extern "C" {
#else
#include <stdint.h>
#endif

/* `pixels`: a word each, 0xAARRGGBB. `trimap` has 0, 128 and 255; `alpha` gets a byte a pixel. */
void information_flow_alpha (const uint32_t *pixels, const uint8_t *trimap, int width, int height,
                             uint8_t *alpha);

#ifdef __cplusplus
}
#endif

#endif
