#include "libtune/wisdom/capture_file.h"

#include <utility>

#include "libtune/wisdom/shared_file.h"
#include "libtune/wisdom/text_fields.h"
#include "libtune/wisdom/wisdom_text.h"

namespace libtune {
namespace {

constexpr std::string_view kCapture = "capture";
constexpr int kCaptureVersion = 1;
constexpr size_t kCaptureFields = 6;

Status NoLine() {
  return {
      TUNE_REFUSED_FILE,
      "this is no line of a capture file, or a part of one; delete it, and what a program captures again is "
      "added again"};
}

}  // namespace

std::string CaptureLine(const Captured& captured) {
  const WisdomKey& key = captured.key;
  return std::string(kCapture) + "\t" + std::to_string(kCaptureVersion) + "\t" + EncodedField(key.region) +
         "\t" + EncodedField(key.device) + "\t" + InputsText(key.inputs) + "\t" +
         EncodedField(captured.arguments);
}

Status ParseCaptureLine(std::string_view line, Captured* captured) {
  const std::vector<std::string_view> fields = SplitAt(line, '\t');
  if (fields.size() < 2 || fields[0] != kCapture) return NoLine();
  const std::optional<long> version = ParsedInteger(fields[1]);
  if (!version.has_value() || *version < 1) return NoLine();
  if (*version > kCaptureVersion) {
    return {TUNE_REFUSED_FILE, "this line was written by a newer libtune (version " +
                                   std::to_string(*version) + " of the format; this one knows " +
                                   std::to_string(kCaptureVersion) + "), whose version reads it"};
  }
  if (fields.size() != kCaptureFields) return NoLine();
  const std::optional<std::string> region = DecodedField(fields[2]);
  const std::optional<std::string> device = DecodedField(fields[3]);
  const std::optional<Inputs> inputs = ParseInputs(fields[4]);
  const std::optional<std::string> arguments = DecodedField(fields[5]);
  if (!region.has_value() || region->empty() || !device.has_value() || !inputs.has_value() ||
      !arguments.has_value())
    return NoLine();
  *captured = {{*region, *device, *inputs}, *arguments};
  return {};
}

CaptureFile::CaptureFile(std::string path) : path_(std::move(path)) {
  std::string content;
  if (!ReadFile(path_, &content).ok()) return;
  for (const std::string_view line : SplitAt(content, '\n')) seen_.insert(std::string(line));
}

Status CaptureFile::Add(const WisdomKey& key, const std::string& arguments) {
  const std::string line = CaptureLine({key, arguments});
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!seen_.insert(line).second) return {};
  return AppendToFile(path_, line + "\n");
}

}  // namespace libtune
