// Texts that kernels/make.sh makes.
#pragma once

#include <string>

#include "common/base/file.h"
#include "gtest/gtest.h"
#include "worker/ptx/ptx_reader.h"
#include "worker/ptx/value_graph.h"

namespace tune::testing {

inline std::string GoldenText(const std::string& name) {
  absl::StatusOr<std::string> text =
      ReadFile(std::string(TUNE_SOURCE_DIR) + "/tests/worker/ptx/kernels/" + name);
  EXPECT_TRUE(text.ok()) << text.status();
  return text.value_or("");
}

inline PtxModule GoldenModule(const std::string& name) {
  absl::StatusOr<PtxModule> module = ReadPtx(GoldenText(name));
  EXPECT_TRUE(module.ok()) << module.status();
  return module.ok() ? *std::move(module) : PtxModule();
}

inline PtxLaunch Launch(int64_t blocks, int64_t threads, std::vector<std::optional<int64_t>> parameters) {
  PtxLaunch launch;
  launch.grid[0] = blocks;
  launch.block[0] = threads;
  launch.parameters = std::move(parameters);
  return launch;
}

// A module with the kernel `k` of parameters p0 and p1, both of 32 bits, of these instructions.
inline PtxModule KernelOf(const std::string& instructions) {
  absl::StatusOr<PtxModule> module = ReadPtx(
      ".version 9.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u32 p0, .param .u32 p1) {\n" +
      instructions + "}\n");
  EXPECT_TRUE(module.ok()) << module.status();
  return module.ok() ? *std::move(module) : PtxModule();
}

}  // namespace tune::testing
