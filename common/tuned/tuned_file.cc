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

namespace tune {
namespace {

// Fit to stand in a C comment.
std::string CommentText(absl::string_view text) {
  return absl::StrReplaceAll(text, {{"*/", "* /"}, {"/*", "/ *"}, {"\n", " "}, {"\r", " "}, {"\\", "/"}});
}

// What stands in the comment of a region that runs on a GPU.
std::string DeviceNote(const TunedFileHeader& header) {
  return absl::StrCat("   Times are those of the device, without copies between it and the host.\n",
                      "   Belongs to ", CommentText(header.device_file), ": build that with `",
                      CommentText(NvccCommand(header.architecture, header.exact)),
                      "` and link it with -lcudart -lstdc++. */\n");
}

std::string PrintHeader(const TunedFileHeader& header) {
  std::string text = absl::StrCat("/* Tuned by tunectl, study ", CommentText(header.study));
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
  if (!gains.empty()) absl::StrAppend(&text, ": ", absl::StrJoin(gains, ", "));
  absl::StrAppend(&text, ".\n");
  if (!header.device_file.empty()) return text + DeviceNote(header);
  if (!header.compile_flags.empty()) {
    absl::StrAppend(&text, "   Measured with ", CommentText(header.compile_flags), ".\n");
  }
  return absl::StrCat(text, "   Without -fopenmp it computes the same on one thread. */\n");
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

// What stands in the region's place.
absl::StatusOr<std::string> PrintRegion(absl::string_view file, const TunedRegion& region) {
  const v1::SourceRegion& place = region.scop->region();
  TUNE_ASSIGN_OR_RETURN(const Guard guard, MakeGuard(*region.scop, *region.reference,
                                                     /*rows=*/!region.header.device_file.empty()));
  const absl::string_view indentation = IndentationAt(file, place.begin_offset());
  std::string code = region.code;
  if (!absl::EndsWith(code, "\n")) code += "\n";
  std::string body(
      file.substr(place.body_begin_offset(), place.body_end_offset() - place.body_begin_offset()));
  if (!absl::EndsWith(body, "\n")) body += "\n";
  const bool quiet = WritesScalars(*region.scop);
  const std::string head =
      absl::StrCat(PrintHeader(region.header), guard.definitions, quiet ? kQuietBegin : "", "if (",
                   guard.condition, ")\n", code, "else {\n");
  return absl::StrCat(Indent(head, indentation), body, indentation, "}", quiet ? kQuietEnd : "",
                      guard.end.empty() ? "" : "\n", absl::StripSuffix(guard.end, "\n"));
}

absl::Status CheckPlaces(const std::vector<TunedRegion>& sorted, int64_t file_size) {
  int64_t end = 0;  // of the region before
  for (const TunedRegion& region : sorted) {
    const v1::SourceRegion& place = region.scop->region();
    const bool in_order = end <= place.begin_offset() && place.begin_offset() <= place.body_begin_offset() &&
                          place.body_begin_offset() <= place.body_end_offset() &&
                          place.body_end_offset() <= place.end_offset() && place.end_offset() <= file_size;
    if (!in_order) {
      return absl::InvalidArgumentError(absl::StrCat(
          "scop ", region.scop->name(), ": its region, bytes ", place.begin_offset(), " to ",
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
  std::vector<TunedRegion> sorted = regions;
  std::sort(sorted.begin(), sorted.end(), [](const TunedRegion& a, const TunedRegion& b) {
    return a.scop->region().begin_offset() < b.scop->region().begin_offset();
  });
  for (const TunedRegion& region : sorted) {
    if (region.scop->region().file() == path) continue;
    return absl::InvalidArgumentError(absl::StrCat("the regions are in different files, ", path, " and ",
                                                   region.scop->region().file(),
                                                   "; print one file at a time"));
  }
  const absl::string_view text = file->content();
  TUNE_RETURN_IF_ERROR(CheckPlaces(sorted, static_cast<int64_t>(text.size())));
  std::string result;
  int64_t copied = 0;
  for (const TunedRegion& region : sorted) {
    const v1::SourceRegion& place = region.scop->region();
    TUNE_ASSIGN_OR_RETURN(const std::string replacement, PrintRegion(text, region));
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
