#include "libtune/runtime/context.h"

#include "libtune/runtime/device_name.h"
#include "libtune/runtime/process_generation.h"
#include "libtune/wisdom/wisdom_file.h"

namespace libtune {
namespace {

constexpr double kLockSeconds = 2;           // at the end of a context
constexpr double kSettleLockSeconds = 0.05;  // amid the program's computations

std::string TextOf(const char* text) { return text == nullptr ? std::string() : std::string(text); }

}  // namespace

Context::Context(const tune_options& options)
    : options_(options),
      device_(options.device == nullptr ? HostDeviceName() : std::string(options.device)),
      wisdom_path_(TextOf(options.wisdom_file)),
      generation_(ProcessGeneration()) {
  if (options.capture_file != nullptr) capture_ = std::make_unique<CaptureFile>(options.capture_file);
  if (options.tries_file != nullptr) {
    tries_ = std::make_unique<TriesFile>(options.tries_file);
    tells_tries_ = true;
  }
  if (wisdom_path_.empty()) return;
  read_ = StateOf(wisdom_path_);
  const Status status = LoadWisdom(wisdom_path_, &wisdom_);
  if (status.ok() || status.code() == TUNE_NOT_FOUND) return;
  Message(status.text() + "; going on without it");
  if (status.code() == TUNE_REFUSED_FILE) wisdom_path_.clear();
}

Context::~Context() {
  if (InForkedChild() || wisdom_path_.empty() || !unsaved_) return;
  if (const Status status = Save("", kLockSeconds); !status.ok()) Message(status.text());
}

bool Context::InForkedChild() const { return generation_ != ProcessGeneration(); }

SearchOptions Context::search_options() const {
  SearchOptions options;
  options.exploration = {options_.epsilon, options_.epsilon_decay};
  options.most_tries = options_.most_tries;
  options.seed = options_.seed;
  return options;
}

Status Context::CreateRegion(const std::string& name, Region** region) {
  if (name.empty()) return Invalid("a region needs a name, which is its identity in wisdom files");
  const std::lock_guard<std::mutex> lock(mutex_);
  std::unique_ptr<Region>& place = regions_[name];
  if (place != nullptr) {
    return {TUNE_ALREADY_EXISTS, "region " + name + " exists already; tune_region_find gives it"};
  }
  place = std::make_unique<Region>(this, name);
  *region = place.get();
  return {};
}

Status Context::FindRegion(const std::string& name, Region** region) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto found = regions_.find(name);
  if (found == regions_.end()) return {TUNE_NOT_FOUND, "there is no region " + name + "; create it first"};
  *region = found->second.get();
  return {};
}

// The program's function for messages may make calls itself: no lock is held while it runs.
void Context::TakeNews() {
  if (wisdom_path_.empty()) return;
  if (const Status status = ReadNews(); !status.ok() && status.code() != TUNE_NOT_FOUND)
    Message(status.text() + "; going on without it");
}

Status Context::ReadNews() {
  const std::lock_guard<std::mutex> one_at_a_time(news_mutex_);
  const FileState state = StateOf(wisdom_path_);
  if (state == read_) return {};
  read_ = state;  // also of a file that is refused: it is told once
  Wisdom loaded;
  if (Status status = LoadWisdom(wisdom_path_, &loaded); !status.ok()) return status;
  const std::lock_guard<std::mutex> lock(mutex_);
  for (const auto& [key, entry] : loaded.entries()) {
    // What drifted away here is no better for being in the file still.
    if (replaced_.Find(key) == nullptr) wisdom_.Add(key, entry);
  }
  return {};
}

Context::Found Context::FindWisdom(const WisdomKey& key) {
  TakeNews();
  const std::lock_guard<std::mutex> lock(mutex_);
  if (const WisdomEntry* entry = wisdom_.Find(key); entry != nullptr) return {*entry, true};
  if (const auto* nearest = wisdom_.FindNearest(key); nearest != nullptr) return {nearest->second, false};
  return {};
}

void Context::Learn(const WisdomKey& key, const WisdomEntry& entry, bool replaces) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    if (replaces) {
      wisdom_.Replace(key, entry);
      replaced_.Replace(key, entry);
    } else if (!wisdom_.Add(key, entry)) {
      return;
    }
    unsaved_ = true;
  }
  if (wisdom_path_.empty()) return;
  // Another process may keep the file locked: then it is written with what settles next, or at the end.
  const Status status = Save("", kSettleLockSeconds);
  if (!status.ok()) Message(status.text());
}

void Context::Capture(const WisdomKey& key, const std::string& arguments) {
  if (capture_ == nullptr) return;
  if (const Status status = capture_->Add(key, arguments); !status.ok()) Message(status.text());
}

void Context::Tell(const Try& tried) {
  const Status status = tries_->Add(tried);
  if (!status.ok() && tells_tries_.exchange(false))
    Message(status.text() + "; what is tried is not told any more");
}

Status Context::Load(const std::string& path) {
  Wisdom loaded;
  if (Status status = LoadWisdom(path, &loaded); !status.ok()) return status;
  const std::lock_guard<std::mutex> lock(mutex_);
  wisdom_.AddAll(loaded);
  return {};
}

Status Context::Save(const std::string& path, double lock_seconds) {
  const bool own = path.empty() || path == wisdom_path_;
  if (path.empty() && wisdom_path_.empty()) {
    return WrongState("this context has no wisdom file, or it was refused; name another one");
  }
  Wisdom wisdom;
  Wisdom replaced;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    wisdom = wisdom_;
    replaced = replaced_;
    if (own) {
      unsaved_ = false;
      replaced_ = {};
    }
  }
  Status status = SaveWisdom(own ? wisdom_path_ : path, wisdom, replaced, lock_seconds);
  if (!status.ok() && own) {
    const std::lock_guard<std::mutex> lock(mutex_);
    unsaved_ = true;
    for (const auto& [key, entry] : replaced.entries()) {
      if (replaced_.Find(key) == nullptr) replaced_.Replace(key, entry);
    }
  }
  return status;
}

void Context::Message(const std::string& text) const {
  if (options_.message != nullptr) options_.message(options_.message_user, text.c_str());
}

}  // namespace libtune
