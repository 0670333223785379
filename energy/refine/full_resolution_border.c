/* SPDX-License-Identifier: MIT */
#include "energy/refine/full_resolution_border.h"

#include "energy/geodesic/upsample.h"
#include "energy/image/row_threads.h"
#include "energy/refine/refine_internal.h"
#include "energy/terms/nlinks.h"
#include "solver/system/checked_memory.h"

#include <math.h>
#include <string.h>

/* The entry of a colour that has not been weighed yet; no t-link is as far from 0. */
#define UNKNOWN INT16_MIN

/* The number of chunks for threads; the cost of a free pixel's t-link, or of a block's marks, in
 * pixels' work. */
enum { N_CHUNKS = 64, WORK_A_PIXEL = 4 };

struct _FsBorderDetail {
  FsRefinement *refinement;
  uint8_t *marks;      /* [reduced] MARK_ bits              */
  uint8_t *is_clamped; /* [H·W] by the locality filter; NULL: nothing */
  int16_t *by_colour;  /* [FS_COLOUR_BINS], or UNKNOWN      */
  GArray *runs;        /* of FsBandRun */
  GArray *tlinks;      /* of int32_t   */
  uint32_t *row_start;
  uint32_t *row_tlink; /* [H + 1] the first of each row's t-links */
  FsRefineLinks *straight, *diagonal;
  /* Where the photo terms have no n-links: those of the free pixels, and of the pixels beside and
   * above these. */
  uint16_t *nlink[FS_N_DIRECTIONS];
  GArray *span_runs;  /* of FsBandRun */
  GArray *span_first; /* of uint32_t  */
  uint32_t *span_start;
  FsBandSpans spans;
  FsBandProblem problem;
};

/* Marks of blocks: in the band and not refused; free. */
enum { MARK_OPEN = 1, MARK_FREE = 2 };

void
fs_border_detail_free (FsBorderDetail *detail)
{
  if (!detail)
    return;
  g_free (detail->marks);
  g_free (detail->is_clamped);
  g_free (detail->by_colour);
  g_array_unref (detail->runs);
  g_array_unref (detail->tlinks);
  g_free (detail->row_start);
  g_free (detail->row_tlink);
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    fs_memory_free (detail->nlink[d]);
  g_array_unref (detail->span_runs);
  g_array_unref (detail->span_first);
  g_free (detail->span_start);
  g_free (detail->straight);
  g_free (detail->diagonal);
  g_free (detail);
}

const FsBandProblem *
fs_border_detail_get_problem (const FsBorderDetail *detail)
{
  return &detail->problem;
}

/* --- blocks --- */

static FsRect
neighbouring_blocks (const FsRefinement *refinement, int x, int y)
{
  return fs_rect_intersect ((FsRect){ x - 1, y - 1, x + 2, y + 2 },
                            (FsRect){ 0, 0, refinement->level->photo_width,
                                      refinement->level->photo_height });
}

static size_t
block_index (const FsRefinement *refinement, int x, int y)
{
  return (size_t)y * (size_t)refinement->level->photo_width + (size_t)x;
}

/* Marks the open blocks in row y of the grid. Pixels that the rounds refused are fixed, too. */
static void
mark_open (const FsBorderDetail *detail, int y)
{
  const FsRefinement *refinement = detail->refinement;
  for (int x = 0; x < refinement->grid.width; x++) {
    size_t block = block_index (refinement, x + refinement->area.x0, y + refinement->area.y0);
    uint8_t state = refinement->state[(size_t)y * (size_t)refinement->grid.width + (size_t)x];
    size_t cell = (size_t)((y + refinement->area.y0) >> refinement->level->shift)
                      * (size_t)refinement->level->width
                  + (size_t)((x + refinement->area.x0) >> refinement->level->shift);
    if (state == FS_REFINE_FREE
        || (refinement->is_open[cell] && refinement->label[block] != FS_SEED_NONE))
      detail->marks[block] = MARK_OPEN;
  }
}

static gboolean
is_uniform_border (const FsRefinement *refinement, const uint8_t *mask, int x, int y)
{
  FsRect r = neighbouring_blocks (refinement, x, y);
  uint8_t any = 0, all = 1;
  for (int j = r.y0; j < r.y1; j++)
    for (int i = r.x0; i < r.x1; i++) {
      uint8_t label = mask[block_index (refinement, i, j)];
      any |= label;
      all &= label;
    }
  return any == all;
}

