/* SPDX-License-Identifier: MIT */
/* Fretsaw: exact minimum cuts of pixel grids and graphs, objects cut out of photos, and energies of
 * many labels.   Layer: library (installed).
 *
 * The whole face of libfretsaw, in plain C11 that C++ takes too. An overview is in
 * fretsaw (3).
 *
 * Errors. Functions that can fail return a status, FRETSAW_OK (0) or another, and then say in
 * `error`, which may be NULL, what is wrong: which argument, and its limit. A call that fails
 * leaves its object valid. Pointers for results are set only by calls that succeed.
 *
 * Structs with a `size` begin with it: set it to sizeof of the struct, as the macros FRETSAW_…_INIT
 * do. Later versions add fields at the end; zero always is the default. Where options may be NULL,
 * all of them are the default.
 *
 * Planes are rows of pixels from the top, pixel (x, y) is number y·width + x. A stride is the
 * distance of two rows in elements (of images: in bytes), 0 for rows without padding; where it is
 * negative, the pointer is to the row on top, which is the last in memory. Arrays are copied
 * unless the text says that they are borrowed.
 *
 * Threads. A context never changes, and any number of threads may share it. Every other object is
 * for one call at a time: a second one, of another thread or from within a report, changes nothing
 * and returns FRETSAW_BUSY. Nobody may free an object during a call. Different objects may be used
 * at once. A cancellation may be set from any thread. A call may start as many threads as its
 * context allows, and all have ended when it returns. There are no settings of the process.
 *
 * No result depends on threads, device or machine, not by a bit.
 */
#ifndef FRETSAW_H
#define FRETSAW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define FRETSAW_API __attribute__ ((visibility ("default")))
#else
#define FRETSAW_API
#endif

/* --- Version --- */

#define FRETSAW_VERSION_MAJOR                       0
#define FRETSAW_VERSION_MINOR                       1
#define FRETSAW_VERSION_MICRO                       0
#define FRETSAW_VERSION_NUMBER(major, minor, micro) ((major)*1000000 + (minor)*1000 + (micro))
#define FRETSAW_VERSION                                                                            \
  FRETSAW_VERSION_NUMBER (FRETSAW_VERSION_MAJOR, FRETSAW_VERSION_MINOR, FRETSAW_VERSION_MICRO)

/* The version of the library that runs, as FRETSAW_VERSION and as text ("0.1.0"). */
FRETSAW_API int32_t fretsaw_version (void);
FRETSAW_API const char *fretsaw_version_text (void);

/* --- Errors --- */

typedef enum {
  FRETSAW_OK,
  FRETSAW_INVALID,     /* an argument is outside its range                        */
  FRETSAW_UNSUPPORTED, /* a field that this version or device does not know       */
  FRETSAW_MEMORY,      /* not enough memory                                       */
  FRETSAW_CANCELLED,   /* by a cancellation                                       */
  FRETSAW_DEVICE,      /* there is no such device, or it failed                   */
  FRETSAW_FORMAT,      /* a text breaks its format                                */
  FRETSAW_READ,        /* a file could not be read                                */
  FRETSAW_UNPROVEN,    /* a certificate does not hold: a fault of the library     */
  FRETSAW_BUSY         /* another call with this object has not ended             */
} fretsaw_status;

#define FRETSAW_ERROR_TEXT_BYTES 252

/* The caller's; nothing needs to be set, and nothing to be freed. */
typedef struct {
  int32_t status;                      /* fretsaw_status */
  char text[FRETSAW_ERROR_TEXT_BYTES]; /* UTF-8, a sentence without a full stop */
} fretsaw_error;

/* "invalid argument" and the like; static storage. */
FRETSAW_API const char *fretsaw_status_text (fretsaw_status status);

/* --- Contexts --- */

typedef struct {
  size_t size;
  int32_t n_threads;  /* that a call may use; 0: one for each processor          */
  const char *device; /* "cpu", "cuda" or "auto"; NULL: "cpu"                    */
} fretsaw_context_options;

#define FRETSAW_CONTEXT_OPTIONS_INIT                                                               \
  {                                                                                                \
    sizeof (fretsaw_context_options), 0, NULL                                                      \
  }

typedef struct fretsaw_context fretsaw_context;

/* Everywhere else NULL is a context with all defaults. Objects keep the context that they are made
 * with, so it may be freed before them. "auto" is the CPU for grids and photos, and for graphs the
 * faster of both by their size. Errors: INVALID, DEVICE. */
