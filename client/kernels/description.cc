#include "client/kernels/description.h"

#include <algorithm>
#include <set>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/kernels/short_form.h"
#include "client/kernels/short_form_text.h"
#include "common/base/plain_text.h"
#include "common/kernel_definition/definition_names.h"

namespace tune {
namespace {

// A line with what is to be known of it behind it.
std::string WithComment(const std::string& line, absl::string_view comment) {
  constexpr size_t kColumn = 40;
  return absl::StrCat(line, std::string(line.size() < kColumn ? kColumn - line.size() : 1, ' '), "# ",
                      EscapeLine(comment), "\n");
}

class Description {
 public:
  Description(const SourceScan& source, std::string file, v1::KernelLanguage language,
              std::vector<const SourceFunction*> functions)
      : source_(source), file_(std::move(file)), language_(language), functions_(std::move(functions)) {}

  std::string Write() {
    text_ = absl::StrCat("# Kernels of ", EscapeLine(file_),
                         ": replace each ?, and take away what is not meant; a # begins a comment.\n",
                         "file ", WritePath(file_), "\n");
    if (language_ != LanguageOfFile(file_)) absl::StrAppend(&text_, "language ", is_c() ? "c" : "cuda", "\n");
    WriteParameters();
    for (const SourceFunction* function : functions_) WriteKernel(*function);
    WriteArguments();
    absl::StrAppend(&text_,
                    "\n# Outputs are compared with those of the first configuration; or with:\n"
                    "# reference function NAME:file=plain.c\n");
    if (!is_c()) absl::StrAppend(&text_, "# reference kernel NAME:file=plain.cu:block=?:grid=?\n");
    return std::move(text_);
  }

 private:
  bool is_c() const { return language_ == v1::KERNEL_LANGUAGE_C; }

  void WriteParameters() {
    absl::StrAppend(&text_,
                    "\n# Sizes of the problem, with names for expressions:\n# problem n=4096, m=4096\n\n",
                    "# Tuning parameters: values as 16,32,64 or 1..8 or [2**i for i in range(8)].\n");
    std::set<std::string> names;
    for (const SourceFunction* function : functions_) {
      for (const SourceTemplateParameter& parameter : function->template_parameters) {
        if (!IsDefinitionName(parameter.name) || !names.insert(parameter.name).second) continue;
        text_ += WithComment(absl::StrCat("parameter ", parameter.name, "=?"),
                             absl::StrCat("of the template ", function->name, ": ", parameter.text));
      }
    }
    for (const MacroCandidate& macro : source_.macros) {
      if (!IsDefinitionName(macro.name) || !names.insert(macro.name).second) continue;
      const std::string what = macro.alternative.empty()
                                   ? "defined nowhere in it; remove the line if a header does"
                                   : absl::StrCat("there ", macro.alternative, ", unless it is defined");
      text_ += WithComment(absl::StrCat("# parameter ", macro.name, "=?"),
                           absl::StrCat("line ", macro.line, ": ", what));
    }
    if (names.empty()) absl::StrAppend(&text_, "# parameter NAME=?\n");
    absl::StrAppend(&text_, "# constraint EXPRESSION\n");
  }

  void WriteKernel(const SourceFunction& function) {
    absl::StrAppend(&text_, "\n",
                    WithComment(absl::StrCat("kernel ", function.name),
                                absl::StrCat("line ", function.line, ": ", function.Signature())));
    if (function.is_template()) {
      const auto name = [](std::string* out, const SourceTemplateParameter& p) { out->append(p.name); };
      text_ += WithComment(absl::StrCat("template ", absl::StrJoin(function.template_parameters, ", ", name)),
                           "expressions of tuning parameters, or types");
    }
    if (!is_c()) {
      text_ += WithComment("block ?", "threads in x, or in x, y, z");
      text_ += WithComment("grid ?", "blocks; or threads ?; or nothing, with a problem");
    }
    if (functions_.size() < 2) return;
    std::vector<std::string> names;
    for (const SourceParameter& parameter : function.parameters)
      names.push_back(NameOf(parameter, names.size()));
    if (!names.empty()) absl::StrAppend(&text_, "takes ", absl::StrJoin(names, ", "), "\n");
  }

