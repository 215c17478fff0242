#include "libtune/wisdom/wisdom_file.h"

#include "libtune/wisdom/shared_file.h"
#include "libtune/wisdom/wisdom_text.h"

namespace libtune {

Status LoadWisdom(const std::string& path, Wisdom* wisdom) {
  std::string text;
  if (Status status = ReadFile(path, &text); !status.ok()) return status;
  Status status = ParseWisdom(text, wisdom);
  return status.ok() ? status : Status(status.code(), path + ": " + status.text());
}

Status SaveWisdom(const std::string& path, const Wisdom& wisdom, const Wisdom& replaced,
                  double lock_seconds) {
  FileLock lock;
  if (Status status = lock.Take(path, lock_seconds); !status.ok()) return status;
  Wisdom merged;
  if (Status status = LoadWisdom(path, &merged); !status.ok() && status.code() != TUNE_NOT_FOUND)
    return status;
  for (const auto& [key, entry] : replaced.entries()) merged.Replace(key, entry);
  merged.AddAll(wisdom);
  return ReplaceFile(path, WisdomText(merged));
}

}  // namespace libtune