FRETSAW_API fretsaw_status fretsaw_context_new (const fretsaw_context_options *options,
                                                fretsaw_context **context, fretsaw_error *error);
FRETSAW_API void fretsaw_context_free (fretsaw_context *context);

/* The device in words ("CPU, AVX2"); static storage. A device that fails is given up, and calls go
 * on with the CPU to the same results: then it is the reason. */
FRETSAW_API const char *fretsaw_context_get_device (const fretsaw_context *context);

/* --- Progress and cancellation --- */

typedef struct fretsaw_cancellation fretsaw_cancellation;

/* NULL where memory is short. */
FRETSAW_API fretsaw_cancellation *fretsaw_cancellation_new (void);
FRETSAW_API void fretsaw_cancellation_free (fretsaw_cancellation *cancellation);
/* Calls with this cancellation stop soon, and later ones at once, until it is reset. Solves and
 * runs stop within milliseconds, a photo's fit within some tenths of a second. Threads: any. */
FRETSAW_API void fretsaw_cancellation_cancel (fretsaw_cancellation *cancellation);
FRETSAW_API void fretsaw_cancellation_reset (fretsaw_cancellation *cancellation);

/* For a long call; NULL where neither is wanted. */
typedef struct {
  size_t size;
  const fretsaw_cancellation *cancellation; /* or NULL */
  /* Called on the calling thread every few milliseconds with a fraction, 0 to 1, of the present
   * step, of which a photo's cut has several; or NULL. The object is busy meanwhile. */
  void (*report) (double fraction, void *data);
  void *data;
} fretsaw_progress;

#define FRETSAW_PROGRESS_INIT                                                                      \
  {                                                                                                \
    sizeof (fretsaw_progress), NULL, NULL, NULL                                                    \
  }

/* --- Solutions and their proof --- */

typedef struct {
  size_t size;
  int64_t energy; /* of the result                                          */
  int64_t bound;  /* the value of the flow: no result can have less; 0: none is known */
  bool exact;     /* energy == bound: the result is proven to be a minimum  */
} fretsaw_solution;

#define FRETSAW_SOLUTION_INIT                                                                      \
  {                                                                                                \
    sizeof (fretsaw_solution), 0, 0, false                                                         \
  }

/* The check of a cut by plain loops that share nothing with the solver. */
typedef struct {
  size_t size;
  bool feasible;  /* the flow is within all capacities                                 */
  bool conserved; /* at every pixel or node: the t-link and inflow less outflow remain */
  bool canonical; /* background is what reaches the sink in the residual graph         */
  bool holds;     /* all of these, and energy == bound                                 */
  int64_t energy; /* summed anew */
  int64_t bound;
} fretsaw_certificate;

#define FRETSAW_CERTIFICATE_INIT                                                                   \
  {                                                                                                \
    sizeof (fretsaw_certificate), false, false, false, false, 0, 0                                 \
  }

/* --- Grids: minimum cuts with capacities of your own ---
 *
 *   E(x) = Σ_p D_p(x_p) + Σ_{p→q} w_pq [x_p = 1, x_q = 0],  x_p = 1: object, x_p = 0: background
 *
 * The t-link t_p of a pixel is one number: the source's capacity less the sink's. Object costs
 * max (−t_p, 0), background max (t_p, 0), so a positive t-link pulls towards object. N-links are
 * planes of capacities, one for each forward direction. Of several minima the mask is always the
 * one with the smallest background.
 */

enum {
  FRETSAW_EAST,       /* (+1,  0) */
  FRETSAW_SOUTH,      /* ( 0, +1) */
  FRETSAW_SOUTH_EAST, /* (+1, +1), with 8 neighbours alone */
  FRETSAW_SOUTH_WEST, /* (−1, +1), with 8 neighbours alone */
  FRETSAW_DIRECTIONS
};

#define FRETSAW_TLINK_MAX      (1 << 28) /* |t|                                                */
#define FRETSAW_NLINK_MAX      32767     /* an n-link that counts in both directions           */
#define FRETSAW_NLINK_PAIR_MAX 65535     /* the two n-links of a pair together                 */