static gboolean
wants_detail (const FsRefinement *refinement, const uint8_t *reduced, int x, int y)
{
  size_t block = block_index (refinement, x, y);
  uint8_t other = reduced[block] ? FS_REFINE_HAS_BACKGROUND_SEED : FS_REFINE_HAS_OBJECT_SEED;
  return (refinement->blocks[block] & other) || !is_uniform_border (refinement, reduced, x, y)
         || ((refinement->blocks[block] & FS_REFINE_WAS_MIXED)
             && is_uniform_border (refinement, refinement->first, x, y));
}

typedef struct {
  const FsBorderDetail *detail;
  const uint8_t *reduced;
  uint8_t *mask;
} Drawing;

/* Marks the blocks in rows [y0, y1) of the grid. */
static void
mark_rows (int y0, int y1, gpointer data)
{
  const Drawing *drawing = data;
  const FsBorderDetail *detail = drawing->detail;
  const FsRefinement *refinement = detail->refinement;
  for (int y = y0; y < y1; y++) {
    mark_open (detail, y);
    for (int x = refinement->area.x0; x < refinement->area.x1; x++) {
      size_t block = block_index (refinement, x, y + refinement->area.y0);
      if ((detail->marks[block] & MARK_OPEN)
          && wants_detail (refinement, drawing->reduced, x, y + refinement->area.y0))
        detail->marks[block] |= MARK_FREE;
    }
  }
}

/* --- the photo's pixels --- */

/* Open blocks take their labels, but for seeds. */
static void
draw_row (const Drawing *drawing, int y)
{
  const FsRefinement *refinement = drawing->detail->refinement;
  size_t row = (size_t)y * (size_t)refinement->seeds->width;
  const uint8_t *labels = refinement->seeds->label + row;
  uint8_t *mask = drawing->mask + row;
  for (int x = refinement->area.x0; x < refinement->area.x1; x++) {
    size_t block = block_index (refinement, x, y >> refinement->shift);
    if (!(drawing->detail->marks[block] & MARK_OPEN))
      continue;
    int end = MIN ((x + 1) << refinement->shift, refinement->seeds->width);
    for (int i = x << refinement->shift; i < end; i++)
      mask[i] = labels[i] == FS_SEED_NONE         ? drawing->reduced[block]
                : labels[i] == FS_SEED_BACKGROUND ? 0
                                                  : 1;
  }
}

/* Draws the rows [y0, y1) of those with blocks of the area. */
static void
draw_rows (int y0, int y1, gpointer data)
{
  const FsRefinement *refinement = ((const Drawing *)data)->detail->refinement;
  int first = refinement->area.y0 << refinement->shift;
  for (int y = first + y0; y < MIN (first + y1, refinement->seeds->height); y++)
    draw_row (data, y);
}

static void
add_detail_run (FsBorderDetail *detail, int x0, int x1)
{
  FsBandRun run = { x0, x1 };
  g_array_append_val (detail->runs, run);
  detail->problem.n_pixels += (size_t)(x1 - x0);
}

/* The free pixels of a row, from left to right. */
static void
add_runs (FsBorderDetail *detail, int y)
{
  const FsRefinement *refinement = detail->refinement;
  int width = refinement->seeds->width;
  size_t row = (size_t)y * (size_t)width;
  const uint8_t *labels = refinement->seeds->label + row;
  const uint8_t *clamped = detail->is_clamped ? detail->is_clamped + row : NULL;
  const uint8_t *marks = detail->marks + block_index (refinement, 0, y >> refinement->shift);
  int begin = -1;
  for (int block = refinement->area.x0; block < refinement->area.x1; block++) {
    gboolean is_free = marks[block] & MARK_FREE;
    if (!is_free && begin < 0)
      continue;
    int end = MIN ((block + 1) << refinement->shift, width);
    for (int x = block << refinement->shift; x < end; x++) {
      gboolean inside = is_free && labels[x] == FS_SEED_NONE && !(clamped && clamped[x]);
      if (inside && begin < 0)
        begin = x;
      if (!inside && begin >= 0)
        add_detail_run (detail, begin, x);
      if (!inside)
        begin = -1;
    }
  }
  if (begin >= 0)
    add_detail_run (detail, begin, MIN (refinement->area.x1 << refinement->shift, width));
}

