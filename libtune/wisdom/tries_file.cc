#include "libtune/wisdom/tries_file.h"

#include "libtune/wisdom/shared_file.h"
#include "libtune/wisdom/text_fields.h"
#include "libtune/wisdom/wisdom_text.h"

namespace libtune {
namespace {

constexpr std::string_view kTry = "try\t1\t", kSettled = "settled\t1\t";

}  // namespace

std::string TryLine(const Try& tried) {
  return std::string(tried.kind == TryKind::kSettled ? kSettled : kTry) + EntryFields(tried.key, tried.entry);
}

std::optional<Try> ParseTryLine(std::string_view line) {
  Try tried;
  const bool settled = line.substr(0, kSettled.size()) == kSettled;
  if (!settled && line.substr(0, kTry.size()) != kTry) return std::nullopt;
  tried.kind = settled ? TryKind::kSettled : TryKind::kTry;
  line.remove_prefix(settled ? kSettled.size() : kTry.size());
  if (!ParseEntryFields(line, &tried.key, &tried.entry)) return std::nullopt;
  return tried;
}

Status TriesFile::Add(const Try& tried) const { return AppendToFile(path_, TryLine(tried) + "\n"); }

}  // namespace libtune
