#!/bin/sh
# SPDX-License-Identifier: MIT
# Cuts the photos in shards by GNU parallel, on this machine or on several (docs/many-machines.md).
#
#   SHARDS=8 fretsaw-parallel.sh PHOTOS… --out FOLDER [OPTION…]
#   SHARDS=8 PARALLEL='--sshloginfile hosts' fretsaw-parallel.sh PHOTOS… --out FOLDER [OPTION…]
#
# A shard that fails, or whose machine is lost, is tried again, twice. The status is the number of
# shards that failed in the end, photos that cannot be cut included.
set -eu

seq "${SHARDS:?the number of shards}" |
  parallel --quote --retries 3 --workdir "$PWD" "${FRETSAW:-fretsaw}" cut "$@" --shard "{}/$SHARDS"