typedef struct {
  size_t size;
  int32_t width, height;
  int32_t neighbours;   /* 4 or 8; 0: 4                                                     */
  const int32_t *tlink; /* NULL: all are 0                                                  */
  /* nlink[d]: the capacity from each pixel to its neighbour in direction d, for all directions in
   * use; with 4 neighbours nlink[2] and [3] are not read. Links that leave the grid are ignored;
   * borrowed ones must be 0. */
  const uint16_t *nlink[4];
  /* The capacity from that neighbour back to the pixel; all NULL: as nlink. */
  const uint16_t *nlink_back[4];
  ptrdiff_t stride; /* of all planes                                                    */
  /* N-links are borrowed, not copied: they outlive the grid, do not change, and have no padding. */
  bool borrow;
  bool changes_nlinks; /* fretsaw_grid_change_nlinks will be called; not with `borrow`     */
} fretsaw_grid_options;

#define FRETSAW_GRID_OPTIONS_INIT                                                                  \
  {                                                                                                \
    sizeof (fretsaw_grid_options), 0, 0, 0, NULL, { NULL, NULL, NULL, NULL },                      \
        { NULL, NULL, NULL, NULL }, 0, false, false                                                \
  }

typedef struct fretsaw_grid fretsaw_grid;

typedef struct {
  uint32_t pixel;
  int32_t tlink; /* its new t-link, in place of the old one */
} fretsaw_tlink_change;

typedef struct {
  uint32_t pixel;
  int32_t direction; /* FRETSAW_EAST … */
  uint16_t forth;    /* the new capacity to the neighbour there, */
  uint16_t back;     /* and the one from it                      */
} fretsaw_nlink_change;

/* Checks all capacities, O(N). Errors: INVALID, MEMORY, DEVICE. */
FRETSAW_API fretsaw_status fretsaw_grid_new (fretsaw_context *context,
                                             const fretsaw_grid_options *options,
                                             fretsaw_grid **grid, fretsaw_error *error);
FRETSAW_API void fretsaw_grid_free (fretsaw_grid *grid);

/* Bytes that a grid and its solves take on the CPU, at most, without those of a certificate's
 * check; 0 for sizes that none can have. */
FRETSAW_API size_t fretsaw_grid_forecast_bytes (const fretsaw_grid_options *options);

/* Changes n t-links, or all of them. The flow is kept: the next solve costs what has changed. A
 * pixel may occur twice, the last one counts. Errors: INVALID; nothing has changed then. */
FRETSAW_API fretsaw_status fretsaw_grid_change_tlinks (fretsaw_grid *grid,
                                                       const fretsaw_tlink_change *changes,
                                                       size_t n, fretsaw_error *error);
FRETSAW_API fretsaw_status fretsaw_grid_set_tlinks (fretsaw_grid *grid, const int32_t *tlink,
                                                    ptrdiff_t stride, fretsaw_error *error);

/* Changes n pairs of n-links, of a grid that was made for it. Errors: INVALID; UNSUPPORTED on a
 * device other than the CPU. */
FRETSAW_API fretsaw_status fretsaw_grid_change_nlinks (fretsaw_grid *grid,
                                                       const fretsaw_nlink_change *changes,
                                                       size_t n, fretsaw_error *error);

/* Finds the minimum cut. `solution` may be NULL. Errors: MEMORY, CANCELLED, DEVICE; the next solve
 * goes on from there. */
FRETSAW_API fretsaw_status fretsaw_grid_solve (fretsaw_grid *grid, const fretsaw_progress *progress,
                                               fretsaw_solution *solution, fretsaw_error *error);

/* Copies the mask of the last solve that succeeded, 1 object, 0 background. Errors: INVALID before
 * the first. */
FRETSAW_API fretsaw_status fretsaw_grid_get_mask (fretsaw_grid *grid, uint8_t *mask,
                                                  ptrdiff_t stride, fretsaw_error *error);

/* E of any mask (0, or else object) with the present capacities, O(N). */
FRETSAW_API fretsaw_status fretsaw_grid_get_energy (fretsaw_grid *grid, const uint8_t *mask,
                                                    ptrdiff_t stride, int64_t *energy,
                                                    fretsaw_error *error);

/* Checks the last solve, O(N) and 14 bytes a pixel. Errors: INVALID before the first solve and
 * after changes that are not solved; MEMORY. That it does not hold is no error. */
FRETSAW_API fretsaw_status fretsaw_grid_certify (fretsaw_grid *grid,
                                                 fretsaw_certificate *certificate,
                                                 fretsaw_error *error);

/* --- Photos: objects cut out by strokes ---
 *
 * A label a pixel says what is painted: 0 nothing, 1 background, 2 object, 3, 4, … 255 further
 * objects. The results are those of the program's `fretsaw cut`, to the bit.
 */

