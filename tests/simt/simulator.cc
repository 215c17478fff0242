#include "tests/simt/simulator.h"

#include <algorithm>

#include "absl/strings/str_format.h"

namespace tune::simt {
namespace {

// Compute capability 9.0: CUDA C++ Programming Guide, table "Technical Specifications per Compute
// Capability".
constexpr int64_t kStaticSharedLimit = int64_t{48} << 10;
constexpr int64_t kSharedLimit = int64_t{227} << 10;
constexpr unsigned kGridLimits[3] = {0x7fffffff, 65535, 65535};
constexpr unsigned kBlockLimits[3] = {1024, 1024, 64};
// What one multiprocessor holds at a time, from the same table, and how many an H200 has.
constexpr uint64_t kResidentWarps = 64;
constexpr uint64_t kResidentBlocks = 32;
constexpr int64_t kResidentShared = int64_t{228} << 10;
constexpr int64_t kReservedShared = int64_t{1} << 10;  // of each block
constexpr uint64_t kMultiprocessors = 132;

template <class T>
std::string Triple(const T& value) {
  return absl::StrFormat("(%d,%d,%d)", value[0], value[1], value[2]);
}

std::vector<std::string> NamesOf(const std::vector<Kernel>& kernels) {
  std::vector<std::string> names;
  for (const Kernel& kernel : kernels) names.push_back(kernel.name);
  return names;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Simulator>> Simulator::Compile(const std::string& cuda_text,
                                                              const std::vector<Kernel>& kernels) {
  TUNE_ASSIGN_OR_RETURN(std::unique_ptr<CompiledText> text,
                        CompiledText::Compile(cuda_text, NamesOf(kernels)));
  return Make(std::move(text), kernels);
}

absl::StatusOr<std::unique_ptr<Simulator>> Simulator::Load(const std::string& cuda_text,
                                                           const std::vector<Kernel>& kernels,
                                                           absl::string_view object) {
  TUNE_ASSIGN_OR_RETURN(std::unique_ptr<CompiledText> text,
                        CompiledText::Load(cuda_text, NamesOf(kernels), object));
  return Make(std::move(text), kernels);
}

absl::StatusOr<std::unique_ptr<Simulator>> Simulator::Make(std::unique_ptr<CompiledText> text,
                                                           const std::vector<Kernel>& kernels) {
  std::unique_ptr<Simulator> simulator(new Simulator(std::move(text), kernels));
  TUNE_RETURN_IF_ERROR(simulator->Prepare());
  return simulator;
}

Simulator::Simulator(std::unique_ptr<CompiledText> text, std::vector<Kernel> kernels)
    : text_(std::move(text)), kernels_(std::move(kernels)), grid_(&shadow_, text_->interface()) {}

absl::Status Simulator::Prepare() {
  const std::vector<CompiledText::Variable>& variables = text_->shared_variables();
  std::vector<int> numbers;
  for (const CompiledText::Variable& variable : variables)
    numbers.push_back(shadow_.AddShared(variable.name, variable.begin, variable.bytes));
  for (const Kernel& kernel : kernels_) {
    Limits& limits = limits_.emplace_back();
    limits.threads = text_->ThreadLimit(kernel.name);
    limits.constant_parameters = text_->functions().ConstantParameters(FunctionName(kernel.name));
    const auto mentioned = text_->functions().Mentioned(FunctionName(kernel.name));
    for (size_t i = 0; i < variables.size(); ++i) {
      const CompiledText::Variable& variable = variables[i];
      const std::string& owner = variable.function.empty() ? variable.name : variable.function;
      // Where the text does not tell, the kernel may use all but those of other kernels.
      if (mentioned.has_value() ? mentioned->count(owner) == 0
                                : owner != FunctionName(kernel.name) && IsKernel(owner))
        continue;
      limits.shared.push_back({numbers[i], variable.bytes});
      limits.bytes.push_back({variable.begin, variable.bytes});
      limits.static_shared_bytes += static_cast<int64_t>(variable.bytes);
    }
  }
  dynamic_shared_ =
      shadow_.AddShared("dynamic shared memory", text_->interface()->dynamic_shared, kSharedLimit);
  for (const CompiledText::Variable& variable : text_->device_variables()) {
    TUNE_RETURN_IF_ERROR(AddMemory(variable.name, variable.begin, variable.bytes));
  }
  return absl::OkStatus();
}

bool Simulator::IsKernel(const std::string& function) const {
  return std::any_of(kernels_.begin(), kernels_.end(),
                     [&](const Kernel& kernel) { return FunctionName(kernel.name) == function; });
}

absl::Status Simulator::AddMemory(const std::string& name, void* begin, size_t bytes, Content content) {
  if (bytes == 0 || shadow_.AddGlobal(name, begin, bytes, content == Content::kDefined))
    return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("memory ", name, " overlaps with memory that was added before"));
}

absl::Status Simulator::CheckLaunch(const Launch& launch) const {
  const auto refuse = [&](const std::string& why) {
    return absl::InvalidArgumentError(absl::StrCat("launch of kernel ", kernels_[launch.kernel].name,
                                                   ", grid ", Triple(launch.grid), ", block ",
                                                   Triple(launch.block), ": ", why));
  };
  if (launch.kernel < 0 || launch.kernel >= static_cast<int>(kernels_.size())) {
    return absl::InvalidArgumentError(
        absl::StrCat("launch of kernel number ", launch.kernel, ": there are ", kernels_.size(), " kernels"));
  }
  uint64_t threads = 1;
  for (int i = 0; i < 3; ++i) {
    if (launch.grid[i] < 1 || launch.grid[i] > kGridLimits[i]) {
      return refuse(
          absl::StrCat("the grid's ", std::string(1, "xyz"[i]), " is not in 1 .. ", kGridLimits[i]));
    }
    if (launch.block[i] < 1 || launch.block[i] > kBlockLimits[i]) {
      return refuse(
          absl::StrCat("the block's ", std::string(1, "xyz"[i]), " is not in 1 .. ", kBlockLimits[i]));
    }
    threads *= launch.block[i];
  }
  if (threads > 1024)
    return refuse(absl::StrCat("a block has ", threads, " threads, at most 1024 are possible"));
  const Limits& limits = limits_[launch.kernel];
  if (static_cast<int>(threads) > limits.threads) {
    return refuse(
        absl::StrCat("a block has ", threads, " threads, the kernel's launch bounds allow ", limits.threads));
  }
  if (limits.static_shared_bytes > kStaticSharedLimit) {
    return refuse(absl::StrCat("the static shared variables have ", limits.static_shared_bytes,
                               " bytes, at most ", kStaticSharedLimit, " are possible"));
  }
  if (launch.dynamic_shared_bytes < 0 ||
      limits.static_shared_bytes + launch.dynamic_shared_bytes > kSharedLimit) {
    return refuse(absl::StrCat(limits.static_shared_bytes, " bytes of static and ",
                               launch.dynamic_shared_bytes, " of dynamic shared memory, at most ",
                               kSharedLimit, " are possible"));
  }
  return launch.cooperative ? CheckResident(launch, threads) : absl::OkStatus();
}

// Registers are not known here: a launch that passes may still be refused by a GPU.
absl::Status Simulator::CheckResident(const Launch& launch, uint64_t threads) const {
  const int64_t shared = limits_[launch.kernel].static_shared_bytes + launch.dynamic_shared_bytes;
  const uint64_t possible =
      kMultiprocessors * std::min({kResidentBlocks, kResidentWarps / ((threads + 31) / 32),
                                   static_cast<uint64_t>(kResidentShared / (shared + kReservedShared))});
  const uint64_t blocks = uint64_t{launch.grid[0]} * launch.grid[1] * launch.grid[2];
  if (blocks <= possible) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "launch of kernel ", kernels_[launch.kernel].name, ", grid ", Triple(launch.grid), ", block ",
      Triple(launch.block), ": too many blocks for a cooperative launch: ", blocks, " blocks of ", threads,
      " threads and ", shared, " bytes of shared memory, at most ", possible, " are resident at a time"));
}

