// What a candidate reads in place of an array's memory: variables of its module, and memory of textures.
#pragma once

#include <utility>
#include <vector>

#include "worker/cuda/device_session.h"
#include "worker/cuda/texture_object.h"

namespace tune {

// All copies are enqueued only. What is copied outlives this.
class ArrayCopies {
 public:
  explicit ArrayCopies(const DeviceSession& session) : session_(&session) {}

  void AddVariable(CUdeviceptr variable, CUdeviceptr array, size_t bytes, bool is_output) {
    variables_.push_back({variable, array, bytes, is_output});
  }
  void AddTexture(TextureMemory memory, CUdeviceptr array) {
    textures_.emplace_back(std::move(memory), array);
  }

  // Before a run: they are given what the arrays hold.
  absl::Status Give() const;
  // After a run: arrays of outputs are given what the variables hold.
  absl::Status TakeBack() const;

 private:
  struct Variable {
    CUdeviceptr address, array;
    size_t bytes;
    bool is_output;
  };
  absl::Status Copy(CUdeviceptr target, CUdeviceptr source, size_t bytes) const;

  const DeviceSession* session_;
  std::vector<Variable> variables_;
  std::vector<std::pair<TextureMemory, CUdeviceptr>> textures_;
};

}  // namespace tune
