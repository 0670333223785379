/* SPDX-License-Identifier: MIT */
#include "energy/edge/zone_alpha.h"

#include "energy/image/components.h"
#include "energy/image/rect_pixels.h"
#include "energy/matting/matting.h"

#include <string.h>

/* A zone: a component of pixels to be refined. */
typedef struct {
  gatomicrefcount refs;
  FsRect area;     /* its bounds                                  */
  uint8_t *member; /* of each of its pixels: 1 if it is the zone's */
  uint8_t *alpha;  /* of each of its pixels                        */
} Zone;

struct FsZoneAlpha {
  GPtrArray *zones; /* of Zone */
};

static void
zone_unref (gpointer data)
{
  Zone *zone = data;
  if (!g_atomic_ref_count_dec (&zone->refs))
    return;
  g_free (zone->member);
  g_free (zone->alpha);
  g_free (zone);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC (Zone, zone_unref)

static Zone *
zone_ref (Zone *zone)
{
  g_atomic_ref_count_inc (&zone->refs);
  return zone;
}

static gsize
zone_size (const Zone *zone)
{
  return (gsize)(zone->area.x1 - zone->area.x0) * (gsize)(zone->area.y1 - zone->area.y0);
}

static Zone *
zone_at (const FsZoneAlpha *self, guint i)
{
  return g_ptr_array_index (self->zones, i);
}

static FsZoneAlpha *
zone_alpha_new (void)
{
  FsZoneAlpha *self = g_new0 (FsZoneAlpha, 1);
  self->zones = g_ptr_array_new_with_free_func (zone_unref);
  return self;
}

void
fs_zone_alpha_free (FsZoneAlpha *self)
{
  if (!self)
    return;
  g_ptr_array_unref (self->zones);
  g_free (self);
}

/* ---- Finding zones ---- */

/* Components that become one zone. */
typedef struct {
  FsRect area;
  GArray *cells; /* of uint32_t, as in FsComponents */
} Group;

static void
group_free (gpointer data)
{
  Group *group = data;
  g_array_unref (group->cells);
  g_free (group);
}

static Group *
group_new (const FsComponents *components)
{
  const uint32_t width = (uint32_t)components->width;
  Group *group = g_new0 (Group, 1);
  group->cells = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  g_array_append_vals (group->cells, components->cells->data, components->cells->len);
  for (guint k = 0; k < components->cells->len; k++) {
    const uint32_t cell = fs_components_get (components, k);
    const int x = (int)(cell % width), y = (int)(cell / width);
    group->area = fs_rect_union (group->area, (FsRect){ x, y, x + 1, y + 1 });
  }
  return group;
}

/* Moves the smaller list of cells behind the larger one. */
static void
group_add (Group *group, Group *other)
{
  if (other->cells->len > group->cells->len) {
    GArray *cells = other->cells;
    other->cells = group->cells;
    group->cells = cells;
  }
  g_array_append_vals (group->cells, other->cells->data, other->cells->len);
  group->area = fs_rect_union (group->area, other->area);
}

/* Adds the present component to the groups, as one with all that are near. */
static void
collect_group (GPtrArray *groups, const FsComponents *components)
{
  Group *group = group_new (components);
  for (guint i = 0; i < groups->len;) {
    Group *other = g_ptr_array_index (groups, i);
    const FsRect near = fs_rect_widen (group->area, FS_ZONE_MARGIN_PX);
    if (fs_rect_is_empty (fs_rect_intersect (near, other->area))) {
      i++;
      continue;
    }
    group_add (group, other);
    g_ptr_array_remove_index (groups, i);
    i = 0;
  }
  g_ptr_array_add (groups, group);
}

/* NULL where memory is short. */
static GPtrArray *
find_groups (const FsEdgeInput *input)
{
  const gsize n = (gsize)input->image->width * (gsize)input->image->height;
  g_auto (FsComponents) components = { 0 };
  if (!fs_components_try_init (&components, input->image->width, input->image->height))
    return NULL;
  GPtrArray *groups = g_ptr_array_new_with_free_func (group_free);
  for (gsize p = 0; p < n; p++)
    components.marks[p] = input->zones[p] == FS_EDGE_ZONE_REFINE ? FS_CELL_WAITS : FS_CELL_OTHER;
  for (gsize p = 0; p < n; p++)
    if (fs_components_collect (&components, (uint32_t)p))
      collect_group (groups, &components);
  return groups;
}

/* The zone of a group, without alpha. NULL where memory is short. */
static Zone *
zone_new (const Group *group, uint32_t width)
{
  g_autoptr (Zone) zone = g_new0 (Zone, 1);
  g_atomic_ref_count_init (&zone->refs);
  zone->area = group->area;
  zone->member = g_try_malloc0 (zone_size (zone));
  zone->alpha = g_try_malloc (zone_size (zone));
  if (!zone->member || !zone->alpha)
    return NULL;
  for (guint k = 0; k < group->cells->len; k++) {
    const uint32_t cell = g_array_index (group->cells, uint32_t, k);
    zone->member[fs_rect_place (zone->area, (int)(cell % width), (int)(cell / width))] = 1;
  }
  return g_steal_pointer (&zone);
}

/* ---- Alpha of a zone ---- */

static FsRect
with_margin (const FsEdgeInput *input, FsRect area)
{
  const FsRect photo = { 0, 0, input->image->width, input->image->height };
  return fs_rect_intersect (photo, fs_rect_widen (area, FS_ZONE_MARGIN_PX));
}

/* Unknown are the zone's pixels without strokes; others have the side of the mask. */
static void
fill_trimap (const FsEdgeInput *input, const Zone *zone, FsRect surroundings, uint8_t *trimap)
{
  const gsize width = (gsize)input->image->width;
  for (int y = surroundings.y0; y < surroundings.y1; y++)
    for (int x = surroundings.x0; x < surroundings.x1; x++) {
      const gsize p = (gsize)y * width + (gsize)x;
      const gboolean is_inside =
          x >= zone->area.x0 && x < zone->area.x1 && y >= zone->area.y0 && y < zone->area.y1;
      const gboolean is_unknown = is_inside && zone->member[fs_rect_place (zone->area, x, y)]
                                  && (!input->marks || input->marks[p] == FS_SEED_NONE);
      trimap[p] = is_unknown       ? FS_TRIMAP_UNKNOWN
                  : input->mask[p] ? FS_TRIMAP_OBJECT
                                   : FS_TRIMAP_BACKGROUND;
    }
}

/* TRUE if pixels of both sides are known: with one alone, matting would make all of it that side.
 */
static gboolean
has_both_sides (const FsEdgeInput *input, const uint8_t *trimap, FsRect area)
{
  gboolean has_object = FALSE, has_background = FALSE;
  for (int y = area.y0; y < area.y1 && !(has_object && has_background); y++)
    for (int x = area.x0; x < area.x1; x++) {
      const uint8_t side = trimap[(gsize)y * (gsize)input->image->width + (gsize)x];
      has_object |= side == FS_TRIMAP_OBJECT;
      has_background |= side == FS_TRIMAP_BACKGROUND;
    }
  return has_object && has_background;
}

/* Progress of all zones, by pixels of their rectangles. */
typedef struct {
  const FsProgress *whole; /* or NULL */
  gint64 n_done, n_block, n_all;
} ZonesProgress;

static gint64
count_pixels (FsRect area)
{
  return (gint64)(area.x1 - area.x0) * (area.y1 - area.y0);
}

static void
report_block (double fraction, gpointer data)
{
  const ZonesProgress *zones = data;
  zones->whole->report (((double)zones->n_done + fraction * (double)zones->n_block)
                            / (double)zones->n_all,
                        zones->whole->user_data);
}

/* Keeps the mask where one side has no known pixel. */
static gboolean
solve_block (const FsEdgeInput *input, Zone *zone, FsRect block, const uint8_t *trimap,
             ZonesProgress *zones, GError **error)
{
  const FsProgress progress = { .cancel = zones->whole ? zones->whole->cancel : NULL,
                                .report =
                                    zones->whole && zones->whole->report ? report_block : NULL,
                                .user_data = zones };
  zones->n_block = count_pixels (block);
  const FsRect surroundings = with_margin (input, block);
  const gboolean is_solved = has_both_sides (input, trimap, surroundings);
  g_autofree uint8_t *alpha = g_try_malloc ((gsize)(surroundings.x1 - surroundings.x0)
                                            * (gsize)(surroundings.y1 - surroundings.y0));
  if (fs_progress_is_cancelled (&progress)) {
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_CANCELLED, "cancelled");
    return FALSE;
  }
  if (!alpha) {
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY, "out of memory");
    return FALSE;
  }
  if (is_solved && !fs_matting_solve (input->image, trimap, surroundings, alpha, &progress, error))
    return FALSE;
  for (int y = block.y0; y < block.y1; y++)
    for (int x = block.x0; x < block.x1; x++) {
      const gsize p = (gsize)y * (gsize)input->image->width + (gsize)x;
      zone->alpha[fs_rect_place (zone->area, x, y)] =
          is_solved        ? alpha[fs_rect_place (surroundings, x, y)]
          : input->mask[p] ? 255
                           : 0;
    }
  zones->n_done += zones->n_block;
  return TRUE;
}

