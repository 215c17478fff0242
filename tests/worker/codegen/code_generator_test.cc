#include "worker/codegen/code_generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "common/decision/configuration.h"
#include "common/space/cpu_space.h"
#include "tests/common/testing/random_chooser.h"
#include "tests/common/testing/sample_scops.h"
#include "tests/worker/codegen/region_library.h"
#include "worker/print/region_function.h"

namespace tune {
namespace {

constexpr int kThreads = 4;

// The default configuration and `count` random ones.
std::vector<v1::Configuration> Configurations(const v1::Scop& scop,
                                              const std::map<std::string, int64_t>& values, int count) {
  CpuSpaceOptions options;
  options.hardware_threads = kThreads;
  const auto space = CpuSpace::Make(WithParameterFacts(scop, values), values, options).value();
  std::vector<v1::Configuration> configurations;
  for (int i = 0; i <= count; ++i) {
    DefaultChooser standard;
    testing::RandomChooser random(i);
    RecordingChooser recording(i == 0 ? static_cast<Chooser*>(&standard) : &random);
    EXPECT_TRUE(space->Walk(recording).ok());
    configurations.push_back(recording.configuration());
  }
  return configurations;
}

// Sequential code first, then one function a configuration.
std::vector<std::string> Functions(const v1::Scop& scop, const v1::Reference& reference,
                                   const std::vector<v1::Configuration>& configurations) {
  std::vector<std::string> codes = {GenerateSequential(scop, reference).value().code};
  const auto generator = MakeOpenMpGenerator(scop, reference, kThreads).value();
  for (const v1::Configuration& configuration : configurations) {
    const auto program = generator->Generate(configuration);
    EXPECT_TRUE(program.ok()) << program.status() << "\n" << PrintConfiguration(configuration);
    if (program.ok()) codes.push_back(program->code);
  }
  std::vector<std::string> functions;
  for (const std::string& code : codes)
    functions.push_back(PrintRegionFunction(scop, reference, code).value());
  return functions;
}

// Runs every function on the same inputs; all must give the sequential one's result, bit for bit: dependences
// of reductions are kept, so no operation is reordered.
void ExpectSameResults(const v1::Scop& scop, const std::map<std::string, int64_t>& values, int count,
                       bool interpret) {
  const v1::Reference reference = testing::MakeReference(scop, values);
  const std::vector<v1::Configuration> configurations = Configurations(scop, values, count);
  const std::vector<std::string> functions = Functions(scop, reference, configurations);
  ASSERT_EQ(functions.size(), configurations.size() + 1);
  // Without OpenMP a few will do.
  const std::vector<std::string> few(functions.begin(), functions.begin() + 6);
  for (const auto& [flags, tried] : {std::pair{"-fopenmp", functions}, {"-O2", few}}) {
    SCOPED_TRACE(flags);
    const auto library = testing::RegionLibrary::Compile(tried, flags);
    ASSERT_TRUE(library.ok()) << library.status();
    const testing::Memory inputs = testing::MakeInputs(scop, reference, 11);
    testing::Memory expected = inputs;
    library->Run(0, scop, expected);
    if (interpret) {
      testing::Memory interpreted = inputs;
      ASSERT_EQ(testing::Interpret(scop, reference, interpreted), absl::OkStatus());
      EXPECT_TRUE(interpreted == expected);
    }
    for (size_t i = 1; i < tried.size(); ++i) {
      testing::Memory found = inputs;
      library->Run(static_cast<int>(i), scop, found);
      ASSERT_TRUE(found == expected) << PrintConfiguration(configurations[i - 1]) << functions[i];
    }
  }
  EXPECT_EQ(testing::CheckWithClang(functions), absl::OkStatus());
}

class OpenMpGeneratorTest : public ::testing::TestWithParam<testing::SampleScop> {};

TEST_P(OpenMpGeneratorTest, AgreesWithTheInterpreterAtSmallSizes) {
  ExpectSameResults(GetParam().make(), GetParam().small, 20, /*interpret=*/true);
}

// Sizes that no tile size divides: full, partial and, in triangles, empty tiles.
TEST_P(OpenMpGeneratorTest, AgreesWithTheSequentialProgramAtLargerSizes) {
  std::map<std::string, int64_t> values;
  for (const auto& [name, value] : GetParam().small) values[name] = 17 * value + 3;
  ExpectSameResults(GetParam().make(), values, 24, /*interpret=*/false);
}

INSTANTIATE_TEST_SUITE_P(Samples, OpenMpGeneratorTest, ::testing::ValuesIn(testing::SampleScops()),
                         [](const auto& info) { return info.param.name; });

TEST(OpenMpGenerator, GivesEqualFingerprintsToEqualCode) {
  const v1::Scop scop = testing::GemmScop();
  const std::map<std::string, int64_t> values = {{"ni", 20}, {"nj", 30}, {"nk", 40}};
  const v1::Reference reference = testing::MakeReference(scop, values);
  const auto configurations = Configurations(scop, values, 1);
  const auto generator = MakeOpenMpGenerator(scop, reference, kThreads).value();
  const auto first = generator->Generate(configurations[0]);
  const auto other = generator->Generate(configurations[1]);
  const auto again = generator->Generate(configurations[0]);
  ASSERT_TRUE(first.ok() && other.ok() && again.ok());
  EXPECT_EQ(first->fingerprint, again->fingerprint);
  EXPECT_EQ(first->code, again->code);
  EXPECT_NE(first->fingerprint, other->fingerprint);
}

TEST(OpenMpGenerator, RefusesConfigurationsOutsideTheSpace) {
  const v1::Scop scop = testing::GemmScop();
  const std::map<std::string, int64_t> values = {{"ni", 20}, {"nj", 30}, {"nk", 40}};
  const auto generator = MakeOpenMpGenerator(scop, testing::MakeReference(scop, values), kThreads).value();
  v1::Configuration configuration = Configurations(scop, values, 0)[0];
  v1::Configuration unknown = configuration;
  unknown.add_decisions()->set_key("k[S9].unroll");
  unknown.mutable_decisions()->rbegin()->set_option("4");
  EXPECT_EQ(generator->Generate(unknown).status().code(), absl::StatusCode::kInvalidArgument);
  configuration.mutable_decisions(0)->set_option("magic");
  EXPECT_EQ(generator->Generate(configuration).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST(OpenMpGenerator, NeedsAllParameterValues) {
  const v1::Scop scop = testing::GemmScop();
  v1::Reference reference = testing::MakeReference(scop, {{"ni", 2}, {"nj", 3}, {"nk", 4}});
  reference.mutable_parameters()->RemoveLast();
  EXPECT_EQ(GenerateSequential(scop, reference).status().code(), absl::StatusCode::kInvalidArgument);
  EXPECT_EQ(MakeOpenMpGenerator(scop, reference, 4).status().code(), absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace tune
