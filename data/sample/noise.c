/* SPDX-License-Identifier: MIT */
#include "vec.h"

static float
fade (float t)
{
  return t * t * t * (t * (t * 6 - 15) + 10);
}

float
noise3 (V3 p)
{
  float fx = floorf (p.x), fy = floorf (p.y), fz = floorf (p.z);
  int ix = (int)fx, iy = (int)fy, iz = (int)fz;
  float u = fade (p.x - fx), v = fade (p.y - fy), w = fade (p.z - fz);
  float plane[2];
  for (int k = 0; k < 2; k++) {
    float near = mixf (hash_unit (ix, iy, iz + k), hash_unit (ix + 1, iy, iz + k), u);
    float far = mixf (hash_unit (ix, iy + 1, iz + k), hash_unit (ix + 1, iy + 1, iz + k), u);
    plane[k] = mixf (near, far, v);
  }
  return 2 * mixf (plane[0], plane[1], w) - 1;
}

float
fbm (V3 p, int n_octaves)
{
  float sum = 0, weight = 0.5f;
  for (int i = 0; i < n_octaves; i++) {
    sum += weight * noise3 (p);
    weight *= 0.5f;
    p = add (scale (p, 2.03f), v3 (17.3f, 5.1f, 9.7f));
  }
  return sum;
}
