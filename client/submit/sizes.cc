#include "client/submit/sizes.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "common/base/c_identifier.h"

namespace tune {
namespace {

enum class Meaning { kArgument, kParameter, kMacro };

absl::Status Wrong(absl::string_view text, absl::string_view why) {
  return absl::InvalidArgumentError(absl::StrCat("--sizes ", text, ": ", why));
}

std::string Placeholder(const std::string& name) { return absl::StrCat("{", name, "}"); }

bool HasWord(absl::string_view text, absl::string_view word) {
  for (size_t at = text.find(word); at != absl::string_view::npos; at = text.find(word, at + 1)) {
    const size_t end = at + word.size();
    if ((at == 0 || !IsNameCharacter(text[at - 1])) && (end == text.size() || !IsNameCharacter(text[end])))
      return true;
  }
  return false;
}

bool IsParameter(const v1::Extraction& extraction, const std::string& name) {
  return std::any_of(extraction.scops().begin(), extraction.scops().end(), [&](const v1::Scop& scop) {
    const bool parameter =
        std::any_of(scop.parameters().begin(), scop.parameters().end(),
                    [&](const v1::Parameter& parameter) { return parameter.name() == name; });
    // An array may be declared with a name that the region itself does not read.
    return parameter || std::any_of(scop.arrays().begin(), scop.arrays().end(), [&](const v1::Array& array) {
             return std::any_of(
                 array.extents().begin(), array.extents().end(),
                 [&](const v1::Extent& extent) { return HasWord(extent.c_expression(), name); });
           });
  });
}

// A macro that no file mentions would make the same study each time, and one that the region sees with
// another value is defined by the program itself.
absl::Status CheckMacro(const v1::Extraction& extraction, const std::string& file, const std::string& name,
                        int64_t value, SizesFor what) {
  const auto& files = extraction.program().files();
  if (std::none_of(files.begin(), files.end(),
                   [&](const v1::SourceFile& each) { return HasWord(each.content(), name); })) {
    const std::string none = "no file of the program has a macro of this name, and ";
    if (what == SizesFor::kCode) return Wrong(name, none + "no region has a parameter of this name");
    return Wrong(
        name,
        absl::StrCat(none,
                     extraction.program().has_main() ? "--param is for files without main"
                                                     : "no region has a parameter of this name",
                     "; for a size that is an argument of the program write --arg ", Placeholder(name)));
  }
  for (const v1::Scop& scop : extraction.scops()) {
    for (const v1::Meaning& meaning : scop.meanings()) {
      if (meaning.kind() != v1::Meaning::EXPANSION || meaning.text() != name) continue;
      if (meaning.value() == absl::StrCat(value)) continue;
      return Wrong(name, absl::StrCat(file, " defines it as ", meaning.value(),
                                      " whatever -D says; put #ifndef ", name, " around that"));
    }
  }
  return absl::OkStatus();
}

// One size after the other; what its names mean is found once.
class SizeReader {
 public:
  SizeReader(const FrontEndRequest& request, SizesFor what, const ReadFunction& read)
      : request_(request), what_(what), read_(read) {}

  absl::StatusOr<std::vector<SizedProgram>> Read(const std::vector<ProgramSize>& sizes) {
    TUNE_RETURN_IF_ERROR(FindMeanings(sizes[0]));
    std::vector<SizedProgram> programs;
    for (const ProgramSize& size : sizes) {
      TUNE_ASSIGN_OR_RETURN(SizedProgram program, ReadOne(size));
      programs.push_back(std::move(program));
    }
    return programs;
  }

 private:
  Meaning MeaningOf(const std::string& name, const absl::StatusOr<v1::Extraction>& plain) const {
    if (what_ == SizesFor::kRuns && IsInArguments(request_, name)) return Meaning::kArgument;
    const bool open = plain.ok() && (what_ == SizesFor::kCode || !plain->program().has_main());
    return open && IsParameter(*plain, name) ? Meaning::kParameter : Meaning::kMacro;
  }

  // A program that needs its macros to be defined cannot be read without them: then all are macros.
  absl::Status FindMeanings(const ProgramSize& size) {
    const absl::StatusOr<v1::Extraction> plain = read_(request_);
    bool macros = false;
    for (const auto& [name, value] : size) {
      meanings_.push_back(MeaningOf(name, plain));
      macros = macros || meanings_.back() == Meaning::kMacro;
    }
    if (!plain.ok() && (!macros || !read_(RequestOf(size)).ok())) return plain.status();
    return absl::OkStatus();
  }

  FrontEndRequest RequestOf(const ProgramSize& size) const {
    FrontEndRequest request = request_;
    for (size_t i = 0; i < size.size(); ++i) {
      const auto& [name, value] = size[i];
      if (meanings_[i] == Meaning::kMacro) request.defines.push_back(absl::StrCat(name, "=", value));
      if (meanings_[i] != Meaning::kArgument) continue;
      for (std::string& argument : request.arguments)
        argument = absl::StrReplaceAll(argument, {{Placeholder(name), absl::StrCat(value)}});
    }
    return request;
  }