typedef enum { FRETSAW_RGB, FRETSAW_BGR, FRETSAW_RGBA, FRETSAW_BGRA, FRETSAW_GREY } fretsaw_format;

/* Pixels of 8 bits a channel, in the order of their bytes; alpha is straight. */
typedef struct {
  size_t size;
  int32_t width, height;
  const uint8_t *pixels;
  ptrdiff_t stride; /* in bytes */
  int32_t format;   /* fretsaw_format */
} fretsaw_image;

#define FRETSAW_IMAGE_INIT                                                                         \
  {                                                                                                \
    sizeof (fretsaw_image), 0, 0, NULL, 0, FRETSAW_RGB                                             \
  }

typedef enum {
  FRETSAW_GEODESIC, /* distances along the photo, and colours near the strokes */
  FRETSAW_KMEANS,   /* Lazy Snapping (Li, Sun, Tang & Shum 2004)               */
  FRETSAW_GMM       /* GrabCut (Rother, Kolmogorov & Blake 2004)               */
} fretsaw_model;

typedef struct {
  size_t size;
  int32_t model;        /* fretsaw_model                                                  */
  int32_t neighbours;   /* 4 or 8; 0: 8                                                   */
  double smoothness;    /* a factor up to 100; 0: 1; negative: no smoothness              */
  int32_t n_iterations; /* of GrabCut after the first cut, until nothing changes; gmm alone */
  bool no_star; /* an object need not be joined to its strokes, and its border is not refined;
                   geodesic alone */
  bool verify;  /* check every certificate; one that fails is FRETSAW_UNPROVEN    */
} fretsaw_photo_options;

#define FRETSAW_PHOTO_OPTIONS_INIT                                                                 \
  {                                                                                                \
    sizeof (fretsaw_photo_options), FRETSAW_GEODESIC, 0, 0, 0, false, false                        \
  }

/* A first guess. Either `probability`, how likely each pixel is object: of any size, stretched over
 * the photo. Or `numbers`, a finished mask of the photo's size that binds as far as strokes do not
 * contradict it, with the object of each pixel. */
typedef struct {
  size_t size;
  int32_t width, height;
  const void *probability; /* uint8_t to 255, or uint16_t to 65535, for certainly object */
  ptrdiff_t stride;        /* in elements */
  int32_t bits;            /* 8 or 16; 0: 8 */
  bool is_found;          /* by a network: never certain, not even where it says so. Else a guess of
                             nothing but 0 and the largest value is a finished mask, and binds */
  const uint8_t *numbers; /* 0 unknown, 1 background, 2, 3, … objects */
} fretsaw_guess;

#define FRETSAW_GUESS_INIT                                                                         \
  {                                                                                                \
    sizeof (fretsaw_guess), 0, 0, NULL, 0, 0, false, NULL                                          \
  }

typedef struct fretsaw_photo fretsaw_photo;

typedef struct {
  uint32_t pixel;
  uint8_t label;
} fretsaw_label_change;

/* The one call: photo, labels and, perhaps, a guess (else NULL) in; labels of all pixels out, 1
 * background, 2, 3, … objects. It is fretsaw_photo_new, _set_labels, _set_guess, _finish and
 * _get_labels. There must be a label or a guess. */
FRETSAW_API fretsaw_status fretsaw_cut_photo (fretsaw_context *context, const fretsaw_image *image,
                                              const uint8_t *labels, ptrdiff_t labels_stride,
                                              const fretsaw_guess *guess,
                                              const fretsaw_photo_options *options,
                                              const fretsaw_progress *progress, uint8_t *result,
                                              ptrdiff_t result_stride, fretsaw_solution *solution,
                                              fretsaw_error *error);

/* A photo whose strokes change. The image is copied. Errors: INVALID, MEMORY. */
FRETSAW_API fretsaw_status fretsaw_photo_new (fretsaw_context *context, const fretsaw_image *image,
                                              const fretsaw_photo_options *options,
                                              fretsaw_photo **photo, fretsaw_error *error);
FRETSAW_API void fretsaw_photo_free (fretsaw_photo *photo);

/* Bytes that a photo with so many objects takes, about: once finished, and with updates. */
FRETSAW_API size_t fretsaw_photo_forecast_bytes (int32_t width, int32_t height, int32_t n_objects,
                                                 bool with_updates);

