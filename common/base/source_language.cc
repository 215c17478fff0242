#include "common/base/source_language.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/ascii.h"

namespace tune {
namespace {

constexpr absl::string_view kCpp[] = {".cpp", ".cc", ".cxx", ".c++", ".C", ".cu", ".hpp", ".hh", ".hxx"};
constexpr absl::string_view kFortran[] = {".f", ".for", ".ftn", ".f77", ".f90", ".f95", ".f03", ".f08"};

absl::string_view ExtensionOf(absl::string_view path) {
  const size_t name = path.rfind('/') + 1;  // 0 where there is no folder
  const size_t dot = path.rfind('.');
  return dot == absl::string_view::npos || dot < name ? absl::string_view() : path.substr(dot);
}

template <typename List>
bool IsIn(const List& list, absl::string_view word) {
  return std::find(std::begin(list), std::end(list), word) != std::end(list);
}

}  // namespace

SourceLanguage LanguageOf(absl::string_view path) {
  const absl::string_view extension = ExtensionOf(path);
  if (IsIn(kCpp, extension)) return SourceLanguage::kCpp;
  if (IsIn(kFortran, absl::AsciiStrToLower(extension))) return SourceLanguage::kFortran;
  return SourceLanguage::kC;
}

bool IsCpp(absl::string_view path) { return LanguageOf(path) == SourceLanguage::kCpp; }

std::string WithoutSourceExtension(absl::string_view path) {
  const absl::string_view extension = ExtensionOf(path);
  const bool is_source = extension == ".c" || extension == ".h" || IsIn(kCpp, extension);
  return std::string(path.substr(0, path.size() - (is_source ? extension.size() : 0)));
}

std::string ExtensionOfTuned(absl::string_view path) {
  if (!IsCpp(path)) return ".c";
  const absl::string_view extension = ExtensionOf(path);
  return extension == ".cu" ? ".cpp" : std::string(extension);
}

}  // namespace tune