/* Matting takes some 300 bytes an unknown pixel, so large zones are solved in blocks of so many
 * pixels a side, each with what is around it. */
enum { BLOCK_PX = 1024 };

static gboolean
solve_zone (const FsEdgeInput *input, Zone *zone, uint8_t *trimap, ZonesProgress *zones,
            GError **error)
{
  const FsRect area = zone->area;
  fill_trimap (input, zone, with_margin (input, area), trimap);
  for (int y = area.y0; y < area.y1; y += BLOCK_PX)
    for (int x = area.x0; x < area.x1; x += BLOCK_PX) {
      const FsRect block = fs_rect_intersect (area, (FsRect){ x, y, x + BLOCK_PX, y + BLOCK_PX });
      if (!solve_block (input, zone, block, trimap, zones, error))
        return FALSE;
    }
  return TRUE;
}

/* The zone of `previous` with the same pixels, where nothing near it has changed; else NULL. */
static Zone *
find_unchanged (const FsEdgeInput *input, const Zone *zone, const FsZoneAlpha *previous,
                const FsRect *changed, guint n_changed)
{
  const FsRect surroundings = with_margin (input, zone->area);
  for (guint i = 0; i < n_changed; i++)
    if (!fs_rect_is_empty (fs_rect_intersect (surroundings, changed[i])))
      return NULL;
  for (guint i = 0; previous && i < previous->zones->len; i++) {
    Zone *other = zone_at (previous, i);
    if (memcmp (&other->area, &zone->area, sizeof zone->area) == 0
        && memcmp (other->member, zone->member, zone_size (zone)) == 0)
      return other;
  }
  return NULL;
}

