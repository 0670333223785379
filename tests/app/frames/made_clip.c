/* SPDX-License-Identifier: MIT */
#include "tests/app/frames/made_clip.h"

#include <math.h>
#include <string.h>

enum { WIDTH = FS_MADE_WIDTH, HEIGHT = FS_MADE_HEIGHT, N = FS_MADE_FRAMES, MAX_THINGS = 3 };

/* --- a scene ---------------------------------------------------------------------------------- */

/* In pixels of the world. */
typedef struct {
  double x, y, width, height; /* of an ellipse, or a rectangle */
  gboolean is_box;
  int look; /* of colours; 0 the ground's */
  unsigned texture;
} Thing;

typedef struct {
  Thing behind[MAX_THINGS], object, front[MAX_THINGS];
  int n_behind, n_front;
  double camera_x, camera_y, light;
  int closeness; /* of the object's colours to the ground's: 0 to 3 */
  unsigned v;
} Scene;

static unsigned
hash (unsigned a, unsigned b, unsigned c)
{
  unsigned h = a * 0x9e3779b1u ^ b * 0x85ebca77u ^ c * 0xc2b2ae3du;
  h ^= h >> 15;
  h *= 0x2c1b3c6du;
  h ^= h >> 12;
  h *= 0x297a2d39u;
  return h ^ h >> 15;
}

/* In [0, 1), the same for the same numbers. */
static double
part (unsigned a, unsigned b)
{
  return (hash (a, b, 77) & 0xffff) / 65536.0;
}

/* Between least and most, by variant and a number of what it is for. */
static double
vary (const Scene *scene, unsigned what, double min, double max)
{
  return min + (max - min) * part (scene->v * 131 + 7, what);
}

/* Smooth noise in [-1, 1], of waves some pixels long. */
static double
value_noise (double x, double y, double length, unsigned seed)
{
  double u = x / length, v = y / length;
  int i = (int)floor (u), k = (int)floor (v);
  double fu = u - i, fv = v - k, sum = 0;
  fu = fu * fu * (3 - 2 * fu);
  fv = fv * fv * (3 - 2 * fv);
  for (int n = 0; n < 4; n++) {
    double weight = (n & 1 ? fu : 1 - fu) * (n & 2 ? fv : 1 - fv);
    sum += weight * (hash ((unsigned)(i + (n & 1)), (unsigned)(k + (n >> 1)), seed) & 0xffff);
  }
  return sum / 32768 - 1;
}

static double
texture (double x, double y, unsigned seed)
{
  return 0.7 * value_noise (x, y, 14, seed) + 0.3 * value_noise (x, y, 4, seed + 1);
}

static gboolean
covers (const Thing *thing, double x, double y)
{
  double u = (x - thing->x) / (thing->width / 2), v = (y - thing->y) / (thing->height / 2);
  if (thing->width <= 0 || thing->height <= 0)
    return FALSE;
  return thing->is_box ? fabs (u) <= 1 && fabs (v) <= 1 : u * u + v * v <= 1;
}

/* Red, green and blue of a look at a place of the thing. */
static void
colour_of (const Scene *scene, int look, double value, double rgb[3])
{
  static const double looks[][3] = { { 80, 110, 135 }, { 200, 110, 60 }, { 95, 150, 70 } };
  static const double swing[][3] = { { 25, 35, 35 }, { 25, 30, 15 }, { 20, 30, 20 } };
  for (int c = 0; c < 3; c++) {
    double own = looks[look][c];
    if (look == 1)
      own += (looks[0][c] - own) * scene->closeness / 5;
    rgb[c] = own + swing[look][c] * value;
  }
}

static void
colour_at (const Scene *scene, double x, double y, double rgb[3], gboolean *is_object)
{
  const Thing *top = NULL;
  for (int i = 0; i < scene->n_behind; i++)
    if (covers (&scene->behind[i], x, y))
      top = &scene->behind[i];
  if (covers (&scene->object, x, y))
    top = &scene->object;
  for (int i = 0; i < scene->n_front; i++)
    if (covers (&scene->front[i], x, y))
      top = &scene->front[i];
  *is_object = top == &scene->object;
  double u = top ? x - top->x : x, v = top ? y - top->y : y;
  /* What turns shows the same texture, narrower. */
  if (*is_object && scene->object.is_box)
    u *= 40 / scene->object.width;
  colour_of (scene, top ? top->look : 0, texture (u, v, top ? top->texture : 1000 + scene->v), rgb);
}

