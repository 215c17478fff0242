#include "common/tuned/tuned_file.h"

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "common/evaluation/compile_flags.h"
#include "common/tuned/guard.h"
#include "common/tuned/region_size.h"

namespace tune {
namespace {

// Fit to stand in a C comment.
std::string CommentText(absl::string_view text) {
  return absl::StrReplaceAll(text, {{"*/", "* /"}, {"/*", "/ *"}, {"\n", " "}, {"\r", " "}, {"\\", "/"}});
}

// "study s12, for Some CPU: 3.20 times as fast as the original region."
std::string OriginText(const TunedFileHeader& header) {
  std::string text = header.study.empty() ? "never measured" : "study " + CommentText(header.study);
  if (!header.device.empty()) absl::StrAppend(&text, ", for ", CommentText(header.device));
  std::vector<std::string> gains;
  if (header.gain_over_sequential > 0) {
    gains.push_back(
        absl::StrFormat("%.2f times as fast as the original region", header.gain_over_sequential));
  }
  if (header.gain_over_default > 0) {
    gains.push_back(
        absl::StrFormat("%.2f times as fast as the default configuration", header.gain_over_default));
  }
  return absl::StrCat(text, gains.empty() ? "" : ": ", absl::StrJoin(gains, ", "), ".\n");
}

bool IsOnDevice(const TunedFileHeader& header) { return !header.device_file.empty(); }

// What it was measured with, or which CUDA file it belongs to; empty, or a sentence.
std::string BuildText(const TunedFileHeader& header) {
  if (IsOnDevice(header)) {
    return absl::StrCat("Belongs to ", CommentText(header.device_file), ": build that with `",
                        CommentText(NvccCommand(header.architecture, header.exact)),
                        "` and link it with -lcudart -lstdc++.");
  }
  if (header.compile_flags.empty()) return "";
  return absl::StrCat("Measured with ", CommentText(header.compile_flags), ".");
}

constexpr char kDeviceTimes[] = "Times are those of the device, without copies between it and the host.";
constexpr char kOneThread[] = "Without -fopenmp it computes the same on one thread.";

std::string PrintHeader(const TunedFileHeader& header) {
  std::vector<std::string> lines;
  if (IsOnDevice(header) && !header.study.empty()) lines.push_back(kDeviceTimes);
  if (const std::string build = BuildText(header); !build.empty()) lines.push_back(build);
  if (!IsOnDevice(header)) lines.push_back(kOneThread);
  return absl::StrCat("/* ", header.study.empty() ? "Generated" : "Tuned", " by tunectl, ",
                      OriginText(header), "   ", absl::StrJoin(lines, "\n   "), " */\n");
}

// The same for code of several sizes, with the rule by which one of them is taken.
std::string PrintHeader(const std::vector<const TunedRegion*>& sizes, const std::vector<RegionSize>& names) {
  std::string text = absl::StrCat(
      "/* ", sizes[0]->header.study.empty() ? "Generated" : "Tuned", " by tunectl for ", sizes.size(),
      " sizes. The code of a size is right for exactly this size; at any other,\n   between two of these as "
      "well, the original text runs, which stands last.\n");
  bool measured_device = false, host = false;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const TunedFileHeader& header = sizes[i]->header;
    measured_device |= IsOnDevice(header) && !header.study.empty();
    host |= !IsOnDevice(header);
    absl::StrAppend(&text, "   ", names[i].text.empty() ? "" : CommentText(names[i].text) + ": ",
                    OriginText(header));
    if (const std::string build = BuildText(header); !build.empty())
      absl::StrAppend(&text, "     ", build, "\n");
  }
  if (measured_device) absl::StrAppend(&text, "   ", kDeviceTimes, "\n");
  if (host) absl::StrAppend(&text, "   ", kOneThread, "\n");
  return absl::StrCat(absl::StripSuffix(text, "\n"), " */\n");
}

// `indentation` before every line but empty ones and those for the preprocessor.
std::string Indent(absl::string_view text, absl::string_view indentation) {
  std::string result;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    if (!line.empty() && line[0] != '#') absl::StrAppend(&result, indentation);
    absl::StrAppend(&result, line, "\n");
  }
  result.pop_back();  // StrSplit gives one piece more than there are line ends
  return result;
}

