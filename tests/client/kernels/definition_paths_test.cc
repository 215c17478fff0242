#include "client/kernels/definition_paths.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tune {
namespace {

TEST(DefinitionPathsTest, RelativePathsMove) {
  EXPECT_EQ(RebasePath("a.raw", "/x/y", "/x/z"), "../y/a.raw");
  EXPECT_EQ(RebasePath("../a.raw", "/x/y", "/x"), "a.raw");
  EXPECT_EQ(RebasePath("d/a.raw", "", ""), "d/a.raw");
  EXPECT_EQ(RebasePath("a.raw", "d", ""), "d/a.raw");
  EXPECT_EQ(RebasePath("/b/a.raw", "/x/y", "/x/z"), "/b/a.raw");
  EXPECT_EQ(RebasePath("", "/x/y", "/x/z"), "");
}

TEST(DefinitionPathsTest, OfEveryFileButTheSource) {
  v1::KernelDefinition definition;
  definition.set_file("k.cu");
  definition.add_arguments()->mutable_fill()->mutable_file()->set_path("a");
  definition.add_arguments()->mutable_fill()->set_constant("1");
  definition.mutable_reference()->add_checks()->mutable_expected()->mutable_file()->set_path("b");
  definition.mutable_reference()->mutable_host_function()->set_file("c.c");
  RebaseFiles("/x/y", "/x", &definition);
  EXPECT_EQ(definition.file(), "k.cu");
  EXPECT_EQ(definition.arguments(0).fill().file().path(), "y/a");
  EXPECT_EQ(definition.reference().checks(0).expected().file().path(), "y/b");
  EXPECT_EQ(definition.reference().host_function().file(), "y/c.c");
  v1::KernelDefinition plain;
  plain.mutable_reference()->mutable_plain_kernel()->set_file("p.cu");
  RebaseFiles("/x/y", "/x", &plain);
  EXPECT_EQ(plain.reference().plain_kernel().file(), "y/p.cu");
  v1::KernelDefinition none;
  RebaseFiles("/x/y", "/x", &none);
  EXPECT_FALSE(none.has_reference());
}

}  // namespace
}  // namespace tune
