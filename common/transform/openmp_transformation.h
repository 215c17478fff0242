// What a transformation of the `cpu` target is.
#pragma once

#include <optional>

#include "common/base/status.h"
#include "common/decision/chooser.h"
#include "common/kernel/kernel.h"
#include "common/mapping/band_loops.h"
#include "common/mapping/decisions.h"
#include "common/program/device_program.h"
#include "common/program/helper_names.h"

namespace tune {

// What was decided for one kernel.
struct HostKernelPlan : Decisions {
  std::string name;  // "k[S0,S1]", equals Kernel::name
};

// What transformations know when they decide something about a kernel. Must not outlive what it refers to.
struct HostKernelSite {
  const Kernel& kernel;
  int hardware_threads = 1;    // of the device
  bool written = false;        // the loops are the region's own, maybe distributed, not a computed schedule's
  const HostKernelPlan& plan;  // so far

  std::string Key(const std::string& decision) const { return kernel.name + "." + decision; }
};

// One for each folder of common/transform that is for the host, in the list of transformations.h. As
// CudaTransformation, it decides, what is legal and what is the default in functions of their own, and is
// applied.
class OpenMpTransformation {
 public:
  virtual ~OpenMpTransformation() = default;
  virtual const char* name() const = 0;  // of its folder

  // Into `plan`, which is what the site has too. Errors: the chooser's.
  virtual absl::Status Decide(const HostKernelSite& /*site*/, Chooser& /*chooser*/,
                              HostKernelPlan* /*plan*/) const {
    return absl::OkStatus();
  }

  // What is asked of the loops of the kernel's band with that number.
  virtual void ApplyToBand(const HostKernelPlan& /*plan*/, size_t /*band*/, BandRequest* /*request*/) const {}
  // A subtree of another form in place of the kernel's only band; the first transformation that returns one
  // makes it. Throws isl::exception.
  virtual std::optional<isl::schedule_node> MapBand(const Kernel& /*kernel*/, const HostKernelPlan& /*plan*/,
                                                    const isl::schedule_node_band& /*band*/) const {
    return std::nullopt;
  }
  // The program as data.
  virtual void Apply(const v1::Scop& /*scop*/, const HelperNames& /*names*/,
                     OpenMpProgram* /*program*/) const {}
};

}  // namespace tune
