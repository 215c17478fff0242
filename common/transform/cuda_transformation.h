// What a transformation of the `cuda` target is.
#pragma once

#include <optional>
#include <vector>

#include "common/base/status.h"
#include "common/decision/chooser.h"
#include "common/mapping/block_instances.h"
#include "common/mapping/thread_nest.h"
#include "common/program/device_program.h"
#include "common/program/helper_names.h"
#include "common/transform/kernel_site.h"

namespace tune {

// All kernels of a program, with what was decided of each.
struct ProgramSite {
  const std::vector<Kernel>& kernels;
  const DeviceFacts& device;
  const std::vector<KernelPlan>& plans;  // parallel to kernels
  const Decisions& together;             // of all kernels
};

// What tiles are chosen for.
struct TileSite {
  const BlockOfKernel& block;
  const BlockInstances& instances;
  const isl::union_set& own_instances;  // { S }: those of the scop, where some were added
};

// What is at hand when a kernel, as data, is transformed.
struct KernelPass {
  const Kernel& kernel;
  const KernelPlan& plan;
  const Decisions& together;  // of all kernels
  const v1::Scop& scop;
  const std::vector<DeviceArray>& arrays;
  const HelperNames& names;
};

// When all kernels are there, with the host's launches of them.
struct ProgramPass {
  const DeviceFacts& device;
  const std::vector<KernelPlan>& plans;
  const Decisions& together;
  std::string name;  // of the region, in C
  const HelperNames& names;
};

// One for each folder of common/transform, in the list of transformations.h. What it can do to a program is
// asked in three steps. Each is nothing by default.
//
// 1. It decides. Which options are legal, by what dependences and the device allow, and which one is the
//    default on this device, are functions of their own; `Decide` puts them to the chooser.
// 2. It is applied: to the schedule tree of a thread (thread_tree.h), and to the program as data.
// 3. It is checked. That a program computes the same as the schedule tree is proven for all of them at once
//    (worker/check); what it adds to that is that the program is what was decided.
class CudaTransformation {
 public:
  virtual ~CudaTransformation() = default;
  virtual const char* name() const = 0;  // of its folder

  // What is decided of a kernel, into `plan`, which is what the site has too. Errors: the chooser's.
  virtual absl::Status Decide(const KernelSite& /*site*/, Chooser& /*chooser*/, KernelPlan* /*plan*/) const {
    return absl::OkStatus();
  }
  // Then what is decided of all kernels together, into what the site has.
  virtual absl::Status DecideTogether(const ProgramSite& /*site*/, Chooser& /*chooser*/,
                                      std::vector<KernelPlan>* /*plans*/, Decisions* /*together*/) const {
    return absl::OkStatus();
  }

  // Schedule trees; all throw isl::exception. The loops that a thread runs in place of the root band.
  virtual void ApplyToLoops(const BlockOfKernel& /*block*/, ThreadNest* /*nest*/) const {}
  // Bands at or below `node` that stay as they are; `is_root`: it is the root band, which goes. Returns the
  // node at its place.
  virtual isl::schedule_node ApplyToBands(const BlockOfKernel& /*block*/, const isl::schedule_node& node,
                                          bool /*is_root*/) const {
    return node;
  }
  // Which references have tiles in place of their arrays.
  virtual void AddTiles(const TileSite& /*site*/, LocalMemory* /*memory*/) const {}
  // What copies between arrays and tiles, for `domain`, a part of the block's instances, into the subtree of
  // `node`. Returns the node at its place.
  virtual isl::schedule_node InsertCopies(const BlockOfKernel& /*block*/, const isl::schedule_node& node,
                                          const isl::union_set& /*domain*/, LocalMemory* /*memory*/) const {
    return node;
  }
  // The whole tree of a thread, where it is of another form; `band`: the root band. The first transformation
  // that returns one makes it.
  virtual std::optional<isl::schedule> MakeTree(const BlockOfKernel& /*block*/,
                                                const isl::schedule_node& /*band*/,
                                                LocalMemory* /*memory*/) const {
    return std::nullopt;
  }

  // Programs. What a kernel is launched with and how it takes its arrays. Before all that follows.
  virtual void SetParameters(const KernelPass& /*pass*/, DeviceKernel* /*kernel*/) const {}
  // What threads run, where no barriers stand around the filling of tiles yet.
  virtual void Apply(const KernelPass& /*pass*/, DeviceKernel* /*kernel*/) const {}
  // The same with these barriers.
  virtual void ApplyAfterBarriers(const KernelPass& /*pass*/, DeviceKernel* /*kernel*/) const {}
  // Last, the program as a whole. INVALID_ARGUMENT when the device's limits rule it out.
  virtual absl::Status ApplyTogether(const ProgramPass& /*pass*/, DeviceProgram* /*program*/) const {
    return absl::OkStatus();
  }

  // FAILED_PRECONDITION when a kernel of a program is not what was decided.
  virtual absl::Status Check(const KernelPass& /*pass*/, const DeviceKernel& /*kernel*/) const {
    return absl::OkStatus();
  }
};

}  // namespace tune