absl::Status Simulator::Run(const Launch& launch, uint64_t seed) {
  TUNE_RETURN_IF_ERROR(CheckLaunch(launch));
  Random random(seed);
  const Limits& limits = limits_[launch.kernel];
  simt_interface& text = *text_->interface();
  GridLaunch grid = {
      &text.kernels[launch.kernel], launch.arguments, {}, {}, limits.bytes, launch.cooperative};
  std::copy_n(launch.grid, 3, grid.grid.begin());
  std::copy_n(launch.block, 3, grid.block.begin());
  std::vector<Shadow::Shared> shared = limits.shared;
  if (launch.dynamic_shared_bytes > 0) {
    const auto bytes = static_cast<size_t>(launch.dynamic_shared_bytes);
    shared.push_back({dynamic_shared_, bytes});
    grid.shared.push_back({text.dynamic_shared, bytes});
  }
  std::vector<const void*> constant;
  for (size_t i = 0; i < limits.constant_parameters.size(); ++i) {
    if (limits.constant_parameters[i]) constant.push_back(*static_cast<void**>(launch.arguments[i]));
  }
  shadow_.BeginLaunch(shared, Count(grid.grid) == 1 && Count(grid.block) == 1, constant);
  text.steps = step_limit_;
  ++launches_;
  return grid_.Run(grid, random) ? absl::OkStatus() : Explain(launch);
}

absl::Status Simulator::Explain(const Launch& launch) const {
  const GridFault& fault = grid_.fault();
  const Violation& violation = fault.violation;
  const auto thread = [&](uint32_t number) {
    const unsigned index[3] = {number % launch.block[0], number / launch.block[0] % launch.block[1],
                               number / launch.block[0] / launch.block[1]};
    return absl::StrCat("thread ", Triple(index));
  };
  std::string message = absl::StrCat("kernel ", kernels_[launch.kernel].name, ", block ", Triple(fault.block),
                                     ", ", thread(violation.thread));
  const std::string quote =
      text_->Quote(violation.line > 0 ? violation.line : text_->FindLine(violation.site));
  if (!quote.empty()) absl::StrAppend(&message, ", ", quote);
  absl::StrAppend(&message, ": ", violation.what);
  switch (violation.with) {
    case Shadow::Fault::With::kNobody:
      break;
    case Shadow::Fault::With::kBlock:
      absl::StrAppend(&message, " of block ", Triple(fault.other_block), " in the same launch",
                      launch.cooperative ? ": no grid barrier orders them" : "");
      break;
    case Shadow::Fault::With::kThread:
      absl::StrAppend(&message, " of ", thread(violation.number),
                      " of the same block: no barrier orders them");
      break;
  }
  return absl::FailedPreconditionError(message);
}

Simulator::Counts Simulator::counts() const {
  return {launches_, grid_.blocks(), grid_.accesses(), grid_.barriers()};
}

}  // namespace tune::simt
