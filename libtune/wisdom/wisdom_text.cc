#include "libtune/wisdom/wisdom_text.h"

#include "libtune/wisdom/text_fields.h"

namespace libtune {
namespace {

constexpr std::string_view kName = "tune-wisdom", kEntry = "entry\t";
constexpr int kVersion = 1;

Status Refused(std::string text) {
  return {TUNE_REFUSED_FILE, std::move(text) + "; move it away, and a new one will be written"};
}

bool ParseValue(std::string_view field, WisdomEntry* entry) {
  const std::vector<std::string_view> sides = SplitAt(field, '=');
  if (sides.size() != 2) return false;
  const std::optional<std::string> name = DecodedField(sides[0]);
  const std::optional<std::string> value = DecodedField(sides[1]);
  return name.has_value() && value.has_value() && entry->values.emplace(*name, *value).second;
}

bool ParseEntry(std::string_view line, Wisdom* wisdom) {
  if (line.substr(0, kEntry.size()) != kEntry) return false;
  WisdomKey key;
  WisdomEntry entry;
  if (!ParseEntryFields(line.substr(kEntry.size()), &key, &entry)) return false;
  wisdom->Add(key, entry);
  return true;
}

Status CheckHeader(std::string_view line) {
  const std::vector<std::string_view> fields = SplitAt(line, '\t');
  if (fields.size() < 2 || fields[0] != kName) return Refused("this is no wisdom file");
  const std::optional<long> version = ParsedInteger(fields[1]);
  if (!version.has_value() || *version < 1) return Refused("this wisdom file has no version");
  if (*version > kVersion) {
    return {TUNE_REFUSED_FILE, "this wisdom file was written by a newer libtune (version " +
                                   std::to_string(*version) + " of the format; this one knows " +
                                   std::to_string(kVersion) + "); give this program a file of its own"};
  }
  return {};
}

}  // namespace

std::string InputsText(const Inputs& inputs) {
  std::string text;
  for (size_t i = 0; i < inputs.size(); ++i) text += (i > 0 ? "," : "") + std::to_string(inputs[i]);
  return text;
}

std::optional<Inputs> ParseInputs(std::string_view text) {
  Inputs inputs;
  if (text.empty()) return inputs;
  for (const std::string_view part : SplitAt(text, ',')) {
    const std::optional<long> input = ParsedInteger(part);
    if (!input.has_value()) return std::nullopt;
    inputs.push_back(*input);
  }
  return inputs;
}

std::string EntryFields(const WisdomKey& key, const WisdomEntry& entry) {
  std::string line = EncodedField(key.region) + "\t" + EncodedField(key.device) + "\t" +
                     InputsText(key.inputs) + "\t" + NumberText(entry.seconds);
  for (const auto& [name, value] : entry.values)
    line += "\t" + EncodedField(name) + "=" + EncodedField(value);
  return line;
}

bool ParseEntryFields(std::string_view text, WisdomKey* key, WisdomEntry* entry) {
  const std::vector<std::string_view> fields = SplitAt(text, '\t');
  if (fields.size() < 4) return false;
  const std::optional<std::string> region = DecodedField(fields[0]);
  const std::optional<std::string> device = DecodedField(fields[1]);
  const std::optional<Inputs> inputs = ParseInputs(fields[2]);
  const std::optional<double> seconds = ParsedNumber(fields[3]);
  if (!region.has_value() || !device.has_value() || !inputs.has_value() || !seconds.has_value() ||
      *seconds <= 0)
    return false;
  *key = {*region, *device, *inputs};
  entry->seconds = *seconds;
  for (size_t i = 4; i < fields.size(); ++i) {
    if (!ParseValue(fields[i], entry)) return false;
  }
  return true;
}

std::string WisdomText(const Wisdom& wisdom) {
  std::string text = std::string(kName) + "\t" + std::to_string(kVersion) + "\n";
  for (const auto& [key, entry] : wisdom.entries())
    text += std::string(kEntry) + EntryFields(key, entry) + "\n";
  return text + "end\t" + std::to_string(wisdom.entries().size()) + "\t" + Checksum(text) + "\n";
}

Status ParseWisdom(std::string_view text, Wisdom* wisdom) {
  if (Status status = CheckHeader(text.substr(0, text.find('\n'))); !status.ok()) return status;
  const size_t last = text.rfind("\nend\t");
  if (last == std::string_view::npos || text.back() != '\n') return Refused("this wisdom file is cut off");
  const std::string_view body = text.substr(0, last + 1);
  const std::vector<std::string_view> lines = SplitAt(body.substr(0, body.size() - 1), '\n');
  const std::string end = "end\t" + std::to_string(lines.size() - 1) + "\t" + Checksum(body) + "\n";
  if (text.substr(last + 1) != end)
    return Refused("this wisdom file is damaged: its checksum is another one");
  Wisdom read;
  for (size_t i = 1; i < lines.size(); ++i) {
    if (!ParseEntry(lines[i], &read)) {
      return Refused("line " + std::to_string(i + 1) + " of this wisdom file is no entry");
    }
  }
  *wisdom = std::move(read);
  return {};
}

}  // namespace libtune