/* The first thread that needs a colour weighs it; two that do so at once get the same. */
static int32_t
weigh_pixel (FsBorderDetail *detail, uint32_t pixel)
{
  uint32_t bin = fs_colour_bin (pixel);
  int16_t weight = __atomic_load_n (&detail->by_colour[bin], __ATOMIC_RELAXED);
  if (weight == UNKNOWN) {
    uint32_t middle = fs_colour_bin_pixel (bin);
    FsLab lab;
    fs_lab_from_pixels (&middle, 1, &lab);
    weight = fs_refinement_weigh (detail->refinement, fs_colour_place (lab),
                                  detail->refinement->model->by_colour[bin]);
    __atomic_store_n (&detail->by_colour[bin], weight, __ATOMIC_RELAXED);
  }
  return weight;
}

static void
weigh_run (FsBorderDetail *detail, int y, const FsBandRun *run, int32_t *tlinks)
{
  const FsRefinement *refinement = detail->refinement;
  const FsImage *image = refinement->model->terms->image;
  const uint32_t *pixels = image->pixels + (size_t)y * (size_t)image->width;
  fs_geodesic_upsample_row (refinement->model->level, refinement->by_distance, y, run->x0, run->x1,
                            tlinks);
  for (int x = run->x0; x < run->x1; x++)
    tlinks[x - run->x0] =
        ((tlinks[x - run->x0] + FS_PLACE_UNIT / 2) >> 4) + weigh_pixel (detail, pixels[x]);
  if (refinement->guess_of_photo.opinion)
    fs_opinion_view_add_row (&refinement->guess_of_photo, y, run->x0, run->x1, tlinks);
  for (int x = run->x0; x < run->x1 && refinement->is_drawing; x++)
    tlinks[x - run->x0] +=
        fs_local_colours_weigh (refinement->local, refinement->model->level, x, y, pixels[x]);
}
G_STATIC_ASSERT (FS_PLACE_UNIT == 1 << 4);

/* Runs and t-links of what is free now. */
static gboolean
make_problem (FsBorderDetail *detail)
{
  FsBandProblem *problem = &detail->problem;
  const FsRect area = detail->refinement->area;
  int shift = detail->refinement->shift;
  g_array_set_size (detail->runs, 0);
  problem->n_pixels = 0;
  for (int y = 0; y < problem->height; y++) {
    detail->row_start[y] = detail->runs->len;
    detail->row_tlink[y] = (uint32_t)problem->n_pixels;
    if (y >> shift >= area.y0 && y >> shift < area.y1)
      add_runs (detail, y);
  }
  detail->row_start[problem->height] = detail->runs->len;
  detail->row_tlink[problem->height] = (uint32_t)problem->n_pixels;
  if (problem->n_pixels > G_MAXINT32 / sizeof (int32_t))
    return FALSE;
  g_array_set_size (detail->tlinks, (guint)problem->n_pixels);
  problem->n_runs = detail->runs->len;
  problem->runs = (const FsBandRun *)(gpointer)detail->runs->data;
  problem->tlinks = (const int32_t *)(gpointer)detail->tlinks->data;
  return TRUE;
}

static void
weigh_row (FsBorderDetail *detail, int y)
{
  int32_t *tlinks = (int32_t *)(gpointer)detail->tlinks->data + detail->row_tlink[y];
  for (uint32_t i = detail->row_start[y]; i < detail->row_start[y + 1]; i++) {
    const FsBandRun *run = &detail->problem.runs[i];
    weigh_run (detail, y, run, tlinks);
    tlinks += run->x1 - run->x0;
  }
}

/* The first row of a chunk. Chunks are ranges of rows with about the same number of free pixels,
 * since the border crosses some rows and runs along others; each thread gets
 * as many chunks. */
static int
chunk_row (const FsBorderDetail *detail, int chunk)
{
  uint64_t wanted = (uint64_t)detail->problem.n_pixels * (uint64_t)chunk / N_CHUNKS;
  int low = 0, high = detail->problem.height;
  while (chunk < N_CHUNKS && low < high) {
    int middle = low + (high - low) / 2;
    if (detail->row_tlink[middle] < wanted)
      low = middle + 1;
    else
      high = middle;
  }
  return high;
}

static void
weigh_chunks (int first, int last, gpointer data)
{
  FsBorderDetail *detail = data;
  for (int y = chunk_row (detail, first); y < chunk_row (detail, last); y++)
    weigh_row (detail, y);
}

/* Removes the t-links of pixels that have been clamped. The others stay as they are, in order. */
static void
drop_clamped (FsBorderDetail *detail)
{
  int32_t *tlinks = (int32_t *)(gpointer)detail->tlinks->data;
  size_t from = 0, to = 0;
  for (int y = 0; y < detail->problem.height; y++)
    for (uint32_t i = detail->row_start[y]; i < detail->row_start[y + 1]; i++) {
      const FsBandRun *run = &detail->problem.runs[i];
      const uint8_t *clamped = detail->is_clamped + (size_t)y * (size_t)detail->problem.width;
      for (int x = run->x0; x < run->x1; x++, from++) {
        tlinks[to] = tlinks[from];
        to += !clamped[x];
      }
    }
}

