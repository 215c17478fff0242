#include "server/study/ceilings.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "server/study/study_spec.h"
#include "tests/server/study/harness.h"

namespace tune {
namespace {

using google::protobuf::FieldDescriptor;
using ::testing::HasSubstr;

// The largest value of a number's type; 0 for other fields.
bool SetLargest(const FieldDescriptor& field, google::protobuf::Message* message) {
  const google::protobuf::Reflection& reflection = *message->GetReflection();
  switch (field.cpp_type()) {
    case FieldDescriptor::CPPTYPE_DOUBLE:
      reflection.SetDouble(message, &field, std::numeric_limits<double>::max());
      return true;
    case FieldDescriptor::CPPTYPE_INT32:
      reflection.SetInt32(message, &field, std::numeric_limits<int32_t>::max());
      return true;
    case FieldDescriptor::CPPTYPE_INT64:
      reflection.SetInt64(message, &field, std::numeric_limits<int64_t>::max());
      return true;
    default:
      return false;
  }
}

// Every number that a spec may ask for has a ceiling: one that is added without fails here.
TEST(CeilingsTest, NoNumberIsWithoutOne) {
  int numbers = 0;
  for (const char* part : {"limits", "tolerance", "search"}) {
    const FieldDescriptor& of_spec = *v1::StudySpec::descriptor()->FindFieldByName(part);
    for (int i = 0; i < of_spec.message_type()->field_count(); ++i) {
      const FieldDescriptor& field = *of_spec.message_type()->field(i);
      v1::StudySpec spec = SyntheticSpec();
      if (!SetLargest(field, spec.GetReflection()->MutableMessage(&spec, &of_spec))) continue;
      ++numbers;
      for (const absl::Status& status : {CheckCeilings(spec), CheckSpec(spec)}) {
        EXPECT_TRUE(absl::IsInvalidArgument(status)) << field.full_name();
        EXPECT_THAT(std::string(status.message()), HasSubstr(absl::StrCat("spec.", part, ".", field.name())));
      }
    }
  }
  EXPECT_GE(numbers, 17);
}

TEST(CeilingsTest, TheMostIsAccepted) {
  v1::StudySpec spec = SyntheticSpec();
  for (const Ceiling& ceiling : Ceilings()) {
    if (ceiling.field == "limits.reference_seconds")
      spec.mutable_limits()->set_reference_seconds(ceiling.most);
    if (ceiling.field == "search.evaluations")
      spec.mutable_search()->set_evaluations(static_cast<int>(ceiling.most));
  }
  EXPECT_TRUE(CheckSpec(spec).ok()) << CheckSpec(spec);
}

TEST(CeilingsTest, SizesAndNumbersOfThings) {
  const auto refused = [](const std::string& field, auto&& change) {
    v1::StudySpec spec = SyntheticSpec();
    change(&spec);
    EXPECT_THAT(std::string(CheckSpec(spec).message()), HasSubstr("spec." + field + ": ")) << field;
  };
  refused("program", [](auto* s) { s->mutable_program()->add_arguments(std::string(2 << 20, 'x')); });
  refused("program.files", [](auto* s) {
    for (int i = 0; i < 10'001; ++i) s->mutable_program()->add_files()->set_path(absl::StrCat("f", i));
  });
  refused("scop", [](auto* s) { s->mutable_scop()->set_schedule(std::string(5 << 20, 'x')); });
  refused("scop.statements", [](auto* s) {
    for (int i = 0; i < 10'001; ++i) s->mutable_scop()->add_statements();
  });
  refused("seeds", [](auto* s) {
    for (int i = 0; i < 101; ++i) s->add_seeds();
  });
  refused("seeds", [](auto* s) { s->add_seeds()->add_decisions()->set_key(std::string(2 << 20, 'x')); });
}

TEST(CeilingsTest, NamesAreOneLineThatShows) {
  for (const std::string& bad :
       {std::string("a\nb"), std::string("\x1b[2J"), std::string(201, 'x'), std::string("\xff")}) {
    v1::StudySpec spec = SyntheticSpec();
    spec.set_name(bad);
    EXPECT_THAT(std::string(CheckSpec(spec).message()), HasSubstr("spec.name")) << bad;
    spec = SyntheticSpec();
    spec.mutable_program()->add_files()->set_path(bad.size() > 200 ? std::string(1001, 'x') : bad);
    EXPECT_THAT(std::string(CheckSpec(spec).message()), HasSubstr("spec.program.files")) << bad;
  }
}

}  // namespace
}  // namespace tune
