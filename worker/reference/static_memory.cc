#include "worker/reference/static_memory.h"

#include <elf.h>

#include <cstring>
#include <fstream>

namespace tune {

int64_t StaticMemory(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  Elf64_Ehdr header;
  if (!file.read(reinterpret_cast<char*>(&header), sizeof(header))) return 0;
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_phentsize != sizeof(Elf64_Phdr)) {
    return 0;
  }
  int64_t bytes = 0;
  file.seekg(static_cast<std::streamoff>(header.e_phoff));
  for (int i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    if (!file.read(reinterpret_cast<char*>(&segment), sizeof(segment))) return 0;
    if (segment.p_type == PT_LOAD) bytes += static_cast<int64_t>(segment.p_memsz);
  }
  return bytes;
}

}  // namespace tune
