/* SPDX-License-Identifier: MIT */
#include "solver/multilevel/band_flow.h"

#include "solver/system/checked_memory.h"

#include <string.h>

void
fs_band_flow_init (FsBandFlow *flow)
{
  *flow = (FsBandFlow){ 0 };
}

void
fs_band_flow_clear (FsBandFlow *flow)
{
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    fs_memory_free (flow->plane[d]);
  fs_band_flow_init (flow);
}

gboolean
fs_band_flow_reset (FsBandFlow *flow, size_t n_pixels)
{
  if (n_pixels > flow->n_pixels) {
    fs_band_flow_clear (flow);
    for (int d = 0; d < FS_N_DIRECTIONS; d++)
      if ((flow->plane[d] = fs_memory_new (n_pixels, sizeof *flow->plane[d])) == NULL)
        return FALSE;
    flow->n_pixels = n_pixels;
  }
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    memset (flow->plane[d], 0, flow->n_pixels * sizeof *flow->plane[d]);
  return TRUE;
}

/* The arcs of the pair that have residual capacity, for both ends. */
static void
note_arcs (FsCpuLayout *layout, uint32_t node, uint32_t there, int d, int back)
{
  uint32_t forth_left = layout->residual[(size_t)node * FS_N_ARCS + (size_t)d] > 0;
  uint32_t back_left = layout->residual[(size_t)there * FS_N_ARCS + (size_t)back] > 0;
  uint32_t here_bits = forth_left << d | back_left << (d + 8);
  uint32_t there_bits = back_left << back | forth_left << (back + 8);
  layout->arcs[node] = (uint16_t)((layout->arcs[node] & ~(0x101u << d)) | here_bits);
  layout->arcs[there] = (uint16_t)((layout->arcs[there] & ~(0x101u << back)) | there_bits);
}

static void
send_along (FsBandFlow *flow, FsCpuLayout *layout, uint32_t node, int d, int wanted)
{
  int back = d ^ FS_DIRECTION_OPPOSITE;
  uint32_t there = fs_cpu_rows_step (layout, node, (uint32_t)d);
  uint16_t *forth_left = &layout->residual[(size_t)node * FS_N_ARCS + (size_t)d];
  uint16_t *back_left = &layout->residual[(size_t)there * FS_N_ARCS + (size_t)back];
  int sent = CLAMP (wanted, -(int)*back_left, (int)*forth_left);
  *forth_left = (uint16_t)(*forth_left - sent);
  *back_left = (uint16_t)(*back_left + sent);
  layout->excess[node] -= sent;
  layout->excess[there] += sent;
  flow->n_reused += ABS (sent);
  note_arcs (layout, node, there, d, back);
}

void
fs_band_flow_send (FsBandFlow *flow, FsCpuLayout *layout, uint32_t node, size_t pixel, size_t n)
{
  for (size_t i = 0; i < n; i++)
    for (int d = 0; d < FS_N_DIRECTIONS; d++) {
      int wanted = flow->plane[d][pixel + i];
      uint32_t arcs = layout->arcs[node + i] >> d;
      if (wanted != 0 && (arcs & 0x101u) != 0)
        send_along (flow, layout, (uint32_t)(node + i), d, wanted);
    }
}

void
fs_band_flow_take (FsBandFlow *flow, const FsCpuLayout *layout, uint32_t node, size_t pixel,
                   size_t n, const uint16_t *const capacity[FS_N_DIRECTIONS])
{
  for (size_t i = 0; i < n; i++)
    for (int d = 0; d < FS_N_DIRECTIONS; d++) {
      gboolean has_arc = (layout->arcs[node + i] >> d & 0x101u) != 0;
      int left = layout->residual[(node + i) * FS_N_ARCS + (size_t)d];
      flow->plane[d][pixel + i] = (int16_t)(has_arc ? capacity[d][pixel + i] - left : 0);
    }
}
