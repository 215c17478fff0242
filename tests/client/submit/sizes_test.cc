#include "client/submit/sizes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string ErrorOf(const std::vector<std::string>& texts) {
  return std::string(ParseSizes(texts).status().message());
}

TEST(Sizes, ListsGoSideBySide) {
  const auto sizes = ParseSizes({"n=500,1000", "m=7", "k=-1,2"});
  ASSERT_TRUE(sizes.ok()) << sizes.status();
  ASSERT_EQ(sizes->size(), 2u);
  EXPECT_EQ(SizeText((*sizes)[0]), "n=500 m=7 k=-1");
  EXPECT_EQ(SizeText((*sizes)[1]), "n=1000 m=7 k=2");
}

TEST(Sizes, WhatCannotBeRead) {
  for (const std::string text : {"n", "n=", "=5", "n=5,", "n=5,x", "n=1.5"})
    EXPECT_THAT(ErrorOf({text}), HasSubstr("such as n=500,1000,2000")) << text;
  EXPECT_THAT(ErrorOf({"n=1,2", "n=3,4"}), HasSubstr("n was given before"));
  EXPECT_THAT(ErrorOf({"n=1,2,1"}), HasSubstr("n=1: was given before"));
  EXPECT_THAT(ErrorOf({"n=1,2", "m=3,4,5"}), HasSubstr("as many values for each name, or one"));
}

// A file with macro N, whose region has parameter n, and a program argument.
class SizedSpecs : public ::testing::Test {
 protected:
  v1::Extraction Extract(const FrontEndRequest& request) const {
    v1::Extraction extraction;
    v1::Scop* scop = extraction.add_scops();
    scop->set_name("f");
    scop->add_parameters()->set_name("n");
    extraction.mutable_program()->set_has_main(has_main_);
    extraction.mutable_program()->add_files()->set_content("int a[N]; /* Nn */");
    for (const std::string& define : request.defines) {
      extraction.mutable_program()->add_defines(define);
      if (define.rfind("N=", 0) != 0) continue;
      v1::Meaning* meaning = scop->add_meanings();
      meaning->set_kind(v1::Meaning::EXPANSION);
      meaning->set_text("N");
      meaning->set_value(fixed_.empty() ? define.substr(2) : fixed_);
    }
    for (const std::string& argument : request.arguments)
      extraction.mutable_program()->add_arguments(argument);
    return extraction;
  }

  absl::StatusOr<std::vector<v1::StudySpec>> Make(const std::vector<std::string>& sizes) {
    return MakeSizedSpecs(request_, wishes_, ParseSizes(sizes).value(),
                          [this](const FrontEndRequest& request) -> absl::StatusOr<v1::Extraction> {
                            if (needs_macro_ && request.defines.empty())
                              return absl::InvalidArgumentError("N is not declared");
                            return Extract(request);
                          });
  }
  std::string Error(const std::vector<std::string>& sizes) {
    return std::string(Make(sizes).status().message());
  }

  SizedSpecs() { request_.file = "x.c"; }

  FrontEndRequest request_;
  StudyWishes wishes_;
  bool has_main_ = false, needs_macro_ = false;
  std::string fixed_;  // the macro's value, whatever is given
};

TEST_F(SizedSpecs, ParametersOfAFileWithoutMain) {
  const auto specs = Make({"n=5,9"});
  ASSERT_TRUE(specs.ok()) << specs.status();
  ASSERT_EQ(specs->size(), 2u);
  EXPECT_EQ((*specs)[1].name(), "x n=9");
  EXPECT_EQ((*specs)[1].program().parameter_values().at("n"), 9);
  EXPECT_EQ((*specs)[1].program().defines_size(), 0);
  wishes_.parameters["n"] = 1;
  EXPECT_THAT(Error({"n=5,9"}), HasSubstr("--param gives it a value, too"));
}

TEST_F(SizedSpecs, MacrosAndArgumentsOfAProgram) {
  has_main_ = true;
  request_.arguments = {"--size={k}", "x"};
  for (const bool needs_macro : {false, true}) {
    needs_macro_ = needs_macro;
    const auto specs = Make({"N=5,9", "k=1,2"});
    ASSERT_TRUE(specs.ok()) << specs.status();
    EXPECT_THAT((*specs)[0].program().defines(), ElementsAre("N=5"));
    EXPECT_THAT((*specs)[1].program().defines(), ElementsAre("N=9"));
    EXPECT_THAT((*specs)[1].program().arguments(), ElementsAre("--size=2", "x"));
    EXPECT_EQ((*specs)[1].program().parameter_values_size(), 0);
  }
  EXPECT_THAT(Error({"k=1,2"}), HasSubstr("N is not declared"));
}

TEST_F(SizedSpecs, NamesThatMeanNothing) {
  has_main_ = true;
  EXPECT_THAT(Error({"n=5,9"}), HasSubstr("no file of the program has a macro of this name"));
  EXPECT_THAT(Error({"n=5,9"}), HasSubstr("--arg {n}"));
  fixed_ = "100";
  EXPECT_THAT(Error({"N=5,9"}), HasSubstr("x.c defines it as 100 whatever -D says"));
}

}  // namespace
}  // namespace tune
