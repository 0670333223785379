/* SPDX-License-Identifier: MIT */
/* The table, what lies and stands on it, the garden behind, and the tracing of rays. */
#include "scene.h"
#include <stddef.h>

#define TABLE_BACK   -2.6f
#define N_LITTER     7
#define N_BUSH       48
#define MAX_STEPS    160
#define TABLE_EXTENT 7.0f

const V3 scene_sun_direction = { -0.569f, 0.620f, 0.540f };
const V3 scene_sun_colour = { 3.3f, 2.75f, 2.05f };

/* --- fallen leaves -------------------------------------------------------------------------- */

typedef struct {
  V3 root;
  float turn, half_length, half_width, bend, hue;
} Litter;

static const Litter litter[N_LITTER] = {
  { { 0.75f, 0.022f, 0.85f }, 0.5f, 0.17f, 0.085f, 0.5f, 0.15f },
  { { -1.35f, 0.020f, 0.75f }, 2.6f, 0.16f, 0.075f, 0.6f, 0.55f },
  { { 1.45f, 0.022f, -0.2f }, 2.0f, 0.18f, 0.085f, 0.5f, 0.9f },
  { { -1.0f, 0.020f, -0.7f }, 0.2f, 0.18f, 0.08f, 0.6f, 0.35f },
  { { 0.25f, 0.020f, 1.75f }, 2.9f, 0.17f, 0.08f, 0.5f, 0.75f },
  { { -1.9f, 0.020f, 0.1f }, 1.0f, 0.15f, 0.08f, 0.6f, 0.05f },
  { { 1.9f, 0.020f, 0.9f }, -0.7f, 0.18f, 0.09f, 0.5f, 0.45f },
};

static V3
litter_frame (V3 p, const Litter *leaf)
{
  return turn_y (sub (p, leaf->root), leaf->turn);
}

static float
litter_distance (V3 p)
{
  float nearest = 1e3f;
  for (int i = 0; i < N_LITTER; i++) {
    const Litter *leaf = &litter[i];
    V3 q = litter_frame (p, leaf);
    float away = length (sub (q, v3 (leaf->half_length, 0, 0))) - leaf->half_length - 0.05f;
    float d =
        away > 0.05f ? away : leaf_distance (q, leaf->half_length, leaf->half_width, leaf->bend);
    nearest = fminf (nearest, d);
  }
  return nearest;
}

static Surface
litter_surface (V3 p)
{
  int best = 0;
  float nearest = 1e3f;
  for (int i = 0; i < N_LITTER; i++) {
    const Litter *leaf = &litter[i];
    float d =
        leaf_distance (litter_frame (p, leaf), leaf->half_length, leaf->half_width, leaf->bend);
    if (d < nearest) {
      nearest = d;
      best = i;
    }
  }
  return leaf_surface (litter_frame (p, &litter[best]), litter[best].hue);
}

/* --- the flower pot ------------------------------------------------------------------------- */

static const V3 pot_centre = { 1.75f, 0, -1.75f };

/* Where a leaf of the bush grows, seen from the pot. */
static V3
bush_root (int i)
{
  uint32_t h = hash_u32 ((uint32_t)i + 7);
  float x = (float)(h & 1023) / 1023 - 0.5f, z = (float)(h >> 10 & 1023) / 1023 - 0.5f;
  float height = 0.75f * (float)(h >> 20 & 1023) / 1023 * (1 - 1.2f * (x * x + z * z));
  return v3 (0.7f * x, 0.96f + height, 0.7f * z);
}

static V3
bush_frame (V3 p, int i)
{
  V3 root = bush_root (i);
  V3 q = turn_y (sub (p, root), -atan2f (root.z, root.x) + hash_unit (i, 6, 7));
  q = turn_z (q, 1.1f * hash_unit (i, 3, 7) - 0.35f);
  float roll = 1.6f * (hash_unit (i, 4, 7) - 0.5f);
  return v3 (q.x, cosf (roll) * q.y + sinf (roll) * q.z, cosf (roll) * q.z - sinf (roll) * q.y);
}

