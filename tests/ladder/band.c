/* SPDX-License-Identifier: MIT */
#include "tests/ladder/solve.h"
#include "tests/ladder/rungs.h"

const FsLadderMethod fs_ladder_list = {
  .push = FS_LADDER_KERNEL_LIST_PUSH,
  .pull = FS_LADDER_KERNEL_LIST_PULL,
  .relabel = FS_LADDER_KERNEL_LIST_PULL_RELABEL,
  .activate = FS_LADDER_NO_KERNEL,
  .start_heights = FS_LADDER_KERNEL_LIST_START_HEIGHTS,
  .lower = FS_LADDER_KERNEL_LIST_LOWER,
  .draw = FS_LADDER_KERNEL_LIST_DRAW,
};

const FsLadderMethod fs_ladder_lock_free = {
  .push = FS_LADDER_KERNEL_LIST_DISCHARGE,
  .pull = FS_LADDER_NO_KERNEL,
  .relabel = FS_LADDER_NO_KERNEL,
  .activate = FS_LADDER_NO_KERNEL,
  .start_heights = FS_LADDER_KERNEL_LIST_START_HEIGHTS,
  .lower = FS_LADDER_KERNEL_LIST_LOWER,
  .draw = FS_LADDER_KERNEL_LIST_DRAW,
  .in_place = 1,
};

static void
make_coarser (const FsLadderRun *run, const FsLadderLevel *fine, FsLadderLevel *coarse)
{
  FsLadderMachine *machine = run->machine;
  FsLadderCoarsening coarsening = {
    .width = fine->width,
    .height = fine->height,
    .tlink = fine->tlink,
    .coarse_width = fine->width / 2 + fine->width % 2,
    .coarse_height = fine->height / 2 + fine->height % 2,
  };
  *coarse = (FsLadderLevel){ .width = coarsening.coarse_width,
                             .height = coarsening.coarse_height,
                             .neighbours = fine->neighbours };
  size_t n = (size_t)fs_ladder_level_pixels (coarse);
  coarse->mask = fs_ladder_alloc (machine, n);
  coarse->tlink = coarsening.coarse_tlink = fs_ladder_alloc (machine, n * sizeof (int32_t));
  for (int d = 0; d < fine->neighbours / 2; d++) {
    coarsening.nlink[d] = fine->nlink[d];
    coarsening.coarse_nlink[d] = fs_ladder_alloc (machine, n * sizeof (uint16_t));
    coarse->nlink[d] = coarsening.coarse_nlink[d];
  }
  fs_ladder_set_clock (machine, 1);
  fs_ladder_launch (machine, FS_LADDER_KERNEL_COARSEN, &coarsening, (int64_t)n);
  fs_ladder_set_clock (machine, 0);
}

/* The band from the coarser level's mask; the whole level where there is none. Outside it, the mask
 * is drawn. */
static void
find_band (const FsLadderRun *run, FsLadderList *list, const FsLadderLevel *level,
           const FsLadderLevel *coarse)
{
  FsLadderMachine *machine = run->machine;
  int64_t n_pixels = fs_ladder_level_pixels (level);
  int64_t n_coarse = coarse != NULL ? fs_ladder_level_pixels (coarse) : 0;
  fs_ladder_alloc_words (run, &list->nodes);
  list->index = fs_ladder_alloc (machine, (size_t)n_pixels * sizeof *list->index);
  if (coarse != NULL) {
    list->coarse_width = coarse->width;
    list->coarse_height = coarse->height;
    list->coarse_mask = coarse->mask;
    list->edge = fs_ladder_alloc (machine, (size_t)n_coarse);
  }
  fs_ladder_set_clock (machine, 1);
  fs_ladder_launch (machine, FS_LADDER_KERNEL_FIND_EDGE, list, n_coarse);
  fs_ladder_launch (machine, FS_LADDER_KERNEL_MARK_BAND, list, n_pixels);
  fs_ladder_launch (machine, FS_LADDER_KERNEL_NUMBER, list,
                    (n_pixels + FS_LADDER_CHUNK - 1) / FS_LADDER_CHUNK);
  fs_ladder_set_clock (machine, 0);
  if (machine->error == FS_LADDER_OK)
    fs_ladder_download (machine, &list->nodes.n, list->nodes.word + FS_LADDER_WORD_NODES,
                        sizeof list->nodes.n);
}

static void
cut_band_of (const FsLadderRun *run, const FsLadderMethod *method, const FsLadderLevel *level,
             const FsLadderLevel *coarse)
{
  FsLadderMachine *machine = run->machine;
  FsLadderList list = { .nodes = { .n_forward = level->neighbours / 2 },
                        .width = level->width,
                        .height = level->height,
                        .tlink = level->tlink,
                        .mask = level->mask,
                        .regular = method == &fs_ladder_lock_free,
                        .dilation = run->options->dilation_px };
  for (int d = 0; d < FS_LADDER_FORWARD; d++)
    list.nlink[d] = level->nlink[d];
  find_band (run, &list, level, coarse);
  int64_t n = list.nodes.n;
  if (machine->error != FS_LADDER_OK || n == 0)
    return;
  fs_ladder_alloc_nodes (run, &list.nodes, method);
  list.pixel = fs_ladder_alloc (machine, (size_t)n * sizeof *list.pixel);
  for (int d = 0; d < FS_LADDER_ARCS; d++)
    if (fs_ladder_has (&list.nodes, d))
      list.neighbour[d] = fs_ladder_alloc (machine, (size_t)n * sizeof *list.neighbour[d]);
  fs_ladder_set_clock (machine, 1);
  fs_ladder_launch (machine, FS_LADDER_KERNEL_LINK, &list, fs_ladder_level_pixels (level));
  fs_ladder_solve (run, method, &list, &list.nodes, n);
  fs_ladder_set_clock (machine, 0);
}

void
fs_ladder_cut_list (const FsLadderRun *run, const FsLadderMethod *method,
                    const FsLadderLevel *level)
{
  cut_band_of (run, method, level, NULL);
}

void
fs_ladder_cut_band (const FsLadderRun *run, const FsLadderLevel *finest)
{
  FsLadderLevel level[FS_LADDER_MAX_LEVELS + 1] = { *finest };
  int k = 0;
  for (; k < run->options->levels && fs_ladder_level_pixels (&level[k]) > 1; k++)
    make_coarser (run, &level[k], &level[k + 1]);
  if (k == 0)
    fs_ladder_cut_list (run, &fs_ladder_list, finest);
  else
    fs_ladder_cut_grid (run, &fs_ladder_push_pull, &level[k]);
  while (k-- > 0)
    cut_band_of (run, &fs_ladder_list, &level[k], &level[k + 1]);
}
