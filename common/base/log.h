// The log of a daemon, on standard error.
#pragma once

#include <spdlog/spdlog.h>

#include <string>

namespace tune {

// "2026-01-02 03:04:05.678 info TEXT", where TEXT is one line whatever it holds: names and messages of others
// cannot make a line of their own or draw on a terminal.
void SetLogFormat(spdlog::logger* logger);

// Makes that the program's log. `level`: as spdlog names them.
void StartLog(const std::string& program, const std::string& level);

}  // namespace tune
