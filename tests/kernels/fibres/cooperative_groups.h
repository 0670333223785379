/* SPDX-License-Identifier: MIT */
#include "tests/kernels/fibres/device.h"
