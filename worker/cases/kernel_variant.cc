#include "worker/cases/kernel_variant.h"

#include <algorithm>

#include "absl/strings/str_cat.h"

namespace tune {

std::string KernelVariant::Suffix() const {
  std::string suffix = "_v";
  if (coarsened) suffix += "p";
  if (cached) suffix += "s";
  if (bounded) suffix += "b";
  return absl::StrCat(suffix, shared_addresses);
}

std::vector<KernelVariant> AllVariants(bool caches, bool coarsens) {
  std::vector<KernelVariant> variants;
  for (int strategies = 0; strategies < 32; ++strategies) {
    std::set<int> applied;
    for (const int strategy :
         {kNoCoarsening, kSharedAddresses, kSharedAddressesInBlock, kBoundedRegisters, kNoCaching}) {
      if ((strategies >> strategy & 1) != 0) applied.insert(strategy);
    }
    const KernelVariant variant = VariantOf(applied, caches, coarsens);
    if (std::find(variants.begin(), variants.end(), variant) == variants.end()) variants.push_back(variant);
  }
  return variants;
}

KernelVariant VariantOf(const std::set<int>& applied, bool caches, bool coarsens) {
  KernelVariant variant;
  variant.coarsened = coarsens && applied.count(kNoCoarsening) == 0;
  variant.cached = caches && applied.count(kNoCaching) == 0;
  variant.shared_addresses =
      static_cast<int>(applied.count(kSharedAddresses) + applied.count(kSharedAddressesInBlock));
  variant.bounded = applied.count(kBoundedRegisters) > 0;
  return variant;
}

}  // namespace tune
