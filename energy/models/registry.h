/* SPDX-License-Identifier: MIT */
/* Table of the models.   Layer: energy.
 *
 * Threads: any.
 */
#ifndef FS_ENERGY_MODELS_REGISTRY_H
#define FS_ENERGY_MODELS_REGISTRY_H

#include "energy/image/settings.h"
#include "energy/terms/model_class.h"

G_BEGIN_DECLS

/* The class of a model. Static storage. */
const FsModelClass *fs_model_class (FsModelKind kind);

G_END_DECLS

#endif