// Blanks at the start of the line at `offset`.
absl::string_view IndentationAt(absl::string_view text, int64_t offset) {
  text.remove_prefix(offset);
  return text.substr(0, std::min(text.find_first_not_of(" \t"), text.size()));
}

// gcc loses track of scalars that reordered loops set and use, and says so under -Wall.
constexpr char kQuietBegin[] =
    "#if defined(__GNUC__) && !defined(__clang__)\n#pragma GCC diagnostic push\n"
    "#pragma GCC diagnostic ignored \"-Wmaybe-uninitialized\"\n#endif\n";
constexpr char kQuietEnd[] =
    "\n#if defined(__GNUC__) && !defined(__clang__)\n#pragma GCC diagnostic pop\n#endif";

bool WritesScalars(const v1::Scop& scop) {
  return std::any_of(scop.arrays().begin(), scop.arrays().end(), [](const v1::Array& array) {
    return array.extents_size() == 0 && !array.read_only() && !array.declared_inside();
  });
}

std::string WithLineEnd(std::string text) { return absl::EndsWith(text, "\n") ? text : text + "\n"; }

bool MayFail(const TunedRegion& region) { return absl::StrContains(region.code, kTuneDone); }

// The code of each size behind its condition, ready for an else.
std::string PrintChoice(const std::vector<const TunedRegion*>& sizes, const std::vector<Guard>& guards,
                        bool may_fail) {
  std::string text;
  for (size_t i = 0; i < sizes.size(); ++i) {
    const std::string code = WithLineEnd(sizes[i]->code);
    const bool says_so = may_fail && !MayFail(*sizes[i]);
    absl::StrAppend(&text, i == 0 ? "" : "else ", "if (", guards[i].condition, ")\n", says_so ? "{\n" : "",
                    code, says_so ? absl::StrCat(kTuneDone, " = 1;\n}\n") : "");
  }
  return text;
}

// What stands in the region's place: `sizes` are all of it.
absl::StatusOr<std::string> PrintRegion(absl::string_view file,
                                        const std::vector<const TunedRegion*>& sizes) {
  const v1::SourceRegion& place = sizes[0]->scop->region();
  std::vector<Guard> guards;
  std::vector<std::pair<const v1::Scop*, const v1::Reference*>> regions;
  std::string definitions, end;
  bool quiet = false, may_fail = false;
  for (const TunedRegion* size : sizes) {
    const int number = sizes.size() == 1 ? 0 : static_cast<int>(guards.size()) + 1;
    TUNE_ASSIGN_OR_RETURN(Guard guard,
                          MakeGuard(*size->scop, *size->reference, IsOnDevice(size->header), number));
    if (!absl::StrContains(definitions, guard.definitions)) definitions += guard.definitions;
    if (!absl::StrContains(end, guard.end)) end += guard.end;
    guards.push_back(std::move(guard));
    regions.emplace_back(size->scop, size->reference);
    quiet |= WritesScalars(*size->scop);
    may_fail |= MayFail(*size);
  }
  const absl::string_view indentation = IndentationAt(file, place.begin_offset());
  const std::string body = WithLineEnd(std::string(
      file.substr(place.body_begin_offset(), place.body_end_offset() - place.body_begin_offset())));
  const std::string head = absl::StrCat(
      sizes.size() == 1 ? PrintHeader(sizes[0]->header) : PrintHeader(sizes, FindSizes(regions)), definitions,
      quiet ? kQuietBegin : "", may_fail ? absl::StrCat("{\nint ", kTuneDone, " = 0;\n") : "",
      PrintChoice(sizes, guards, may_fail),
      may_fail ? absl::StrCat("if (!", kTuneDone, ") {\n") : "else {\n");
  return absl::StrCat(Indent(head, indentation), body, indentation, may_fail ? "}}" : "}",
                      quiet ? kQuietEnd : "", end.empty() ? "" : "\n", absl::StripSuffix(end, "\n"));
}

bool SamePlace(const v1::SourceRegion& a, const v1::SourceRegion& b) {
  return a.begin_offset() == b.begin_offset() && a.end_offset() == b.end_offset();
}

