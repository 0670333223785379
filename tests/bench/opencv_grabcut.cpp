/* SPDX-License-Identifier: MIT */
#include "tests/bench/opencv_grabcut.h"

#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

#include <cstring>

int
bench_opencv_write (const char *path, const uint32_t *pixels, int width, int height)
{
  cv::Mat bgra (height, width, CV_8UC4, const_cast<uint32_t *> (pixels));
  cv::Mat bgr;
  cv::cvtColor (bgra, bgr, cv::COLOR_BGRA2BGR);
  return cv::imwrite (path, bgr, { cv::IMWRITE_JPEG_QUALITY, 92 });
}

int
bench_opencv_write_seeds (const char *path, const uint8_t *labels, int width, int height)
{
  return cv::imwrite (path, cv::Mat (height, width, CV_8UC1, const_cast<uint8_t *> (labels)));
}

int
bench_opencv_grabcut (const char *photo, const char *seeds, const char *mask)
{
  cv::setNumThreads (1);
  cv::Mat bgr = cv::imread (photo, cv::IMREAD_COLOR);
  cv::Mat labels = cv::imread (seeds, cv::IMREAD_GRAYSCALE);
  if (bgr.empty () || labels.empty ())
    return 0;
  cv::Mat state (bgr.size (), CV_8UC1, cv::Scalar (cv::GC_PR_BGD));
  state.setTo (cv::GC_BGD, labels == 1);
  state.setTo (cv::GC_FGD, labels == 2);
  cv::Mat background, foreground;
  cv::grabCut (bgr, state, cv::Rect (), background, foreground, 1, cv::GC_INIT_WITH_MASK);
  cv::Mat out = (state == cv::GC_FGD) | (state == cv::GC_PR_FGD);
  return cv::imwrite (mask, out);
}
