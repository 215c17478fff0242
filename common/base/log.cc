#include "common/base/log.h"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/stdout_color_sinks.h>

#include <memory>

#include "common/base/plain_text.h"

namespace tune {
namespace {

constexpr char kPayload = '*';

class EscapedPayload : public spdlog::custom_flag_formatter {
 public:
  void format(const spdlog::details::log_msg& message, const std::tm&, spdlog::memory_buf_t& line) override {
    const std::string text = EscapeLine({message.payload.data(), message.payload.size()});
    line.append(text.data(), text.data() + text.size());
  }
  std::unique_ptr<custom_flag_formatter> clone() const override { return std::make_unique<EscapedPayload>(); }
};

}  // namespace

void SetLogFormat(spdlog::logger* logger) {
  auto formatter = std::make_unique<spdlog::pattern_formatter>();
  formatter->add_flag<EscapedPayload>(kPayload).set_pattern("%Y-%m-%d %H:%M:%S.%e %^%l%$ %*");
  logger->set_formatter(std::move(formatter));
}

void StartLog(const std::string& program, const std::string& level) {
  const std::shared_ptr<spdlog::logger> logger = spdlog::stderr_color_mt(program);
  SetLogFormat(logger.get());
  spdlog::set_default_logger(logger);
  spdlog::set_level(spdlog::level::from_str(level));
}

}  // namespace tune