// The regions in textual order, those of one place together and in the order given.
absl::StatusOr<std::vector<std::vector<const TunedRegion*>>> GroupByPlace(
    const std::vector<TunedRegion>& regions) {
  std::vector<const TunedRegion*> sorted;
  for (const TunedRegion& region : regions) sorted.push_back(&region);
  std::stable_sort(sorted.begin(), sorted.end(), [](const TunedRegion* a, const TunedRegion* b) {
    return a->scop->region().begin_offset() < b->scop->region().begin_offset();
  });
  std::vector<std::vector<const TunedRegion*>> groups;
  for (const TunedRegion* region : sorted) {
    if (groups.empty() || !SamePlace(groups.back()[0]->scop->region(), region->scop->region()))
      groups.emplace_back();
    for (const TunedRegion* other : groups.back()) {
      TUNE_ASSIGN_OR_RETURN(
          const bool same, HaveSameGuard(*other->scop, *other->reference, *region->scop, *region->reference));
      if (same)
        return absl::InvalidArgumentError(
            absl::StrCat("the region of ", region->scop->name(), " is there twice for the same size"));
    }
    groups.back().push_back(region);
  }
  return groups;
}

absl::Status CheckPlaces(const std::vector<std::vector<const TunedRegion*>>& groups, int64_t file_size) {
  int64_t end = 0;  // of the region before
  for (const std::vector<const TunedRegion*>& sizes : groups) {
    const v1::SourceRegion& place = sizes[0]->scop->region();
    const bool in_order = end <= place.begin_offset() && place.begin_offset() <= place.body_begin_offset() &&
                          place.body_begin_offset() <= place.body_end_offset() &&
                          place.body_end_offset() <= place.end_offset() && place.end_offset() <= file_size;
    if (!in_order) {
      return absl::InvalidArgumentError(absl::StrCat(
          "scop ", sizes[0]->scop->name(), ": its region, bytes ", place.begin_offset(), " to ",
          place.end_offset(), " of ", place.file(), ", lies outside the file or in another region"));
    }
    end = place.end_offset();
  }
  return absl::OkStatus();
}

}  // namespace

std::string MeasuredFlags(const v1::Program& program) {
  return absl::StrJoin(CompileFlags(program), " ") + " -fopenmp";
}

std::string NvccCommand(const std::string& architecture, bool exact) {
  return absl::StrCat("nvcc -O3 -arch=", architecture.empty() ? "native" : architecture,
                      exact ? absl::StrCat(" ", kExactCudaFlag) : "", " -c");
}

absl::StatusOr<std::string> PrintTunedFile(const v1::Program& program,
                                           const std::vector<TunedRegion>& regions) {
  if (regions.empty()) return absl::InvalidArgumentError("no region to put into the tuned file");
  const std::string& path = regions[0].scop->region().file();
  const auto file = std::find_if(program.files().begin(), program.files().end(),
                                 [&](const v1::SourceFile& f) { return f.path() == path; });
  if (file == program.files().end()) {
    return absl::InvalidArgumentError(absl::StrCat("the program has no file ", path));
  }
  for (const TunedRegion& region : regions) {
    if (region.scop->region().file() == path) continue;
    return absl::InvalidArgumentError(absl::StrCat("the regions are in different files, ", path, " and ",
                                                   region.scop->region().file(),
                                                   "; print one file at a time"));
  }
  TUNE_ASSIGN_OR_RETURN(const auto groups, GroupByPlace(regions));
  const absl::string_view text = file->content();
  TUNE_RETURN_IF_ERROR(CheckPlaces(groups, static_cast<int64_t>(text.size())));
  std::string result;
  int64_t copied = 0;
  for (const std::vector<const TunedRegion*>& sizes : groups) {
    const v1::SourceRegion& place = sizes[0]->scop->region();
    TUNE_ASSIGN_OR_RETURN(const std::string replacement, PrintRegion(text, sizes));
    absl::StrAppend(&result, text.substr(copied, place.begin_offset() - copied), replacement);
    copied = place.end_offset();
  }
  absl::StrAppend(&result, text.substr(copied));
  return result;
}

absl::StatusOr<std::string> PrintTunedFile(const v1::Program& program, const v1::Scop& scop,
                                           const v1::Reference& reference, absl::string_view code,
                                           const TunedFileHeader& header) {
  return PrintTunedFile(program, {TunedRegion{&scop, &reference, std::string(code), header}});
}

}  // namespace tune
