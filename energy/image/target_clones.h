/* SPDX-License-Identifier: MIT */
/* Function clones: loops compiled for AVX2, too.   Layer: energy.
 *
 * A function with FS_TARGET_CLONES has two versions, and the dynamic linker selects the one that
 * the processor can run. Both compute the same bits: there is no FMA and no other floating-point
 * mode, only the number of lanes differs. Such a call cannot be inlined, so the mark belongs before
 * loops over rows. Only static functions may have it: clang's symbols of others are not found from
 * other files. There is one version where compiler or C library lack the feature, and under
 * sanitizers, whose runtimes are not initialised when the linker selects. */
#ifndef FS_ENERGY_IMAGE_TARGET_CLONES_H
#define FS_ENERGY_IMAGE_TARGET_CLONES_H

#ifdef FS_WITH_TARGET_CLONES
#define FS_TARGET_CLONES __attribute__ ((target_clones ("avx2", "default")))
#else
#define FS_TARGET_CLONES
#endif

#endif
