#include "client/kernels/source_check.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/base/plain_text.h"
#include "common/kernel_definition/argument_form.h"

namespace tune {
namespace {

bool IsCalled(const SourceFunction& function, absl::string_view name) {
  return function.name == name || absl::EndsWith(function.name, absl::StrCat("::", name));
}

bool IsFloating(v1::NumberType type) {
  return type == v1::NUMBER_HALF || type == v1::NUMBER_FLOAT || type == v1::NUMBER_DOUBLE;
}

// Numbers of the same bytes and kind: arrays of signed and unsigned ones lie alike in memory.
bool LieAlike(v1::NumberType a, v1::NumberType b) {
  return a == b || (IsFloating(a) == IsFloating(b) && NumberBytes(a) == NumberBytes(b));
}

// Empty where the argument can be handed over as the parameter.
std::string WhyUnlike(const v1::KernelArgument& argument, const SourceParameter& parameter) {
  const v1::ArgumentMemory memory = MemoryOf(argument);
  if (parameter.is_texture != (memory == v1::ARGUMENT_TEXTURE))
    return parameter.is_texture ? "it is no texture" : "it is a texture";
  if (memory == v1::ARGUMENT_TEXTURE) return "";
  const bool is_known = parameter.is_pointer || parameter.form.type != v1::NUMBER_TYPE_UNSPECIFIED;
  if (parameter.is_pointer && memory == v1::ARGUMENT_SCALAR) return "it is a scalar";
  if (!parameter.is_pointer && memory == v1::ARGUMENT_VECTOR && is_known) return "it is an array";
  if (parameter.is_pointer && parameter.is_const && AccessOf(argument) == v1::ARGUMENT_WRITE)
    return "it is an output";
  if (parameter.form.type == v1::NUMBER_TYPE_UNSPECIFIED || argument.type() == v1::NUMBER_CUSTOM) return "";
  const bool fits = parameter.is_pointer ? LieAlike(argument.type(), parameter.form.type)
                                         : LieAlike(argument.type(), parameter.form.type) &&
                                               FormOf(argument).lanes == parameter.form.lanes;
  return fits ? "" : absl::StrCat("its type is ", ElementName(FormOf(argument)));
}

class SourceCheck {
 public:
  SourceCheck(const v1::KernelDefinition& definition, const SourceScan& source, FaultList* faults)
      : definition_(definition), source_(source), faults_(*faults), file_(EscapeLine(definition.file())) {}

  void CheckKernel(const v1::KernelFunction& kernel) {
    const std::string where = absl::StrCat("kernel ", EscapeLine(kernel.name()));
    std::vector<const SourceFunction*> found;
    for (const SourceFunction& function : source_.functions) {
      if (IsCalled(function, kernel.name())) found.push_back(&function);
    }
    if (found.empty()) return NoSuchKernel(where);
    const auto arguments = ArgumentsOf(definition_, kernel);
    if (!arguments.ok()) return;  // said elsewhere
    const auto fits = std::find_if(found.begin(), found.end(), [&](const SourceFunction* function) {
      return function->parameters.size() == arguments->size();
    });
    if (fits == found.end()) {
      const auto name = [](std::string* out, const v1::KernelArgument* a) {
        out->append(EscapeLine(a->name()));
      };
      return faults_.Add(absl::StrCat(where, ": ", file_, ":", found[0]->line, " has ",
                                      found[0]->parameters.size(), " parameters, ",
                                      EscapeLine(found[0]->Signature()), ", and the arguments are ",
                                      arguments->size(), ": ", absl::StrJoin(*arguments, ", ", name)));
    }
    CheckTemplate(kernel, **fits, where);
    for (size_t i = 0; i < arguments->size(); ++i) {
      const SourceParameter& parameter = (*fits)->parameters[i];
      const std::string why = WhyUnlike(*(*arguments)[i], parameter);
      if (why.empty()) continue;
      faults_.Add(absl::StrCat(where, ": argument ", i + 1, ", ", EscapeLine((*arguments)[i]->name()), ": ",
                               why, ", and ", file_, ":", (*fits)->line, " has ",
                               EscapeLine(parameter.text)));
    }
  }

  void CheckSymbols() {
    for (const v1::KernelArgument& argument : definition_.arguments()) {
      const bool is_symbol = MemoryOf(argument) == v1::ARGUMENT_SYMBOL;
      if (is_symbol || !argument.copied_to_symbol().empty())
        CheckSymbol(argument, is_symbol ? argument.name() : argument.copied_to_symbol());
    }
  }

 private:
  void NoSuchKernel(const std::string& where) {
    const auto name = [](std::string* out, const SourceFunction& f) { out->append(EscapeLine(f.name)); };
    faults_.Add(absl::StrCat(where, ": ", file_, " does not have it; ",
                             source_.functions.empty()
                                 ? "it has no kernels"
                                 : absl::StrCat("it has: ", absl::StrJoin(source_.functions, ", ", name))));
  }

