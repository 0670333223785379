# SPDX-License-Identifier: MIT
"""What the driver says of the first CUDA device; needs no CUDA library but the driver's own."""

import ctypes
import os
import shutil
import subprocess

COMPUTE_MAJOR, COMPUTE_MINOR, PROCESSORS = 75, 76, 16  # CUdevice_attribute


class NoDevice(Exception):
  pass


def _call(driver, name, *arguments):
  code = getattr(driver, name)(*arguments)
  if code != 0:
    text = ctypes.c_char_p()
    driver.cuGetErrorString(code, ctypes.byref(text))
    raise NoDevice((text.value or b"error %d" % code).decode())


def _number(driver, name, *arguments):
  value = ctypes.c_int()
  _call(driver, name, ctypes.byref(value), *arguments)
  return value.value


def find():
  """{name, compute, processors, memory_gib, cuda}; raises NoDevice with the reason."""
  try:
    driver = ctypes.CDLL("libcuda.so.1")
  except OSError:
    raise NoDevice("there is no CUDA driver") from None
  _call(driver, "cuInit", 0)
  if _number(driver, "cuDeviceGetCount") == 0:
    raise NoDevice("there is no CUDA device")
  device = _number(driver, "cuDeviceGet", 0)
  name = ctypes.create_string_buffer(128)
  _call(driver, "cuDeviceGetName", name, len(name), device)
  memory = ctypes.c_size_t()
  _call(driver, "cuDeviceTotalMem_v2", ctypes.byref(memory), device)
  version = _number(driver, "cuDriverGetVersion")
  compute = [_number(driver, "cuDeviceGetAttribute", which, device) for which in (COMPUTE_MAJOR, COMPUTE_MINOR)]
  return {"name": name.value.decode(), "compute": "{}.{}".format(*compute),
          "processors": _number(driver, "cuDeviceGetAttribute", PROCESSORS, device),
          "memory_gib": round(memory.value / 2**30), "cuda": f"{version // 1000}.{version % 1000 // 10}",
          "driver": _driver_version()}


def _driver_version():
  program = tool("nvidia-smi")
  if program is None:
    return None
  run = subprocess.run([program, "--query-gpu=driver_version", "--format=csv,noheader"], capture_output=True,
                       text=True, timeout=20, check=False)
  return run.stdout.split("\n")[0].strip() or None


def tool(name):
  """A program of the driver or of the CUDA toolkit; None where it is not installed."""
  beside = os.path.join("/usr/local/cuda/bin", name)
  return shutil.which(name) or (beside if os.access(beside, os.X_OK) else None)