  static std::string NameOf(const SourceParameter& parameter, size_t index) {
    return parameter.name.empty() ? absl::StrCat("argument_", index + 1) : parameter.name;
  }

  void WriteArguments() {
    absl::StrAppend(
        &text_, "\n# Arguments: NAME:TYPE[COUNT]:in|out|inout:random, or :value=, :generator=, :file=.\n");
    std::set<std::string> names;
    for (const SourceFunction* function : functions_) {
      size_t index = 0;
      for (const SourceParameter& parameter : function->parameters) {
        const std::string name = NameOf(parameter, index++);
        if (names.insert(name).second) WriteArgument(name, parameter);
      }
    }
    for (const SourceSymbol& symbol : source_.symbols) {
      if (is_c() || !names.insert(symbol.variable.name).second) continue;
      const std::string form = FormText(symbol.variable);
      text_ += WithComment(absl::StrCat("# argument ", symbol.variable.name, ":", form, "[",
                                        symbol.count.empty() ? "1" : "?", "]:symbol:random"),
                           absl::StrCat("line ", symbol.line, ": ", symbol.variable.text,
                                        symbol.count.empty() ? "" : absl::StrCat(" of ", symbol.count)));
    }
  }

  static std::string FormText(const SourceParameter& parameter) {
    return parameter.form.type == v1::NUMBER_TYPE_UNSPECIFIED ? "?" : ElementName(parameter.form);
  }

  void WriteArgument(const std::string& name, const SourceParameter& parameter) {
    std::string line = absl::StrCat("argument ", name, ":");
    if (parameter.is_texture) {
      absl::StrAppend(&line, "?[?]:texture:random");
    } else if (parameter.is_pointer) {
      absl::StrAppend(&line, FormText(parameter), "[?]:", parameter.is_const ? "in:random" : "inout:random");
    } else {
      absl::StrAppend(&line, FormText(parameter), ":?");
    }
    text_ += WithComment(line, parameter.text);
  }

  const SourceScan& source_;
  const std::string file_;
  const v1::KernelLanguage language_;
  const std::vector<const SourceFunction*> functions_;
  std::string text_;
};

}  // namespace

absl::StatusOr<std::string> DescribeSource(const SourceScan& source, const std::string& file,
                                           v1::KernelLanguage language,
                                           const std::vector<std::string>& kernels) {
  const char* const what =
      language == v1::KERNEL_LANGUAGE_C ? "function that returns nothing" : "__global__ function";
  if (source.functions.empty())
    return absl::NotFoundError(absl::StrCat(EscapeLine(file), ": there is no ", what, " in it"));
  std::vector<const SourceFunction*> chosen;
  std::set<std::string> names;
  for (const SourceFunction& function : source.functions) {
    const bool is_wanted =
        kernels.empty() || std::any_of(kernels.begin(), kernels.end(), [&](const std::string& name) {
          return function.name == name || absl::EndsWith(function.name, "::" + name);
        });
    if (is_wanted && names.insert(function.name).second) chosen.push_back(&function);
  }
  for (const std::string& name : kernels) {
    if (std::any_of(chosen.begin(), chosen.end(), [&](const SourceFunction* function) {
          return function->name == name || absl::EndsWith(function->name, "::" + name);
        }))
      continue;
    const auto print = [](std::string* out, const SourceFunction& f) { out->append(EscapeLine(f.name)); };
    return absl::NotFoundError(
        absl::StrCat(EscapeLine(file), ": there is no kernel ", EscapeLine(name),
                     " in it; there are: ", absl::StrJoin(source.functions, ", ", print)));
  }
  return Description(source, file, language, std::move(chosen)).Write();
}

}  // namespace tune