/* Change the labels: all of them (NULL: to 0), n, or those of a brush: the pixels whose centre is
 * at most `radius` from the line between two points, in pixels from the photo's top left corner,
 * within ±1,000,000. Label 0 erases. Errors: INVALID, MEMORY; nothing has changed then. */
FRETSAW_API fretsaw_status fretsaw_photo_set_labels (fretsaw_photo *photo, const uint8_t *labels,
                                                     ptrdiff_t stride, fretsaw_error *error);
FRETSAW_API fretsaw_status fretsaw_photo_change_labels (fretsaw_photo *photo,
                                                        const fretsaw_label_change *changes,
                                                        size_t n, fretsaw_error *error);
FRETSAW_API fretsaw_status fretsaw_photo_paint (fretsaw_photo *photo, double x0, double y0,
                                                double x1, double y1, double radius, int32_t label,
                                                fretsaw_error *error);

/* NULL: no guess. The next update fits the model anew. */
FRETSAW_API fretsaw_status fretsaw_photo_set_guess (fretsaw_photo *photo,
                                                    const fretsaw_guess *guess,
                                                    fretsaw_error *error);

/* Cuts all objects together from the background while a stroke grows: exact, with the colours that
 * the last fit learnt, so that it costs what has changed. The first update, the first one after a
 * new guess, and the first with labels of a side, object or background, fit the model. The border
 * is not refined. Errors: INVALID where there are neither labels nor a guess; MEMORY, CANCELLED,
 * DEVICE, UNPROVEN. */
FRETSAW_API fretsaw_status fretsaw_photo_update (fretsaw_photo *photo,
                                                 const fretsaw_progress *progress,
                                                 fretsaw_solution *solution, fretsaw_error *error);

/* Cuts once a stroke has ended: fits the model, cuts, and refines the border. The result depends on
 * image, options, labels and guess alone. With one object it is exact, `solution` being that of the
 * last cut; with several it is a local minimum, each move of which is exact, and its bound is 0.
 * But where a guess has numbers all objects are cut together, as by update, and then told apart, as
 * by separate: without labels the result is the guess, its unknown pixels filled in. Errors: as
 * update.
 */
FRETSAW_API fretsaw_status fretsaw_photo_finish (fretsaw_photo *photo,
                                                 const fretsaw_progress *progress,
                                                 fretsaw_solution *solution, fretsaw_error *error);

/* Fast approximate mask of all objects together, 0 and 1, with the present labels and the model of
 * the last fit: coarse levels, and a band along the border; never exact. For a screen before an
 * update that takes long, as the first ones of a large photo do. It costs about the same each time,
 * while later updates cost what has changed, mostly less than that. Errors: as update. */
FRETSAW_API fretsaw_status fretsaw_photo_preview (fretsaw_photo *photo,
                                                  const fretsaw_progress *progress, uint8_t *mask,
                                                  ptrdiff_t stride, fretsaw_error *error);

/* Says which object each pixel of the last update's mask is of, as get_labels does by itself where
 * it is not known yet, but can be cancelled: an object's strokes own the components of the mask
 * that no other object has strokes in, and the others are divided by an energy of all objects, as
 * the program's window does once a stroke has ended. Where objects touch, that takes about as long
 * as a fit. Errors: INVALID before the first result; MEMORY, CANCELLED. */
FRETSAW_API fretsaw_status fretsaw_photo_separate (fretsaw_photo *photo,
                                                   const fretsaw_progress *progress,
                                                   fretsaw_error *error);

/* Copy the last result: its labels (1 background, 2, 3, … objects), or a mask (1 in any object,
 * else 0). Errors: INVALID before the first; MEMORY. */
FRETSAW_API fretsaw_status fretsaw_photo_get_labels (fretsaw_photo *photo, uint8_t *labels,
                                                     ptrdiff_t stride, fretsaw_error *error);
FRETSAW_API fretsaw_status fretsaw_photo_get_mask (fretsaw_photo *photo, uint8_t *mask,
                                                   ptrdiff_t stride, fretsaw_error *error);

#define FRETSAW_EDGE_HARD (-1)