static FsImage *
draw (const Scene *scene, int t, uint8_t *seen)
{
  FsImage *image = fs_image_new (WIDTH, HEIGHT);
  g_autoptr (GRand) rand = g_rand_new_with_seed (scene->v * 1000 + (unsigned)t);
  double noise = vary (scene, 90, 2, 7);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++) {
      double rgb[3];
      gboolean is_object;
      uint8_t byte[3];
      colour_at (scene, x + scene->camera_x, y + scene->camera_y, rgb, &is_object);
      for (int c = 0; c < 3; c++)
        byte[c] =
            (uint8_t)CLAMP (rgb[c] * scene->light + g_rand_double_range (rand, -noise, noise) + 0.5,
                            0, 255);
      image->pixels[y * WIDTH + x] = FS_PIXEL (255, byte[0], byte[1], byte[2]);
      seen[y * WIDTH + x] = (uint8_t)is_object;
    }
  return image;
}

/* --- what happens ----------------------------------------------------------------------------- */

/* From 0 to 1 between two frames, smoothly. */
static double
ramp (double t, double from, double to)
{
  double u = CLAMP ((t - from) / (to - from), 0, 1);
  return u * u * (3 - 2 * u);
}

static Thing
alike (double x, double y, double width, double height, unsigned texture_)
{
  return (Thing){ x, y, width, height, FALSE, 1, texture_ };
}

static void
put_behind (Scene *s, Thing thing)
{
  s->behind[s->n_behind++] = thing;
}

static void
put_front (Scene *s, Thing thing)
{
  s->front[s->n_front++] = thing;
}

/* A plate of 40 pixels and its width, which is nothing while it is edge-on. */
static void
turn (Scene *s, int t, double min)
{
  double shown = 1 - ramp (t, 8, vary (s, 1, 16, 26)) + ramp (t, 44, 52);
  s->object.is_box = TRUE;
  s->object.height = vary (s, 2, 40, 70);
  s->object.width = 40 * MAX (min, shown);
  if (s->object.width < 1)
    s->object.width = 0;
}

/* A thing of its colour: behind the plate, which hides some of it, or beside it. */
static void
put_neighbour (Scene *s, gboolean is_behind)
{
  double side = vary (s, 3, 0, 1) < 0.5 ? -1 : 1, width = vary (s, 4, 8, 30);
  double off = is_behind ? vary (s, 5, 1, 6) : 20 + vary (s, 5, 0, 4);
  Thing thing = alike (s->object.x + side * (width / 2 + off), s->object.y, width,
                       vary (s, 6, 30, 90), 500 + s->v);
  thing.is_box = vary (s, 7, 0, 1) < 0.5;
  put_behind (s, thing);
}

/* Turns round an axis that is nearer to the neighbour than its middle. */
static void
lean (Scene *s)
{
  double side = vary (s, 3, 0, 1) < 0.5 ? -1 : 1;
  s->object.x += side * (20 - s->object.width / 2) * vary (s, 15, 0.5, 1);
}

static void
lose (Scene *s, MadeKind kind, int t)
{
  Thing *o = &s->object;
  double drift = vary (s, 8, -0.3, 0.3), out = ramp (t, 8, vary (s, 1, 24, 34)) - ramp (t, 46, 58);
  switch (kind) {
  case FS_MADE_TURN:
  case FS_MADE_TURN_ALONE:
  case FS_MADE_TURN_PAN:
  case FS_MADE_TURN_BEFORE:
    if (kind != FS_MADE_TURN_ALONE)
      put_neighbour (s, kind == FS_MADE_TURN_BEFORE);
    turn (s, t, 0);
    if (kind == FS_MADE_TURN || kind == FS_MADE_TURN_PAN)
      lean (s);
    s->camera_x = kind == FS_MADE_TURN_PAN ? vary (s, 9, -1.2, 1.2) * t : 0;
    break;
  case FS_MADE_LEAVE:
    put_behind (s, alike (vary (s, 10, 195, 215), o->y + vary (s, 11, -10, 10), 34, 40, 501));
    o->x += 180 * out;
    break;
  case FS_MADE_PILLAR_ALIKE:
  case FS_MADE_PILLAR: {
    double width = vary (s, 12, 60, 80);
    Thing pillar = { o->x + 75, 80, width, 400, TRUE, kind == FS_MADE_PILLAR ? 2 : 1, 502 };
    put_front (s, pillar);
    o->width = 30;
    o->x += 75 * out;
    break;
  }
  case FS_MADE_VANISH:
    put_behind (s, alike (o->x + vary (s, 13, 20, 34), o->y, 20, 34, 503));
    put_behind (s, alike (o->x - 15, o->y + vary (s, 14, 22, 34), 30, 22, 504));
    o->x += drift * t;
    if (t >= 15 && t < 45)
      o->width = 0;
    break;
  default:
    put_behind (s, alike (o->x + 50, o->y, 30, 36, 505));
    s->camera_x = 160 * out;
  }
}

