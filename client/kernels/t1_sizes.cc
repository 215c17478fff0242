#include <algorithm>
#include <array>

#include "absl/strings/ascii.h"
#include "absl/strings/str_join.h"
#include "client/kernels/t1_space.h"
#include "common/base/c_identifier.h"
#include "common/base/plain_text.h"
#include "common/kernel_definition/definition_names.h"
#include "common/kernel_definition/launch.h"
#include "common/kernel_definition/tuning_value.h"

namespace tune {
namespace {

constexpr const char* kAxes[] = {"X", "Y", "Z"};
constexpr const char* kBlockSizeNames[] = {"block_size_x", "block_size_y", "block_size_z"};

using Sizes = std::array<std::string, 3>;  // expressions; empty: not given

// A string, or a number where one is expected.
std::optional<std::string> ExpressionMember(T1Object* object, const std::string& name) {
  const Json* const found = object->Find(name);
  if (found == nullptr) return std::nullopt;
  if (found->is_string()) return found->get<std::string>();
  if (found->is_number_integer()) return absl::StrCat(found->get<int64_t>());
  object->Fault(name, absl::StrCat("expected a string, found ", JsonKind(*found)));
  return std::nullopt;
}

class SizesReader {
 public:
  SizesReader(T1Object* kernel, v1::KernelDefinition* definition, T1Report* report)
      : kernel_(*kernel), definition_(*definition), report_(*report) {}

  void Read() {
    for (const char* field : {"GlobalSize", "LocalSize"}) kernel_.Require(field);
    is_number_ = HasPlainProblemSize(&kernel_);
    ReadProblem();
    global_ = ReadThree("GlobalSize");
    local_ = ReadThree("LocalSize");
    const std::string unit = kernel_.Word("GlobalSizeType", {"OpenCL", "CUDA", "Vulkan"}).value_or("CUDA");
    in_threads_ = unit == "OpenCL";
    ReadDivisors();
    v1::KernelFunction* const function = definition_.mutable_kernels(0);
    if (!has_problem_) return SetKttSizes(function);
    SetKernelTunerBlock(function);
    SetKernelTunerGrid(function);
    NoteOtherGrid();
  }

 private:
  bool HasParameter(absl::string_view name) const {
    return std::any_of(definition_.parameters().begin(), definition_.parameters().end(),
                       [&](const v1::TuningParameterValues& p) { return p.name() == name; });
  }

  Sizes ReadThree(const std::string& name) {
    Sizes sizes;
    const Json* const found = kernel_.Find(name);
    if (found == nullptr) return sizes;
    T1Object object(*found, kernel_.PathOf(name), &report_);
    object.Require("X");
    for (int d = 0; d < 3; ++d)
      sizes[d] = RenameProblemSize(ExpressionMember(&object, kAxes[d]).value_or(""), is_number_);
    object.NoteOthers();
    return sizes;
  }

  void ReadProblem() {
    const Json* const found = kernel_.Find("ProblemSize");
    if (found == nullptr) return;
    has_problem_ = true;
    const Json list = found->is_array() ? *found : Json::array({*found});
    if (list.empty() || list.size() > 3)
      return kernel_.Fault("ProblemSize", absl::StrCat("expected one to three sizes, found ", list.size()));
    for (const Json& size : list) {
      const std::string name = absl::StrCat("ProblemSize[", definition_.problem_size(), "]");
      v1::ProblemSize* const problem = definition_.add_problem();
      if (size.is_number_integer()) {
        problem->set_size(absl::StrCat(size.get<int64_t>()));
      } else if (size.is_string()) {
        problem->set_size(size.get<std::string>());
      } else {
        kernel_.Fault(name, absl::StrCat("expected a whole number, found ", JsonKind(size)));
      }
    }
  }

  void ReadDivisors() {
    for (int d = 0; d < 3; ++d) {
      const std::string name = absl::StrCat("GridDiv", kAxes[d]);
      const Json* const found = kernel_.Find(name);
      if (found == nullptr) continue;
      if (!has_problem_) {
        kernel_.Note(name, "is not taken, because there is no ProblemSize");
        continue;
      }
      has_divisors_[d] = !found->is_array() || !found->empty();
      for (const Json& divisor : found->is_array() ? *found : Json::array({*found})) {
        if (divisor.is_string()) {
          divisors_[d].push_back(divisor.get<std::string>());
        } else if (divisor.is_number_integer()) {
          divisors_[d].push_back(absl::StrCat(divisor.get<int64_t>()));
        } else {
          kernel_.Fault(name, absl::StrCat("expected names or numbers, found ", JsonKind(divisor)));
        }
      }
    }
  }

  // Without ones at the end.
  static void SetSizes(Sizes sizes, google::protobuf::RepeatedPtrField<std::string>* list) {
    int count = 3;
    while (count > 1 && (sizes[count - 1].empty() || sizes[count - 1] == "1")) --count;
    for (int d = 0; d < count; ++d) *list->Add() = sizes[d].empty() ? "1" : sizes[d];
  }

