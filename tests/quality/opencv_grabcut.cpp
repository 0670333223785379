/* SPDX-License-Identifier: MIT */
#include "tests/quality/opencv_grabcut.h"

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

void
quality_opencv_grabcut (const uint32_t *pixels, const uint8_t *state, int width, int height,
                        const int crop[4], int n_iterations, uint8_t *mask)
{
  cv::setNumThreads (1);
  cv::theRNG ().state = 1;
  cv::Rect part (crop[0], crop[1], crop[2] - crop[0], crop[3] - crop[1]);
  cv::Mat bgra (height, width, CV_8UC4, const_cast<uint32_t *> (pixels));
  cv::Mat all_states (height, width, CV_8UC1, const_cast<uint8_t *> (state));
  cv::Mat out (height, width, CV_8UC1, mask);

  cv::Mat bgr, states = all_states (part).clone (), background, object;
  cv::cvtColor (bgra (part), bgr, cv::COLOR_BGRA2BGR);
  int n_object = cv::countNonZero (states & 1);
  if (n_object > 0 && n_object < (int)states.total ())
    cv::grabCut (bgr, states, cv::Rect (), background, object, n_iterations, cv::GC_INIT_WITH_MASK);
  cv::Mat (states & 1).copyTo (out (part));
}
