#include "common/scop/scop_identity.h"

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_split.h"
#include "common/base/c_identifier.h"
#include "common/base/fingerprint.h"
#include "common/scop/scop.h"

namespace tune {
namespace {

// Whether the line is a relation or an extent: the only ones whose numbers can be sizes.
bool MayHoldSizes(absl::string_view line) {
  return absl::StartsWith(line, "extent: ") || absl::StrContains(line, '{');
}

// The line with "#" for each size, which goes to `sizes`. Digits that belong to a name (i0) and coefficients
// (2i0) stay.
std::string WithoutSizes(absl::string_view line, std::vector<int64_t>* sizes) {
  std::string out;
  for (size_t begin = 0; begin < line.size();) {
    size_t end = begin;
    while (end < line.size() && IsNameCharacter(line[end]) == IsNameCharacter(line[begin])) ++end;
    const absl::string_view word = line.substr(begin, end - begin);
    int64_t number = 0;
    if (absl::SimpleAtoi(word, &number) && number >= kSmallestSize) {
      sizes->push_back(number);
      out += '#';
    } else {
      absl::StrAppend(&out, word);
    }
    begin = end;
  }
  return out;
}

}  // namespace

absl::StatusOr<ScopIdentity> FindScopIdentity(const v1::Scop& scop) {
  TUNE_ASSIGN_OR_RETURN(const std::string text, NormalisedScop(scop));
  ScopIdentity identity;
  identity.fingerprint = Fingerprint(text);
  Fingerprinter shape;
  for (absl::string_view line : absl::StrSplit(text, '\n')) {
    shape.Add(MayHoldSizes(line) ? WithoutSizes(line, &identity.sizes) : std::string(line));
    shape.Add("\n");
  }
  identity.shape = shape.Finish();
  return identity;
}

ScopIdentity IdentityOfText(const v1::Scop& scop) {
  v1::Scop bare = scop;
  bare.clear_region();
  ScopIdentity identity;
  identity.fingerprint = identity.shape = Fingerprint(bare.SerializeAsString());
  return identity;
}

ScopIdentity IdentifyScop(const v1::Scop& scop) {
  absl::StatusOr<ScopIdentity> identity = FindScopIdentity(scop);
  return identity.ok() ? *std::move(identity) : IdentityOfText(scop);
}

}  // namespace tune