  void SetKttSizes(v1::KernelFunction* function) {
    SetSizes(local_, function->mutable_block());
    SetSizes(global_, function->mutable_grid());
    if (in_threads_) function->set_grid_unit(v1::GRID_UNIT_THREADS);
  }

  // Kernel Tuner's blocks are the parameters of these names; LocalSize counts where there are none.
  void SetKernelTunerBlock(v1::KernelFunction* function) {
    if (std::none_of(std::begin(kBlockSizeNames), std::end(kBlockSizeNames),
                     [&](const char* name) { return HasParameter(name); }))
      return SetSizes(local_, function->mutable_block());
    Sizes block;
    for (int d = 0; d < 3; ++d) {
      block[d] = HasParameter(kBlockSizeNames[d]) ? kBlockSizeNames[d] : d == 0 ? "256" : "1";
      if (local_[d].empty() || absl::StripAsciiWhitespace(local_[d]) == block[d]) continue;
      report_.notes.push_back(absl::StrCat(
          kernel_.PathOf("LocalSize"), ".", kAxes[d], ": \"", EscapeLine(local_[d]),
          "\" is not taken: with ProblemSize the block has \"", block[d], "\" there, as for Kernel Tuner"));
    }
    SetSizes(block, function->mutable_block());
  }

  std::string ProductOf(const std::vector<std::string>& divisors) const {
    if (divisors.size() == 1) return divisors[0];
    return absl::StrJoin(divisors, " * ", [](std::string* out, const std::string& divisor) {
      absl::StrAppend(out, IsSimple(divisor) ? divisor : absl::StrCat("(", divisor, ")"));
    });
  }

  static bool IsSimple(absl::string_view text) {
    return std::all_of(text.begin(), text.end(), IsNameCharacter);
  }

  void SetKernelTunerGrid(v1::KernelFunction* function) {
    Sizes grid;
    for (int d = 0; d < 3; ++d) {
      if (d >= definition_.problem_size()) {
        if (has_divisors_[d])
          kernel_.Note(absl::StrCat("GridDiv", kAxes[d]), "is not taken: ProblemSize does not go that far");
        continue;
      }
      if (!has_divisors_[d] && HasParameter(kBlockSizeNames[d])) divisors_[d] = {kBlockSizeNames[d]};
      const std::string size = absl::StrCat(kProblemSize, "[", d, "]");
      const std::string product = ProductOf(divisors_[d]);
      grid[d] = divisors_[d].empty()
                    ? size
                    : absl::StrCat("ceil(", size, " / ",
                                   IsSimple(product) ? product : absl::StrCat("(", product, ")"), ")");
    }
    SetSizes(grid, function->mutable_grid());
  }

  // Says where GlobalSize is another grid, at the configuration that runs first.
  void NoteOtherGrid() {
    if (global_[0].empty() || !report_.faults.empty()) return;
    v1::KernelDefinition other = definition_;
    for (v1::TuningParameterValues& parameter : *other.mutable_parameters()) {
      if (!parameter.has_default_value() && !parameter.values().empty())
        *parameter.mutable_default_value() = parameter.values((parameter.values_size() - 1) / 2);
    }
    const absl::StatusOr<NamedValues> problem = ProblemNames(other);
    if (!problem.ok()) return;
    std::vector<Value> values;
    for (const v1::TuningParameterValues& parameter : other.parameters())
      values.push_back(ToValue(parameter.default_value()));
    const NamedValues names = ConfigurationNames(other, *problem, values);
    const auto taken = EvaluateKernel(other, other.kernels(0), names);
    v1::KernelFunction ktt = other.kernels(0);
    ktt.clear_grid();
    SetSizes(global_, ktt.mutable_grid());
    if (in_threads_) ktt.set_grid_unit(v1::GRID_UNIT_THREADS);
    const auto not_taken = EvaluateKernel(other, ktt, names);
    if (!taken.ok() || (not_taken.ok() && not_taken->grid == taken->grid)) return;
    kernel_.Note(
        "GlobalSize",
        absl::StrCat("is not taken: ProblemSize with its divisors makes ", absl::StrJoin(taken->grid, " x "),
                     " blocks at the default configuration, and this ",
                     not_taken.ok() ? absl::StrJoin(not_taken->grid, " x ") : "has no value"));
  }

  T1Object& kernel_;
  v1::KernelDefinition& definition_;
  T1Report& report_;
  Sizes global_, local_;
  std::array<std::vector<std::string>, 3> divisors_;
  std::array<bool, 3> has_divisors_{};
  bool has_problem_ = false, is_number_ = false, in_threads_ = false;
};

}  // namespace

bool HasPlainProblemSize(T1Object* kernel) {
  const Json* const found = kernel->Find("ProblemSize");
  return found != nullptr && !found->is_array();
}

void ReadT1Sizes(T1Object* kernel, v1::KernelDefinition* definition, T1Report* report) {
  SizesReader(kernel, definition, report).Read();
}

}  // namespace tune
