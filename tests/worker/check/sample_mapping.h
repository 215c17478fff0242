// Mapped sample scops, and ways to spoil them.
#pragma once

#include <gtest/gtest.h>

#include "common/decision/configuration.h"
#include "tests/common/testing/device_models.h"
#include "tests/common/testing/sample_scops.h"
#include "worker/check/mapping_check.h"

namespace tune::testing {

// A mapped scop whose parts a test may spoil.
class Mapping {
 public:
  static std::unique_ptr<Mapping> Make(const v1::Scop& scop, const std::map<std::string, int64_t>& values,
                                       Chooser& chooser) {
    auto mapping = std::unique_ptr<Mapping>(new Mapping);
    CudaSpaceOptions options = testing::H200Options();
    options.device.memory_bandwidth = 0;  // sums are not split
    mapping->space_ = CudaSpace::Make(WithParameterFacts(scop, values), values, options).value();
    mapping->plan = mapping->space_->Walk(chooser).value();
    mapping->Map();
    return mapping;
  }
  static std::unique_ptr<Mapping> MakeDefault(const v1::Scop& scop,
                                              const std::map<std::string, int64_t>& values) {
    DefaultChooser chooser;
    return Make(scop, values, chooser);
  }

  // Maps `plan` anew.
  void Map() {
    const auto mapped = MapCudaPlan(context(), plan, plan.schedules->scop(), space_->options(),
                                    plan.schedules->parameter_values(), CudaIds());
    ASSERT_TRUE(mapped.ok()) << mapped.status();
    program = *mapped;
  }

  absl::Status Check() {
    return CheckMapping(context(), program, plan.schedules->scop(), plan.schedules->dependences(),
                        plan.schedules->parameter_values(), CudaIds());
  }
  // The message of a check that fails.
  std::string Failure() {
    const absl::Status status = Check();
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << status;
    return std::string(status.message());
  }

  IslContext& context() { return plan.schedules->context(); }
  // The first one, or the one that was selected.
  MappedKernel& kernel() { return program.kernels.at(kernel_); }
  void Select(const std::string& name) {
    kernel_ = program.kernels.size();
    for (size_t i = 0; i < program.kernels.size(); ++i) {
      if (program.kernels[i].kernel->name == name) kernel_ = i;
    }
    ASSERT_LT(kernel_, program.kernels.size()) << "no kernel " << name;
  }

 private:
  std::unique_ptr<CudaSpace> space_;  // first: destroyed last
  size_t kernel_ = 0;

 public:
  CudaPlan plan;
  MappedProgram program;
};

// The tree with `change` made to every node, from the bottom up.
inline isl::schedule Changed(const isl::schedule& tree,
                             const std::function<isl::schedule_node(const isl::schedule_node&)>& change) {
  return tree.root().map_descendant_bottom_up(change).schedule();
}

inline bool IsFilterWith(const isl::schedule_node& node, const std::string& text) {
  return node.isa<isl::schedule_node_filter>() &&
         IslText(node.as<isl::schedule_node_filter>().filter()).find(text) != std::string::npos;
}

// A product with full and partial tiles, through shared memory and registers.
inline std::unique_ptr<Mapping> MakeGemm() {
  auto mapping = Mapping::MakeDefault(GemmScop(), {{"ni", 1100}, {"nj", 1201}, {"nk", 1302}});
  EXPECT_FALSE(mapping->kernel().memory.tiles.empty());
  return mapping;
}

inline CopyStatement& CopyOf(Mapping& mapping, CopyStatement::Kind kind) {
  for (CopyStatement& copy : mapping.kernel().memory.copies) {
    if (copy.kind == kind) return copy;
  }
  throw std::logic_error("no such copy");
}

// No instance of the copy runs.
inline void Drop(Mapping& mapping, const CopyStatement& copy) {
  mapping.kernel().thread = Changed(mapping.kernel().thread, [&](const isl::schedule_node& node) {
    if (!IsFilterWith(node, copy.name + "[")) return node;
    const isl::union_set nothing = isl::union_set::empty(node.ctx());
    return node.child(0).insert_filter(nothing).parent();
  });
}

}  // namespace tune::testing