  absl::StatusOr<SizedProgram> ReadOne(const ProgramSize& size) const {
    SizedProgram program = {size, {}, {}};
    TUNE_ASSIGN_OR_RETURN(program.extraction, read_(RequestOf(size)));
    for (size_t i = 0; i < size.size(); ++i) {
      const auto& [name, value] = size[i];
      if (meanings_[i] == Meaning::kParameter) program.parameters[name] = value;
      if (meanings_[i] == Meaning::kMacro)
        TUNE_RETURN_IF_ERROR(CheckMacro(program.extraction, request_.file, name, value, what_));
    }
    return program;
  }

  const FrontEndRequest& request_;
  const SizesFor what_;
  const ReadFunction& read_;
  std::vector<Meaning> meanings_;  // of the names, parallel to each size
};

}  // namespace

bool IsInArguments(const FrontEndRequest& request, const std::string& name) {
  return std::any_of(request.arguments.begin(), request.arguments.end(), [&](const std::string& argument) {
    return absl::StrContains(argument, Placeholder(name));
  });
}

absl::StatusOr<std::vector<ProgramSize>> ParseSizes(const std::vector<std::string>& texts) {
  std::vector<std::pair<std::string, std::vector<int64_t>>> lists;
  size_t count = 1;
  for (const std::string& text : texts) {
    const std::pair<std::string, std::string> parts = absl::StrSplit(text, absl::MaxSplits('=', 1));
    auto& [name, values] = lists.emplace_back(parts.first, std::vector<int64_t>());
    for (absl::string_view word : absl::StrSplit(parts.second, ',')) {
      if (name.empty() || !absl::SimpleAtoi(word, &values.emplace_back()))
        return Wrong(text, "write NAME=INTEGER,INTEGER,..., such as n=500,1000,2000");
    }
    for (size_t i = 0; i + 1 < lists.size(); ++i) {
      if (lists[i].first == name) return Wrong(text, absl::StrCat(name, " was given before"));
    }
    count = std::max(count, values.size());
  }
  for (const auto& [name, values] : lists) {
    if (values.size() == 1 || values.size() == count) continue;
    return Wrong(name,
                 absl::StrCat("has ", values.size(), " values, and another list ", count,
                              "; lists go side by side, first with first, so give as many values for each "
                              "name, or one"));
  }
  std::vector<ProgramSize> sizes;
  for (size_t i = 0; i < count; ++i) {
    ProgramSize& size = sizes.emplace_back();
    for (const auto& [name, values] : lists) size.emplace_back(name, values[values.size() == 1 ? 0 : i]);
    if (std::count(sizes.begin(), sizes.end(), size) > 1) return Wrong(SizeText(size), "was given before");
  }
  return sizes;
}

std::string SizeText(const ProgramSize& size) { return absl::StrJoin(size, " ", absl::PairFormatter("=")); }

absl::StatusOr<std::vector<SizedProgram>> ReadSizedPrograms(const FrontEndRequest& request,
                                                            const std::vector<ProgramSize>& sizes,
                                                            const std::set<std::string>& given, SizesFor what,
                                                            const ReadFunction& read) {
  for (const auto& [name, value] : sizes[0]) {
    if (given.count(name) > 0) return Wrong(name, "--param gives it a value, too");
  }
  return SizeReader(request, what, read).Read(sizes);
}

absl::StatusOr<std::vector<v1::StudySpec>> MakeSizedSpecs(const FrontEndRequest& request,
                                                          const StudyWishes& wishes,
                                                          const std::vector<ProgramSize>& sizes,
                                                          const ReadFunction& read) {
  std::set<std::string> given;
  for (const auto& [name, value] : wishes.parameters) given.insert(name);
  TUNE_ASSIGN_OR_RETURN(const std::vector<SizedProgram> programs,
                        ReadSizedPrograms(request, sizes, given, SizesFor::kRuns, read));
  std::vector<v1::StudySpec> all;
  for (const SizedProgram& program : programs) {
    StudyWishes sized = wishes;
    sized.parameters.insert(program.parameters.begin(), program.parameters.end());
    TUNE_ASSIGN_OR_RETURN(const std::vector<v1::StudySpec> specs,
                          MakeStudySpecs(program.extraction, request.file, sized));
    for (const v1::StudySpec& spec : specs)
      all.emplace_back(spec).set_name(absl::StrCat(spec.name(), " ", SizeText(program.size)));
  }
  return all;
}

std::string SizeMacros(const std::vector<std::string>& defines, const std::vector<ProgramSize>& sizes) {
  const auto is_size = [&](const std::string& define) {
    return std::any_of(sizes.begin(), sizes.end(), [&](const ProgramSize& size) {
      return std::any_of(size.begin(), size.end(), [&](const auto& value) {
        return define == absl::StrCat(value.first, "=", value.second);
      });
    });
  };
  std::vector<std::string> macros;
  for (const std::string& define : defines) {
    if (is_size(define)) macros.push_back("-D" + define);
  }
  return absl::StrJoin(macros, " ");
}

}  // namespace tune
