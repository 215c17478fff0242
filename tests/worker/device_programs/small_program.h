// The programs of tests/programs at small sizes, as the cuda target makes them, before they are text.
#pragma once

#include <memory>
#include <string>

#include "common/decision/configuration.h"
#include "common/program/helper_names.h"
#include "tests/common/testing/random_chooser.h"
#include "tests/program_interpreter/program_interpreter.h"
#include "tests/worker/codegen/scop_interpreter.h"
#include "tests/worker/cuda_programs/candidate.h"
#include "worker/check/program_check.h"
#include "worker/codegen/mapped_plan.h"
#include "worker/lower/device_arrays.h"
#include "worker/lower/openmp_lowering.h"

namespace tune::testing {

// One configuration of a program. The plan must not outlive the space.
struct SmallProgram {
  std::string configuration;
  CudaPlan plan;
  std::unique_ptr<MappedPlan> mapped;
  DeviceProgram device;
};

// The default configuration for seed 0, else a random one.
inline absl::StatusOr<SmallProgram> MakeSmallProgram(CudaSpace& space, const v1::Reference& reference,
                                                     uint64_t seed) {
  DefaultChooser standard;
  RandomChooser random(seed);
  RecordingChooser recording(seed == 0 ? static_cast<Chooser*>(&standard) : &random);
  SmallProgram small;
  TUNE_ASSIGN_OR_RETURN(small.plan, space.Walk(recording));
  small.configuration = PrintConfiguration(recording.configuration());
  TUNE_ASSIGN_OR_RETURN(small.mapped, MapPlan(small.plan, space.options()));
  TUNE_ASSIGN_OR_RETURN(
      std::vector<DeviceArray> arrays,
      DeviceArrays(small.plan.schedules->context(), small.plan.schedules->scop(), reference));
  TUNE_ASSIGN_OR_RETURN(small.device,
                        LowerMapped(small.plan, space.options(), *small.mapped, std::move(arrays),
                                    /*origins=*/true));
  return small;
}

// worker/check/program_check.h
inline absl::Status Check(const SmallProgram& small, const DeviceProgram& program) {
  ScheduleSpace& schedules = *small.plan.schedules;
  return CheckProgram(schedules.context(), program, small.mapped->program, *small.mapped->scop,
                      schedules.parameter_values(), ChooseHelperNames(small.mapped->scop->proto));
}

// What the region leaves in memory in its original order.
inline absl::StatusOr<ResidueMemory> ExpectedResidues(const v1::Scop& scop, const v1::Reference& reference,
                                                      const std::map<std::string, int64_t>& values) {
  IslContext context;
  TUNE_ASSIGN_OR_RETURN(const std::shared_ptr<const ParsedScop> parsed, ParseScop(context, scop));
  TUNE_ASSIGN_OR_RETURN(const std::vector<DeviceArray> arrays, DeviceArrays(context, *parsed, reference));
  TUNE_ASSIGN_OR_RETURN(
      const OpenMpProgram program, context.Run("lowering", [&]() -> absl::StatusOr<OpenMpProgram> {
        return LowerOpenMp(context, parsed->schedule, *parsed, values, ChooseHelperNames(parsed->proto));
      }));
  ResidueMemory memory = MakeResidues(arrays);
  TUNE_RETURN_IF_ERROR(Interpret(program.body, parsed->proto, arrays, &memory));
  return memory;
}

// What the program, of the configuration, leaves in memory otherwise, or why it cannot be run; empty:
// nothing.
inline std::string Difference(const SmallProgram& small, const DeviceProgram& program,
                              const ResidueMemory& expected) {
  const v1::Scop& own = small.mapped->scop->proto;
  ResidueMemory memory = MakeResidues(program.arrays);
  const absl::Status status = Interpret(program, own, ChooseHelperNames(own), &memory);
  if (!status.ok()) return status.ToString();
  for (const auto& [name, residues] : expected) {
    if (memory.at(name) != residues) return name;
  }
  return "";
}

}  // namespace tune::testing
