#include <algorithm>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "client/kernels/argument_text.h"
#include "client/kernels/reference_text.h"
#include "client/kernels/short_form.h"
#include "client/kernels/short_form_text.h"
#include "client/kernels/value_list.h"
#include "client/submit/shell_words.h"
#include "common/base/plain_text.h"
#include "common/kernel_definition/definition_names.h"
#include "common/kernel_definition/number_type.h"

namespace tune {
namespace {

constexpr char kToFill[] = "?";  // what `tunectl describe` writes where it does not know

absl::StatusOr<v1::KernelLanguage> ReadLanguage(absl::string_view text) {
  if (absl::EqualsIgnoreCase(text, "cuda")) return v1::KERNEL_LANGUAGE_CUDA;
  if (absl::EqualsIgnoreCase(text, "c")) return v1::KERNEL_LANGUAGE_C;
  return absl::InvalidArgumentError(absl::StrCat("\"", EscapeLine(text), "\": write cuda or c"));
}

template <typename Number>
absl::Status ReadNumber(absl::string_view text, bool (*read)(absl::string_view, Number*), Number* number) {
  if (read(text, number)) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("\"", EscapeLine(text), "\" is no number"));
}

// Lines of a file, those that go on in the next one together.
struct FileLine {
  int number;
  std::string text;
};
std::vector<FileLine> LinesOf(absl::string_view content) {
  std::vector<FileLine> lines;
  int number = 0;
  bool goes_on = false;
  for (const absl::string_view whole : absl::StrSplit(content, '\n')) {
    ++number;
    absl::string_view line = absl::StripTrailingAsciiWhitespace(WithoutComment(whole));
    if (!goes_on) lines.push_back({number, ""});
    goes_on = absl::ConsumeSuffix(&line, "\\");
    absl::StrAppend(&lines.back().text, line);
  }
  return lines;
}

}  // namespace

v1::KernelLanguage LanguageOfFile(absl::string_view path) {
  if (absl::EndsWith(path, ".cu") || absl::EndsWith(path, ".cuh")) return v1::KERNEL_LANGUAGE_CUDA;
  return absl::EndsWith(path, ".c") ? v1::KERNEL_LANGUAGE_C : v1::KERNEL_LANGUAGE_UNSPECIFIED;
}

const std::vector<ShortFormWord>& ShortFormWords() {
  static const auto* const kWords = new std::vector<ShortFormWord>{
      {"file", "PATH", "Source file with the kernels", true},
      {"language", "NAME", "cuda or c; default: by the file's suffix"},
      {"flags", "TEXT", "Options for NVRTC, or for cc, one text; on a command line --flags=-use_fast_math"},
      {"problem", "SIZE,...", "Sizes of the problem, with names or without: 4096,4096 or n=4096,m=n//2"},
      {"parameter", "NAME=VALUES",
       "Tuning parameter: block_x=16,32,64, tile=1..8, unroll=[2**i for i in range(5)], type=float,double. "
       "It is a "
       "macro of the source, or one of --template"},
      {"clocks", "MHZ,...",
       "Graphics clocks of the GPU as one more parameter, nvml_gr_clock; set for each measurement, and set "
       "back after it"},
      {"default", "NAME=VALUE,...", "Values of the configuration that runs first; others: the middle one"},
      {"constraint", "EXPRESSION", "What is true of a valid configuration: block_x * tile <= 1024"},
      {"define", "NAME=EXPRESSION", "Further macro, of parameters and sizes"},
      {"argument", kArgumentForm,
       "Argument: in:float[n * n]:random, width:int:4096, out:float[n]:out, "
       "weights:float[25]:symbol:file=w.raw, "
       "x:double[n]:generator=i / n, tile:float[block_x]:local"},
      {"kernel", "NAME",
       "Kernel: a function of the file. What follows is of this kernel: template, block, grid, "
       "threads, shared, takes"},
      {"template", "EXPRESSION,...", "Template arguments of the kernel: block_x, float"},
      {"block", "X,Y,Z", "Threads of a block of the kernel"},
      {"grid", "X,Y,Z", "Blocks of the kernel's grid; default: the problem's sizes in threads"},
      {"threads", "X,Y,Z", "The grid in threads, rounded up to whole blocks"},
      {"shared", "EXPRESSION", "Dynamic shared memory of the kernel in bytes"},
      {"takes", "NAME,...", "Arguments of the kernel in its order; default: all"},
      {"launch", "NAME [times EXPRESSION]", "One step of a run; default: each kernel once"},
      {"reference", "WHAT",
       "What outputs are compared with: default (the first configuration), kernel NAME:block=16:grid=n // "
       "16, or "
       "function NAME:file=plain.c"},
      {"check", "OUTPUT:METHOD=THRESHOLD",
       "How an output is compared: norm (default), sum, each, relative, none; and with what: "
       "out:each=0.1:file=o.raw"},
      {"strategy", "NAME", "Strategy of the search", true},
      {"evaluations", "NUMBER", "Budget of evaluations", true},
      {"fraction", "NUMBER", "Budget as a part of the valid configurations, such as 0.1", true},
      {"seconds", "NUMBER", "Budget of time", true},
      {"count-all", "", "Hardware counters of every correct candidate", true}};
  return *kWords;
}

