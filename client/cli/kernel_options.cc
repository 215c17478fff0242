#include "client/cli/kernel_options.h"

#include "client/cli/session.h"
#include "common/base/plain_text.h"

namespace tune {

void KernelOptions::AddTo(CLI::App& verb) {
  verb_ = &verb;
  for (const ShortFormWord& word : ShortFormWords()) {
    if (word.of_files_alone) continue;
    verb.add_option(absl::StrCat("--", word.word), texts_[word.word], word.help)
        ->type_name(word.type)
        ->allow_extra_args(false)
        ->group("Kernel");
  }
}

bool KernelOptions::any() const {
  for (const auto& [word, texts] : texts_) {
    if (!texts.empty()) return true;
  }
  return false;
}

bool KernelOptions::Has(const std::string& word) const {
  const auto texts = texts_.find(word);
  return texts != texts_.end() && !texts->second.empty();
}

const std::vector<std::string>& KernelOptions::kernels() const { return texts_.at("kernel"); }

absl::Status KernelOptions::Read(ShortFormReader* reader) const {
  std::map<std::string, size_t> taken;  // by word
  for (const CLI::Option* option : verb_->parse_order()) {
    const std::string word = option->get_single_name();
    const auto texts = texts_.find(word);
    if (texts == texts_.end()) continue;
    const size_t index = taken[word]++;
    if (index >= texts->second.size()) continue;
    const std::string& text = texts->second[index];
    const absl::Status added = reader->Add(word, text);
    if (!added.ok())
      return UsageError(absl::StrCat("--", word, " ", EscapeLine(text), ": ", added.message()));
  }
  return absl::OkStatus();
}

}  // namespace tune
