#include "worker/passes/private_elements.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "common/program/program_reader.h"
#include "common/program/program_text.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// S1 makes a t of an x, S2 a y of a t, and S3 adds an x to a t.
v1::Scop Statements() {
  v1::Scop scop;
  const auto add = [&](const char* name, const char* from, const char* to, v1::Access::Kind kind) {
    v1::Statement& statement = *scop.add_statements();
    statement.set_name(name);
    statement.set_kind(v1::Statement::ASSIGN);
    for (const auto& [array, how] : {std::pair(from, v1::Access::READ), std::pair(to, kind)}) {
      v1::Access& access = *statement.add_accesses();
      access.set_array(array);
      access.set_kind(how);
    }
  };
  add("S1", "x", "t", v1::Access::WRITE);
  add("S2", "t", "y", v1::Access::WRITE);
  add("S3", "x", "t", v1::Access::UPDATE);
  return scop;
}

// A program of one kernel with this body, at indentation 4, after the pass.
std::string Contracted(const std::string& body, const std::string& local = ", local",
                       const ValueUses& uses = {}, const std::string& others = "") {
  const std::string text = absl::StrCat(
      "device program\narray 0 double x[88]\narray 1 double y[88], written\narray 2 double t[88]", local,
      ", written\nkernel k0 of k[S1], threads 32 1 1\n  array 0\n  array 1, writes\n  array 2, writes\n"
      "  axis most 3, constant first\n  coordinates\n    define int b = blockIdx.x\n    define int i = "
      "threadIdx.x\n"
      "  body\n",
      body, others, "host\n  launch 0, first [0], count [3]\n");
  auto program = ReadDeviceProgram(text);
  EXPECT_TRUE(program.ok()) << program.status() << text;
  if (!program.ok()) return "";
  ContractPrivateElements(Statements(), uses, &*program);
  return PrintProgramText(*program);
}

TEST(PrivateElements, AreVariables) {
  const std::string text = Contracted(
      "    run S1(x[i + 32 * b], t[i + 32 * b])\n"
      "    for c = 0; c <= 3; c += 1\n      run S3(x[c], t[i + 32 * b])\n"
      "    run S2(t[i + 32 * b], y[i + 32 * b])\n");
  EXPECT_THAT(text, HasSubstr("S1(x[i + 32 * b], t_private)"));
  EXPECT_THAT(text, HasSubstr("S3(x[c], t_private)"));
  EXPECT_THAT(text, HasSubstr("S2(t_private, y[i + 32 * b])"));
  EXPECT_THAT(text, Not(HasSubstr("array 2, writes")));
  EXPECT_THAT(text, HasSubstr("contracted"));
}

TEST(PrivateElements, OfEachIterationOfALoop) {
  EXPECT_THAT(Contracted("    for c = 0; c <= 3; c += 1\n      run S1(x[c], t[c + 4 * i])\n"
                         "      run S2(t[c + 4 * i], y[c])\n"),
              HasSubstr("S2(t_private, y[c])"));
}

// An iteration that stands apart has the variable for its own element.
TEST(PrivateElements, OfEachElementInItsTurn) {
  const std::string text = Contracted(
      "    for c = 0; c <= 2; c += 1\n      run S1(x[c], t[c + 4 * i])\n      run S2(t[c + 4 * i], y[c])\n"
      "    run S1(x[3], t[4 * i + 3])\n    if i <= 3\n      run S2(t[4 * i + 3], y[3])\n");
  EXPECT_THAT(text, HasSubstr("S2(t_private, y[c])"));
  EXPECT_THAT(text, HasSubstr("S2(t_private, y[3])"));
}

// Kernels without arguments are no code.
TEST(PrivateElements, LeaveAKernelAnArray) {
  const std::string text =
      "device program\narray 0 double x[88]\narray 1 double y[88], written\narray 2 double t[88], local, "
      "written\n"
      "kernel k0 of k[S4], threads 32 1 1\n  array 2, writes\n  axis most 3, constant first\n  coordinates\n"
      "    define int b = blockIdx.x\n    define int i = threadIdx.x\n  body\n    run S4(t[i + 32 * b])\n"
      "host\n  launch 0, first [0], count [3]\n";
  auto program = ReadDeviceProgram(text);
  ASSERT_TRUE(program.ok()) << program.status();
  v1::Scop scop;
  v1::Statement& statement = *scop.add_statements();
  statement.set_name("S4");
  v1::Access& access = *statement.add_accesses();
  access.set_array("t");
  access.set_kind(v1::Access::WRITE);
  ContractPrivateElements(scop, {}, &*program);
  EXPECT_THAT(PrintProgramText(*program), Not(HasSubstr("t_private")));
}

