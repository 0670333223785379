/* SPDX-License-Identifier: MIT */
/* The robin: carved in one piece, painted by hand, worn; wire legs, a twig in the beak. */
#include "scene.h"

#define N_LEAVES 5

static float
smooth_union (float a, float b, float k)
{
  float h = clampf (0.5f + 0.5f * (b - a) / k, 0, 1);
  return mixf (b, a, h) - k * h * (1 - h);
}

/* A bound that is exact on the surface and good near it. */
static float
ellipsoid_distance (V3 p, V3 r)
{
  float k0 = length (v3 (p.x / r.x, p.y / r.y, p.z / r.z));
  float k1 = length (v3 (p.x / (r.x * r.x), p.y / (r.y * r.y), p.z / (r.z * r.z)));
  return k1 > 1e-6f ? k0 * (k0 - 1) / k1 : -r.y;
}

float
capsule_distance (V3 p, V3 a, V3 b, float radius_a, float radius_b)
{
  V3 pa = sub (p, a), ba = sub (b, a);
  float h = clampf (dot (pa, ba) / dot (ba, ba), 0, 1);
  return length (sub (pa, scale (ba, h))) - mixf (radius_a, radius_b, h);
}

/* Two circles' common part, a little bent, as thin as a leaf. */
float
leaf_distance (V3 p, float half_length, float half_width, float bend)
{
  p.x -= half_length;
  p.y += bend * p.x * p.x;
  float z = fabsf (p.z), x = fabsf (p.x);
  float radius = (half_length * half_length + half_width * half_width) / (2 * half_width);
  float offset = radius - half_width;
  float flat = x * offset > (z - 0) * half_length + half_length * offset
                   ? sqrtf ((x - half_length) * (x - half_length) + z * z)
                   : sqrtf (x * x + (z + offset) * (z + offset)) - radius;
  float thick = fabsf (p.y - 0.12f * z) - 0.002f;
  float outside = sqrtf (fmaxf (flat, 0) * fmaxf (flat, 0) + fmaxf (thick, 0) * fmaxf (thick, 0));
  return 0.85f * (outside + fminf (fmaxf (flat, thick), 0) - 0.004f);
}

static float
body_distance (V3 p)
{
  V3 trunk = turn_z (sub (p, v3 (0.02f, 0.93f, 0)), -0.42f);
  float body = ellipsoid_distance (trunk, v3 (0.60f, 0.43f, 0.41f));
  V3 breast = sub (p, v3 (-0.22f, 0.98f, 0));
  body = smooth_union (body, ellipsoid_distance (breast, v3 (0.36f, 0.38f, 0.37f)), 0.12f);
  V3 head = sub (p, v3 (-0.42f, 1.42f, 0));
  body = smooth_union (body, ellipsoid_distance (head, v3 (0.29f, 0.27f, 0.26f)), 0.17f);
  return body;
}

/* Three slats; the middle one is the longest. */
static float
tail_distance (V3 p)
{
  float tail = 1e3f;
  for (int i = -1; i <= 1; i++) {
    V3 q = sub (p, v3 (0.40f, 0.70f + 0.012f * (i == 0), 0.07f * i));
    q = turn_y (turn_z (q, -0.36f), 0.10f * i);
    q.x -= 0.36f;
    V3 d = v3 (fabsf (q.x) - (i == 0 ? 0.47f : 0.42f), fabsf (q.y) - 0.004f,
               fabsf (q.z) - 0.045f - 0.03f * q.x);
    V3 o = v3 (fmaxf (d.x, 0), fmaxf (d.y, 0), fmaxf (d.z, 0));
    tail = fminf (tail, length (o) + fminf (fmaxf (d.x, fmaxf (d.y, d.z)), 0) - 0.022f);
  }
  return 0.9f * tail;
}

