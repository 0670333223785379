/* SPDX-License-Identifier: MIT */
/* A fitter without a thread, in place of the program's: a fit ends when the test says so. */
#ifndef FS_TESTS_APP_HELD_FITTER_H
#define FS_TESTS_APP_HELD_FITTER_H

#include "app/live/fitter.h"

/* Fits the running one's models, and makes its preview where the cut wants one. Nothing where no
 * fit runs, or it has been cancelled. */
void held_fitter_preview (FsFitter *fitter);
/* Ends the running fit; `lacks_memory`: by failing. */
void held_fitter_end (FsFitter *fitter, gboolean lacks_memory);

#endif
