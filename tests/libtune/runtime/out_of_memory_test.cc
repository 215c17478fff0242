// Each allocation of the library fails once: a code comes back, and the program goes on.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "libtune/include/tune.h"

namespace {

thread_local long allowed = -1;  // allocations until one fails; negative: none does

bool Fails() { return allowed >= 0 && allowed-- == 0; }

}  // namespace

void* operator new(size_t size) {
  void* memory = Fails() ? nullptr : std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
// Of buffers that the standard library can do without.
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  return Fails() ? nullptr : std::malloc(size);
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, size_t) noexcept { std::free(memory); }

namespace libtune {
namespace {

int Compute(void* arguments, const tune_call*) {
  ++*static_cast<int*>(arguments);
  return 0;
}
int Fail(void*, const tune_call*) { return 1; }

// A program that goes on by itself where the library does not. True when some call said that there is no
// memory.
bool Program() {
  bool failed = false;
  const auto ok = [&](tune_status status) {
    if (status != TUNE_OK && status != TUNE_OUT_OF_MEMORY) ADD_FAILURE() << tune_last_error();
    failed |= status == TUNE_OUT_OF_MEMORY;
    return status == TUNE_OK;
  };
  tune_context* context = nullptr;
  tune_region* region = nullptr;
  if (!ok(tune_context_create(nullptr, &context))) return failed;
  if (!ok(tune_region_create(context, "r", &region))) {
    tune_context_destroy(context);
    return failed;
  }
  const tune_variant variants[] = {{"original", Compute}, {"other", Compute}, {"failing", Fail}};
  const bool defined = ok(tune_add_variants(region, "variant", variants, 3, nullptr)) &&
                       ok(tune_add_powers(region, "tile", 1, 64, 2, 1, nullptr)) &&
                       ok(tune_add_condition(region, 1, 0, 1));
  for (long i = 0; defined && i < 60; ++i) {
    const long size = 100 + i % 2;
    int computed = 0;
    const tune_status status = tune_run(region, &size, 1, &computed);
    EXPECT_EQ(computed, status == TUNE_OK ? 1 : 0) << tune_last_error();
    ok(status);
    tune_call call;
    if (ok(tune_next(region, &size, 1, &call))) ok(tune_report(&call, 1 + static_cast<double>(i * 37 % 11)));
  }
  tune_context_destroy(context);
  return failed;
}

TEST(OutOfMemory, IsACodeWhereverItHappens) {
  constexpr int kAllocations = 3000;
  int failures = 0;
  for (long i = 0; i < kAllocations; i += i < 500 ? 1 : 7) {
    allowed = i;
    failures += Program() ? 1 : 0;
    const bool reached = allowed < 0;
    allowed = -1;
    if (!reached) break;
  }
  EXPECT_GT(failures, 50);
  EXPECT_FALSE(Program());
}

}  // namespace
}  // namespace libtune
