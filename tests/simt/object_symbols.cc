#include "tests/simt/object_symbols.h"

#include <cxxabi.h>
#include <elf.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "absl/strings/str_cat.h"
#include "common/base/file.h"

namespace tune::simt {
namespace {

// Parts of the file by their offsets; empty or zero outside of it.
class ElfReader {
 public:
  explicit ElfReader(const std::string& bytes) : bytes_(bytes), header_(At<Elf64_Ehdr>(0)) {}

  bool IsOfThisMachine() const {
    return std::memcmp(header_.e_ident, ELFMAG, SELFMAG) == 0 && header_.e_ident[EI_CLASS] == ELFCLASS64 &&
           header_.e_ident[EI_DATA] == ELFDATA2LSB;
  }
  int sections() const { return header_.e_shnum; }
  Elf64_Shdr Section(uint64_t number) const {
    return At<Elf64_Shdr>(header_.e_shoff + number * sizeof(Elf64_Shdr));
  }
  std::string SectionName(uint64_t number) const {
    return Text(Section(header_.e_shstrndx), Section(number).sh_name);
  }
  Elf64_Sym Symbol(const Elf64_Shdr& table, uint64_t number) const {
    return At<Elf64_Sym>(table.sh_offset + number * sizeof(Elf64_Sym));
  }
  std::string Text(const Elf64_Shdr& table, uint64_t offset) const {
    const uint64_t begin = table.sh_offset + offset;
    return begin < bytes_.size() ? std::string(bytes_.c_str() + begin) : "";
  }

 private:
  template <typename T>
  T At(uint64_t offset) const {
    T value = {};
    if (offset <= bytes_.size() && bytes_.size() - offset >= sizeof(T))
      std::memcpy(&value, bytes_.data() + offset, sizeof(T));
    return value;
  }

  const std::string& bytes_;
  const Elf64_Ehdr header_;
};

std::string Demangled(const std::string& name) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status), &std::free);
  return status == 0 ? text.get() : name;
}

}  // namespace

absl::StatusOr<std::vector<ObjectSymbol>> ReadVariables(const std::string& path) {
  TUNE_ASSIGN_OR_RETURN(const std::string bytes, ReadFile(path));
  const ElfReader file(bytes);
  if (!file.IsOfThisMachine())
    return absl::InvalidArgumentError(absl::StrCat(path, " is no ELF object of this machine"));
  std::vector<ObjectSymbol> variables;
  for (int s = 0; s < file.sections(); ++s) {
    const Elf64_Shdr table = file.Section(s);
    if (table.sh_type != SHT_SYMTAB) continue;
    for (uint64_t i = 0; i < table.sh_size / sizeof(Elf64_Sym); ++i) {
      const Elf64_Sym symbol = file.Symbol(table, i);
      if (ELF64_ST_TYPE(symbol.st_info) != STT_OBJECT || symbol.st_shndx == SHN_UNDEF ||
          symbol.st_shndx >= file.sections())
        continue;
      variables.push_back({file.Text(file.Section(table.sh_link), symbol.st_name), symbol.st_value,
                           symbol.st_size, file.SectionName(symbol.st_shndx)});
    }
  }
  std::sort(variables.begin(), variables.end(),
            [](const ObjectSymbol& a, const ObjectSymbol& b) { return a.name < b.name; });
  for (ObjectSymbol& variable : variables) variable.name = Demangled(variable.name);
  return variables;
}

}  // namespace tune::simt
