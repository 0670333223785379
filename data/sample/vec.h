/* SPDX-License-Identifier: MIT */
/* Three-vectors and noise for the sample photo's renderer.   Layer: none, a tool of the repository.
 *
 * Everything is a pure function of its arguments, so that any part of the picture can be rendered
 * again on its own.
 */
#ifndef FS_DATA_SAMPLE_VEC_H
#define FS_DATA_SAMPLE_VEC_H

#include <math.h>
#include <stdint.h>

typedef struct {
  float x, y, z;
} V3;

static inline V3
v3 (float x, float y, float z)
{
  return (V3){ x, y, z };
}

static inline V3
add (V3 a, V3 b)
{
  return v3 (a.x + b.x, a.y + b.y, a.z + b.z);
}

static inline V3
sub (V3 a, V3 b)
{
  return v3 (a.x - b.x, a.y - b.y, a.z - b.z);
}

static inline V3
mul (V3 a, V3 b)
{
  return v3 (a.x * b.x, a.y * b.y, a.z * b.z);
}

static inline V3
scale (V3 a, float s)
{
  return v3 (a.x * s, a.y * s, a.z * s);
}

static inline float
dot (V3 a, V3 b)
{
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

static inline V3
cross (V3 a, V3 b)
{
  return v3 (a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static inline float
length (V3 a)
{
  return sqrtf (dot (a, a));
}

static inline V3
normalize (V3 a)
{
  return scale (a, 1 / length (a));
}

static inline V3
mix3 (V3 a, V3 b, float t)
{
  return add (scale (a, 1 - t), scale (b, t));
}

static inline float
mixf (float a, float b, float t)
{
  return a + (b - a) * t;
}

static inline float
clampf (float x, float low, float high)
{
  return x < low ? low : x > high ? high : x;
}

/* 0 below a, 1 above b, a cubic between; b < a turns it round. */
static inline float
ramp (float a, float b, float x)
{
  float t = clampf ((x - a) / (b - a), 0, 1);
  return t * t * (3 - 2 * t);
}

/* Turns (x, y) by `angle` and leaves z: the bird is built in its own upright frame. */
static inline V3
turn_z (V3 p, float angle)
{
  float c = cosf (angle), s = sinf (angle);
  return v3 (c * p.x + s * p.y, c * p.y - s * p.x, p.z);
}

static inline V3
turn_y (V3 p, float angle)
{
  float c = cosf (angle), s = sinf (angle);
  return v3 (c * p.x - s * p.z, p.y, c * p.z + s * p.x);
}

/* PCG's output permutation as a hash (O'Neill 2014, "PCG: a family of simple fast space-efficient
 * statistically good algorithms for random number generation", RXS-M-XS 32). */
static inline uint32_t
hash_u32 (uint32_t x)
{
  uint32_t state = x * 747796405u + 2891336453u;
  uint32_t word = ((state >> ((state >> 28) + 4)) ^ state) * 277803737u;
  return (word >> 22) ^ word;
}

static inline float
hash_unit (int x, int y, int z)
{
  uint32_t h = hash_u32 ((uint32_t)x + hash_u32 ((uint32_t)y + hash_u32 ((uint32_t)z)));
  return (float)(h >> 8) * (1.0f / 16777216.0f);
}

/* A stream of uniform numbers in [0, 1). */
typedef struct {
  uint32_t state;
} Random;

static inline float
random_unit (Random *random)
{
  random->state = random->state * 747796405u + 2891336453u;
  return (float)(hash_u32 (random->state) >> 8) * (1.0f / 16777216.0f);
}

/* Value noise in [−1, 1] with a feature size of 1, and n_octaves of it in about the same range. */
float noise3 (V3 p);
float fbm (V3 p, int n_octaves);

#endif