static float
bush_distance (V3 p, int *nearest_leaf)
{
  float bush = length (sub (p, v3 (0, 1.35f, 0))) - 0.90f;
  if (bush > 0.05f)
    return bush;
  bush = 1e3f;
  for (int i = 0; i < N_BUSH; i++) {
    float d = length (sub (p, bush_root (i))) - 0.36f;
    if (d < 0.05f)
      d = leaf_distance (bush_frame (p, i), 0.17f, 0.075f, 0.8f);
    if (d < bush) {
      bush = d;
      if (nearest_leaf)
        *nearest_leaf = i;
    }
  }
  return bush;
}

static float
pot_distance (V3 p)
{
  V3 q = sub (p, pot_centre);
  float round = sqrtf (q.x * q.x + q.z * q.z);
  float wall = (round - 0.46f - 0.16f * q.y) * 0.95f;
  float body = fmaxf (wall, fabsf (q.y - 0.5f) - 0.5f);
  float rim = fmaxf (fabsf (round - 0.62f) - 0.06f, fabsf (q.y - 0.93f) - 0.11f);
  float earth = fmaxf (round - 0.60f, fabsf (q.y - 0.45f) - 0.45f);
  return fminf (fminf (body, rim), fminf (earth, bush_distance (q, NULL)));
}

static Surface
pot_surface (V3 p)
{
  V3 clay = scale (v3 (0.40f, 0.125f, 0.048f), 1 + 0.5f * fbm (scale (p, 8), 4));
  int leaf = 0;
  V3 q = sub (p, pot_centre);
  if (bush_distance (q, &leaf) < 2e-3f)
    return leaf_surface (bush_frame (q, leaf), 0.8f * hash_unit (leaf, 9, 9));
  return (Surface){ clay, 0.3f, 0.5f, v3 (0, 0, 0) };
}

/* --- the table ------------------------------------------------------------------------------ */

/* Planks of one length; x along the grain. */
static float
plank_of (V3 p, float *from_seam)
{
  float z = p.z / 0.62f + 0.35f;
  float plank = floorf (z), within = z - plank;
  *from_seam = 0.62f * fminf (within, 1 - within);
  return plank;
}

static float
table_bump (V3 p)
{
  float from_seam;
  float plank = plank_of (p, &from_seam);
  float grain = fbm (v3 (p.x * 3, plank * 7, p.z * 60), 4);
  float dents = fbm (v3 (p.x * 9, plank, p.z * 9), 3);
  return 0.010f * grain + 0.006f * dents - 0.03f * (1 - ramp (0, 0.016f, from_seam));
}

static Surface
table_surface (V3 p)
{
  float from_seam;
  float plank = plank_of (p, &from_seam);
  V3 at = v3 (p.x * 0.8f + plank * 13.7f, plank * 3.1f, p.z);
  V3 wood = wood_colour (at, v3 (0.155f, 0.085f, 0.042f), v3 (0.37f, 0.235f, 0.13f));
  float weather = ramp (-0.25f, 0.35f, fbm (v3 (p.x * 0.9f, plank, p.z * 3), 4));
  wood =
      mix3 (wood, scale (v3 (0.27f, 0.235f, 0.195f), 1 + fbm (scale (p, 14), 3)), 0.45f * weather);
  wood = scale (wood, 0.85f + 0.3f * hash_unit ((int)plank, 5, 5));
  float stain = ramp (0.22f, 0.30f, fbm (v3 (p.x * 2.5f, 4, p.z * 2.5f), 4));
  wood = scale (wood, 1 - 0.35f * stain);
  wood = scale (wood, 0.12f + 0.88f * ramp (0.002f, 0.016f, from_seam));
  return (Surface){ wood, 0.45f, 0.33f, v3 (0, 0, 0) };
}

/* --- tracing -------------------------------------------------------------------------------- */

typedef struct {
  Thing thing;
  V3 low, high; /* a box round it */
  float (*distance) (V3 p);
} Solid;

static const Solid solids[] = {
  { THING_ROBIN, { -1.45f, 0.0f, -0.75f }, { 1.35f, 1.75f, 0.80f }, robin_distance },
  { THING_LITTER, { -2.4f, 0.0f, -1.2f }, { 2.4f, 0.12f, 2.2f }, litter_distance },
  { THING_POT, { 0.9f, 0.0f, -2.6f }, { 2.6f, 2.3f, -0.9f }, pot_distance },
};

#define N_SOLIDS (int)(sizeof solids / sizeof solids[0])