/* The edge of a cut-out: alpha along the border, and the object's own colours there. */
typedef struct {
  size_t size;
  int32_t width;         /* of the soft border to each side, in pixels, up to 32; 0: measured
                            everywhere; FRETSAW_EDGE_HARD: alpha is the mask                 */
  int32_t shift;         /* of the border, in tenths of a pixel, outwards; −100 to 100       */
  int32_t contrast;      /* percent: 100 makes alpha 0 or 255                                */
  int32_t smooth;        /* the radius to which corners are rounded, in pixels, up to 20     */
  int32_t background;    /* percent of the background's colour that stays in soft pixels     */
  int32_t specks, holes; /* pieces and holes with so few pixels vanish; up to 100,000        */
  const uint8_t *zones;  /* a pixel each: 0, 1 hard, 2 hair, found by matting; or NULL       */
  ptrdiff_t zones_stride;
  bool keep_hidden; /* colours where alpha is 0 stay, else they become 0                */
} fretsaw_edge_options;

#define FRETSAW_EDGE_OPTIONS_INIT                                                                  \
  {                                                                                                \
    sizeof (fretsaw_edge_options), 0, 0, 0, 0, 0, 0, 0, NULL, 0, false                             \
  }

/* Writes the cut-out of the last result: FRETSAW_RGBA or FRETSAW_BGRA, or FRETSAW_GREY for alpha
 * alone. The stride is in bytes. Errors: INVALID, as where labels or guess have changed since that
 * result; MEMORY, CANCELLED. */
FRETSAW_API fretsaw_status fretsaw_photo_render (fretsaw_photo *photo,
                                                 const fretsaw_edge_options *options,
                                                 const fretsaw_progress *progress,
                                                 fretsaw_format format, uint8_t *pixels,
                                                 ptrdiff_t stride, fretsaw_error *error);

/* --- Graphs: minimum cuts of any network ---
 *
 * The energy of a grid over a list of edges: E(x) = Σ_v D_v(x_v) + Σ_{u→v} c_uv [x_u = 1, x_v = 0].
 * Edges may be parallel, reverse to one another, of no capacity, or loops.
 */

#define FRETSAW_GRAPH_NODES_MAX (1 << 24)
#define FRETSAW_GRAPH_EDGES_MAX (1 << 28)
#define FRETSAW_GRAPH_TLINK_MAX ((int64_t)1 << 37) /* |t| of a node */

typedef struct fretsaw_graph fretsaw_graph;

/* Capacities of from → to and of to → from, 0 … 2³¹ − 1. */
typedef struct {
  uint32_t from, to;
  int32_t capacity, back;
} fretsaw_graph_edge;

typedef struct {
  uint32_t node;
  int64_t tlink; /* its new t-link, in place of the old one */
} fretsaw_node_change;

typedef struct {
  uint32_t edge; /* its number, in the order in which edges were added */
  int32_t capacity, back;
} fretsaw_edge_change;

/* A graph of nodes 0 … n_nodes − 1, with t-links of 0 and no edges. Errors: INVALID, MEMORY. */
FRETSAW_API fretsaw_status fretsaw_graph_new (fretsaw_context *context, uint32_t n_nodes,
                                              fretsaw_graph **graph, fretsaw_error *error);
FRETSAW_API void fretsaw_graph_free (fretsaw_graph *graph);

/* Bytes that such a graph and its solves take on the CPU, at most, without those of a certificate's
 * check; 0 beyond the limits. */
FRETSAW_API size_t fretsaw_graph_forecast_bytes (uint32_t n_nodes, uint32_t n_edges);

/* Add n nodes, or edges, whose numbers follow those there are. After the first solve the next one
 * begins afresh, and there is no mask before it. Errors: INVALID, MEMORY; nothing has changed then.
 */
FRETSAW_API fretsaw_status fretsaw_graph_add_nodes (fretsaw_graph *graph, uint32_t n,
                                                    fretsaw_error *error);
FRETSAW_API fretsaw_status fretsaw_graph_add_edges (fretsaw_graph *graph,
                                                    const fretsaw_graph_edge *edges, size_t n,
                                                    fretsaw_error *error);
/* Threads: any. */
FRETSAW_API uint32_t fretsaw_graph_count_nodes (const fretsaw_graph *graph);
FRETSAW_API uint32_t fretsaw_graph_count_edges (const fretsaw_graph *graph);

/* Change n t-links, or the capacities of n edges; of doubles the last one counts. The flow is kept:
 * the search of the next solve costs what has changed. Errors: INVALID; nothing has changed then.
 */
FRETSAW_API fretsaw_status fretsaw_graph_change_tlinks (fretsaw_graph *graph,
                                                        const fretsaw_node_change *changes,
                                                        size_t n, fretsaw_error *error);
