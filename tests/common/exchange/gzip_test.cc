#include "common/exchange/gzip.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "common/base/file.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

std::string RandomBytes(size_t count) {
  std::mt19937 random(3);
  std::string text(count, '\0');
  for (char& c : text) c = static_cast<char>(random());
  return text;
}

TEST(GzipTest, ComesBack) {
  for (const std::string& text :
       {std::string(), std::string("a"), std::string(5'000'000, 'x'), RandomBytes(3'000'000)}) {
    const std::string content = Gzip(text);
    EXPECT_TRUE(IsGzip(content));
    EXPECT_EQ(content, Gzip(text));
    const auto back = Gunzip(content);
    ASSERT_TRUE(back.ok()) << back.status();
    EXPECT_TRUE(*back == text) << text.size();
  }
  EXPECT_LT(Gzip(std::string(5'000'000, 'x')).size(), 10'000u);
}

TEST(GzipTest, PartsFollowEachOther) {
  EXPECT_EQ(*Gunzip(Gzip("first, ") + Gzip("") + Gzip("second")), "first, second");
}

TEST(GzipTest, WhatIsDamagedIsRefused) {
  const std::string content = Gzip(RandomBytes(100'000));
  for (const size_t size : {size_t{3}, size_t{20}, content.size() / 2, content.size() - 1})
    EXPECT_TRUE(absl::IsDataLoss(Gunzip(content.substr(0, size)).status())) << size;
  std::string changed = content;
  changed[changed.size() - 8] ^= 1;  // of the checksum
  EXPECT_TRUE(absl::IsDataLoss(Gunzip(changed).status()));
  EXPECT_TRUE(absl::IsDataLoss(Gunzip(content + "more").status()));
}

TEST(GzipTest, ABombIsRefused) {
  const std::string content = Gzip(std::string(10'000'000, '0'));
  EXPECT_TRUE(absl::IsResourceExhausted(Gunzip(content, 1'000'000).status()));
  EXPECT_TRUE(Gunzip(content, 10'000'000).ok());
}

TEST(GzipTest, FilesAreReadWhateverTheirName) {
  const TemporaryFolder folder = TemporaryFolder::Make().value();
  const std::string path = folder.path() + "/space.json";
  ASSERT_TRUE(WriteFile(path, "{}").ok());
  EXPECT_EQ(*ReadGzipFile(path), "{}");
  ASSERT_TRUE(WriteFile(path, Gzip("{}")).ok());
  EXPECT_EQ(*ReadGzipFile(path), "{}");
  ASSERT_TRUE(WriteFile(path, Gzip("{}").substr(0, 9)).ok());
  EXPECT_THAT(std::string(ReadGzipFile(path).status().message()), HasSubstr(path + ": the compressed data"));
  EXPECT_TRUE(absl::IsNotFound(ReadGzipFile(path + ".gz").status()));
  EXPECT_TRUE(IsGzipName("a.json.gz"));
  EXPECT_FALSE(IsGzipName("a.json"));
}

}  // namespace
}  // namespace tune
