/* SPDX-License-Identifier: MIT */
#include "solver/graph/graph_search_state.h"

enum { REPORT_US = 4000 };

gboolean
fs_graph_search_ask (FsGraphSearch *search)
{
  const FsProgress *progress = search->progress;
  search->until_poll = FS_GRAPH_SCANS_PER_POLL;
  search->n_polls++;
  if (progress != NULL && progress->report != NULL) {
    int64_t now_us = g_get_monotonic_time ();
    if (now_us - search->reported_us >= REPORT_US) {
      search->reported_us = now_us;
      /* Nobody knows how much is left: a fraction that always rises and never arrives. */
      double scans = (double)search->n_polls * FS_GRAPH_SCANS_PER_POLL;
      progress->report (scans / (scans + (double)search->rows->n_nodes), progress->user_data);
    }
  }
  search->is_given_up = fs_graph_search_effort (search) > search->max_effort;
  return search->is_given_up || fs_progress_is_cancelled (progress);
}
