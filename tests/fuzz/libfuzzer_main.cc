// libFuzzer's side of one target, TUNE_FUZZ_TARGET; `fuzz_NAME --seeds FOLDER` writes its seeds and ends.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "common/base/file.h"
#include "tests/fuzz/targets.h"

namespace {

void WriteSeeds(const std::string& folder) {
  int number = 0;
  const std::vector<std::string> seeds = tune::testing::TUNE_FUZZ_TARGET().seeds();
  for (const std::string& seed : seeds) {
    const absl::Status written = tune::WriteFile(absl::StrCat(folder, "/seed", number++), seed);
    if (written.ok()) continue;
    std::fprintf(stderr, "%s\n", std::string(written.message()).c_str());
    std::exit(1);
  }
}

}  // namespace

extern "C" int LLVMFuzzerInitialize(int* argc, char*** argv) {
  if (*argc != 3 || std::strcmp((*argv)[1], "--seeds") != 0) return 0;
  WriteSeeds((*argv)[2]);
  std::exit(0);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  tune::testing::TUNE_FUZZ_TARGET().run(absl::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