static void
clip_axis (float low, float high, float origin, float direction, float *near, float *far)
{
  float inverse = 1 / (fabsf (direction) > 1e-9f ? direction : 1e-9f);
  float a = (low - origin) * inverse, b = (high - origin) * inverse;
  *near = fmaxf (*near, fminf (a, b));
  *far = fminf (*far, fmaxf (a, b));
}

/* Where the ray meets `solid`, or a negative number. */
static float
march (const Solid *solid, V3 origin, V3 direction, float reach)
{
  float near = 1e-3f, far = reach;
  clip_axis (solid->low.x, solid->high.x, origin.x, direction.x, &near, &far);
  clip_axis (solid->low.y, solid->high.y, origin.y, direction.y, &near, &far);
  clip_axis (solid->low.z, solid->high.z, origin.z, direction.z, &near, &far);
  float t = near;
  for (int i = 0; i < MAX_STEPS && t < far; i++) {
    float d = solid->distance (add (origin, scale (direction, t)));
    if (d < 4e-4f)
      return t;
    t += fmaxf (d, 5e-4f);
  }
  return -1;
}

static float
table_meets (V3 origin, V3 direction)
{
  if (direction.y > -1e-6f)
    return -1;
  float t = -origin.y / direction.y;
  V3 p = add (origin, scale (direction, t));
  return p.z > TABLE_BACK && fabsf (p.x) < TABLE_EXTENT ? t : -1;
}

static float
no_bump (V3 p)
{
  (void)p;
  return 0;
}

/* The gradient of distance + bump, by four taps at a tetrahedron's corners. */
static V3
normal_at (V3 p, float (*distance) (V3), float (*bump) (V3))
{
  static const V3 corners[] = { { 1, -1, -1 }, { -1, -1, 1 }, { -1, 1, -1 }, { 1, 1, 1 } };
  V3 sum = v3 (0, 0, 0);
  for (int i = 0; i < 4; i++) {
    V3 q = add (p, scale (corners[i], 1.2e-3f));
    sum = add (sum, scale (corners[i], distance (q) + bump (q)));
  }
  return normalize (sum);
}

static float
table_distance (V3 p)
{
  return p.y;
}

static V3
hit_normal (Thing thing, V3 p, bool detail)
{
  if (thing == THING_TABLE)
    return detail ? normal_at (v3 (p.x, 0, p.z), table_distance, table_bump) : v3 (0, 1, 0);
  for (int i = 0; i < N_SOLIDS; i++)
    if (solids[i].thing == thing)
      return normal_at (p, solids[i].distance,
                        detail && thing == THING_ROBIN ? robin_bump : no_bump);
  return v3 (0, 1, 0);
}

Hit
scene_trace (V3 origin, V3 direction, float reach, bool detail)
{
  Hit hit = { .thing = THING_NONE, .distance = reach };
  float t = table_meets (origin, direction);
  if (t > 0 && t < reach) {
    hit.thing = THING_TABLE;
    hit.distance = t;
  }
  for (int i = 0; i < N_SOLIDS; i++) {
    t = march (&solids[i], origin, direction, hit.distance);
    if (t > 0 && t < hit.distance) {
      hit.thing = solids[i].thing;
      hit.distance = t;
    }
  }
  if (hit.thing == THING_NONE)
    return hit;
  hit.point = add (origin, scale (direction, hit.distance));
  hit.normal = hit_normal (hit.thing, hit.point, detail);
  return hit;
}

bool
scene_shadowed (V3 origin, V3 direction)
{
  for (int i = 0; i < N_SOLIDS; i++)
    if (march (&solids[i], origin, direction, 8) > 0)
      return true;
  return false;
}

Surface
scene_surface (const Hit *hit)
{
  if (hit->thing == THING_ROBIN)
    return robin_surface (hit->point, hit->normal);
  if (hit->thing == THING_LITTER)
    return litter_surface (hit->point);
  if (hit->thing == THING_POT)
    return pot_surface (hit->point);
  return table_surface (hit->point);
}

/* --- the garden ----------------------------------------------------------------------------- */

