// Memory that a program needs before its first instruction.
#pragma once

#include <cstdint>
#include <string>

namespace tune {

// Bytes of the loadable segments of an ELF file: code and every object of static storage duration. 0 when the
// file is not a 64-bit ELF file of this machine.
int64_t StaticMemory(const std::string& path);

}  // namespace tune
