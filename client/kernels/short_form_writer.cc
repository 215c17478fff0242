#include "absl/strings/str_join.h"
#include "client/kernels/argument_text.h"
#include "client/kernels/reference_text.h"
#include "client/kernels/short_form.h"
#include "client/kernels/short_form_text.h"
#include "client/kernels/value_list.h"
#include "client/submit/shell_words.h"
#include "common/expression/value_text.h"

namespace tune {
namespace {

class ShortFormWriter {
 public:
  explicit ShortFormWriter(const v1::KernelDefinition& definition) : definition_(definition) {}

  std::string Write() {
    if (!definition_.file().empty()) Line("file", WritePath(definition_.file()));
    if (definition_.language() != LanguageOfFile(definition_.file()))
      Line("language", definition_.language() == v1::KERNEL_LANGUAGE_C ? "c" : "cuda");
    if (!definition_.compiler_options().empty()) {
      const auto& options = definition_.compiler_options();
      Line("flags", JoinShellWords({options.begin(), options.end()}));
    }
    WriteSpace();
    for (const v1::KernelMacro& macro : definition_.macros())
      Line("define", absl::StrCat(macro.name(), "=", macro.value()));
    WriteKernels();
    WriteArguments();
    WriteSearch();
    return std::move(text_);
  }

 private:
  void Line(absl::string_view word, absl::string_view text) {
    if (begins_part_ && !text_.empty()) text_ += '\n';
    begins_part_ = false;
    absl::StrAppend(&text_, word, text.empty() ? "" : " ", text, "\n");
  }

  void WriteSpace() {
    begins_part_ = true;
    std::vector<std::string> sizes, defaults;
    for (const v1::ProblemSize& problem : definition_.problem())
      sizes.push_back(absl::StrCat(problem.name(), problem.name().empty() ? "" : "=", problem.size()));
    if (!sizes.empty()) Line("problem", absl::StrJoin(sizes, ", "));
    for (const v1::TuningParameterValues& parameter : definition_.parameters()) {
      Line("parameter", absl::StrCat(parameter.name(), "=", WriteValueList(parameter.values())));
      if (parameter.has_default_value())
        defaults.push_back(absl::StrCat(parameter.name(), "=", WriteTuningValue(parameter.default_value())));
    }
    if (!defaults.empty()) Line("default", absl::StrJoin(defaults, ", "));
    for (const std::string& constraint : definition_.constraints()) Line("constraint", constraint);
  }

  void WriteKernels() {
    for (const v1::KernelFunction& kernel : definition_.kernels()) {
      begins_part_ = true;
      Line("kernel", kernel.name());
      for (const auto& [word, field] : KernelFields(kernel)) Line(word, field);
    }
    for (const v1::KernelLaunch& launch : definition_.launches())
      Line("launch", absl::StrCat(launch.kernel(), launch.times().empty() ? "" : " times ", launch.times()));
  }

  void WriteArguments() {
    begins_part_ = true;
    for (const v1::KernelArgument& argument : definition_.arguments())
      Line("argument", WriteArgument(argument));
    begins_part_ = true;
    const std::string reference = WriteReference(definition_.reference());
    if (!reference.empty()) Line("reference", reference);
    for (const v1::OutputCheck& check : definition_.reference().checks())
      Line("check", WriteOutputCheck(check));
  }

  void WriteSearch() {
    begins_part_ = true;
    const v1::KernelSearch& search = definition_.search();
    if (!search.strategy().empty()) Line("strategy", search.strategy());
    if (search.evaluations() != 0) Line("evaluations", absl::StrCat(search.evaluations()));
    if (search.fraction() != 0) Line("fraction", PrintValue(Value::Float(search.fraction())));
    if (search.seconds() != 0) Line("seconds", PrintValue(Value::Float(search.seconds())));
    if (search.count_all()) Line("count-all", "");
  }

  const v1::KernelDefinition& definition_;
  std::string text_;
  bool begins_part_ = false;
};

}  // namespace

std::string WriteShortForm(const v1::KernelDefinition& definition) {
  return ShortFormWriter(definition).Write();
}

}  // namespace tune
