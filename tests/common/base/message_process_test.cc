#include "common/base/message_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace tune {
namespace {

using ::testing::HasSubstr;

// A program of the shell.
std::unique_ptr<MessageProcess> Start(const std::string& script) {
  auto process = MessageProcess::Start({"bash", "-c", script});
  EXPECT_TRUE(process.ok()) << process.status();
  return process.ok() ? *std::move(process) : nullptr;
}

constexpr char kEcho[] = "cat";  // frames come back as they are

TEST(MessageProcess, AnswersOneAfterAnother) {
  const auto process = Start(kEcho);
  for (const std::string& message : {std::string("one"), std::string(), std::string(300'000, 'x')}) {
    const MessageAnswer answer = process->Exchange(message, absl::Seconds(60));
    EXPECT_EQ(answer.end, MessageAnswer::kAnswered);
    EXPECT_EQ(answer.message, message);
  }
  EXPECT_TRUE(process->alive());
}

TEST(MessageProcess, TellsHowItEnded) {
  for (const auto& [script, reason] : std::vector<std::pair<std::string, std::string>>{
           {"head -c 5 >/dev/null; echo oops >&2; exit 3", "exited with status 3"},
           {"head -c 5 >/dev/null; echo oops >&2; kill -9 $$", "was killed by signal 9 (Killed)"}}) {
    const auto process = Start(script);
    const MessageAnswer answer = process->Exchange("x", absl::Seconds(60));
    EXPECT_EQ(answer.end, MessageAnswer::kEnded);
    EXPECT_EQ(answer.reason, reason);
    EXPECT_EQ(answer.log, "oops\n");
    EXPECT_FALSE(process->alive());
    EXPECT_EQ(process->Exchange("x", absl::Seconds(60)).end, MessageAnswer::kEnded);
  }
}

TEST(MessageProcess, DiesOfALimit) {
  const auto process = Start("sleep 1000");
  EXPECT_EQ(process->Exchange("x", absl::Milliseconds(50)).end, MessageAnswer::kTimedOut);
  EXPECT_FALSE(process->alive());
}

TEST(MessageProcess, DiesWhenCancelled) {
  const auto process = Start("sleep 1000");
  bool cancelled = true;
  const auto poll = [](void* flag) { return *static_cast<bool*>(flag); };
  EXPECT_EQ(process->Exchange("x", absl::InfiniteDuration(), poll, &cancelled).end,
            MessageAnswer::kCancelled);
  EXPECT_FALSE(process->alive());
}

TEST(MessageProcess, WhatIsNoMessageEndsIt) {
  const auto process = Start("printf '\\377\\377\\377\\377nonsense'; sleep 1000");
  EXPECT_EQ(process->Exchange("x", absl::Seconds(60)).end, MessageAnswer::kEnded);
  EXPECT_FALSE(process->alive());
}

// Neither side waits for the other: the answer comes before the message is read, and the reader goes away.
TEST(MessageProcess, AnAnswerBeforeTheMessageIsRead) {
  const auto process = Start("printf '\\001\\000\\000\\000x'; head -c 300004 >/dev/null; cat");
  EXPECT_EQ(process->Exchange(std::string(300'000, 'y'), absl::Seconds(60)).message, "x");
  EXPECT_EQ(process->Exchange("two", absl::Seconds(60)).message, "two");
}

TEST(MessageProcess, LongMessageToWhoDoesNotRead) {
  const auto process = Start("printf '\\2\\0\\0\\0ok'; exec <&-; sleep 1000");
  const MessageAnswer answer = process->Exchange(std::string(1 << 20, 'x'), absl::Seconds(60));
  EXPECT_EQ(answer.end, MessageAnswer::kAnswered);
  EXPECT_EQ(answer.message, "ok");
}

TEST(MessageProcess, NoSuchProgram) {
  EXPECT_EQ(MessageProcess::Start({"/no/such/program"}).status().code(), absl::StatusCode::kNotFound);
}

}  // namespace
}  // namespace tune