static void
weigh (FsBorderDetail *detail)
{
  size_t n_pixels = detail->problem.n_pixels * WORK_A_PIXEL;
  if (n_pixels == 0)
    return;
  fs_row_threads_run (N_CHUNKS, (int)MIN (n_pixels / N_CHUNKS, G_MAXINT), weigh_chunks, detail);
}

static gboolean
allocate_detail (FsBorderDetail *detail)
{
  const FsRefinement *refinement = detail->refinement;
  detail->marks = g_try_malloc0 (fs_photo_terms_n_pixels (refinement->terms));
  detail->by_colour = g_try_new (int16_t, FS_COLOUR_BINS);
  detail->row_start = g_try_new (uint32_t, (gsize)refinement->seeds->height + 1);
  detail->row_tlink = g_try_new (uint32_t, (gsize)refinement->seeds->height + 1);
  for (int i = 0; detail->by_colour && i < FS_COLOUR_BINS; i++)
    detail->by_colour[i] = UNKNOWN;
  return detail->marks && detail->by_colour && detail->row_start && detail->row_tlink;
}

static void
set_links (FsBorderDetail *detail)
{
  const FsPhotoTerms *terms = detail->refinement->model->terms;
  const FsGeodesicPhoto *photo = terms->model_photo;
  detail->straight = fs_refine_links_new (photo->nlink_max);
  detail->diagonal = fs_refine_links_new (photo->nlink_max / sqrt (2));
  detail->problem = (FsBandProblem){ .width = terms->image->width,
                                     .height = terms->image->height,
                                     .neighbours = terms->settings.neighbours,
                                     .row_start = detail->row_start,
                                     .straight = detail->straight->of,
                                     .diagonal = detail->diagonal->of };
  for (int d = 0; d < FS_N_DIRECTIONS; d++)
    detail->problem.nlink[d] = terms->nlink[d];
}

static uint32_t
add_span (FsBorderDetail *detail, FsBandRun span, uint32_t first)
{
  g_array_append_val (detail->span_runs, span);
  g_array_append_val (detail->span_first, first);
  return first + (uint32_t)(span.x1 - span.x0);
}

/* A row's free pixels and the pixels beside and above free ones, which hold the links that lead to
 * them: runs of this row and of the next from left to right, as one where they meet. Their links
 * begin at `first`; where those of the next row do. */
static uint32_t
add_spans (FsBorderDetail *detail, int y, uint32_t first)
{
  const FsBandRun *runs = detail->problem.runs;
  uint32_t i = detail->row_start[y], i_end = detail->row_start[y + 1], j = i_end;
  uint32_t j_end = y + 1 < detail->problem.height ? detail->row_start[y + 2] : j;
  int x0 = 0, x1 = 0;
  while (i < i_end || j < j_end) {
    gboolean is_below = i == i_end || (j < j_end && runs[j].x0 < runs[i].x0);
    const FsBandRun *run = &runs[is_below ? j++ : i++];
    if (run->x0 - 1 > x1) {
      if (x1 > x0)
        first = add_span (detail, (FsBandRun){ x0, x1 }, first);
      x0 = MAX (run->x0 - 1, 0);
    }
    x1 = MAX (x1, MIN (run->x1 + 1, detail->problem.width));
  }
  return x1 > x0 ? add_span (detail, (FsBandRun){ x0, x1 }, first) : first;
}

/* Returns the number of links of a direction; a photo has fewer than 2³² pixels. */
static uint32_t
make_spans (FsBorderDetail *detail)
{
  uint32_t n = 0;
  for (int y = 0; y < detail->problem.height; y++) {
    detail->span_start[y] = detail->span_runs->len;
    n = add_spans (detail, y, n);
  }
  detail->span_start[detail->problem.height] = detail->span_runs->len;
  detail->spans =
      (FsBandSpans){ (const FsBandRun *)(gpointer)detail->span_runs->data, detail->span_start,
                     (const uint32_t *)(gpointer)detail->span_first->data };
  detail->problem.spans = &detail->spans;
  return n;
}

