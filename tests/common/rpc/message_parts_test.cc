#include "common/rpc/message_parts.h"

#include <gtest/gtest.h>

#include <vector>

#include "tune/v1/study.pb.h"

namespace tune {
namespace {

// `parts` one after the other.
std::function<bool(v1::FilePart*)> ReaderOf(const std::vector<v1::FilePart>& parts) {
  return [&parts, next = size_t{0}](v1::FilePart* part) mutable {
    if (next == parts.size()) return false;
    *part = parts[next++];
    return true;
  };
}

TEST(MessageParts, RoundTripInSmallParts) {
  v1::StudySpec spec;
  spec.set_name("large");
  spec.mutable_program()->set_standard_input(std::string(5 << 19, 'x'));
  std::vector<v1::FilePart> parts;
  ASSERT_TRUE(SendInParts(spec, [&](const v1::FilePart& part) {
    parts.push_back(part);
    return true;
  }));
  EXPECT_EQ(parts.size(), 3u);
  for (const v1::FilePart& part : parts) EXPECT_LE(part.data().size(), size_t{kPartBytes});
  v1::StudySpec read;
  ASSERT_TRUE(ReadInParts(ReaderOf(parts), 10 << 20, &read).ok());
  EXPECT_EQ(read.SerializeAsString(), spec.SerializeAsString());
  EXPECT_TRUE(absl::IsResourceExhausted(ReadInParts(ReaderOf(parts), 1 << 20, &read)));
  parts.pop_back();
  EXPECT_TRUE(absl::IsDataLoss(ReadInParts(ReaderOf(parts), 10 << 20, &read)));
}

TEST(MessageParts, AReceiverThatHasEnoughEndsIt) {
  v1::Program program;
  program.set_standard_input(std::string(5 << 20, 'x'));
  int parts = 0;
  EXPECT_FALSE(SendInParts(program, [&](const v1::FilePart&) { return ++parts < 2; }));
  EXPECT_EQ(parts, 2);
}

TEST(MessageParts, AFieldMayFollowTheRest) {
  v1::StudySpec spec;
  spec.set_name("n");
  spec.mutable_program()->add_sources("a.c");
  v1::StudySpec rest = spec;
  rest.clear_program();
  const std::string program = spec.program().SerializeAsString();
  const std::string joined =
      rest.SerializeAsString() +
      FieldHead(v1::StudySpec::kProgramFieldNumber, static_cast<int64_t>(program.size())) + program;
  v1::StudySpec read;
  ASSERT_TRUE(read.ParseFromString(joined));
  EXPECT_EQ(read.SerializeAsString(), spec.SerializeAsString());
}

}  // namespace
}  // namespace tune
