/* SPDX-License-Identifier: MIT */
/* Geodesic field: distances of all cells of a level from sources, with updates.   Layer: energy.
 *
 * For each cell a field has the cost of the cheapest path to a source of its kind, by the costs of
 * one μ and, where a potential P is given, |P_p − P_q| more for each edge. Distances are integers,
 * hence unique: after any history of updates a field has the same bits as after a fresh
 * computation. The shortest-path *tree* is not stored; star.h derives parents from the final
 * distances.
 *
 * Sources: buckets instead of a heap (Dial 1969); buckets as wide as the cheapest edge, within
 * which no order is needed (Denardo & Fox 1979); repair after the loss of sources in two passes,
 * first the cells whose paths led to them, then their frontier (Ramalingam & Reps 1996, for
 * positive costs).
 *
 * Memory: 5 bytes a cell, and the queue, whose memory is reused. Threads: one at a time per field;
 * fields that share level and sources may be computed by different threads.
 */
#ifndef FS_ENERGY_GEODESIC_FIELD_H
#define FS_ENERGY_GEODESIC_FIELD_H

#include "energy/geodesic/level.h"

G_BEGIN_DECLS

/* The largest potential; its unit is FS_GEODESIC_UNIT, so 20·|ΔP| with P in [0, 1]
 * fits exactly. */
#define FS_GEODESIC_POTENTIAL_MAX (20 * FS_GEODESIC_UNIT)
/* The distance cap of an update without a limit. */
#define FS_GEODESIC_NO_CAP FS_GEODESIC_FAR

typedef struct _FsGeodesicField FsGeodesicField;

/* A field without sources: FS_GEODESIC_FAR everywhere. `source_bit`: the bit of a sources plane
 * (FS_CELL_…) that makes a cell a source. Paths have 8 neighbours, or 4. Takes a reference to the
 * level. NULL where memory is short. */
FsGeodesicField *fs_geodesic_field_new (FsGeodesicLevel *level, FsGeodesicMu mu,
                                        FsNeighbours neighbours, uint8_t source_bit);
void fs_geodesic_field_free (FsGeodesicField *field);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (FsGeodesicField, fs_geodesic_field_free)

/* The distances: a cell plane, owned by the field, at the same address for its whole life. */
const int32_t *fs_geodesic_field_get_distances (const FsGeodesicField *field);

/* Computes every distance afresh. `bits`: a sources plane. `potential`: a cell plane of values up
 * to FS_GEODESIC_POTENTIAL_MAX, or NULL; borrowed, and not to be changed, until the next call of
 * this function. Cost O(cells). */
void fs_geodesic_field_compute (FsGeodesicField *field, const uint8_t *bits,
                                const uint16_t *potential);

/* Updates the distances after a change of the sources: `cells` has every cell whose bits have
 * changed since the last call (others and repetitions do no harm). Cost: the cells whose distance
 * changes.
 *
 * `distance_cap` limits what an update may touch, for use while a stroke grows: a cell gets a new
 * distance only if that is at most `distance_cap`; the others keep the old one until
 * fs_geodesic_field_finish. An update that loses sources is not limited, and makes up for what
 * earlier ones have left.
 *
 * Appends each cell whose distance has changed to `changed` once (may be NULL). */
void fs_geodesic_field_update (FsGeodesicField *field, const uint8_t *bits, const uint32_t *cells,
                               size_t n, int32_t distance_cap, FsCellList *changed);

/* The same, limited in cost: about max_cells cells become final, the nearest to a source first; the
 * next update of this kind goes on with the others. In between every distance is the length of some
 * path, through a neighbour that is nearer. Returns TRUE if no cell is left; SIZE_MAX leaves none.
 */
gboolean fs_geodesic_field_update_some (FsGeodesicField *field, const uint8_t *bits,
                                        const uint32_t *cells, size_t n, size_t max_cells,
                                        FsCellList *changed);

/* Completes limited updates: afterwards the field is that of a fresh computation. Appends as above.
 * Cost: the cells that had been left. */
void fs_geodesic_field_finish (FsGeodesicField *field, FsCellList *changed);

G_END_DECLS

#endif