FRETSAW_API fretsaw_status fretsaw_graph_change_edges (fretsaw_graph *graph,
                                                       const fretsaw_edge_change *changes, size_t n,
                                                       fretsaw_error *error);

/* As of grids. A mask has a byte for each node. */
FRETSAW_API fretsaw_status fretsaw_graph_solve (fretsaw_graph *graph,
                                                const fretsaw_progress *progress,
                                                fretsaw_solution *solution, fretsaw_error *error);
FRETSAW_API fretsaw_status fretsaw_graph_get_mask (fretsaw_graph *graph, uint8_t *mask,
                                                   fretsaw_error *error);
FRETSAW_API fretsaw_status fretsaw_graph_certify (fretsaw_graph *graph,
                                                  fretsaw_certificate *certificate,
                                                  fretsaw_error *error);

/* Read a maximum-flow problem in the DIMACS format (1990) from memory or from a stream to its end,
 * which stays open. Nodes are the file's, less 1. Edges are its arcs in their order, an arc and its
 * reverse in the next line being one, without those of the terminals, which become t-links. Energy
 * and bound of a solution are the maximum flow. A text that needs more than max_bytes is refused;
 * 0: no such limit. Errors: FORMAT and INVALID, with the line; MEMORY, READ. */
FRETSAW_API fretsaw_status fretsaw_graph_read_dimacs (fretsaw_context *context, const char *text,
                                                      size_t n_bytes, size_t max_bytes,
                                                      fretsaw_graph **graph, fretsaw_error *error);
FRETSAW_API fretsaw_status fretsaw_graph_read_dimacs_file (fretsaw_context *context, FILE *file,
                                                           size_t max_bytes, fretsaw_graph **graph,
                                                           fretsaw_error *error);

/* --- Expansions: energies of many labels ---
 *
 *   E(f) = Σ_p D_p(f_p) + Σ_{pq} w_pq V(f_p, f_q)
 *
 * over a grid, each pair of neighbours once, by expansion moves (Boykov, Veksler & Zabih 2001),
 * each an exact minimum cut. Where V is a metric the end is a local minimum with respect to every
 * expansion; else terms are truncated, the energy still never rises, and the result says so.
 */

#define FRETSAW_LABELS_MAX    256
#define FRETSAW_DATA_COST_MAX 100000000 /* D: 0 up to this                */
#define FRETSAW_PAIR_COST_MAX 10000000  /* w·V: 0 up to this              */

typedef enum {
  FRETSAW_POTTS,               /* V = scale where labels differ                      */
  FRETSAW_TRUNCATED_LINEAR,    /* V = scale · min (|a − b|, truncation)              */
  FRETSAW_TRUNCATED_QUADRATIC, /* V = scale · min ((a − b)², truncation)             */
  FRETSAW_PAIR_TABLE,          /* V = table[a · n_labels + b], of any shape, not negative */
  FRETSAW_PAIR_FUNCTION        /* w·V = pair_cost (pixel, direction, a, b, pair_data)     */
} fretsaw_pair_kind;

/* The cost of label a at a pixel and b at its neighbour in a direction: always the same, and 0 to
 * pair_cost_max. Called on the calling thread, by _run several times for each pair and move. */
typedef int32_t (*fretsaw_pair_function) (uint32_t pixel, int32_t direction, int32_t a, int32_t b,
                                          void *data);

typedef struct {
  size_t size;
  int32_t width, height;
  int32_t neighbours;   /* 4 or 8; 0: 4                                               */
  int32_t n_labels;     /* 1 … FRETSAW_LABELS_MAX                                     */
  const int32_t *data;  /* data[label · W·H + y · W + x]                              */
  bool labels_last;     /* data[(y · W + x) · n_labels + label] instead               */
  bool borrow;          /* data is borrowed, and may be changed (fretsaw_expansion_note_data);
                           not with labels_last                                       */
  int32_t pair;         /* fretsaw_pair_kind                                          */
  int32_t scale;        /* 0: 1                                                       */
  int32_t truncation;   /* 0: none                                                    */
  const int32_t *table; /* of FRETSAW_PAIR_TABLE                                      */
  /* weight[d][y · W + x] of a pixel and its neighbour in direction d; all NULL: 1. Those that leave
   * the grid are ignored, but w·V has its limit there, too. */
  const uint16_t *weight[4];
  int32_t max_cycles; /* over all labels; 0: until nothing changes                  */
  bool coarse_first;  /* first cycles over few of many ordered labels: faster, as for stereo */
  bool low_memory;    /* no flow is kept from cycle to cycle: slower, the same labels */
  bool verify;        /* check every certificate; one that fails is FRETSAW_UNPROVEN  */
  fretsaw_pair_function pair_cost; /* of FRETSAW_PAIR_FUNCTION, without weights              */
  void *pair_data;
  int32_t pair_cost_max; /* up to FRETSAW_PAIR_COST_MAX                               */
  uint32_t shuffle;      /* 0: labels are tried in their order; else each cycle draws another,
                            always the same ones from this number                     */
  const uint8_t *order;  /* all n_labels labels, each once; NULL: 0, 1, 2, …          */
  /* present[y · W + x], 0: the pixel and its pairs cost nothing, and its label never changes; NULL:
   * all are present. */
  const uint8_t *present;
} fretsaw_expansion_options;