/* In the wing's own frame: +x to its tip, z away from the body. Mirrored for the far side. */
static V3
wing_frame (V3 p)
{
  p.z = fabsf (p.z);
  return turn_y (turn_z (sub (p, v3 (0.12f, 0.98f, 0.37f)), -0.50f), 0.17f);
}

static float
wing_distance (V3 p)
{
  V3 q = wing_frame (p);
  float taper = 1 - 0.45f * clampf (q.x / 0.6f, -0.6f, 1);
  return 0.8f * ellipsoid_distance (v3 (q.x, q.y / taper, q.z), v3 (0.58f, 0.27f, 0.085f));
}

static float
beak_distance (V3 p)
{
  float upper = capsule_distance (p, v3 (-0.64f, 1.43f, 0), v3 (-0.90f, 1.385f, 0), 0.075f, 0.012f);
  float lower = capsule_distance (p, v3 (-0.64f, 1.40f, 0), v3 (-0.86f, 1.350f, 0), 0.06f, 0.010f);
  return 0.8f * fminf (upper, lower);
}

/* Bent wire: shank, three toes forward and one back. */
static float
leg_distance (V3 p)
{
  static const V3 toes[] = { { -0.21f, 0.018f, -0.09f },
                             { -0.24f, 0.018f, 0.02f },
                             { -0.19f, 0.018f, 0.12f },
                             { 0.14f, 0.018f, 0.03f } };
  float side = p.z < 0 ? -1 : 1;
  V3 q = sub (p, v3 (-0.02f - 0.05f * side, 0, 0.17f * side));
  V3 heel = v3 (0, 0.04f, 0), knee = v3 (0.07f, 0.34f, -0.01f * side);
  V3 hip = v3 (0.0f, 0.66f, -0.03f * side);
  float leg = fminf (capsule_distance (q, heel, knee, 0.017f, 0.018f),
                     capsule_distance (q, knee, hip, 0.018f, 0.05f));
  for (int i = 0; i < 4; i++) {
    V3 toe = v3 (toes[i].x, toes[i].y, toes[i].z * side);
    leg = fminf (leg, capsule_distance (q, heel, toe, 0.019f, 0.012f));
  }
  return leg;
}

typedef struct {
  V3 root;
  float turn, roll, tilt; /* radians: about y, x and z */
  float half_length, half_width, bend;
} Leaf;

static const Leaf leaves[N_LEAVES] = {
  { { -0.95f, 1.33f, 0.16f }, 2.3f, 0.3f, 0.9f, 0.12f, 0.055f, 0.9f },
  { { -1.00f, 1.29f, 0.30f }, 0.3f, 0.9f, -0.5f, 0.13f, 0.055f, 0.8f },
  { { -1.07f, 1.23f, 0.42f }, 2.9f, -0.5f, -0.5f, 0.15f, 0.065f, 0.9f },
  { { -0.83f, 1.38f, -0.22f }, -2.5f, 0.5f, 0.5f, 0.13f, 0.055f, 0.7f },
  { { -0.79f, 1.37f, -0.36f }, -1.2f, 0.4f, -0.2f, 0.12f, 0.05f, 0.8f },
};

static V3
leaf_frame (V3 p, const Leaf *leaf)
{
  V3 q = turn_z (turn_y (sub (p, leaf->root), leaf->turn), leaf->tilt);
  float c = cosf (leaf->roll), s = sinf (leaf->roll);
  return v3 (q.x, c * q.y + s * q.z, c * q.z - s * q.y);
}

static float
stem_distance (V3 p)
{
  static const V3 stem[] = { { -0.79f, 1.37f, -0.40f }, { -0.83f, 1.385f, -0.2f },
                             { -0.875f, 1.37f, 0.0f },  { -0.95f, 1.33f, 0.17f },
                             { -1.01f, 1.28f, 0.33f },  { -1.09f, 1.21f, 0.45f } };
  float twig = 1e3f;
  for (int i = 0; i < 5; i++)
    twig = fminf (twig, capsule_distance (p, stem[i], stem[i + 1], 0.011f, 0.011f));
  return twig;
}

