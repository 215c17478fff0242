#include "common/exchange/gzip.h"

#include <zlib.h>

#include <algorithm>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/base/file.h"

namespace tune {
namespace {

constexpr int kGzipWindow = 15 + 16;           // zlib's largest window, with gzip's header
constexpr size_t kGzipPart = size_t{1} << 30;  // zlib counts in 32 bits
constexpr size_t kMostRatio = 1032;            // of text to compressed form: deflate makes no more

// Gives zlib the next part of what is to be read.
void Feed(absl::string_view* rest, z_stream* stream) {
  if (stream->avail_in > 0) return;
  const size_t part = std::min(rest->size(), kGzipPart);
  stream->next_in = reinterpret_cast<Bytef*>(const_cast<char*>(rest->data()));
  stream->avail_in = static_cast<uInt>(part);
  rest->remove_prefix(part);
}

// The size of the text modulo 2^32, as the last four bytes tell it. Nothing depends on it.
size_t LikelySize(absl::string_view content) {
  if (content.size() < 4) return 0;
  uint64_t said = 0;
  for (int i = 1; i <= 4; ++i) said = said << 8 | static_cast<unsigned char>(content[content.size() - i]);
  return said <= kMostRatio * content.size() ? said : 0;
}

// One stream of zlib's for reading, which ends with it.
class Inflation {
 public:
  Inflation() { good_ = inflateInit2(&stream_, kGzipWindow) == Z_OK; }
  ~Inflation() { inflateEnd(&stream_); }
  Inflation(const Inflation&) = delete;
  Inflation& operator=(const Inflation&) = delete;

  absl::StatusOr<std::string> Read(absl::string_view rest, size_t most) {
    std::string text, part(1 << 20, '\0');
    text.reserve(std::min(LikelySize(rest), most));
    bool ended = false;
    while (good_ && !(ended && rest.empty() && stream_.avail_in == 0)) {
      Feed(&rest, &stream_);
      if (ended && inflateReset(&stream_) != Z_OK) break;  // another part follows
      stream_.next_out = reinterpret_cast<Bytef*>(part.data());
      stream_.avail_out = static_cast<uInt>(part.size());
      const int result = inflate(&stream_, Z_NO_FLUSH);
      if (result != Z_OK && result != Z_STREAM_END) break;
      ended = result == Z_STREAM_END;
      text.append(part.data(), part.size() - stream_.avail_out);
      if (text.size() > most)
        return absl::ResourceExhaustedError(
            absl::StrCat("more than ", most, " bytes when it is decompressed"));
    }
    if (ended && rest.empty() && stream_.avail_in == 0) return text;
    return absl::DataLossError("the compressed data is damaged or cut off");
  }

 private:
  z_stream stream_ = {};
  bool good_ = false;
};

}  // namespace

bool IsGzipName(absl::string_view path) { return absl::EndsWith(path, ".gz"); }

bool IsGzip(absl::string_view content) {
  return content.size() > 1 && content[0] == '\x1f' && content[1] == '\x8b';
}

std::string Gzip(absl::string_view text) {
  z_stream stream = {};
  std::string result;
  if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzipWindow, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    return result;
  std::string part(1 << 20, '\0');
  int state = Z_OK;
  while (state == Z_OK) {
    Feed(&text, &stream);
    stream.next_out = reinterpret_cast<Bytef*>(part.data());
    stream.avail_out = static_cast<uInt>(part.size());
    state = deflate(&stream, text.empty() ? Z_FINISH : Z_NO_FLUSH);
    result.append(part.data(), part.size() - stream.avail_out);
  }
  deflateEnd(&stream);
  return result;
}

absl::StatusOr<std::string> Gunzip(absl::string_view content, size_t most) {
  return Inflation().Read(content, most);
}

absl::StatusOr<std::string> ReadGzipFile(const std::string& path) {
  absl::StatusOr<std::string> content = ReadFile(path);
  if (!content.ok() || !IsGzip(*content)) return content;
  absl::StatusOr<std::string> text = Gunzip(*content);
  if (!text.ok())
    return absl::Status(text.status().code(), absl::StrCat(path, ": ", text.status().message()));
  return text;
}

}  // namespace tune