static void
read_row (FsBorderDetail *detail, int y)
{
  const FsPhotoTerms *terms = detail->refinement->model->terms;
  const FsBandSpans *spans = &detail->spans;
  for (uint32_t i = spans->row_start[y]; i < spans->row_start[y + 1]; i++) {
    uint16_t *out[FS_N_DIRECTIONS];
    for (int d = 0; d < fs_photo_terms_n_directions (terms); d++)
      out[d] = detail->nlink[d] + spans->first[i];
    fs_nlinks_read (terms, y, spans->runs[i].x0, spans->runs[i].x1 - spans->runs[i].x0, out);
  }
}

/* In planes they would lie apart, hardly two rows' on one page of memory. */
static gboolean
need_links (FsBorderDetail *detail)
{
  FsBandProblem *problem = &detail->problem;
  const FsPhotoTerms *terms = detail->refinement->model->terms;
  if (g_atomic_int_get (&terms->has_nlinks))
    return TRUE;
  detail->span_start = g_try_new (uint32_t, (gsize)problem->height + 1);
  if (!detail->span_start)
    return FALSE;
  size_t n = MAX (1, make_spans (detail));
  for (int d = 0; d < fs_photo_terms_n_directions (terms); d++) {
    problem->nlink[d] = detail->nlink[d] = fs_memory_new_whole (n, sizeof *detail->nlink[d]);
    if (!detail->nlink[d])
      return FALSE;
  }
  for (int y = 0; y < problem->height; y++)
    read_row (detail, y);
  return TRUE;
}

static FsBorderDetail *
refuse_memory_size (const FsRefinement *refinement, GError **error)
{
  fs_photo_terms_refuse_size (refinement->model->terms->image, error);
  return NULL;
}

FsBorderDetail *
fs_border_detail_new (FsRefinement *refinement, const uint8_t *reduced, uint8_t *mask,
                      GError **error)
{
  g_return_val_if_fail (refinement && refinement->shift > 0 && reduced && mask, NULL);

  g_autoptr (FsBorderDetail) detail = g_new0 (FsBorderDetail, 1);
  detail->refinement = refinement;
  detail->runs = g_array_new (FALSE, FALSE, sizeof (FsBandRun));
  detail->tlinks = g_array_new (FALSE, FALSE, sizeof (int32_t));
  detail->span_runs = g_array_new (FALSE, FALSE, sizeof (FsBandRun));
  detail->span_first = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  if (!allocate_detail (detail))
    return refuse_memory_size (refinement, error);
  set_links (detail);
  Drawing drawing = { detail, reduced, mask };
  fs_row_threads_run (refinement->grid.height, refinement->grid.width * WORK_A_PIXEL, mark_rows,
                      &drawing);
  fs_row_threads_run (refinement->grid.height << refinement->shift,
                      refinement->grid.width << refinement->shift, draw_rows, &drawing);
  if (!make_problem (detail) || !need_links (detail))
    return refuse_memory_size (refinement, error);
  weigh (detail);
  return g_steal_pointer (&detail);
}

/* --- locality filter --- */

gboolean
fs_border_detail_filter_changes (FsBorderDetail *detail, uint8_t *mask, gboolean *changed,
                                 GError **error)
{
  const FsMaskPrior *prior = fs_energy_get_mask_prior (detail->refinement->energy);
  g_return_val_if_fail (prior && !detail->is_clamped, FALSE);

  size_t n = (size_t)detail->problem.width * (size_t)detail->problem.height;
  g_autoptr (GArray) rejected = g_array_new (FALSE, FALSE, sizeof (uint32_t));
  *changed = FALSE;
  if (!fs_mask_prior_list_rejected (prior, mask, rejected)
      || !(detail->is_clamped = g_try_malloc0 (n)))
    return refuse_memory_size (detail->refinement, error) != NULL;
  for (guint i = 0; i < rejected->len; i++) {
    uint32_t pixel = g_array_index (rejected, uint32_t, i);
    int x = (int)(pixel % (uint32_t)detail->problem.width) >> detail->refinement->shift;
    int y = (int)(pixel / (uint32_t)detail->problem.width) >> detail->refinement->shift;
    /* The first cut of this pixel has been filtered. */
    if (!(detail->marks[block_index (detail->refinement, x, y)] & MARK_OPEN)
        || detail->refinement->seeds->label[pixel] != FS_SEED_NONE)
      continue;
    mask[pixel] = fs_mask_prior_was_object (prior, pixel);
    detail->is_clamped[pixel] = 1;
    *changed = TRUE;
  }
  if (!*changed)
    return TRUE;
  drop_clamped (detail);
  return make_problem (detail) || refuse_memory_size (detail->refinement, error) != NULL;
}
