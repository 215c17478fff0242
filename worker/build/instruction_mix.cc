#include "worker/build/instruction_mix.h"

#include <array>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "common/base/one_of.h"

namespace tune {
namespace {

enum Kind {
  kFp32,
  kFp64,
  kInteger,
  kGlobalLoad,
  kGlobalStore,
  kSharedLoad,
  kSharedStore,
  kLocal,
  kTexture,
  kAtomic,
  kBranch,
  kBarrier,
  kMove,
  kKinds
};
constexpr const char* kNames[kKinds] = {
    "fp32",  "fp64",     "integer", "global loads", "global stores",         "shared loads", "shared stores",
    "local", "textures", "atomic",  "branches",     "barriers and shuffles", "moves"};

Kind KindOfMemory(const std::vector<absl::string_view>& parts) {
  const bool load = parts[0] == "ld" || parts[0] == "ldu";
  for (const absl::string_view space : parts) {
    if (space == "global") return load ? kGlobalLoad : kGlobalStore;
    if (space == "shared") return load ? kSharedLoad : kSharedStore;
    if (space == "local") return kLocal;
  }
  return kMove;  // of a parameter
}

// By the opcode and its modifiers: "fma.rn.f32".
Kind KindOf(absl::string_view instruction) {
  const std::vector<absl::string_view> parts = absl::StrSplit(instruction, '.');
  const absl::string_view opcode = parts[0];
  if (IsOneOf(opcode, {"ld", "ldu", "st"})) return KindOfMemory(parts);
  if (IsOneOf(opcode, {"tex", "tld4", "suld"})) return kTexture;
  if (IsOneOf(opcode, {"atom", "red"})) return kAtomic;
  if (IsOneOf(opcode, {"bra", "brx", "call", "ret", "exit", "trap"})) return kBranch;
  if (IsOneOf(opcode, {"bar", "barrier", "shfl", "vote", "membar", "fence", "activemask"})) return kBarrier;
  if (IsOneOf(opcode, {"mov", "cvt", "cvta", "selp", "prmt", "isspacep"})) return kMove;
  if (parts.back() == "f32") return kFp32;
  if (parts.back() == "f64") return kFp64;
  return kInteger;
}

// The instruction of a line, without its guard ("@%p1 ") and its operands; empty when there is none.
absl::string_view InstructionOf(absl::string_view line) {
  line = absl::StripAsciiWhitespace(line);
  if (absl::StartsWith(line, "@")) {
    const size_t end = line.find_first_of(" \t");
    if (end == absl::string_view::npos) return "";
    line = absl::StripLeadingAsciiWhitespace(line.substr(end));
  }
  if (line.empty() || !absl::ascii_islower(line[0]) || line.find(';') == absl::string_view::npos) return "";
  return line.substr(0, line.find_first_of(" \t;"));
}

// The name of the kernel that begins in the line; empty when none does.
std::string KernelOf(absl::string_view line) {
  constexpr absl::string_view kEntry = ".entry ";
  const size_t at = line.find(kEntry);
  if (at == absl::string_view::npos || absl::StartsWith(absl::StripAsciiWhitespace(line), "//")) return "";
  line.remove_prefix(at + kEntry.size());
  return std::string(line.substr(0, line.find_first_of("( \t")));
}

}  // namespace

std::vector<InstructionMix> CountInstructions(absl::string_view ptx) {
  std::vector<InstructionMix> mixes;
  std::array<int64_t, kKinds> counts{};
  const auto finish = [&] {
    for (int kind = 0; kind < kKinds && !mixes.empty(); ++kind) {
      if (counts[kind] > 0) mixes.back().counts.push_back({kNames[kind], counts[kind]});
    }
    counts.fill(0);
  };
  for (const absl::string_view line : absl::StrSplit(ptx, '\n')) {
    if (const std::string kernel = KernelOf(line); !kernel.empty()) {
      finish();
      mixes.push_back({kernel, {}});
    } else if (const absl::string_view instruction = InstructionOf(line); !instruction.empty()) {
      ++counts[KindOf(instruction)];
    }
  }
  finish();
  return mixes;
}

std::string PrintInstructionMix(const InstructionMix& mix) {
  return absl::StrJoin(mix.counts, ", ", [](std::string* out, const InstructionMix::Count& count) {
    absl::StrAppend(out, count.kind, " ", count.count);
  });
}

}  // namespace tune