static float
twig_distance (V3 p, int *nearest_leaf)
{
  float away = length (sub (p, v3 (-0.95f, 1.32f, 0.03f))) - 0.65f;
  *nearest_leaf = -1;
  if (away > 0.1f)
    return away;
  float twig = stem_distance (p);
  for (int i = 0; i < N_LEAVES; i++) {
    const Leaf *leaf = &leaves[i];
    float d = length (sub (p, leaf->root)) - 2.1f * leaf->half_length;
    if (d < 0.03f)
      d = leaf_distance (leaf_frame (p, leaf), leaf->half_length, leaf->half_width, leaf->bend);
    if (d < twig) {
      twig = d;
      *nearest_leaf = i;
    }
  }
  return twig;
}

static float
eye_distance (V3 p)
{
  p.z = fabsf (p.z);
  return length (sub (p, v3 (-0.535f, 1.475f, 0.185f))) - 0.055f;
}

static float
carved_distance (V3 p)
{
  float carved = fminf (body_distance (p), tail_distance (p));
  return smooth_union (carved, wing_distance (p), 0.02f);
}

float
robin_distance (V3 p)
{
  int leaf;
  float d = carved_distance (p);
  d = fminf (d, fminf (beak_distance (p), eye_distance (p)));
  d = fminf (d, p.y < 0.75f ? leg_distance (p) : p.y - 0.7f);
  return fminf (d, twig_distance (p, &leaf));
}

/* --- paint ---------------------------------------------------------------------------------- */

/* Where a wing's feathers are: 0 on the quill, 1 at the edge of its neighbour. */
static float
feather_phase (V3 q)
{
  float row = q.x < -0.12f ? 0 : 1;
  float lane = row > 0 ? (q.y + 0.25f * q.x * q.x) * 17 : (q.y * 11 + q.x * 9);
  return fabsf (2 * (lane - floorf (lane)) - 1);
}

static bool
on_wing (V3 p)
{
  return wing_distance (p) < body_distance (p) && wing_distance (p) < tail_distance (p);
}

/* Fine strokes along the body, as a brush leaves them. */
static float
brush_noise (V3 p)
{
  V3 q = turn_z (p, -0.5f);
  return fbm (v3 (q.x * 9, q.y * 42, q.z * 42), 4);
}

float
robin_bump (V3 p)
{
  int leaf;
  if (twig_distance (p, &leaf) < 0.01f)
    return 0;
  float bump = 0.006f * brush_noise (p) + 0.004f * fbm (scale (p, 6), 3);
  if (on_wing (p))
    bump -= 0.016f * ramp (0.72f, 1.0f, feather_phase (wing_frame (p)));
  return bump;
}

V3
wood_colour (V3 p, V3 dark, V3 light)
{
  V3 q = v3 (p.x * 0.9f, p.y * 5, p.z * 5);
  float rings = 5.0f * fbm (v3 (q.x, q.y * 0.6f, q.z * 0.6f), 3) + 1.5f * q.z + q.y;
  float year = rings - floorf (rings);
  float grain = fbm (v3 (p.x * 6, p.y * 90, p.z * 90), 3);
  float t = ramp (0, 0.75f, year) * (1 - ramp (0.85f, 1, year));
  return scale (mix3 (light, dark, 0.75f * t), 1 + 0.45f * grain);
}