static void
stay (Scene *s, MadeKind kind, int t)
{
  Thing *o = &s->object;
  double phase = vary (s, 20, 0, 6), wide = o->width, high = o->height;
  switch (kind) {
  case FS_MADE_GROW:
    o->width = wide * pow (vary (s, 21, 2, 3.2), t / (double)N) * 0.8;
    o->height = high * o->width / wide;
    break;
  case FS_MADE_SHRINK:
    o->width = wide * 1.4 * pow (vary (s, 22, 0.2, 0.5), t / (double)N);
    o->height = high * o->width / wide;
    break;
  case FS_MADE_ROUND:
    o->x += 40 * (sin (t * 0.1 + phase) - sin (phase));
    o->y += 15 * (cos (t * 0.13 + phase) - cos (phase));
    o->width *= 1 + 0.4 * sin (t * 0.17);
    break;
  case FS_MADE_FAST:
    o->x += 70 * (1 - cos (t * vary (s, 23, 0.15, 0.3))) / 2;
    break;
  case FS_MADE_PASS:
    for (int i = 0; i < MAX_THINGS; i++)
      put_behind (s, alike (110 + 35 * i, o->y + vary (s, 24 + (unsigned)i, -25, 25), 24, 30,
                            510 + (unsigned)i));
    o->x += vary (s, 27, 1.5, 2.2) * t;
    break;
  case FS_MADE_LIGHT:
    s->light = 1 + 0.3 * sin (t * 0.15 + phase) - 0.3 * sin (phase);
    o->x += 0.5 * t;
    break;
  case FS_MADE_STILL:
    break;
  case FS_MADE_CAMOUFLAGE:
    s->closeness = 3;
    o->x += vary (s, 28, 0.5, 1.5) * t;
    break;
  case FS_MADE_HALF_BEHIND:
    put_front (s, (Thing){ o->x + 75, 80, 0.6 * wide, 400, TRUE, 2, 520 });
    o->x += 2.2 * t;
    break;
  case FS_MADE_PAN:
    put_behind (s, alike (190, o->y, 30, 36, 521));
    s->camera_x = vary (s, 29, 1, 3) * t;
    o->x += s->camera_x + 20 * sin (t * 0.1);
    break;
  default:
    put_neighbour (s, FALSE);
    turn (s, t, vary (s, 30, 0.33, 0.5));
  }
}

const char *
made_clip_name (MadeKind kind)
{
  static const char *const names[] = {
    "turn",   "turn-alone", "turn-pan",   "turn-before", "leave", "pillar-alike", "pillar",
    "vanish", "pan-away",   "grow",       "shrink",      "round", "fast",         "pass",
    "light",  "still",      "camouflage", "half-behind", "pan",   "turn-part",
  };
  return names[kind];
}

gboolean
made_clip_loses (MadeKind kind)
{
  return kind < FS_MADE_GROW;
}

FsImage *
made_clip_frame (MadeKind kind, unsigned v, int t, uint8_t *seen)
{
  Scene s = { .light = 1, .v = v + 100 * (unsigned)kind };
  s.object = (Thing){ vary (&s, 40, 60, 80),
                      vary (&s, 41, 65, 95),
                      vary (&s, 42, 34, 46),
                      vary (&s, 43, 30, 44),
                      FALSE,
                      1,
                      600 + v };
  if (made_clip_loses (kind))
    lose (&s, kind, t);
  else
    stay (&s, kind, t);
  return draw (&s, t, seen);
}
