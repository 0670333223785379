/* SPDX-License-Identifier: MIT */
/* C++: a disc on a plain ground, painted with two strokes, is cut out.
 *
 * Build it with
 *   c++ -std=c++17 cut_disc.cpp $(pkg-config --cflags --libs fretsaw) -o cut_disc
 * or with CMake, by the CMakeLists.txt beside it.
 */
#include <fretsaw.hpp>
#include <iostream>

int
main ()
{
  constexpr int width = 40, height = 20;
  std::vector<uint8_t> rgb (3 * width * height);
  for (int y = 0; y < height; y++)
    for (int x = 0; x < width; x++) {
      const bool is_inside = (x - 20) * (x - 20) + 4 * (y - 10) * (y - 10) < 200;
      uint8_t *pixel = &rgb[3 * static_cast<size_t> (y * width + x)];
      pixel[0] = is_inside ? 220 : 40;
      pixel[1] = 100;
      pixel[2] = is_inside ? 30 : 160;
    }
  fretsaw_image image = FRETSAW_IMAGE_INIT;
  image.width = width;
  image.height = height;
  image.pixels = rgb.data ();

  try {
    fretsaw::photo photo (image);
    photo.paint (17, 10, 23, 10, 1, 2); /* object     */
    photo.paint (1, 1, 38, 1, 1, 1);    /* background */
    const fretsaw_solution solution = photo.finish ();
    const std::vector<uint8_t> labels = photo.labels ();
    for (int y = 0; y < height; y++) {
      for (int x = 0; x < width; x++)
        std::cout << (labels[static_cast<size_t> (y * width + x)] > 1 ? '#' : '.');
      std::cout << '\n';
    }
    std::cout << (solution.exact ? "exact" : "not exact") << '\n';
    photo.paint (0, 0, 1, 1, -1, 2);
  } catch (const fretsaw::error &failure) {
    std::cout << failure.what () << '\n';
    return failure.status () == FRETSAW_INVALID ? 0 : 1;
  }
  return 1;
}