/* The colour of the coat of paint: face and breast, belly, back. */
static V3
paint_colour (V3 p)
{
  const V3 back = v3 (0.105f, 0.083f, 0.058f), breast = v3 (0.56f, 0.135f, 0.028f);
  const V3 belly = v3 (0.52f, 0.46f, 0.37f);
  float wobble = 0.07f * fbm (scale (p, 5), 3) + 0.035f * brush_noise (p);
  float front = -0.80f * (p.x + 0.20f) - 0.18f * (p.y - 1.2f) + wobble;
  float low = 0.80f - p.y - 0.25f * p.x + wobble;
  V3 colour = mix3 (back, belly, ramp (-0.05f, 0.05f, low));
  float crown = ramp (0.02f, 0.08f, p.y - 1.50f + 0.42f * (p.x + 0.42f) + wobble);
  float bib = ramp (-0.035f, 0.035f, front) * ramp (0.50f, 0.62f, p.y + wobble) * (1 - crown);
  return mix3 (colour, breast, bib);
}

static V3
carved_colour (V3 p, V3 normal)
{
  V3 paint = paint_colour (p);
  if (on_wing (p)) {
    V3 q = wing_frame (p);
    float edge = ramp (0.55f, 0.80f, feather_phase (q)) * (1 - ramp (0.85f, 1, feather_phase (q)));
    paint = mix3 (v3 (0.085f, 0.070f, 0.055f), v3 (0.24f, 0.19f, 0.125f), 0.8f * edge);
  } else if (tail_distance (p) < body_distance (p)) {
    paint = v3 (0.088f, 0.070f, 0.052f);
  }
  paint = scale (paint, 1 + 0.55f * brush_noise (p));
  V3 wood = wood_colour (p, v3 (0.23f, 0.115f, 0.045f), v3 (0.46f, 0.285f, 0.14f));
  float worn = fbm (scale (p, 7), 4) + 0.35f * fbm (scale (p, 40), 2) + 0.10f * normal.x;
  return mix3 (paint, wood, ramp (0.30f, 0.36f, worn));
}

Surface
leaf_surface (V3 p, float hue)
{
  float vein = fabsf (p.z) < 0.004f ? 1 : 0;
  float ribs = fabsf (sinf ((p.x * 0.8f + fabsf (p.z)) * 120));
  V3 green = mix3 (v3 (0.085f, 0.155f, 0.028f), v3 (0.30f, 0.24f, 0.035f), hue);
  V3 colour = scale (green, 0.8f + 0.25f * ramp (0, 0.25f, ribs) + 0.5f * fbm (scale (p, 22), 3));
  colour = mix3 (colour, v3 (0.32f, 0.36f, 0.14f), 0.6f * vein);
  return (Surface){ colour, 0.6f, 0.35f, scale (mul (colour, v3 (1.0f, 1.3f, 0.4f)), 0.6f) };
}

static Surface
dull (V3 albedo, float gloss, float roughness)
{
  return (Surface){ albedo, gloss, roughness, v3 (0, 0, 0) };
}

Surface
robin_surface (V3 p, V3 normal)
{
  int leaf;
  float twig = twig_distance (p, &leaf);
  float carved = carved_distance (p), beak = beak_distance (p), eye = eye_distance (p);
  float leg = p.y < 0.8f ? leg_distance (p) : 1e3f;
  float nearest = fminf (fminf (twig, carved), fminf (fminf (beak, eye), leg));
  if (nearest == eye)
    return dull (v3 (0.006f, 0.005f, 0.005f), 1.0f, 0.02f);
  if (nearest == twig && leaf >= 0)
    return leaf_surface (leaf_frame (p, &leaves[leaf]), 0.18f * leaf);
  if (nearest == twig)
    return dull (scale (v3 (0.16f, 0.085f, 0.04f), 1 + fbm (scale (p, 50), 3)), 0.3f, 0.5f);
  if (nearest == leg)
    return dull (v3 (0.055f, 0.040f, 0.030f), 1.0f, 0.25f);
  if (nearest == beak)
    return dull (scale (v3 (0.060f, 0.045f, 0.032f), 1 + 0.5f * brush_noise (p)), 0.9f, 0.2f);
  return dull (carved_colour (p, normal), 0.8f, 0.30f + 0.1f * fbm (scale (p, 15), 2));
}
