#include "client/extract/cpp/exchanged_containers.h"

#include "absl/strings/str_cat.h"

namespace tune {
namespace {

std::string KeptName(const ExchangedContainer& container) {
  return absl::StrCat(container.stand_in, "_before");
}

}  // namespace

std::string KeepElements(const ExchangedContainers& exchanged) {
  std::string lines;
  for (const ExchangedContainer& each : exchanged.containers)
    absl::StrAppend(&lines, "auto *const ", KeptName(each), " = ", each.stand_in, ";\n");
  return lines;
}

std::string ExchangeAgain(const ExchangedContainers& exchanged) {
  const std::vector<ExchangedContainer>& all = exchanged.containers;
  std::string lines;
  for (size_t i = 0; i < all.size(); ++i) {
    for (size_t j = i + 1; j < all.size(); ++j) {
      absl::StrAppend(&lines, "if (", all[i].elements, " != ", KeptName(all[i]), " && ", all[j].elements,
                      " == ", KeptName(all[i]), ")\n  std::swap(", all[i].text, ", ", all[j].text, ");\n");
    }
  }
  return absl::StrCat(lines, exchanged.settings);
}

}  // namespace tune
