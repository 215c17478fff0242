#include "worker/check/program_check.h"

#include "worker/check/joined_launch_check.h"
#include "worker/check/program_access_check.h"
#include "worker/check/program_ahead_check.h"
#include "worker/check/program_barrier_check.h"
#include "worker/check/program_coordinates_check.h"
#include "worker/check/program_fill_check.h"
#include "worker/check/program_form_check.h"
#include "worker/check/program_host_check.h"
#include "worker/check/program_instances_check.h"
#include "worker/check/program_kept_check.h"
#include "worker/check/program_order_check.h"
#include "worker/check/program_pieces_check.h"
#include "worker/check/program_warps_check.h"

namespace tune {
namespace {

// Whether a launch of several kernels that runs this one writes the array, which it takes like that; a joined
// one in kernels beside it.
bool IsWrittenBeside(const CheckedKernel& checked, const KernelArray& taken) {
  const DeviceProgram& program = *checked.program;
  bool beside = false;
  ForEachNode(program.host, [&](const Node& node) {
    const auto* const merged = node.As<MergedLaunch>();
    if (merged == nullptr) return;
    bool runs = false, writes = !merged->joined && program.arrays[taken.array].written;
    ForEachNode(merged->body, [&](const Node& inner) {
      const auto* const turns = inner.As<BlockTurns>();
      if (turns == nullptr) return;
      const DeviceKernel& kernel = program.kernels[turns->launch.kernel];
      runs = runs || &kernel == checked.kernel;
      for (const KernelArray& used : kernel.arrays)
        writes = writes || (!taken.writes && used.writes && used.array == taken.array);
    });
    beside = beside || (runs && writes);
  });
  return beside;
}

// The caches for what nobody writes see no other thread's writes.
absl::Status CheckLoads(const CheckedKernel& checked) {
  for (const KernelArray& used : checked.kernel->arrays) {
    const DeviceArray& array = checked.program->arrays[used.array];
    bool writes = false;
    for (const std::string& statement : checked.mapped->kernel->statements) {
      for (const ParsedAccess& access : checked.scop->statement(statement).accesses)
        writes = writes || (access.writes() && access.array == array.scop_name);
    }
    if (writes != used.writes || (!used.shared && IsWrittenBeside(checked, used)))
      return checked.Fault("array ", array.scop_name, " is taken for one that nobody writes");
    if (used.loads == ArrayLoads::kTexture && (writes || checked.kernel->is_function || !FitsTexture(array)))
      return checked.Fault("array ", array.scop_name, " cannot be read through a texture object");
  }
  return absl::OkStatus();
}

absl::Status CheckKernel(const CheckedKernel& checked) {
  TUNE_RETURN_IF_ERROR(CheckLoads(checked));
  TUNE_RETURN_IF_ERROR(CheckProgramCoordinates(checked));
  TUNE_RETURN_IF_ERROR(CheckProgramInstances(checked));
  TUNE_RETURN_IF_ERROR(CheckProgramAccesses(checked));
  TUNE_RETURN_IF_ERROR(CheckKeptElements(checked));
  TUNE_RETURN_IF_ERROR(CheckLoadsAhead(checked));
  TUNE_RETURN_IF_ERROR(CheckRowPieces(checked));
  TUNE_RETURN_IF_ERROR(CheckWarpProducts(checked));
  TUNE_RETURN_IF_ERROR(CheckProgramFills(checked));
  TUNE_RETURN_IF_ERROR(CheckProgramBarriers(checked));
  return CheckProgramOrder(checked);
}

absl::Status Check(const DeviceProgram& program, const MappedProgram& mapped, const ParsedScop& scop,
                   const isl::set& values, const HelperNames& names) {
  TUNE_RETURN_IF_ERROR(CheckProgramForm(program, mapped, scop));
  TUNE_RETURN_IF_ERROR(CheckProgramHost(program, mapped, values, names));
  TUNE_RETURN_IF_ERROR(CheckJoinedLaunches(program, mapped, scop, values, names));
  for (size_t i = 0; i < program.kernels.size(); ++i) {
    CheckedKernel checked;
    checked.program = &program;
    checked.kernel = &program.kernels[i];
    checked.mapped = &mapped.kernels[i];
    checked.scop = &scop;
    checked.names = names;
    checked.context = mapped.kernels[i].context.intersect(values);
    checked.leaves = FindLeaves(mapped.kernels[i].thread);
    checked.nodes = RaiseBlock(program.kernels[i].body, checked.context);
    for (size_t axis = 0; axis < program.kernels[i].axes.size(); ++axis)
      checked.threads.push_back(absl::StrCat(names.thread, axis));
    TUNE_RETURN_IF_ERROR(CheckKernel(checked));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckProgram(IslContext& context, const DeviceProgram& program, const MappedProgram& mapped,
                          const ParsedScop& scop, const std::map<std::string, int64_t>& parameter_values,
                          const HelperNames& names) {
  const absl::Status status = context.Run("checking the program", [&]() -> absl::Status {
    return Check(program, mapped, scop, ParameterValues(context, parameter_values), names);
  });
  if (!absl::IsFailedPrecondition(status)) return status;
  return absl::FailedPreconditionError(absl::StrCat("wrong program: ", status.message()));
}

}  // namespace tune