#define FRETSAW_EXPANSION_OPTIONS_INIT                                                             \
  {                                                                                                \
    sizeof (fretsaw_expansion_options), 0, 0, 0, 0, NULL, false, false, FRETSAW_POTTS, 0, 0, NULL, \
        { NULL, NULL, NULL, NULL }, 0, false, false, false, NULL, NULL, 0, 0, NULL, NULL           \
  }

typedef struct {
  size_t size;
  int64_t energy, data, smoothness; /* energy = data + smoothness                   */
  bool converged;                   /* no move changes anything                     */
  int32_t n_cycles;
  int64_t n_moves;
  bool truncated; /* terms were, since V is no metric: the end may be no local minimum */
} fretsaw_labelling;

#define FRETSAW_LABELLING_INIT                                                                     \
  {                                                                                                \
    sizeof (fretsaw_labelling), 0, 0, 0, false, 0, 0, false                                        \
  }

typedef struct fretsaw_expansion fretsaw_expansion;

/* Checks all costs, O(N · labels). Errors: INVALID, MEMORY. */
FRETSAW_API fretsaw_status fretsaw_expansion_new (fretsaw_context *context,
                                                  const fretsaw_expansion_options *options,
                                                  fretsaw_expansion **expansion,
                                                  fretsaw_error *error);
FRETSAW_API void fretsaw_expansion_free (fretsaw_expansion *expansion);

/* Bytes that it takes on the CPU, about; 0 for sizes that none can have. */
FRETSAW_API size_t fretsaw_expansion_forecast_bytes (const fretsaw_expansion_options *options);

/* Sets the data costs of n pixels, costs[i · n_labels + label]; the next run costs what has
 * changed. Of borrowed data, says that those of n pixels have been changed by their owner. Errors:
 * INVALID; nothing has changed then. */
FRETSAW_API fretsaw_status fretsaw_expansion_change_data (fretsaw_expansion *expansion,
                                                          const uint32_t *pixels, size_t n,
                                                          const int32_t *costs,
                                                          fretsaw_error *error);
FRETSAW_API fretsaw_status fretsaw_expansion_note_data (fretsaw_expansion *expansion,
                                                        const uint32_t *pixels, size_t n,
                                                        fretsaw_error *error);

/* Computes labels to begin with by dual ascent along scanlines: better than the cheapest label of
 * each pixel. `bound`, which may be NULL, is a lower bound of every labelling's energy. Once,
 * before the first run, with 4 neighbours alone. Errors: INVALID, MEMORY. */
FRETSAW_API fretsaw_status fretsaw_expansion_start (fretsaw_expansion *expansion, uint8_t *labels,
                                                    int64_t *bound, fretsaw_error *error);

/* E of any labels, the sum of both parts, with the present costs. Errors: INVALID. */
FRETSAW_API fretsaw_status fretsaw_expansion_get_energy (fretsaw_expansion *expansion,
                                                         const uint8_t *labels, int64_t *data,
                                                         int64_t *smoothness, fretsaw_error *error);

/* Goes on from `labels`, [y · W + x], all of which are below n_labels (0, the last run's, or those
 * of _start), until no move changes them. May be called again. Errors: INVALID, MEMORY, CANCELLED,
 * DEVICE, UNPROVEN; the labels are then those of the last whole move. */
FRETSAW_API fretsaw_status fretsaw_expansion_run (fretsaw_expansion *expansion, uint8_t *labels,
                                                  const fretsaw_progress *progress,
                                                  fretsaw_labelling *labelling,
                                                  fretsaw_error *error);

#ifdef __cplusplus
}
#endif

#endif
