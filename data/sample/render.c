/* SPDX-License-Identifier: MIT */
#include "render.h"
#include "scene.h"

#define APERTURE   0.085f  /* radius of the lens        */
#define HALF_FIELD 0.1935f /* tan of half the height's angle */
#define SUN_RADIUS 0.055f  /* tan of the disc's radius  */
#define EXPOSURE   0.95f
#define LIFT       6e-3f /* a point this far along the normal is outside */

static const V3 camera = { -0.35f, 1.72f, 6.2f };
static const V3 looks_at = { 0.05f, 0.86f, 0.0f };
static const float focus_distance = 5.98f;

typedef struct {
  V3 right, up, forward;
} Frame;

static Frame
frame_of (V3 forward)
{
  V3 aside = fabsf (forward.y) < 0.95f ? v3 (0, 1, 0) : v3 (1, 0, 0);
  V3 right = normalize (cross (forward, aside));
  return (Frame){ right, cross (right, forward), forward };
}

static V3
in_frame (const Frame *frame, float x, float y, float z)
{
  return add (add (scale (frame->right, x), scale (frame->up, y)), scale (frame->forward, z));
}

static void
disc_point (float u, float v, float *x, float *y)
{
  float r = sqrtf (u), angle = 6.2831853f * v;
  *x = r * cosf (angle);
  *y = r * sinf (angle);
}

/* --- light ---------------------------------------------------------------------------------- */

/* What arrives at a surface straight from the sun, before the surface's colour. */
static float
sun_reaches (V3 point, V3 normal, Random *random, V3 *towards)
{
  float x, y;
  disc_point (random_unit (random), random_unit (random), &x, &y);
  Frame frame = frame_of (scene_sun_direction);
  *towards = normalize (in_frame (&frame, x * SUN_RADIUS, y * SUN_RADIUS, 1));
  float facing = dot (normal, *towards);
  V3 from = add (point, scale (normal, facing > 0 ? LIFT : -LIFT));
  return scene_shadowed (from, *towards) ? 0 : facing;
}

/* The light along a ray after its first bounce: direct light only, and a guess of the rest. */
static V3
second_light (V3 origin, V3 direction, Random *random)
{
  Hit hit = scene_trace (origin, direction, 7, false);
  if (hit.thing == THING_NONE)
    return scene_sky_light (direction);
  V3 towards;
  float sun = sun_reaches (hit.point, hit.normal, random, &towards);
  V3 light = add (scale (scene_sun_colour, fmaxf (sun, 0)), v3 (0.22f, 0.24f, 0.24f));
  return mul (scene_surface (&hit).albedo, light);
}

static V3
diffuse_light (const Hit *hit, Random *random)
{
  float x, y, u = random_unit (random);
  disc_point (u, random_unit (random), &x, &y);
  Frame frame = frame_of (hit->normal);
  V3 direction = normalize (in_frame (&frame, x, y, sqrtf (1 - u)));
  return second_light (add (hit->point, scale (hit->normal, LIFT)), direction, random);
}

/* Schlick's approximation (1994) for a clear coat of index 1.5. */
static float
fresnel (float cosine)
{
  float m = 1 - clampf (cosine, 0, 1);
  return 0.04f + 0.96f * m * m * m * m * m;
}

static V3
coat_light (const Hit *hit, const Surface *surface, V3 direction, V3 towards_sun, float sun,
            Random *random)
{
  float facing = -dot (hit->normal, direction);
  V3 mirror = add (direction, scale (hit->normal, 2 * facing));
  float x, y;
  disc_point (random_unit (random), random_unit (random), &x, &y);
  Frame frame = frame_of (normalize (mirror));
  V3 out = normalize (in_frame (&frame, x * surface->roughness, y * surface->roughness, 1));
  if (dot (out, hit->normal) < 0.02f)
    return v3 (0, 0, 0);
  V3 light = second_light (add (hit->point, scale (hit->normal, LIFT)), out, random);
  if (sun > 0) {
    float power = 2 / (surface->roughness * surface->roughness + 1e-3f);
    V3 half = normalize (sub (towards_sun, direction));
    float lobe = powf (clampf (dot (half, hit->normal), 0, 1), power) * (power + 8) * 0.04f;
    light = add (light, scale (scene_sun_colour, fminf (lobe * sun, 12)));
  }
  return scale (light, surface->gloss * fresnel (facing));
}