  void CheckTemplate(const v1::KernelFunction& kernel, const SourceFunction& function,
                     const std::string& where) {
    const auto needed =
        std::count_if(function.template_parameters.begin(), function.template_parameters.end(),
                      [](const SourceTemplateParameter& p) { return !p.is_optional; });
    const bool has_pack =
        std::any_of(function.template_parameters.begin(), function.template_parameters.end(),
                    [](const SourceTemplateParameter& p) { return absl::StrContains(p.text, "..."); });
    const int given = kernel.template_arguments_size();
    if (given >= needed && (has_pack || given <= static_cast<int>(function.template_parameters.size())))
      return;
    const auto text = [](std::string* out, const SourceTemplateParameter& p) {
      out->append(EscapeLine(p.text));
    };
    faults_.Add(absl::StrCat(
        where, ": ", file_, ":", function.line,
        function.is_template()
            ? absl::StrCat(" is a template of ", absl::StrJoin(function.template_parameters, ", ", text))
            : " is no template",
        ", and the template arguments are ", given));
  }

  void CheckSymbol(const v1::KernelArgument& argument, const std::string& name) {
    for (const SourceSymbol& symbol : source_.symbols) {
      if (symbol.variable.name != name) continue;
      const v1::NumberType type = symbol.variable.form.type;
      if (type == v1::NUMBER_TYPE_UNSPECIFIED || argument.type() == v1::NUMBER_CUSTOM ||
          LieAlike(argument.type(), type))
        return;
      return faults_.Add(absl::StrCat(ArgumentText(argument), ": its type is ", ElementName(FormOf(argument)),
                                      ", and ", file_, ":", symbol.line, " has ",
                                      EscapeLine(symbol.variable.text)));
    }
    const auto print = [](std::string* out, const SourceSymbol& s) {
      out->append(EscapeLine(s.variable.name));
    };
    faults_.Add(absl::StrCat(ArgumentText(argument), ": ", file_,
                             " has no __constant__ or __device__ variable ", EscapeLine(name), "; ",
                             source_.symbols.empty()
                                 ? "it has none"
                                 : absl::StrCat("it has: ", absl::StrJoin(source_.symbols, ", ", print))));
  }

  const v1::KernelDefinition& definition_;
  const SourceScan& source_;
  FaultList& faults_;
  const std::string file_;
};

class FilesCheck {
 public:
  FilesCheck(const v1::KernelDefinition& definition, const std::string& folder, FaultList* faults)
      : definition_(definition), folder_(folder), faults_(*faults) {
    const absl::StatusOr<NamedValues> problem = ProblemNames(definition);
    if (problem.ok()) names_ = StudyNames(definition, *problem);
  }

  void Run() {
    for (const v1::KernelArgument& argument : definition_.arguments()) {
      if (argument.fill().has_file()) CheckData(argument, argument.fill().file());
    }
    for (const v1::OutputCheck& check : definition_.reference().checks()) {
      for (const v1::KernelArgument& argument : definition_.arguments()) {
        if (argument.name() == check.argument() && check.expected().has_file())
          CheckData(argument, check.expected().file());
      }
    }
    const v1::KernelReference& reference = definition_.reference();
    if (!reference.plain_kernel().file().empty()) CheckThere(reference.plain_kernel().file(), "reference");
    if (reference.has_host_function()) CheckThere(reference.host_function().file(), "reference");
  }

 private:
  // The size; nothing where it cannot be read, and then there is a fault.
  std::optional<int64_t> CheckThere(const std::string& path, const std::string& where) {
    std::error_code error;
    const std::filesystem::path place = std::filesystem::path(folder_) / path;
    if (!std::filesystem::is_regular_file(place, error)) {
      faults_.Add(absl::StrCat(where, ": there is no file ", EscapeLine(place.string())));
      return std::nullopt;
    }
    const auto size = std::filesystem::file_size(place, error);
    if (!error) return static_cast<int64_t>(size);
    faults_.Add(absl::StrCat(where, ": ", EscapeLine(place.string()), ": ", error.message()));
    return std::nullopt;
  }

  void CheckData(const v1::KernelArgument& argument, const v1::FileFill& file) {
    const std::optional<int64_t> size = CheckThere(file.path(), ArgumentText(argument));
    const absl::StatusOr<int64_t> count = CountOf(argument, names_);
    if (!size.has_value() || !count.ok() || file.format() == v1::FILE_HDF5) return;
    const int64_t bytes = *count * ElementBytes(argument);
    if (*size == bytes) return;
    faults_.Add(absl::StrCat(ArgumentText(argument), ": ", EscapeLine(file.path()), " has ", *size,
                             " bytes, and ", *count, " elements of ", ElementBytes(argument), " bytes have ",
                             bytes));
  }

  const v1::KernelDefinition& definition_;
  const std::string& folder_;
  FaultList& faults_;
  NamedValues names_;
};

}  // namespace

void CheckAgainstSource(const v1::KernelDefinition& definition, const SourceScan& source, FaultList* faults) {
  SourceCheck check(definition, source, faults);
  for (const v1::KernelFunction& kernel : definition.kernels()) check.CheckKernel(kernel);
  const v1::PlainKernel& plain = definition.reference().plain_kernel();
  if (definition.reference().has_plain_kernel() &&
      (plain.file().empty() || plain.file() == definition.file()))
    check.CheckKernel(plain.kernel());
  if (definition.language() == v1::KERNEL_LANGUAGE_CUDA) check.CheckSymbols();
}

void CheckFilesOf(const v1::KernelDefinition& definition, const std::string& folder, FaultList* faults) {
  FilesCheck(definition, folder, faults).Run();
}

}  // namespace tune
