/* SPDX-License-Identifier: MIT */
/* Loops that gain by wider vectors.   Layer: energy.
 *
 * FS_TARGET_CLONES before a function: it is compiled for AVX2 too, and the dynamic linker takes
 * what the processor can run. Both compute the same to the bit: without FMA, and without other
 * rules for floating point, only the number of lanes differs. A call cannot be inlined, so it
 * stands before loops over rows, and of static functions alone: what clang makes of others no other
 * file finds. Where the compiler or the C library has no such choice there is one version, and so
 * under sanitizers: their runtimes are not up yet when the linker chooses. */
#ifndef FS_ENERGY_IMAGE_TARGET_CLONES_H
#define FS_ENERGY_IMAGE_TARGET_CLONES_H

#ifdef FS_WITH_TARGET_CLONES
#define FS_TARGET_CLONES __attribute__ ((target_clones ("avx2", "default")))
#else
#define FS_TARGET_CLONES
#endif

#endif
