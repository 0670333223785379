/* SPDX-License-Identifier: MIT */
/* Edits of a live cut and of its document, and the state of their mask.   Layer: app.
 *
 * Threads: plain data.
 */
#ifndef FS_APP_LIVE_LIVE_TYPES_H
#define FS_APP_LIVE_LIVE_TYPES_H

#include "app/strokes/stroke.h"
#include "energy/guess/guess.h"
#include "energy/image/settings.h"
#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  FS_EDIT_BEGIN,  /* shape, label, radius_px, after */
  FS_EDIT_EXTEND, /* samples, n_samples            */
  FS_EDIT_END,    /* shape */
  FS_EDIT_CANCEL,
  FS_EDIT_UNDO,
  FS_EDIT_REDO,
  FS_EDIT_SETTINGS, /* settings                      */
  FS_EDIT_GUESS,    /* guess                         */
} FsEditKind;

/* TRUE for edits that make a running solve pointless: others only add to it. */
static inline gboolean
fs_edit_overtakes (FsEditKind kind)
{
  return kind == FS_EDIT_UNDO || kind == FS_EDIT_REDO || kind == FS_EDIT_CANCEL
         || kind == FS_EDIT_SETTINGS || kind == FS_EDIT_GUESS;
}

typedef struct {
  FsEditKind kind;
  FsStrokeShape shape;
  uint8_t label;
  float radius_px;
  const FsSample *samples; /* copied by fs_live_post */
  guint n_samples;
  guint after; /* fs_history_begin_after: a state whose final mask was saved (FsLiveState) */
  FsSettings settings;
  FsGuess *guess; /* or NULL; fs_live_post takes a reference */
} FsEdit;

typedef struct {
  guint64 generation; /* number of edits that the mask holds                       */
  gboolean has_mask;  /* there are seeds, or a guess                                */
  gboolean exact;
  gboolean is_final; /* colour models and mask are those of this generation's seeds */
  gboolean saved;    /* final, and later strokes may have it as their previous mask (stability) */
  gboolean filtered; /* by the locality filter: each final mask whose stroke has a previous mask */
  gboolean refined;  /* after border refinement: whenever final, where the settings ask for it */
  int64_t energy;    /* of exact masks */
  int64_t bound;     /* of exact masks */
  guint64 models_generation; /* the seeds of that generation are what the models were fitted to */
  gint64 solve_us;           /* the last solve                                            */
  gint64 cut_us;             /* all solves since the fit that the mask is of              */
  gint64 model_us;           /* that fit                                                  */
  gint64 energy_us;          /* n-links, once, and that fit's t-links                     */
  gint64 oldest_edit_us;     /* g_get_monotonic_time() of the oldest edit that is new in it */
  guint64 failed_at; /* with an error: the generation that it came of; newer edits try again */
  const char *backend;
  const char *device;
} FsLiveState;

/* Edits that a journal records. A stroke counts when it has ended. */
typedef enum {
  FS_DOCUMENT_STROKE,
  FS_DOCUMENT_UNDO,
  FS_DOCUMENT_REDO,
  FS_DOCUMENT_SETTINGS,
  FS_DOCUMENT_GUESS, /* set, replaced or dismissed */
  /* A zone of the edge, or a change of its settings (document_edge.h); or one that replaces the
   * newest change of settings. */
  FS_DOCUMENT_EDGE,
  FS_DOCUMENT_EDGE_AGAIN,
} FsDocumentEdit;

typedef struct {
  guint64 generation;        /* of the newest mask                                           */
  gboolean has_mask;         /* a seed or a guess, and a mask for it                         */
  gboolean exact;            /* its certificate holds: energy == bound                        */
  gboolean is_final;         /* no edit waits: the mask is that of the present strokes        */
  int64_t energy;            /* of the mask shown, if exact                                   */
  int64_t bound;             /* value of the flow                                             */
  guint64 models_generation; /* whose seeds the colour models were fitted to */
  gboolean filtered;         /* as FsLiveState has it */
  gboolean refined;          /* as FsLiveState has it */
  gint64 solve_us;           /* time of the last solve                                        */
  gint64 cut_us;             /* time of all solves since the fit that the mask is of */
  gint64 model_us;           /* time of that fit                                      */
  gint64 energy_us;          /* time of the n-links, once, and of that fit's t-links  */
  gint64 latency_us;         /* from the oldest edit that it is the first to hold             */
  gint64 edit_us;            /* when that edit was made (monotonic); 0: there is none         */
  const char *backend;       /* "cpu"                                                         */
  const char *device;        /* "CPU, …"                                                      */
} FsDocumentStatus;

G_END_DECLS

#endif
