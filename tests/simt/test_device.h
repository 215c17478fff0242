// A simulated device for tests: one text, arrays, launches.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_replace.h"
#include "tests/simt/simulator.h"

namespace tune::simt {

struct Shape {
  unsigned x = 1, y = 1, z = 1;
};

// One kernel, for the argument of TestDevice.
inline std::vector<Kernel> Cooperative(const std::string& name = "f", int64_t dynamic_shared_bytes = 0) {
  return {{name, dynamic_shared_bytes, true}};
}

class TestDevice {
 public:
  // `text` without `extern "C" __global__ void`, which KERNEL stands for.
  explicit TestDevice(const std::string& text, const std::vector<Kernel>& kernels = {{"f"}}) {
    auto simulator =
        Simulator::Compile(absl::StrReplaceAll(text, {{"KERNEL", "extern \"C\" __global__ void"}}), kernels);
    simulator_ = std::move(simulator).value();  // ends the test when there is none
  }

  Simulator& simulator() { return *simulator_; }

  // Device memory, 0, 1, 2, ... An array lies at least 256 bytes away from others.
  template <class T>
  T* Array(const std::string& name, size_t count, Simulator::Content content = Simulator::Content::kDefined) {
    constexpr size_t kGap = 256;
    memory_.emplace_back(count * sizeof(T) + 2 * kGap);
    T* array = reinterpret_cast<T*>(memory_.back().data() + kGap);
    for (size_t i = 0; i < count; ++i) array[i] = static_cast<T>(i);
    EXPECT_EQ(simulator_->AddMemory(name, array, count * sizeof(T), content), absl::OkStatus());
    return array;
  }

  // Kernel 0, with its dynamic shared memory, cooperative or not.
  template <class... P>
  absl::Status Run(Shape grid, Shape block, P... parameters) {
    return RunKernel(0, grid, block, parameters...);
  }

  template <class... P>
  absl::Status RunKernel(int kernel, Shape grid, Shape block, P... parameters) {
    void* arguments[] = {static_cast<void*>(&parameters)..., nullptr};
    const Simulator::Launch launch = {kernel,
                                      {grid.x, grid.y, grid.z},
                                      {block.x, block.y, block.z},
                                      simulator_->kernels()[kernel].dynamic_shared_bytes,
                                      arguments,
                                      simulator_->kernels()[kernel].cooperative};
    return simulator_->Run(launch, seed_++);
  }

  // Expects a fault with `message` for each of several orders of blocks and threads.
  template <class... P>
  void ExpectFault(const std::string& message, Shape grid, Shape block, P... parameters) {
    for (int i = 0; i < 5; ++i) {
      const absl::Status status = Run(grid, block, parameters...);
      EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << "expected: " << message;
      EXPECT_THAT(std::string(status.message()), ::testing::HasSubstr(message));
    }
  }
  template <class... P>
  void ExpectGood(Shape grid, Shape block, P... parameters) {
    for (int i = 0; i < 5; ++i) EXPECT_EQ(Run(grid, block, parameters...), absl::OkStatus());
  }

 private:
  // Aligned as cudaMalloc does.
  struct alignas(256) Chunk {
    char bytes[256];
  };
  class Memory {
   public:
    explicit Memory(size_t bytes) : chunks_(bytes / sizeof(Chunk) + 1) {}
    char* data() { return chunks_[0].bytes; }

   private:
    std::vector<Chunk> chunks_;
  };

  std::unique_ptr<Simulator> simulator_;
  std::deque<Memory> memory_;
  uint64_t seed_ = 0;
};

}  // namespace tune::simt