/* A point of light out of focus: a disc, a little brighter at its rim, cut by seven blades. */
static float
bokeh_disc (float dx, float dy, float radius)
{
  float r = sqrtf (dx * dx + dy * dy), angle = atan2f (dy, dx) + 0.3f;
  float blade = 6.2831853f / 7;
  float a = angle - blade * floorf (angle / blade + 0.5f);
  float edge = r * mixf (1, cosf (a) / cosf (blade / 2) * 0.92f, 0.35f) / radius;
  return (1 - ramp (0.88f, 1.04f, edge)) * (0.75f + 0.35f * ramp (0.5f, 0.97f, edge));
}

static V3
bokeh_layer (float u, float v, float cell, float share, int seed)
{
  static const V3 tints[] = { { 1.0f, 0.85f, 0.35f },
                              { 0.55f, 0.75f, 0.22f },
                              { 0.9f, 0.95f, 0.75f },
                              { 1.0f, 0.42f, 0.12f },
                              { 0.35f, 0.55f, 0.18f } };
  V3 sum = v3 (0, 0, 0);
  int cx = (int)floorf (u / cell), cy = (int)floorf (v / cell);
  for (int y = cy - 1; y <= cy + 1; y++)
    for (int x = cx - 1; x <= cx + 1; x++) {
      if (hash_unit (x, y, seed) > share)
        continue;
      float px = ((float)x + hash_unit (x, y, seed + 1)) * cell;
      float py = ((float)y + hash_unit (x, y, seed + 2)) * cell;
      float radius = cell * (0.30f + 0.16f * hash_unit (x, y, seed + 3));
      float power = 0.06f + 0.5f * powf (hash_unit (x, y, seed + 4), 3);
      V3 tint = tints[(int)(5 * hash_unit (x, y, seed + 5))];
      sum = add (sum, scale (tint, power * bokeh_disc (u - px, v - py, radius)));
    }
  return sum;
}

V3
scene_garden (V3 direction)
{
  float u = direction.x / fabsf (direction.z), v = direction.y / fabsf (direction.z);
  float warp = 0.5f * noise3 (v3 (u * 6, v * 6, 2));
  V3 at = turn_z (v3 (u + 0.1f * warp, v - 0.1f * warp, 0), 0.7f);
  float clouds = fbm (v3 (at.x * 11, at.y * 9, 3), 3);
  float large = fbm (v3 (at.x * 3.5f, at.y * 4, 8), 2);
  V3 shade = v3 (0.030f, 0.046f, 0.016f), leaf = v3 (0.135f, 0.190f, 0.050f);
  V3 colour = mix3 (shade, leaf, ramp (-0.35f, 0.40f, clouds + 0.6f * large + 0.6f * v));
  float hedge = ramp (0.05f, 0.35f, fbm (v3 (at.x * 7 + 20, at.y * 6, 1), 3));
  colour = mix3 (colour, v3 (0.175f, 0.120f, 0.066f), 0.75f * hedge);
  float flowers = ramp (0.18f, 0.42f, fbm (v3 (at.x * 11 + 3, at.y * 12 + 7, 5), 3));
  colour = mix3 (colour, v3 (0.42f, 0.125f, 0.035f), 0.65f * flowers);
  colour = add (colour, scale (v3 (0.5f, 0.46f, 0.26f), ramp (0.02f, 0.42f, v + 0.25f * large)));
  float bright = ramp (-0.3f, 0.3f, large + 0.5f * v);
  V3 lights = add (bokeh_layer (u, v, 0.085f, 0.38f, 11), bokeh_layer (u, v, 0.055f, 0.30f, 41));
  return add (colour, scale (lights, 0.35f + 0.9f * bright));
}

/* A bright sky above, hedges round about, and a white wall to the right that fills the shadows. */
V3
scene_sky_light (V3 direction)
{
  float up = direction.y;
  V3 hedge = v3 (0.16f, 0.17f, 0.085f), sky = v3 (0.66f, 0.80f, 1.0f);
  V3 light = mix3 (hedge, sky, ramp (0.05f, 0.55f, up));
  float wall = ramp (0.55f, 0.75f, direction.x) * (1 - ramp (0.3f, 0.5f, fabsf (up - 0.25f)));
  light = add (light, scale (v3 (0.75f, 0.68f, 0.58f), wall));
  float window = ramp (0.80f, 0.86f, dot (direction, normalize (v3 (-0.45f, 0.62f, 0.65f))));
  return add (light, scale (v3 (1.5f, 1.4f, 1.2f), window));
}
