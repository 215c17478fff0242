#include "worker/ppcg/ppcg_generator.h"

#include <algorithm>
#include <atomic>
#include <thread>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "common/isl/bounds.h"
#include "common/isl/dimensions.h"
#include "common/isl/tuple_name.h"
#include "common/program/statement_value.h"
#include "common/scop/parameter_values.h"
#include "common/tuned/device_interface.h"
#include "worker/lower/array_transfers.h"
#include "worker/ppcg/ppcg_launch_sequence.h"
#include "worker/ppcg/ppcg_schedule.h"

namespace tune {
namespace {

constexpr int kMostKernels = 10'000;
constexpr int kMostSizes = 100;  // of a kernel

std::string Switch(const std::string& name, bool on) { return absl::StrCat(on ? "--" : "--no-", name); }

void AppendScheduleArguments(const PpcgSchedulePlan& plan, std::vector<std::string>& arguments) {
  if (plan.loaded != nullptr) return;
  arguments.push_back(absl::StrCat("--isl-schedule-algorithm=", plan.feautrier ? "feautrier" : "isl"));
  arguments.push_back(Switch("isl-schedule-serialize-sccs", plan.serialize_sccs));
  arguments.push_back(Switch("isl-schedule-maximize-band-depth", plan.maximize_band_depth));
  arguments.push_back(Switch("isl-schedule-outer-coincidence", plan.outer_coincidence));
}

// "{ kernel[0] -> tile[32, 32]; kernel[0] -> grid[256, 256]; ... }"
std::string SizesText(const std::vector<PpcgKernelPlan>& kernels) {
  std::vector<std::string> parts;
  for (size_t i = 0; i < kernels.size(); ++i) {
    const auto add = [&](const char* kind, const std::vector<int64_t>& sizes) {
      if (!sizes.empty())
        parts.push_back(absl::StrCat("kernel[", i, "] -> ", kind, "[", absl::StrJoin(sizes, ", "), "]"));
    };
    add("tile", kernels[i].tile);
    add("grid", kernels[i].grid);
    add("block", kernels[i].block);
  }
  return absl::StrCat("{ ", absl::StrJoin(parts, "; "), " }");
}

// The line of --dump-sizes in what PPCG said, { kernel[i] -> tile[...] }; it may have warned, too.
absl::StatusOr<std::string> FindSizes(const std::string& said) {
  for (absl::string_view line : absl::StrSplit(said, '\n')) {
    line = absl::StripAsciiWhitespace(line);
    if (absl::StartsWith(line, "{") && absl::EndsWith(line, "}")) return std::string(line);
  }
  return absl::InternalError("ppcg --dump-sizes printed no sizes; is it PPCG 0.09?");
}

std::vector<PpcgKernelShape> ReadShapes(const std::string& sizes, isl::ctx ctx, size_t kernels) {
  std::vector<PpcgKernelShape> shapes(kernels);
  isl::union_map(ctx, sizes).foreach_map([&](isl::map map) {
    const std::string kind = TupleName(map, isl_dim_out);
    const int size = Dimensions(map, isl_dim_out);
    if (Dimensions(map, isl_dim_in) != 1 || size > kMostSizes)
      throw isl::exception("what it prints are not the sizes of kernels");
    for (size_t i = 0; i < kernels; ++i) {
      const isl::map of_kernel = Fix(map, isl_dim_in, 0, i);
      if (of_kernel.is_empty()) continue;
      (kind == "tile" ? shapes[i].tile : kind == "grid" ? shapes[i].grid : shapes[i].block) = size;
    }
  });
  return shapes;
}

void CollectLaunches(const PpcgHostNode& node, std::map<std::string, const PpcgLaunch*>& launches) {
  for (const PpcgHostNode& child : node.children) CollectLaunches(child, launches);
  for (const PpcgHostNode& child : node.otherwise) CollectLaunches(child, launches);
  if (node.kind == PpcgHostNode::Kind::kLaunch) launches.emplace(node.launch.kernel, &node.launch);
}

// Kernels as CUDA text and their facts, in the output's order. All launches of a kernel have its block.
absl::Status AddKernels(const PpcgOutput& output, const std::string& prefix, CudaProgram& program) {
  std::map<std::string, const PpcgLaunch*> launches;
  CollectLaunches(output.host, launches);
  for (const PpcgKernel& kernel : output.kernels) {
    CudaKernelFacts facts;
    facts.function = absl::StrCat(prefix, "_", kernel.name);
    facts.name = absl::StrCat("ppcg.k", kernel.number);
    int64_t threads = 1;
    if (const auto launch = launches.find(kernel.name); launch != launches.end()) {
      const std::vector<int64_t>& block = launch->second->block;
      for (size_t i = 0; i < block.size(); ++i) threads *= facts.threads[i] = block[i];
    }
    if (threads > 1024) {
      return absl::InvalidArgumentError(absl::StrCat("ppcg launches ", kernel.name, " with ", threads,
                                                     " threads in a block, and CUDA allows 1024"));
    }
    absl::StrAppend(&program.kernels, program.kernels.empty() ? "" : "\n",
                    "extern \"C\" __global__ void __launch_bounds__(", threads, ")\n", facts.function, "(",
                    kernel.parameters_text, ")\n", kernel.body, "\n");
    program.facts.push_back(std::move(facts));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::unique_ptr<PpcgGenerator>> PpcgGenerator::Make(const PpcgProgram& program,
                                                                   const v1::Scop& scop,
                                                                   const v1::Reference& reference,
                                                                   const PpcgOptions& options) {
  if (const v1::Statement* statement = FindDataAccess(scop)) {
    return absl::InvalidArgumentError(
        absl::StrCat("line ", statement->line(),
                     ": data decide which element is accessed, which ppcg leaves as it is; use the builtin "
                     "generator"));
  }
  const std::map<std::string, int64_t> values = ParameterValueMap(reference);
  TUNE_ASSIGN_OR_RETURN(std::unique_ptr<ScheduleSpace> schedules,
                        ScheduleSpace::Make(WithParameterFacts(scop, values), values, options.isl));
  std::unique_ptr<PpcgGenerator> generator(new PpcgGenerator(program, std::move(schedules), options));
  IslContext& context = generator->schedules_->context();
  const ParsedScop& parsed = generator->scop();
  TUNE_ASSIGN_OR_RETURN(generator->arrays_, DeviceArrays(context, parsed, reference));
  TUNE_ASSIGN_OR_RETURN(
      generator->transfers_,
      FindTransfers(context, parsed, generator->schedules_->dependences(), values, generator->arrays_));
  TUNE_ASSIGN_OR_RETURN(generator->input_, PrintPpcgInput(context, parsed, generator->arrays_, values));
  if (!reference.ppcg().empty()) {
    TUNE_ASSIGN_OR_RETURN(generator->record_, PpcgRecord::Read(reference));
  }
  return generator;
}

ScheduleSpace* PpcgGenerator::OwnSchedules() const {
  const bool offered = record_.has_value() ? record_->has_builtin_schedules() : !input_.iterations.is_null();
  return offered ? schedules_.get() : nullptr;
}

absl::StatusOr<PpcgPlan> PpcgGenerator::Walk(Chooser& chooser) {
  return WalkPpcg(
      OwnSchedules(), [this](const PpcgSchedulePlan& schedule) { return Shapes(schedule); }, options_.space,
      chooser);
}

std::vector<std::string> PpcgGenerator::Arguments(const PpcgPlan& plan) const {
  std::vector<std::string> arguments;
  AppendScheduleArguments(plan.schedule, arguments);
  if (!plan.kernels.empty()) arguments.push_back("--sizes=" + SizesText(plan.kernels));
  arguments.push_back(Switch("shared-memory", plan.shared_memory));
  arguments.push_back(Switch("private-memory", plan.private_memory));
  arguments.push_back(absl::StrCat("--max-shared-memory=", plan.max_shared_bytes));
  arguments.push_back(Switch("unroll-copy-shared", plan.unroll_copy_shared));
  arguments.push_back(Switch("unroll-gpu-tile", plan.unroll_gpu_tile));
  return arguments;
}

absl::StatusOr<PpcgGenerator::Call> PpcgGenerator::Prepare(const PpcgSchedulePlan& schedule,
                                                           const std::vector<std::string>& arguments) {
  Call call;
  call.arguments = arguments;
  // Macros that every compiler knows; offsets that fit.
  call.arguments.push_back("--no-allow-gnu-extensions");
  if (input_.needs_long) call.arguments.push_back("--isl-ast-iterator-type=long");
  if (schedule.loaded == nullptr) return call;
  if (input_.iterations.is_null())
    return absl::InvalidArgumentError("ppcg cannot load a schedule of this program: it has a split loop");
  TUNE_ASSIGN_OR_RETURN(
      call.schedule, schedules_->context().Run("the schedule for ppcg", [&]() -> absl::StatusOr<std::string> {
        return ScheduleForPpcg(schedule.loaded->tree, input_.iterations, schedules_->parameter_values());
      }));
  return call;
}

absl::StatusOr<PpcgGenerator::Call> PpcgGenerator::PrepareShapes(const PpcgSchedulePlan& schedule) {
  std::vector<std::string> arguments;
  AppendScheduleArguments(schedule, arguments);
  arguments.push_back("--dump-sizes");
  return Prepare(schedule, arguments);
}

std::vector<absl::StatusOr<PpcgFiles>> PpcgGenerator::RunAll(const std::vector<absl::StatusOr<Call>>& calls,
                                                             int at_once) const {
  std::vector<absl::StatusOr<PpcgFiles>> files(calls.size(), absl::UnknownError("not run"));
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i = next++; i < calls.size(); i = next++) {
      if (calls[i].ok()) {
        files[i] = Run(*calls[i]);
      } else {
        files[i] = calls[i].status();
      }
    }
  };
  std::vector<std::thread> threads;
  for (int i = 1; i < at_once && threads.size() + 1 < calls.size(); ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return files;
}

absl::StatusOr<PpcgOutput> PpcgGenerator::Parse(const PpcgFiles& files) const {
  std::set<std::string> locals;
  for (const DeviceArray& array : arrays_) {
    if (array.local) locals.insert(array.name);
  }
  return ParsePpcgOutput(files.kernels, files.host, locals);
}

absl::StatusOr<std::vector<PpcgKernelShape>> PpcgGenerator::Shapes(const PpcgSchedulePlan& schedule) {
  if (record_.has_value()) return record_->Shapes(schedule);
  const std::string key = schedule.Key();
  const auto known = shapes_.find(key);
  if (known != shapes_.end()) return known->second;
  TUNE_ASSIGN_OR_RETURN(const Call call, PrepareShapes(schedule));
  absl::StatusOr<std::vector<PpcgKernelShape>> found = FindShapes(Run(call));
  if (!absl::IsCancelled(found.status())) shapes_.emplace(key, found);
  return found;
}

absl::StatusOr<std::vector<v1::PpcgSchedule>> PpcgGenerator::RecordShapes(int at_once) {
  const std::vector<PpcgSchedulePlan> schedules = PpcgSchedules(OwnSchedules());
  std::vector<absl::StatusOr<Call>> calls;
  for (const PpcgSchedulePlan& schedule : schedules) calls.push_back(PrepareShapes(schedule));
  const std::vector<absl::StatusOr<PpcgFiles>> files = RunAll(calls, at_once);
  std::vector<v1::PpcgSchedule> record;
  for (size_t i = 0; i < schedules.size(); ++i) {
    if (absl::IsCancelled(files[i].status())) return files[i].status();
    record.push_back(RecordPpcgSchedule(schedules[i], FindShapes(files[i])));
  }
  return record;
}

absl::StatusOr<std::vector<PpcgKernelShape>> PpcgGenerator::FindShapes(
    const absl::StatusOr<PpcgFiles>& files) {
  TUNE_RETURN_IF_ERROR(files.status());
  TUNE_ASSIGN_OR_RETURN(const PpcgOutput output, Parse(*files));
  int most = -1;
  for (const PpcgKernel& kernel : output.kernels) most = std::max(most, kernel.number);
  if (most > kMostKernels) return absl::InternalError(absl::StrCat("ppcg wrote a kernel number ", most));
  TUNE_ASSIGN_OR_RETURN(const std::string sizes, FindSizes(files->said));
  return schedules_->context().Run("the sizes that ppcg prints",
                                   [&]() -> absl::StatusOr<std::vector<PpcgKernelShape>> {
                                     return ReadShapes(sizes, schedules_->context().ctx(), most + 1);
                                   });
}

absl::StatusOr<CudaProgram> PpcgGenerator::Generate(const PpcgPlan& plan) {
  TUNE_ASSIGN_OR_RETURN(const Call call, Prepare(plan.schedule, Arguments(plan)));
  TUNE_ASSIGN_OR_RETURN(const PpcgFiles files, Run(call));
  TUNE_ASSIGN_OR_RETURN(const PpcgOutput output, Parse(files));
  CudaProgram program;
  program.arrays = arrays_;
  program.transfers = transfers_;
  program.values = schedules_->parameter_values();
  TUNE_RETURN_IF_ERROR(AddKernels(output, CIdentifier(scop().proto.name()), program));
  TUNE_ASSIGN_OR_RETURN(program.launches, PrintPpcgLaunchSequence(output, arrays_));
  return program;
}

}  // namespace tune