// What is read may be what another thread, another iteration or another launch wrote.
TEST(PrivateElements, AreWrittenBeforeTheyAreRead) {
  for (const char* const body : {
           "    run S2(t[i + 32 * b], y[i + 32 * b])\n    run S1(x[i + 32 * b], t[i + 32 * b])\n",
           "    run S3(x[i + 32 * b], t[i + 32 * b])\n    run S2(t[i + 32 * b], y[i + 32 * b])\n",
           "    if i <= 3\n      run S1(x[i + 32 * b], t[i + 32 * b])\n    run S2(t[i + 32 * b], y[i + 32 * "
           "b])\n",
           "    for c = 0; c <= 3; c += 1\n      run S1(x[c], t[c])\n"
           "    for c = 0; c <= 3; c += 1\n      run S2(t[c], y[c])\n",
           "    run S1(x[3], t[i])\n    run S1(x[4], t[i + 32])\n    run S2(t[i], y[3])\n",
           "    run S1(x[3], t[i])\n    if i <= 3\n      run S1(x[4], t[i + 32])\n    run S2(t[i], y[3])\n",
           "    run S1(x[3], t[i])\n    for c = 0; c <= 3; c += 1\n      run S2(t[i], y[3])\n"
           "      run S1(x[4], t[i + 32])\n",
           "    run S1(x[i + 32 * b], t[i + 32 * b])\n    barrier block\n    run S2(t[31 - i + 32 * b], "
           "y[i])\n",
       }) {
    EXPECT_THAT(Contracted(body), Not(HasSubstr("t_private"))) << body;
  }
}

// Such accesses have no subscripts.
TEST(PrivateElements, AreNotThoseThatDataDecide) {
  const char* const body = "    run S1(x[i + 32 * b], t)\n    run S2(t, y[i + 32 * b])\n";
  EXPECT_THAT(Contracted(body), Not(HasSubstr("t_private")));
}

TEST(PrivateElements, AreOfTheRegionAlone) {
  const char* const body =
      "    run S1(x[i + 32 * b], t[i + 32 * b])\n    run S2(t[i + 32 * b], y[i + 32 * b])\n";
  EXPECT_THAT(Contracted(body), HasSubstr("t_private"));
  EXPECT_THAT(Contracted(body, ""), Not(HasSubstr("t_private")));
}

// Of an array that is not the region's own: S1's values, which S2 and S3 read.
constexpr char kWrittenAndRead[] =
    "    run S1(x[i + 32 * b], t[i + 32 * b])\n    run S2(t[i + 32 * b], y[i + 32 * b])\n";

TEST(PrivateElements, AreThoseWhoseValuesEndInTheKernel) {
  const std::string text = Contracted(kWrittenAndRead, "", {{"S1", {{"S2"}, false}}});
  EXPECT_THAT(text, HasSubstr("S1(x[i + 32 * b], t_private)"));
  EXPECT_THAT(text, HasSubstr("S2(t_private, y[i + 32 * b])"));
  EXPECT_THAT(text, Not(HasSubstr("array 2, writes")));
  EXPECT_THAT(text, Not(HasSubstr("contracted")));  // others write it
}

TEST(PrivateElements, AreNotThoseThatOutliveTheRegion) {
  EXPECT_THAT(Contracted(kWrittenAndRead, "", {{"S1", {{"S2"}, true}}}), Not(HasSubstr("t_private")));
}

TEST(PrivateElements, AreNotThoseThatOtherKernelsRead) {
  // S3 does, wherever it is.
  EXPECT_THAT(Contracted(kWrittenAndRead, "", {{"S1", {{"S2", "S3"}, false}}}), Not(HasSubstr("t_private")));
  // S2 does in another kernel, too.
  const std::string other =
      "kernel k1 of k[S2], threads 32 1 1\n  array 1, writes\n  array 2\n  axis most 3, constant first\n"
      "  coordinates\n    define int i = threadIdx.x\n  body\n    run S2(t[i], y[i])\n";
  const ValueUses uses = {{"S1", {{"S2"}, false}}};
  EXPECT_THAT(Contracted(kWrittenAndRead, "", uses, other), Not(HasSubstr("t_private")));
  // S3 reads what it has itself.
  std::string third = absl::StrReplaceAll(other, {{"S2", "S3"}, {"t[i], y[i]", "y[i], t[i]"}});
  EXPECT_THAT(Contracted(kWrittenAndRead, "", uses, third), HasSubstr("t_private"));
}

TEST(PrivateElements, AreNotThoseThatSomethingElseWritesThere) {
  const std::string copied =
      absl::StrCat(kWrittenAndRead, "    transfer t[i + 32 * b] = x[i], type double\n");
  EXPECT_THAT(Contracted(copied, "", {{"S1", {{"S2"}, false}}}), Not(HasSubstr("t_private")));
}

// Iterations that store what they have written together do not any more.
TEST(PrivateElements, AreNotCollected) {
  const std::string loop =
      "    for c = 0; c <= 63; c += 1, ahead 8, phase 1\n"
      "      collect t[64 * i + c], type double, width 2\n      run S1(x[c], t[64 * i + c])\n      run "
      "S2(t[64 * i + c], y[c])\n";
  const std::string text = Contracted(loop, "", {{"S1", {{"S2"}, false}}});
  EXPECT_THAT(text, HasSubstr("S2(t_private, y[c])"));
  EXPECT_THAT(text, Not(HasSubstr("collect")));
  EXPECT_THAT(text, Not(HasSubstr("phase")));
}

}  // namespace
}  // namespace tune