/* ---- All zones ---- */

static gboolean
add_zone (FsZoneAlpha *self, const FsEdgeInput *input, const Group *group,
          const FsZoneAlpha *previous, const FsRect *changed, guint n_changed, uint8_t *trimap,
          ZonesProgress *zones, GError **error)
{
  g_autoptr (Zone) zone = zone_new (group, (uint32_t)input->image->width);
  if (!zone) {
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY, "out of memory");
    return FALSE;
  }
  Zone *same = find_unchanged (input, zone, previous, changed, n_changed);
  if (!same && !solve_zone (input, zone, trimap, zones, error))
    return FALSE;
  if (same)
    zones->n_done += count_pixels (same->area);
  g_ptr_array_add (self->zones, same ? zone_ref (same) : g_steal_pointer (&zone));
  return TRUE;
}

FsZoneAlpha *
fs_zone_alpha_new (const FsEdgeInput *input, const FsZoneAlpha *previous, const FsRect *changed,
                   guint n_changed, const FsProgress *progress, GError **error)
{
  g_return_val_if_fail (input && input->image && input->mask, NULL);
  g_autoptr (FsZoneAlpha) self = zone_alpha_new ();
  const gsize n = (gsize)input->image->width * (gsize)input->image->height;
  if (!input->zones || !memchr (input->zones, FS_EDGE_ZONE_REFINE, n))
    return g_steal_pointer (&self);
  g_autofree uint8_t *trimap = g_try_malloc (n);
  g_autoptr (GPtrArray) groups = find_groups (input);
  if (!trimap || !groups) {
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY, "out of memory");
    return NULL;
  }
  ZonesProgress zones = { .whole = progress };
  for (guint i = 0; i < groups->len; i++)
    zones.n_all += count_pixels (((const Group *)g_ptr_array_index (groups, i))->area);
  for (guint i = 0; i < groups->len; i++)
    if (!add_zone (self, input, g_ptr_array_index (groups, i), previous, changed, n_changed, trimap,
                   &zones, error))
      return NULL;
  return g_steal_pointer (&self);
}

/* ---- Use ---- */

void
fs_zone_alpha_fill (const FsZoneAlpha *self, FsRect area, uint8_t *alpha)
{
  for (guint i = 0; i < self->zones->len; i++) {
    const Zone *zone = zone_at (self, i);
    const FsRect both = fs_rect_intersect (zone->area, area);
    for (int y = both.y0; y < both.y1; y++)
      for (int x = both.x0; x < both.x1; x++) {
        const gsize from = fs_rect_place (zone->area, x, y);
        if (zone->member[from])
          alpha[fs_rect_place (area, x, y)] = zone->alpha[from];
      }
  }
}

FsRect
fs_zone_alpha_find (const FsZoneAlpha *self, FsRect tile, int distance_px)
{
  FsRect found = { 0 };
  for (guint i = 0; i < self->zones->len; i++)
    found = fs_rect_union (found, fs_rect_intersect (tile, fs_rect_widen (zone_at (self, i)->area,
                                                                          distance_px)));
  return found;
}

static gboolean
has_zone (const FsZoneAlpha *self, const Zone *zone)
{
  return self && g_ptr_array_find (self->zones, zone, NULL);
}

static void
list_missing (const FsZoneAlpha *self, const FsZoneAlpha *other, GArray *areas)
{
  for (guint i = 0; self && i < self->zones->len; i++)
    if (!has_zone (other, zone_at (self, i)))
      g_array_append_val (areas, zone_at (self, i)->area);
}

GArray *
fs_zone_alpha_list_changed (const FsZoneAlpha *self, const FsZoneAlpha *previous)
{
  GArray *areas = g_array_new (FALSE, FALSE, sizeof (FsRect));
  list_missing (self, previous, areas);
  list_missing (previous, self, areas);
  return areas;
}
