#include "tests/simt/simulator.h"

#include <numeric>

#include "absl/strings/str_format.h"

namespace tune::simt {
namespace {

// Compute capability 9.0: CUDA C++ Programming Guide, table "Technical Specifications per Compute
// Capability".
constexpr int64_t kStaticSharedLimit = int64_t{48} << 10;
constexpr int64_t kSharedLimit = int64_t{227} << 10;
constexpr unsigned kGridLimits[3] = {0x7fffffff, 65535, 65535};
constexpr unsigned kBlockLimits[3] = {1024, 1024, 64};

std::string Triple(const unsigned value[3]) {
  return absl::StrFormat("(%d,%d,%d)", value[0], value[1], value[2]);
}

// A random order of the blocks that needs no memory: steps of one length around the grid.
class BlockOrder {
 public:
  BlockOrder(const unsigned grid[3], Random& random)
      : x_(grid[0]), y_(grid[1]), count_(uint64_t{grid[0]} * grid[1] * grid[2]) {
    first_ = random.Below(count_);
    do step_ = 1 + random.Below(count_);
    while (std::gcd(step_, count_) != 1);
  }
  uint64_t count() const { return count_; }
  void Index(uint64_t number, unsigned index[3]) const {
    const auto linear =
        static_cast<uint64_t>((static_cast<unsigned __int128>(number) * step_ + first_) % count_);
    index[0] = static_cast<unsigned>(linear % x_);
    index[1] = static_cast<unsigned>(linear / x_ % y_);
    index[2] = static_cast<unsigned>(linear / x_ / y_);
  }

 private:
  uint64_t x_, y_, count_, first_, step_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Simulator>> Simulator::Compile(const std::string& cuda_text,
                                                              const std::vector<Kernel>& kernels) {
  std::vector<std::string> names;
  for (const Kernel& kernel : kernels) names.push_back(kernel.name);
  TUNE_ASSIGN_OR_RETURN(std::unique_ptr<CompiledText> text, CompiledText::Compile(cuda_text, names));
  std::unique_ptr<Simulator> simulator(new Simulator(std::move(text), kernels));
  TUNE_RETURN_IF_ERROR(simulator->Prepare());
  return simulator;
}

Simulator::Simulator(std::unique_ptr<CompiledText> text, std::vector<Kernel> kernels)
    : text_(std::move(text)), kernels_(std::move(kernels)), block_(&shadow_, text_->interface()) {}

absl::Status Simulator::Prepare() {
  limits_.resize(kernels_.size());
  for (size_t i = 0; i < kernels_.size(); ++i) limits_[i].threads = text_->ThreadLimit(kernels_[i].name);
  for (const CompiledText::Variable& variable : text_->shared_variables()) {
    bool of_kernel = false;
    for (const Kernel& kernel : kernels_) of_kernel |= variable.function == kernel.name;
    const int number = shadow_.AddShared(variable.name, variable.begin, variable.bytes);
    for (size_t i = 0; i < kernels_.size(); ++i) {
      // Those of other functions count for every kernel: any may call them.
      if (of_kernel && variable.function != kernels_[i].name) continue;
      limits_[i].shared.push_back({number, variable.bytes});
      limits_[i].bytes.push_back({variable.begin, variable.bytes});
      limits_[i].static_shared_bytes += static_cast<int64_t>(variable.bytes);
    }
  }
  dynamic_shared_ =
      shadow_.AddShared("dynamic shared memory", text_->interface()->dynamic_shared, kSharedLimit);
  for (const CompiledText::Variable& variable : text_->device_variables()) {
    TUNE_RETURN_IF_ERROR(AddMemory(variable.name, variable.begin, variable.bytes));
  }
  return absl::OkStatus();
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
  return absl::OkStatus();
}

absl::Status Simulator::Run(const Launch& launch, uint64_t seed) {
  TUNE_RETURN_IF_ERROR(CheckLaunch(launch));
  Random random(seed);
  const BlockOrder order(launch.grid, random);
  const Limits& limits = limits_[launch.kernel];
  std::vector<Shadow::Shared> shared = limits.shared;
  std::vector<Block::Bytes> bytes = limits.bytes;
  if (launch.dynamic_shared_bytes > 0) {
    const auto dynamic_bytes = static_cast<size_t>(launch.dynamic_shared_bytes);
    shared.push_back({dynamic_shared_, dynamic_bytes});
    bytes.push_back({text_->interface()->dynamic_shared, dynamic_bytes});
  }
  const unsigned threads = launch.block[0] * launch.block[1] * launch.block[2];
  shadow_.BeginLaunch(shared, order.count() == 1 && threads == 1);
  simt_interface& text = *text_->interface();
  std::copy(launch.block, launch.block + 3, text.indices + 6);
  std::copy(launch.grid, launch.grid + 3, text.indices + 9);
  text.steps = step_limit_;
  block_.BeginLaunch(text.kernels[launch.kernel], launch.arguments, launch.block, bytes);
  ++launches_;
  for (uint64_t number = 0; number < order.count(); ++number) {
    unsigned index[3];
    order.Index(number, index);
    ++blocks_;
    if (block_.Run(index, random)) continue;
    unsigned other[3] = {0, 0, 0};
    if (block_.violation().with == Shadow::Fault::With::kBlock) order.Index(block_.violation().number, other);
    return Explain(launch, Triple(index), Triple(other));
  }
  return absl::OkStatus();
}

absl::Status Simulator::Explain(const Launch& launch, const std::string& block,
                                const std::string& other_block) const {
  const Violation& violation = block_.violation();
  const auto thread = [&](uint32_t number) {
    const unsigned index[3] = {number % launch.block[0], number / launch.block[0] % launch.block[1],
                               number / launch.block[0] / launch.block[1]};
    return absl::StrCat("thread ", Triple(index));
  };
  std::string message = absl::StrCat("kernel ", kernels_[launch.kernel].name, ", block ", block, ", ",
                                     thread(violation.thread));
  const std::string quote =
      text_->Quote(violation.line > 0 ? violation.line : text_->FindLine(violation.site));
  if (!quote.empty()) absl::StrAppend(&message, ", ", quote);
  absl::StrAppend(&message, ": ", violation.what);
  switch (violation.with) {
    case Shadow::Fault::With::kNobody:
      break;
    case Shadow::Fault::With::kBlock:
      absl::StrAppend(&message, " of block ", other_block, " in the same launch");
      break;
    case Shadow::Fault::With::kThread:
      absl::StrAppend(&message, " of ", thread(violation.number),
                      " of the same block: no barrier orders them");
      break;
  }
  return absl::FailedPreconditionError(message);
}

Simulator::Counts Simulator::counts() const {
  return {launches_, blocks_, block_.accesses(), block_.barriers()};
}

}  // namespace tune::simt
