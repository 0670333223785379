/* SPDX-License-Identifier: MIT */
#include "app/cut/solver_sync.h"

#include "solver/system/checked_memory.h"

#include <string.h>

/* For more than one in this many pixels one pass over all of them is quicker than a list. */
enum { PIXELS_A_LISTED = 8 };

void
fs_cut_links_init (FsCutLinks *links, const FsGrid *wanted, FsWantedLinks how)
{
  *links = (FsCutLinks){ .wanted = wanted, .how = how };
  links->fixed = g_array_new (FALSE, FALSE, sizeof (FsFixedSpan));
  links->tlinks = g_array_new (FALSE, FALSE, sizeof (FsTlinkChange));
  links->star = g_array_new (FALSE, FALSE, sizeof (FsStarChange));
}

void
fs_cut_links_clear (FsCutLinks *links)
{
  g_array_unref (links->fixed);
  g_array_unref (links->tlinks);
  g_array_unref (links->star);
  fs_memory_free (links->held.tlink);
  fs_memory_free (links->held.star);
  *links = (FsCutLinks){ 0 };
}

static void
forget_waiting (FsCutLinks *links)
{
  links->all = FALSE;
  g_array_set_size (links->fixed, 0);
  g_array_set_size (links->tlinks, 0);
  g_array_set_size (links->star, 0);
}

/* Allocates the held planes. The star is copied at once; the rest is filled by fill(). */
static gboolean
make_link_planes (FsCutLinks *links)
{
  const FsGrid *wanted = links->wanted;
  size_t n = fs_grid_n_pixels (wanted);
  links->held = (FsGrid){ .width = wanted->width,
                          .height = wanted->height,
                          .neighbours = wanted->neighbours };
  links->held.tlink = fs_memory_new (n, sizeof *wanted->tlink);
  links->held.star = wanted->star ? fs_memory_new (n, 1) : NULL;
  if (!links->held.tlink || (wanted->star && !links->held.star))
    return FALSE;
  if (wanted->star)
    memcpy (links->held.star, wanted->star, n);
  return TRUE;
}

/* An FsPlaneOwner's. */
static gboolean
fill (FsGrid *held, gpointer data, GError **error)
{
  FsCutLinks *links = data;
  const FsGrid *wanted = links->wanted;
  size_t n = fs_grid_n_pixels (wanted);
  if (!links->how.need_planes (links->how.data, error))
    return FALSE;
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    held->nlink[d] = wanted->nlink[d];
  memcpy (held->tlink, wanted->tlink, n * sizeof *wanted->tlink);
  if (wanted->star)
    memcpy (held->star, wanted->star, n);
  return TRUE;
}

FsSolver *
fs_cut_links_make_solver (FsCutLinks *links, const FsBackend *backend, GError **error)
{
  FsSolver *solver = NULL;
  FsLinkSource source;
  links->how.fill_source (&source, links->how.data);
  if (make_link_planes (links))
    solver =
        fs_solver_new_built (backend, &links->held, &source, (FsPlaneOwner){ fill, links }, error);
  else
    g_set_error (error, FS_SOLVER_ERROR, FS_SOLVER_ERROR_MEMORY,
                 "not enough memory for the t-links of %zu pixels",
                 fs_grid_n_pixels (links->wanted));
  if (!solver) {
    g_clear_pointer (&links->held.tlink, fs_memory_free);
    g_clear_pointer (&links->held.star, fs_memory_free);
  }
  forget_waiting (links);
  return solver;
}

void
fs_cut_links_note_all (FsCutLinks *links)
{
  forget_waiting (links);
  links->all = TRUE;
}

void
fs_cut_links_note (FsCutLinks *links, const GArray *tlinks, const GArray *star)
{
  if (links->all || !links->held.tlink)
    return;
  g_array_append_vals (links->tlinks, tlinks->data, tlinks->len);
  g_array_append_vals (links->star, star->data, star->len);
  if (fs_cut_links_count_waiting (links) > fs_grid_n_pixels (links->wanted) / PIXELS_A_LISTED)
    fs_cut_links_note_all (links);
}

gboolean
fs_cut_links_take_spans (const FsCutLinks *links, FsSolver *solver)
{
  return solver && fs_solver_builds (solver) && links->tlinks->len == 0;
}

void
fs_cut_links_note_fixed (FsCutLinks *links, const GArray *fixed, const GArray *star)
{
  if (links->all)
    return;
  g_array_append_vals (links->fixed, fixed->data, fixed->len);
  g_array_append_vals (links->star, star->data, star->len);
}

static size_t
count_fixed (const FsCutLinks *links)
{
  size_t n = 0;
  for (guint i = 0; i < links->fixed->len; i++)
    n += g_array_index (links->fixed, FsFixedSpan, i).n;
  return n;
}

size_t
fs_cut_links_count_waiting (const FsCutLinks *links)
{
  return links->all ? fs_grid_n_pixels (links->wanted)
                    : count_fixed (links) + links->tlinks->len + links->star->len;
}

static gboolean
replace_tlinks (FsCutLinks *links, FsSolver *solver, GError **error)
{
  if (!fs_solver_builds (solver))
    return links->how.need_planes (links->how.data, error)
           && fs_solver_replace_tlinks (solver, links->wanted->tlink, error);
  FsLinkSource source;
  links->how.fill_source (&source, links->how.data);
  return fs_solver_rebuild_tlinks (solver, &source, error);
}

static gboolean
replace (FsCutLinks *links, FsSolver *solver, GError **error)
{
  return replace_tlinks (links, solver, error)
         && (!links->wanted->star || fs_solver_replace_star (solver, links->wanted->star, error));
}

static gboolean
change (FsCutLinks *links, FsSolver *solver, GError **error)
{
  const FsFixedSpan *fixed = (const FsFixedSpan *)(gpointer)links->fixed->data;
  guint n_fixed = links->fixed->len;
  const FsTlinkChange *tlinks = (const FsTlinkChange *)(gpointer)links->tlinks->data;
  const FsStarChange *star = (const FsStarChange *)(gpointer)links->star->data;
  guint n_tlinks = links->tlinks->len, n_star = links->star->len;
  return (n_fixed == 0 || fs_solver_fix_tlinks (solver, fixed, n_fixed, error))
         && (n_tlinks == 0 || fs_solver_change_tlinks (solver, tlinks, n_tlinks, error))
         && (n_star == 0 || fs_solver_change_star (solver, star, n_star, error));
}

gboolean
fs_cut_links_hand_over (FsCutLinks *links, FsSolver *solver, GError **error)
{
  /* If the device has failed since spans were recorded, the solver takes none any more. */
  gboolean all = links->all || (links->fixed->len > 0 && !fs_solver_builds (solver));
  gboolean done = all ? replace (links, solver, error) : change (links, solver, error);
  if (done)
    forget_waiting (links);
  return done;
}
