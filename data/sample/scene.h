/* SPDX-License-Identifier: MIT */
/* What stands in the sample photo: a painted wooden robin with a twig in its beak, on a table in a
 * garden.   Layer: none, a tool of the repository.
 *
 * Shapes are signed distances (sphere tracing: Hart 1996), y is up, the table is y = 0, the unit is
 * about the robin's height. Colours are linear RGB.
 */
#ifndef FS_DATA_SAMPLE_SCENE_H
#define FS_DATA_SAMPLE_SCENE_H

#include "vec.h"
#include <stdbool.h>

typedef enum { THING_NONE, THING_TABLE, THING_ROBIN, THING_LITTER, THING_POT } Thing;

typedef struct {
  Thing thing;
  float distance; /* along the ray */
  V3 point;
  V3 normal;
} Hit;

typedef struct {
  V3 albedo;
  float gloss;     /* share of the clear coat's reflection that is there, 0 to 1 */
  float roughness; /* of that reflection: radius of the cone's cross-section     */
  V3 glow;         /* light let through from behind (leaves)                     */
} Surface;

/* The nearest thing along a ray, up to `reach`. `detail` asks for a normal with bumps. */
Hit scene_trace (V3 origin, V3 direction, float reach, bool detail);

/* Whether anything lies between a point and the light in `direction`. */
bool scene_shadowed (V3 origin, V3 direction);

Surface scene_surface (const Hit *hit);

/* What a camera sees where nothing stands: the garden, far out of focus; and the light that comes
 * from there. */
V3 scene_garden (V3 direction);
V3 scene_sky_light (V3 direction);

extern const V3 scene_sun_direction;
extern const V3 scene_sun_colour;

/* The robin: its distance, and its paint. */
float robin_distance (V3 p);
float robin_bump (V3 p);
Surface robin_surface (V3 p, V3 normal);

/* Shared by shapes. A leaf lies along +x from the origin, flat in y. */
float leaf_distance (V3 p, float half_length, float half_width, float bend);
Surface leaf_surface (V3 p, float hue);
float capsule_distance (V3 p, V3 a, V3 b, float radius_a, float radius_b);
V3 wood_colour (V3 p, V3 dark, V3 light);

#endif
