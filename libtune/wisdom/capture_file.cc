#include "libtune/wisdom/capture_file.h"

#include <utility>

#include "libtune/wisdom/shared_file.h"
#include "libtune/wisdom/text_fields.h"

namespace libtune {

CaptureFile::CaptureFile(std::string path) : path_(std::move(path)) {
  std::string content;
  if (!ReadFile(path_, &content).ok()) return;
  for (const std::string_view line : SplitAt(content, '\n')) seen_.insert(std::string(line));
}

Status CaptureFile::Add(const WisdomKey& key, const std::string& arguments) {
  std::string line = "capture\t1\t" + EncodedField(key.region) + "\t" + EncodedField(key.device) + "\t";
  for (size_t i = 0; i < key.inputs.size(); ++i) line += (i > 0 ? "," : "") + std::to_string(key.inputs[i]);
  line += "\t" + EncodedField(arguments);
  const std::lock_guard<std::mutex> lock(mutex_);
  if (!seen_.insert(line).second) return {};
  return AppendToFile(path_, line + "\n");
}

}  // namespace libtune