static V3
light_from (const Hit *hit, V3 direction, Random *random)
{
  Surface surface = scene_surface (hit);
  V3 towards;
  float sun = sun_reaches (hit->point, hit->normal, random, &towards);
  V3 light = scale (scene_sun_colour, fmaxf (sun, 0));
  light = mul (surface.albedo, add (light, diffuse_light (hit, random)));
  light = add (light, scale (mul (surface.glow, scene_sun_colour), fmaxf (-sun, 0)));
  return add (light, coat_light (hit, &surface, direction, towards, sun, random));
}

/* --- camera --------------------------------------------------------------------------------- */

static V3
film_direction (const Frame *frame, float x, float y)
{
  float u = (2 * x - SAMPLE_WIDTH) / SAMPLE_HEIGHT * HALF_FIELD;
  float v = (SAMPLE_HEIGHT - 2 * y) / SAMPLE_HEIGHT * HALF_FIELD;
  return in_frame (frame, u, v, 1);
}

/* Averages the rays of a pixel; the garden is so smooth that one look at it is enough. */
static V3
pixel_light (int px, int py, float *robin_share)
{
  Frame frame = frame_of (normalize (sub (looks_at, camera)));
  Random random = { hash_u32 ((uint32_t)(py * SAMPLE_WIDTH + px) + 77u) };
  V3 garden = scene_garden (film_direction (&frame, px + 0.5f, py + 0.5f));
  V3 sum = v3 (0, 0, 0);
  int side = (int)sqrtf (SAMPLE_RAYS), n_robin = 0;
  for (int s = 0; s < side * side; s++) {
    float jx = (s % side + random_unit (&random)) / side;
    float jy = (s / side + random_unit (&random)) / side;
    float lens_x, lens_y;
    disc_point ((s * 37 % SAMPLE_RAYS + random_unit (&random)) / SAMPLE_RAYS, random_unit (&random),
                &lens_x, &lens_y);
    V3 film = scale (film_direction (&frame, px + jx, py + jy), focus_distance);
    V3 lens = in_frame (&frame, lens_x * APERTURE, lens_y * APERTURE, 0);
    V3 origin = add (camera, lens), direction = normalize (sub (film, lens));
    Hit hit = scene_trace (origin, direction, 40, true);
    n_robin += hit.thing == THING_ROBIN;
    V3 light = hit.thing == THING_NONE ? garden : light_from (&hit, direction, &random);
    sum = add (sum, v3 (fminf (light.x, 6), fminf (light.y, 6), fminf (light.z, 6)));
  }
  *robin_share = (float)n_robin / (side * side);
  return scale (sum, 1.0f / (side * side));
}

/* --- sensor --------------------------------------------------------------------------------- */

/* About Gaussian, variance 1. */
static float
bell (Random *random)
{
  float sum = 0;
  for (int i = 0; i < 6; i++)
    sum += random_unit (random);
  return (sum - 3) * 1.41421f;
}

/* A filmic curve (fitted to ACES by Narkowicz 2015), then sRGB's transfer function. */
static float
develop (float linear)
{
  float x = fmaxf (linear, 0);
  float y = clampf (x * (2.51f * x + 0.03f) / (x * (2.43f * x + 0.59f) + 0.14f), 0, 1);
  return y <= 0.0031308f ? 12.92f * y : 1.055f * powf (y, 1 / 2.4f) - 0.055f;
}

static void
expose (V3 light, int px, int py, uint8_t *rgb)
{
  float dx = (2.0f * px - SAMPLE_WIDTH) / SAMPLE_WIDTH;
  float dy = (2.0f * py - SAMPLE_HEIGHT) / SAMPLE_WIDTH;
  float falloff = 1 / (1 + 0.28f * (dx * dx + dy * dy));
  light = scale (light, EXPOSURE * falloff * falloff);
  Random random = { hash_u32 ((uint32_t)(py * SAMPLE_WIDTH + px) + 999331u) };
  float channel[3] = { light.x, light.y, light.z };
  float together = bell (&random);
  for (int c = 0; c < 3; c++) {
    float sigma = sqrtf (1.6e-4f * channel[c] + 4e-6f);
    float noisy = channel[c] + sigma * (0.75f * together + 0.66f * bell (&random));
    rgb[c] = (uint8_t)(255 * develop (noisy) + 0.5f);
  }
}

void
render_rectangle (int x, int y, int width, int height, uint8_t *rgb, uint8_t *truth)
{
  for (int j = 0; j < height; j++)
    for (int i = 0; i < width; i++) {
      float share;
      V3 light = pixel_light (x + i, y + j, &share);
      size_t at = (size_t)j * (size_t)width + (size_t)i;
      truth[at] = share >= 0.5f ? 255 : 0;
      expose (light, x + i, y + j, rgb + 3 * at);
    }
}
