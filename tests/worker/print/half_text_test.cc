#include "worker/print/half_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/array/element_type.h"
#include "tests/common/testing/sample_scops.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

TEST(HalfText, IsForScopsThatHaveSuchNumbers) {
  v1::Scop scop = testing::GemmScop();
  const HelperNames names("own_");
  EXPECT_EQ(TextOfHalves(scop, names).before, "");
  EXPECT_EQ(TextOfHalves(scop, names).behind, "");
  v1::Scop converting = scop;
  v1::Expression half;
  half.set_c_type(kHalfType);
  half.mutable_cast()->set_c_type(kHalfType);
  *half.mutable_cast()->mutable_operand() = converting.statements(0).value();
  *converting.mutable_statements(0)->mutable_value() = half;
  scop.mutable_arrays(0)->set_element_type(v1::ELEMENT_TYPE_FLOAT16);
  for (const v1::Scop& with : {converting, scop}) {
    EXPECT_THAT(TextOfHalves(with, names).before, StartsWith("struct own_half {\n"));
    EXPECT_THAT(TextOfHalves(with, names).before, HasSubstr("#define _Float16 own_half\n"));
    EXPECT_EQ(TextOfHalves(with, names).behind, "#undef _Float16\n");
  }
}

}  // namespace
}  // namespace tune
