#include "worker/ptx/cubin_resources.h"

#include <elf.h>

#include <cstring>
#include <optional>
#include <vector>

namespace tune {
namespace {

// Attributes of .nv.info: a byte of format, a byte of meaning, 16 bits that are a value or, in this format,
// the size of what follows.
constexpr uint8_t kSizedFormat = 4;
constexpr uint8_t kFrameSize = 0x11;  // EIATTR_FRAME_SIZE: 32 bits of symbol, 32 bits of bytes
constexpr uint8_t kRegisters = 0x2f;  // EIATTR_REGCOUNT: likewise
constexpr size_t kMostSections = 1 << 16;

absl::Status Broken(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("cubin: ", what, "; give one that nvcc or NVRTC made"));
}

// A copy of what is at `offset`; no value where the text ends before it does.
template <typename T>
std::optional<T> At(absl::string_view bytes, uint64_t offset) {
  T value;
  if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
  std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

std::string NameAt(absl::string_view names, uint64_t offset) {
  if (offset >= names.size()) return "";
  names.remove_prefix(offset);
  return std::string(names.substr(0, names.find('\0')));
}

class Cubin {
 public:
  explicit Cubin(absl::string_view bytes) : bytes_(bytes) {}

  absl::Status ReadSections() {
    const auto header = At<Elf64_Ehdr>(bytes_, 0);
    if (!header.has_value() || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_machine != EM_CUDA)
      return Broken("these bytes are no program for a GPU");
    if (header->e_shentsize != sizeof(Elf64_Shdr) || header->e_shnum > kMostSections)
      return Broken("its sections have another form");
    for (uint64_t i = 0; i < header->e_shnum; ++i) {
      const auto section = At<Elf64_Shdr>(bytes_, header->e_shoff + i * sizeof(Elf64_Shdr));
      if (!section.has_value()) return Broken("it ends before its sections do");
      sections_.push_back(*section);
    }
    if (header->e_shstrndx >= sections_.size()) return Broken("its sections have no names");
    names_ = Content(sections_[header->e_shstrndx]);
    return absl::OkStatus();
  }

  // Empty where there is none.
  absl::string_view Section(absl::string_view name) const {
    for (const Elf64_Shdr& section : sections_) {
      if (NameAt(names_, section.sh_name) == name) return Content(section);
    }
    return "";
  }

 private:
  absl::string_view Content(const Elf64_Shdr& section) const {
    if (section.sh_type == SHT_NOBITS || section.sh_offset > bytes_.size() ||
        section.sh_size > bytes_.size() - section.sh_offset)
      return "";
    return bytes_.substr(section.sh_offset, section.sh_size);
  }

  absl::string_view bytes_;
  std::vector<Elf64_Shdr> sections_;
  absl::string_view names_;
};

}  // namespace

absl::StatusOr<std::map<std::string, CubinResources>> ReadCubinResources(absl::string_view cubin) {
  Cubin read(cubin);
  TUNE_RETURN_IF_ERROR(read.ReadSections());
  const absl::string_view attributes = read.Section(".nv.info"), symbols = read.Section(".symtab"),
                          names = read.Section(".strtab");
  std::map<std::string, CubinResources> resources;
  for (uint64_t at = 0; at < attributes.size();) {
    const auto format = At<uint8_t>(attributes, at), meaning = At<uint8_t>(attributes, at + 1);
    const auto size = At<uint16_t>(attributes, at + 2);
    if (!size.has_value()) return Broken("its attributes end amid one");
    at += 4;
    if (*format != kSizedFormat) continue;
    const uint64_t value = at;
    at += *size;
    if (*meaning != kFrameSize && *meaning != kRegisters) continue;
    const auto symbol_index = At<uint32_t>(attributes, value), number = At<uint32_t>(attributes, value + 4);
    if (!symbol_index.has_value() || !number.has_value()) return Broken("its attributes end amid one");
    const auto symbol = At<Elf64_Sym>(symbols, uint64_t{*symbol_index} * sizeof(Elf64_Sym));
    if (!symbol.has_value()) return Broken("an attribute is of no symbol");
    CubinResources& of_function = resources[NameAt(names, symbol->st_name)];
    (*meaning == kRegisters ? of_function.registers : of_function.stack_bytes) = *number;
  }
  if (resources.empty()) return Broken("it does not tell of any kernel");
  return resources;
}

}  // namespace tune
