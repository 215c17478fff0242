// What regions share: options, wisdom and files.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "libtune/runtime/region.h"
#include "libtune/wisdom/capture_file.h"
#include "libtune/wisdom/shared_file.h"
#include "libtune/wisdom/tries_file.h"
#include "libtune/wisdom/wisdom.h"

namespace libtune {

// May be used by several threads. In a child of the process that made it, nothing of it waits for a lock: see
// InForkedChild.
class Context {
 public:
  // `options` are complete and valid.
  explicit Context(const tune_options& options);
  ~Context();
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;

  const std::string& device() const { return device_; }
  tune_mode mode() const { return static_cast<tune_mode>(options_.mode); }
  int most_inputs() const { return options_.most_inputs; }
  double drift() const { return options_.drift; }
  SearchOptions search_options() const;
  bool InForkedChild() const;

  // ALREADY_EXISTS, NOT_FOUND.
  Status CreateRegion(const std::string& name, Region** region);
  Status FindRegion(const std::string& name, Region** region);

  struct Found {
    std::optional<WisdomEntry> entry;
    bool exact = false;
  };
  Found FindWisdom(const WisdomKey& key);
  void Learn(const WisdomKey& key, const WisdomEntry& entry, bool replaces);
  void Capture(const WisdomKey& key, const std::string& arguments);
  bool TellsTries() const { return tells_tries_.load(std::memory_order_relaxed); }
  // Precondition: TellsTries(). A file that cannot be written is told once, and not written again.
  void Tell(const Try& tried);
  Status Load(const std::string& path);
  // An empty path: the context's own file, which a refusal closes.
  Status Save(const std::string& path, double lock_seconds);
  void Message(const std::string& text) const;

 private:
  // What others added to the context's own file since it was read last.
  void TakeNews();
  Status ReadNews();

  const tune_options options_;
  const std::string device_;
  std::string wisdom_path_;  // empty: none, or refused
  const int generation_;
  std::unique_ptr<CaptureFile> capture_;
  std::unique_ptr<const TriesFile> tries_;
  std::atomic<bool> tells_tries_{false};

  std::mutex news_mutex_;
  FileState read_;  // of the file when it was read last

  std::mutex mutex_;
  std::map<std::string, std::unique_ptr<Region>> regions_;
  Wisdom wisdom_;
  Wisdom replaced_;  // not saved yet
  bool unsaved_ = false;
};

}  // namespace libtune