absl::Status ShortFormReader::Add(absl::string_view word, absl::string_view text) {
  text = absl::StripAsciiWhitespace(text);
  if (FindOutside(text, kToFill) != absl::string_view::npos || absl::StrContains(text, "[?]"))
    return absl::InvalidArgumentError(
        absl::StrCat("\"", EscapeLine(text), "\": the ? is still to be replaced by what is meant"));
  if (text.empty() && word != "count-all") return absl::InvalidArgumentError("nothing stands behind it");
  if (word == "file") {
    TUNE_ASSIGN_OR_RETURN(*definition_.mutable_file(), ReadPath(text));
  } else if (word == "language") {
    TUNE_ASSIGN_OR_RETURN(const v1::KernelLanguage language, ReadLanguage(text));
    definition_.set_language(language);
  } else if (word == "flags") {
    TUNE_ASSIGN_OR_RETURN(const std::vector<std::string> flags, SplitShellWords(text));
    for (const std::string& flag : flags) definition_.add_compiler_options(flag);
  } else if (word == "problem") {
    return AddProblem(text);
  } else if (word == "parameter") {
    return AddParameter(text);
  } else if (word == "clocks") {
    return AddParameter(absl::StrCat(kGraphicsClock, "=", text));
  } else if (word == "default") {
    for (std::string& part : SplitOutside(text, ',')) defaults_.push_back(std::move(part));
  } else if (word == "constraint") {
    definition_.add_constraints(std::string(text));
  } else if (word == "define") {
    TUNE_ASSIGN_OR_RETURN(const NamedText macro, ReadNamedText(text));
    definition_.add_macros()->set_name(macro.name);
    definition_.mutable_macros()->rbegin()->set_value(macro.text);
  } else if (word == "argument") {
    TUNE_ASSIGN_OR_RETURN(*definition_.add_arguments(), ReadArgument(text));
  } else if (word == "launch") {
    return AddLaunch(text);
  } else if (word == "reference") {
    return ReadReference(text, definition_.mutable_reference());
  } else if (word == "check") {
    TUNE_ASSIGN_OR_RETURN(*definition_.mutable_reference()->add_checks(), ReadOutputCheck(text));
  } else {
    return AddOfKernel(word, text);
  }
  return absl::OkStatus();
}

absl::Status ShortFormReader::AddOfKernel(absl::string_view word, absl::string_view text) {
  if (word == "kernel") {
    definition_.add_kernels()->set_name(std::string(text));
    return absl::OkStatus();
  }
  v1::KernelFunction none;
  const bool has_kernel = !definition_.kernels().empty();
  if (!SetKernelField(word, text, has_kernel ? &*definition_.mutable_kernels()->rbegin() : &none))
    return AddSearch(word, text);
  if (!has_kernel)
    return absl::InvalidArgumentError("name the kernel that this is of before it: kernel NAME");
  return absl::OkStatus();
}

absl::Status ShortFormReader::AddSearch(absl::string_view word, absl::string_view text) {
  v1::KernelSearch& search = *definition_.mutable_search();
  if (word == "strategy") {
    search.set_strategy(std::string(text));
  } else if (word == "evaluations") {
    int64_t number = 0;
    TUNE_RETURN_IF_ERROR(ReadNumber<int64_t>(text, absl::SimpleAtoi, &number));
    search.set_evaluations(number);
  } else if (word == "fraction" || word == "seconds") {
    double number = 0;
    TUNE_RETURN_IF_ERROR(ReadNumber<double>(text, absl::SimpleAtod, &number));
    word == "fraction" ? search.set_fraction(number) : search.set_seconds(number);
  } else if (word == "count-all") {
    if (!text.empty()) return absl::InvalidArgumentError("nothing stands behind it");
    search.set_count_all(true);
  } else {
    const auto name = [](std::string* out, const ShortFormWord& known) { out->append(known.word); };
    return absl::InvalidArgumentError(
        absl::StrCat("there is no such word; there are: ", absl::StrJoin(ShortFormWords(), ", ", name)));
  }
  return absl::OkStatus();
}

absl::Status ShortFormReader::AddParameter(absl::string_view text) {
  TUNE_ASSIGN_OR_RETURN(const NamedText named, ReadNamedText(text));
  const absl::StatusOr<std::vector<v1::TuningValue>> values = ReadValueList(named.text);
  if (!values.ok()) return Annotate(values.status(), named.name);
  v1::TuningParameterValues& parameter = *definition_.add_parameters();
  parameter.set_name(named.name);
  for (const v1::TuningValue& value : *values) *parameter.add_values() = value;
  return absl::OkStatus();
}

