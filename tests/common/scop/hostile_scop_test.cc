// Texts of scops, changed at random, as a stranger may send them. Environment: TUNE_HOSTILE_SCOPS, how many
// (4000).
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

#include "absl/strings/numbers.h"
#include "common/base/random.h"
#include "common/scop/scop.h"
#include "common/scop/scop_identity.h"
#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

constexpr int kBatch = 200;  // scops of one child process

constexpr const char* kTokens[] = {"5",
                                   "-1",
                                   "{",
                                   "}",
                                   "[",
                                   "]",
                                   "(",
                                   ")",
                                   "->",
                                   ",",
                                   ":",
                                   ";",
                                   "\"",
                                   " ",
                                   "=",
                                   "<=",
                                   "and",
                                   "or",
                                   "exists",
                                   "mod",
                                   "floor",
                                   "/0",
                                   "nan",
                                   "infty",
                                   "S0",
                                   "S9",
                                   "n",
                                   "n ->",
                                   "*",
                                   "child",
                                   "domain",
                                   "schedule",
                                   "leaf",
                                   "e0 ",
                                   "A[",
                                   "[A -> B]",
                                   "99999999999999999999",
                                   "not",
                                   "implies",
                                   "%"};

// Every text of the scop that isl reads.
std::vector<std::string*> Texts(v1::Scop* scop) {
  std::vector<std::string*> texts = {scop->mutable_schedule(), scop->mutable_schedule(),
                                     scop->mutable_context()};
  for (v1::Statement& statement : *scop->mutable_statements()) {
    texts.push_back(statement.mutable_domain());
    for (v1::Access& access : *statement.mutable_accesses()) texts.push_back(access.mutable_relation());
    if (statement.value().kind_case() == v1::Expression::kAffine)
      texts.push_back(statement.mutable_value()->mutable_affine());
  }
  for (v1::Array& array : *scop->mutable_arrays()) {
    for (v1::Extent& extent : *array.mutable_extents()) texts.push_back(extent.mutable_accessed());
  }
  return texts;
}

// One piece of the text goes, is doubled, or becomes a token.
void Change(Random& random, std::string* text) {
  const size_t begin = text->empty() ? 0 : random.Below(text->size());
  const size_t length =
      std::min<size_t>(random.Below(4) == 0 ? random.Below(40) : random.Below(4), text->size() - begin);
  switch (random.Below(4)) {
    case 0:
      text->erase(begin, length);
      break;
    case 1:
      text->insert(begin, text->substr(begin, length));
      break;
    default:
      text->replace(begin, length, kTokens[random.Below(std::size(kTokens))]);
  }
}

v1::Scop Mutant(uint64_t seed) {
  Random random(seed);
  const std::vector<testing::SampleScop> samples = testing::SampleScops();
  v1::Scop scop = samples[random.Below(samples.size())].make();
  const std::vector<std::string*> texts = Texts(&scop);
  for (uint64_t changes = 1 + random.Below(3); changes > 0; --changes)
    Change(random, texts[random.Below(texts.size())]);
  return scop;
}

// What a server does with a scop before it knows better.
void Read(const v1::Scop& scop) {
  IdentifyScop(scop);
  IslContext context({.operations = 1'000'000, .wall = absl::Seconds(10)});
  ParseScop(context, scop).IgnoreError();
}

// Reads the scops of the seeds in a child process, which may die; each seed is told before it is begun.
void ReadInChild(uint64_t first, uint64_t count) {
  int seeds[2];
  ASSERT_EQ(pipe(seeds), 0);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    close(seeds[0]);
    (void)!freopen("/dev/null", "w", stderr);  // isl says what it thinks of each
    for (uint64_t seed = first; seed < first + count; ++seed) {
      if (write(seeds[1], &seed, sizeof seed) != sizeof seed) _exit(1);
      Read(Mutant(seed));
    }
    _exit(0);
  }
  close(seeds[1]);
  uint64_t last = 0, seed = 0;
  while (read(seeds[0], &seed, sizeof seed) == sizeof seed) last = seed;
  close(seeds[0]);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0)
      << "seed " << last << ": status " << status << "\n"
      << Mutant(last).DebugString();
}

TEST(HostileScop, DoesNotEndTheProcess) {
  const char* const given = std::getenv("TUNE_HOSTILE_SCOPS");
  uint64_t count = 4000;
  ASSERT_TRUE(given == nullptr || absl::SimpleAtoi(given, &count));
  for (uint64_t seed = 1; seed <= count; seed += kBatch)
    ReadInChild(seed, std::min<uint64_t>(kBatch, count + 1 - seed));
}

}  // namespace
}  // namespace tune
