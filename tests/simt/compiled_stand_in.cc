#include "tests/simt/compiled_stand_in.h"

#include <elf.h>

#include <cstring>
#include <vector>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "common/base/c_identifier.h"

namespace tune::simt {
namespace {

constexpr char kKernel[] = "__global__";
constexpr char kTextBegins[] = "\n//// text ////\n";
constexpr int kRegisters = 32;

struct KernelText {
  std::string name;
  std::vector<std::string> parameters;
  std::string body;
};

// "void __launch_bounds__(128) tune_kernel0(const int (*A)[9], int t) {...".
KernelText ReadKernel(absl::string_view text) {
  constexpr char kBounds[] = "__launch_bounds__";
  KernelText kernel;
  size_t open = text.find('(');
  if (const size_t bounds = text.find(kBounds); bounds < open) open = text.find('(', text.find(')') + 1);
  if (open == absl::string_view::npos) return kernel;
  size_t begin = open;
  while (begin > 0 && IsNameCharacter(text[begin - 1])) --begin;
  kernel.name = std::string(text.substr(begin, open - begin));
  size_t close = open;
  for (int depth = 0; close < text.size(); ++close) {
    depth += text[close] == '(' ? 1 : text[close] == ')' ? -1 : 0;
    if (depth == 0) break;
  }
  for (const absl::string_view parameter :
       absl::StrSplit(text.substr(open + 1, close - open - 1), ',', absl::SkipWhitespace()))
    kernel.parameters.emplace_back(parameter);
  kernel.body = std::string(text.substr(close));
  return kernel;
}

std::vector<KernelText> KernelsOf(absl::string_view text) {
  std::vector<KernelText> kernels;
  for (size_t at = text.find(kKernel); at != absl::string_view::npos;) {
    const size_t begin = at + std::strlen(kKernel);
    at = text.find(kKernel, begin);
    kernels.push_back(ReadKernel(text.substr(begin, at == absl::string_view::npos ? at : at - begin)));
  }
  return kernels;
}

template <typename T>
void Append(std::string* bytes, const T& value) {
  bytes->append(reinterpret_cast<const char*>(&value), sizeof value);
}

// A file of sections, without segments.
class ElfWriter {
 public:
  ElfWriter() { Add("", SHT_NULL, ""); }

  void Add(const std::string& name, uint32_t type, const std::string& content) {
    Elf64_Shdr section = {};
    section.sh_name = static_cast<uint32_t>(names_.size());
    section.sh_type = type;
    section.sh_offset = sizeof(Elf64_Ehdr) + contents_.size();
    section.sh_size = content.size();
    names_ += name + '\0';
    contents_ += content;
    sections_.push_back(section);
  }

  std::string Finish() {
    const std::string own = ".shstrtab";
    Add(own, SHT_STRTAB, names_ + own + '\0');
    Elf64_Ehdr header = {};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_machine = EM_CUDA;
    header.e_shoff = sizeof header + contents_.size();
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = static_cast<uint16_t>(sections_.size());
    header.e_shstrndx = static_cast<uint16_t>(sections_.size() - 1);
    std::string bytes;
    Append(&bytes, header);
    bytes += contents_;
    for (const Elf64_Shdr& section : sections_) Append(&bytes, section);
    return bytes;
  }

 private:
  std::string names_, contents_;
  std::vector<Elf64_Shdr> sections_;
};

}  // namespace

std::string PtxStandIn(absl::string_view text) {
  std::string ptx = ".version 9.0\n.target sm_90\n.address_size 64\n";
  for (const KernelText& kernel : KernelsOf(text)) {
    std::vector<std::string> parameters;
    for (size_t i = 0; i < kernel.parameters.size(); ++i) {
      const bool is_int = absl::StartsWith(absl::StripAsciiWhitespace(kernel.parameters[i]), "int ") &&
                          !absl::StrContains(kernel.parameters[i], "*");
      parameters.push_back(absl::StrCat(".param ", is_int ? ".u32" : ".u64", " p", i));
    }
    absl::StrAppend(&ptx, ".visible .entry ", kernel.name, "(", absl::StrJoin(parameters, ", "), ") {\n");
    const std::vector<std::string> barriers = absl::StrSplit(kernel.body, "__syncthreads");
    for (size_t i = 1; i < barriers.size(); ++i) ptx += "  bar.sync 0;\n";
    for (const char c : kernel.body) {
      if (c == '[') ptx += "  ld.global.f32 %f1, [%rd1];\n";
      if (c == ';') ptx += "  add.f32 %f2, %f1, %f2;\n";
    }
    ptx += "  ret;\n}\n";
  }
  return ptx;
}

std::string CubinStandIn(absl::string_view text) {
  std::string attributes, symbols, names(1, '\0');
  Append(&symbols, Elf64_Sym{});
  uint32_t index = 0;
  for (const KernelText& kernel : KernelsOf(text)) {
    Elf64_Sym symbol = {};
    symbol.st_name = static_cast<uint32_t>(names.size());
    names += kernel.name + '\0';
    Append(&symbols, symbol);
    // EIATTR_REGCOUNT, as worker/ptx/cubin_resources.cc reads it.
    for (const uint8_t byte : {4, 0x2f, 8, 0}) Append(&attributes, byte);
    Append(&attributes, ++index);
    Append(&attributes, uint32_t{kRegisters});
  }
  ElfWriter file;
  file.Add(".nv.info", SHT_PROGBITS, attributes);
  file.Add(".symtab", SHT_SYMTAB, symbols);
  file.Add(".strtab", SHT_STRTAB, names);
  return absl::StrCat(file.Finish(), kTextBegins, text);
}

std::string TextInCubin(const std::string& cubin) {
  const size_t begin = cubin.find(kTextBegins);
  return begin == std::string::npos ? cubin : cubin.substr(begin + std::strlen(kTextBegins));
}

}  // namespace tune::simt
