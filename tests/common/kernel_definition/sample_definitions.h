// Definitions that tests begin with.
#pragma once

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include <string>

#include "tune/v1/kernel.pb.h"

namespace tune::testing {

// A convolution of an image in tiles, whose block and tile are macros.
inline constexpr char kConvolution[] = R"pb(
  language: KERNEL_LANGUAGE_CUDA
  file: "convolution.cu"
  kernels {
    name: "convolve"
    block: "block_x"
    block: "block_y"
    grid: "ceil(n / (block_x * tile))"
    grid: "ceil(m / block_y)"
  }
  parameters {
    name: "block_x"
    values { integer: 16 }
    values { integer: 32 }
    values { integer: 64 }
    default_value { integer: 32 }
  }
  parameters {
    name: "block_y"
    values { integer: 1 }
    values { integer: 4 }
    values { integer: 32 }
  }
  parameters {
    name: "tile"
    values { integer: 1 }
    values { integer: 2 }
    values { integer: 4 }
    default_value { integer: 2 }
  }
  constraints: "block_x * block_y <= 1024"
  problem { name: "n" size: "4096" }
  problem { name: "m" size: "n // 2" }
  arguments { name: "out" type: NUMBER_FLOAT count: "n * m" access: ARGUMENT_WRITE }
  arguments {
    name: "in"
    type: NUMBER_FLOAT
    count: "(n + max(tile)) * m"
    access: ARGUMENT_READ
    fill { random {} }
  }
  arguments {
    name: "filter"
    type: NUMBER_FLOAT
    count: "25"
    memory: ARGUMENT_SYMBOL
    fill { constant: "0.04" }
  }
  arguments {
    name: "width"
    type: NUMBER_INT32
    fill { constant: "n" }
  }
)pb";

inline v1::KernelDefinition Definition(const std::string& text = kConvolution) {
  v1::KernelDefinition definition;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &definition));
  return definition;
}

// The convolution with more of it.
inline v1::KernelDefinition ConvolutionWith(const std::string& text) {
  v1::KernelDefinition definition = Definition();
  EXPECT_TRUE(google::protobuf::TextFormat::MergeFromString(text, &definition));
  return definition;
}

}  // namespace tune::testing
