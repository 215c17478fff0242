// What programs that were compiled against tune.h rely on.
#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <fstream>
#include <sstream>

#include "libtune/include/tune.h"

namespace libtune {
namespace {

std::string OutputOf(const std::string& command) {
  FILE* pipe = popen(command.c_str(), "r");
  std::string output;
  char buffer[4096];
  while (const size_t count = fread(buffer, 1, sizeof(buffer), pipe)) output.append(buffer, count);
  EXPECT_EQ(pclose(pipe), 0) << command;
  return output;
}

// `exported_symbols.txt` has what the shared library exports; a symbol may be added, and none may go.
TEST(Abi, ExportsWhatTheHeaderDeclares) {
  std::istringstream output(OutputOf("nm -D --defined-only --without-symbol-versions " TUNE_SHARED_LIBRARY));
  std::string symbols;
  for (std::string address, type, name; output >> address >> type >> name;) {
    if (type != "A") symbols += name + "\n";
  }
  std::ostringstream golden;
  golden << std::ifstream(TUNE_LIBTUNE_TESTS "/runtime/exported_symbols.txt").rdbuf();
  EXPECT_EQ(symbols, golden.str());
}

#if defined(__x86_64__)
TEST(Abi, StructsHaveTheirLayout) {
  EXPECT_EQ(offsetof(tune_options, device), 8u);
  EXPECT_EQ(offsetof(tune_options, wisdom_file), 16u);
  EXPECT_EQ(offsetof(tune_options, capture_file), 24u);
  EXPECT_EQ(offsetof(tune_options, mode), 32u);
  EXPECT_EQ(offsetof(tune_options, seed), 40u);
  EXPECT_EQ(offsetof(tune_options, epsilon), 48u);
  EXPECT_EQ(offsetof(tune_options, most_tries), 64u);
  EXPECT_EQ(offsetof(tune_options, drift), 72u);
  EXPECT_EQ(offsetof(tune_options, message), 80u);
  EXPECT_EQ(offsetof(tune_options, tries_file), 96u);  // what version 0.2.0 had before it stays as it was
  EXPECT_EQ(sizeof(tune_options), 104u);
  EXPECT_EQ(offsetof(tune_call, count), 8u);
  EXPECT_EQ(offsetof(tune_call, settled), 12u);
  EXPECT_EQ(sizeof(tune_call), 48u);
  EXPECT_EQ(sizeof(tune_variant), 16u);
  EXPECT_EQ(sizeof(tune_check), 48u);
  EXPECT_EQ(sizeof(tune_factor), 12u);
  EXPECT_EQ(sizeof(tune_term), 24u);
  EXPECT_EQ(sizeof(tune_metric), 32u);
  EXPECT_EQ(offsetof(tune_rule, threshold), 24u);
  EXPECT_EQ(offsetof(tune_rule, linear), 96u);
  EXPECT_EQ(sizeof(tune_rule), 112u);
  EXPECT_EQ(offsetof(tune_progress, seconds), 24u);
  EXPECT_EQ(sizeof(tune_progress), 40u);
}
#endif

TEST(Abi, HeaderCompilesWithoutWarningsAsEveryLanguage) {
  for (const char* compiler :
       {"cc -x c -std=c89", "cc -x c -std=c11", "c++ -x c++ -std=c++11", "c++ -x c++ -std=c++20"}) {
    OutputOf(std::string(compiler) +
             " -pedantic -pedantic-errors -Wall -Wextra -Werror -fsyntax-only " TUNE_HEADER " 2>&1");
  }
  for (const char* standard : {"c++11", "c++20"}) {
    OutputOf(std::string("c++ -x c++ -std=") + standard +
             " -pedantic -Wall -Wextra -Werror -fsyntax-only " TUNE_HEADER "pp 2>&1");
  }
}

// Without an error, the way of a plugin: opened, used, closed, many times.
TEST(Abi, CanBeClosedAndOpenedAgain) {
  for (int round = 0; round < 5; ++round) {
    void* library = dlopen(TUNE_SHARED_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    const auto create =
        reinterpret_cast<decltype(&tune_context_create)>(dlsym(library, "tune_context_create"));
    const auto add = reinterpret_cast<decltype(&tune_region_create)>(dlsym(library, "tune_region_create"));
    const auto begin = reinterpret_cast<decltype(&tune_begin)>(dlsym(library, "tune_begin"));
    const auto end = reinterpret_cast<decltype(&tune_end)>(dlsym(library, "tune_end"));
    const auto destroy =
        reinterpret_cast<decltype(&tune_context_destroy)>(dlsym(library, "tune_context_destroy"));
    tune_context* context = nullptr;
    ASSERT_EQ(create(nullptr, &context), TUNE_OK);
    tune_region* region = nullptr;
    ASSERT_EQ(add(context, "", &region), TUNE_INVALID_ARGUMENT);  // sets this thread's text
    ASSERT_EQ(add(context, "r", &region), TUNE_OK);
    for (int i = 0; i < 10; ++i) {
      tune_call call;
      ASSERT_EQ(begin(region, nullptr, 0, &call), TUNE_OK);
      ASSERT_EQ(end(&call), TUNE_OK);
    }
    destroy(context);
    ASSERT_EQ(dlclose(library), 0);
    // It is gone: nothing keeps it in the process.
    EXPECT_EQ(dlopen(TUNE_SHARED_LIBRARY, RTLD_NOW | RTLD_NOLOAD), nullptr);
  }
  // What it was told to do at fork went with it.
  EXPECT_EQ(OutputOf("true"), "");
}

TEST(Abi, VersionIsThatOfTheHeader) {
  const std::string version = std::to_string(TUNE_VERSION_MAJOR) + "." + std::to_string(TUNE_VERSION_MINOR) +
                              "." + std::to_string(TUNE_VERSION_PATCH);
  EXPECT_EQ(tune_version(), version);
}

}  // namespace
}  // namespace libtune
