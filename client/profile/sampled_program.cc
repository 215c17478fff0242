#include "client/profile/sampled_program.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"

namespace tune {
namespace {

// "gemm.c:12", "gemm.c:12 (inlined by)", "gemm.c:12 (discriminator 3)", "??:0", "gemm.c:?".
bool ParseSourceLine(absl::string_view text, SourceLine* line) {
  const size_t colon = text.rfind(':');
  if (colon == absl::string_view::npos) return false;
  const absl::string_view number = text.substr(colon + 1, text.find(' ', colon) - colon - 1);
  line->file = std::string(text.substr(0, colon));
  return absl::SimpleAtoi(number, &line->line) && line->line > 0;
}

}  // namespace

std::vector<ProgramSample> ParseSamples(absl::string_view bytes) {
  constexpr size_t kWord = sizeof(uint64_t);
  std::vector<std::pair<uint64_t, ProgramSample>> timed;
  while (bytes.size() >= 2 * kWord) {
    uint64_t head[2];  // nanoseconds of the processor, number of addresses
    std::memcpy(head, bytes.data(), sizeof head);
    bytes.remove_prefix(sizeof head);
    if (head[1] > bytes.size() / kWord) break;
    ProgramSample sample;
    sample.addresses.resize(head[1]);
    if (head[1] > 0) std::memcpy(sample.addresses.data(), bytes.data(), head[1] * kWord);
    bytes.remove_prefix(head[1] * kWord);
    timed.emplace_back(head[0], std::move(sample));
  }
  // Threads may write in another order than they were interrupted in.
  std::stable_sort(timed.begin(), timed.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<ProgramSample> samples;
  samples.reserve(timed.size());
  uint64_t before = 0;
  for (auto& [nanoseconds, sample] : timed) {
    sample.seconds = static_cast<double>(nanoseconds - before) * 1e-9;
    before = nanoseconds;
    samples.push_back(std::move(sample));
  }
  return samples;
}

LinesOfAddresses ParseAddressLines(absl::string_view text) {
  LinesOfAddresses lines;
  std::vector<SourceLine>* current = nullptr;
  for (const absl::string_view row : absl::StrSplit(text, '\n', absl::SkipEmpty())) {
    absl::string_view digits = row;
    uint64_t address = 0;
    SourceLine line;
    if (absl::ConsumePrefix(&digits, "0x") && absl::SimpleHexAtoi(digits, &address)) {
      current = &lines[address];
      current->clear();
    } else if (current != nullptr && ParseSourceLine(row, &line)) {
      current->push_back(std::move(line));
    }
  }
  return lines;
}

NestTimes AddUp(const std::vector<ProgramSample>& samples, const LinesOfAddresses& lines,
                const std::string& file, const std::vector<MeasuredNest>& nests) {
  // 1. Which nests an address is in.
  std::map<uint64_t, std::vector<size_t>> nests_of;
  for (const auto& [address, places] : lines) {
    std::vector<size_t>& inside = nests_of[address];
    for (size_t i = 0; i < nests.size(); ++i) {
      const auto is_in_nest = [&](const SourceLine& place) {
        return nests[i].begin_line <= place.line && place.line <= nests[i].end_line && place.file == file;
      };
      if (std::any_of(places.begin(), places.end(), is_in_nest)) inside.push_back(i);
    }
  }
  // 2. Which nests a sample is in.
  NestTimes times;
  times.seconds.resize(nests.size());
  for (const ProgramSample& sample : samples) {
    std::vector<bool> counted(nests.size());
    bool outside = true;
    for (const uint64_t address : sample.addresses) {
      const auto inside = nests_of.find(address);
      if (inside == nests_of.end()) continue;
      for (const size_t nest : inside->second) {
        outside = false;
        if (!counted[nest]) times.seconds[nest] += sample.seconds;
        counted[nest] = true;
      }
    }
    times.total += sample.seconds;
    if (outside) times.outside += sample.seconds;
  }
  return times;
}

}  // namespace tune