absl::Status ShortFormReader::AddProblem(absl::string_view text) {
  for (const std::string& part : SplitOutside(text, ',')) {
    v1::ProblemSize& problem = *definition_.add_problem();
    const absl::StatusOr<NamedText> named = ReadNamedText(part);
    const bool has_name = named.ok() && (named->text.empty() || named->text[0] != '=');  // no ==
    if (has_name) problem.set_name(named->name);
    problem.set_size(has_name ? named->text : part);
  }
  return absl::OkStatus();
}

absl::Status ShortFormReader::AddLaunch(absl::string_view text) {
  const size_t blank = text.find(' ');
  v1::KernelLaunch& launch = *definition_.add_launches();
  launch.set_kernel(std::string(text.substr(0, blank)));
  if (blank == absl::string_view::npos) return absl::OkStatus();
  absl::string_view rest = absl::StripAsciiWhitespace(text.substr(blank));
  if (!absl::ConsumePrefix(&rest, "times ") || rest.empty())
    return absl::InvalidArgumentError(
        absl::StrCat("\"", EscapeLine(text), "\": write NAME or NAME times EXPRESSION"));
  launch.set_times(std::string(absl::StripAsciiWhitespace(rest)));
  return absl::OkStatus();
}

absl::Status ShortFormReader::ApplyDefaults() {
  for (const std::string& text : defaults_) {
    TUNE_ASSIGN_OR_RETURN(const NamedText named, ReadNamedText(text));
    const auto parameter =
        std::find_if(definition_.mutable_parameters()->begin(), definition_.mutable_parameters()->end(),
                     [&](const v1::TuningParameterValues& p) { return p.name() == named.name; });
    if (parameter == definition_.mutable_parameters()->end())
      return absl::InvalidArgumentError(absl::StrCat("default ", named.name, ": there is no such parameter"));
    const absl::StatusOr<std::vector<v1::TuningValue>> values = ReadValueList(named.text);
    if (!values.ok()) return Annotate(values.status(), absl::StrCat("default ", named.name));
    if (values->size() != 1)
      return absl::InvalidArgumentError(absl::StrCat("default ", named.name, ": write one value"));
    *parameter->mutable_default_value() = (*values)[0];
  }
  return absl::OkStatus();
}

// `float` among template arguments is a type, unless something is called so.
void ShortFormReader::QuoteTypes() {
  const auto is_name = [&](const std::string& text) {
    const auto has_name = [&](const auto& named) { return named.name() == text; };
    return std::any_of(definition_.parameters().begin(), definition_.parameters().end(), has_name) ||
           std::any_of(definition_.problem().begin(), definition_.problem().end(), has_name);
  };
  for (v1::KernelFunction& kernel : *definition_.mutable_kernels()) {
    for (std::string& argument : *kernel.mutable_template_arguments()) {
      if (!is_name(argument) && IsBareText(argument) && ParseElementType(argument).ok())
        argument = absl::StrCat("'", argument, "'");
    }
  }
}

absl::StatusOr<v1::KernelDefinition> ShortFormReader::Finish() {
  TUNE_RETURN_IF_ERROR(ApplyDefaults());
  QuoteTypes();
  if (definition_.language() == v1::KERNEL_LANGUAGE_UNSPECIFIED)
    definition_.set_language(LanguageOfFile(definition_.file()));
  return definition_;
}

absl::Status ShortFormReader::AddLines(absl::string_view content, absl::string_view name) {
  constexpr size_t kMostFaults = 20;
  std::vector<std::string> faults;
  for (const FileLine& line : LinesOf(content)) {
    const absl::string_view text = absl::StripAsciiWhitespace(line.text);
    if (text.empty()) continue;
    const size_t blank = std::min(text.find_first_of(" \t"), text.size());
    const absl::string_view word = text.substr(0, blank);
    const absl::Status added = Add(word, text.substr(blank));
    if (added.ok()) continue;
    faults.push_back(absl::StrCat(name, ":", line.number, ": ", EscapeLine(word), ": ", added.message()));
    if (faults.size() == kMostFaults) break;
  }
  return faults.empty() ? absl::OkStatus() : absl::InvalidArgumentError(absl::StrJoin(faults, "\n"));
}

absl::StatusOr<v1::KernelDefinition> ReadShortForm(absl::string_view content, absl::string_view name) {
  ShortFormReader reader;
  TUNE_RETURN_IF_ERROR(reader.AddLines(content, name));
  const absl::StatusOr<v1::KernelDefinition> definition = reader.Finish();
  if (!definition.ok()) return Annotate(definition.status(), name);
  return definition;
}

}  // namespace tune
