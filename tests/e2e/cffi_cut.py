#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""cffi_cut.py LIBRARY <DECLARATIONS: a grid is cut through the library by cffi, which compiles nothing. For an interpreter that has cffi."""

import sys

import cffi

ffi = cffi.FFI()
ffi.cdef(sys.stdin.read())
library = ffi.dlopen(sys.argv[1])


def check(status, error):
  if status != library.FRETSAW_OK:
    raise RuntimeError(ffi.string(error.text).decode())


error = ffi.new("fretsaw_error *")
tlink = ffi.new("int32_t[]", [9, -2, 1, -7])
nlink = ffi.new("uint16_t[]", [3, 3, 3, 3])
options = ffi.new("fretsaw_grid_options *", {"size": ffi.sizeof("fretsaw_grid_options"), "width": 4, "height": 1, "tlink": tlink})
options.nlink[library.FRETSAW_EAST] = options.nlink[library.FRETSAW_SOUTH] = nlink
made = ffi.new("fretsaw_grid **")
check(library.fretsaw_grid_new(ffi.NULL, options, made, error), error)
grid = ffi.gc(made[0], library.fretsaw_grid_free)

reports = []


@ffi.callback("void (double, void *)")
def report(fraction, _data):
  reports.append(fraction)


progress = ffi.new("fretsaw_progress *", {"size": ffi.sizeof("fretsaw_progress"), "report": report})
solution = ffi.new("fretsaw_solution *", {"size": ffi.sizeof("fretsaw_solution")})
check(library.fretsaw_grid_solve(grid, progress, solution, error), error)
mask = ffi.new("uint8_t[4]")
check(library.fretsaw_grid_get_mask(grid, mask, 0, error), error)
print("energy", solution.energy, "exact" if solution.exact else "not exact", "mask", list(mask))

change = ffi.new("fretsaw_tlink_change[]", [{"pixel": 4, "tlink": 0}])
status = library.fretsaw_grid_change_tlinks(grid, change, 1, error)
print(ffi.string(library.fretsaw_status_text(status)).decode() + ":", ffi.string(error.text).decode())
