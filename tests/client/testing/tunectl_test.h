// tunectl as a function, against a server in this process.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <sstream>

#include "client/cli/tunectl.h"
#include "client/report/json.h"
#include "common/base/file.h"
#include "tests/client/testing/fake_server.h"

namespace tune {

class TunectlTest : public ::testing::Test {
 protected:
  void SetUp() override {
    unsetenv("TUNE_SERVER");
    setenv("XDG_DATA_HOME", folder_.path().c_str(), 1);  // no private server of the user's
  }

  // Exit code; what it printed is in out() and err().
  int Tunectl(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"--server", server_.address()});
    out_.str("");
    err_.str("");
    return RunTunectl(arguments, {&out_, &err_});
  }
  std::string out() const { return out_.str(); }
  std::string err() const { return err_.str(); }
  Json OutAsJson() const { return Json::parse(out()); }

  TemporaryFolder folder_ = TemporaryFolder::Make().value();
  FakeServer server_{folder_.path() + "/s"};
  std::ostringstream out_, err_;
};

}  // namespace tune
