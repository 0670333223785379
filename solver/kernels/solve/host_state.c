/* SPDX-License-Identifier: MIT */
#include "solver/kernels/solve/host_state.h"

static uint32_t
draw_random (FsEngine *engine, uint32_t n)
{
  engine->random ^= engine->random << 13;
  engine->random ^= engine->random >> 17;
  engine->random ^= engine->random << 5;
  return engine->random % n;
}

void
fs_host_shuffle (FsEngine *engine, int *order, int n)
{
  for (int i = 0; i < n; i++) {
    int j = engine->random == 0 ? i : (int)draw_random (engine, (uint32_t)i + 1);
    order[i] = order[j];
    order[j] = i;
  }
}

void
fs_host_end_label (FsLabelLane *first, size_t stride_bytes, int32_t label)
{
  FsLabelLane *lanes[FS_WARP];
  uint32_t fresh[FS_WARP];
  for (int lane = 0; lane < FS_WARP; lane++) {
    lanes[lane] = (void *)((char *)first + (size_t)lane * stride_bytes);
    fresh[lane] = lanes[lane]->found & ~lanes[lane]->before;
  }
  for (int lane = 0; lane < FS_WARP; lane++) {
    fs_label_write (lanes[lane], lane, fresh[0], fresh[FS_SIDE - 1], fresh[lane], label);
    lanes[lane]->before = lanes[lane]->found;
  }
}
