#!/bin/sh
# SPDX-License-Identifier: MIT
# One task of a Slurm job array: cuts one shard of the photos (docs/many-machines.md).
#
#   sbatch --array=1-8 --cpus-per-task=4 fretsaw-slurm.sh PHOTOS… --out FOLDER [OPTION…]
#
# All tasks of an array, or an array of the same size that is submitted again after a machine was
# lost, write the same folders. With --gres=gpu:1 Slurm gives each task a graphics processor.
#SBATCH --job-name=fretsaw
#SBATCH --requeue
set -eu

# An array of some tasks alone (--array=3,5) has to say how many shards there are: SHARDS=8.
shards=${SHARDS:-$SLURM_ARRAY_TASK_MAX}
exec "${FRETSAW:-fretsaw}" cut "$@" --shard "$SLURM_ARRAY_TASK_ID/$shards" --jobs "${SLURM_CPUS_PER_TASK:-1}"
