// What the HTTP server answers to which path.
#pragma once

#include <httplib.h>

#include "server/dashboard/access.h"
#include "server/dashboard/change_feed.h"
#include "server/dashboard/read_api.h"
#include "server/dashboard/server_metrics.h"

namespace tune {

// Thread safe: called on the threads of the HTTP server.
class RequestHandler {
 public:
  // Nothing is owned.
  struct Sources {
    const Coordinator* coordinator;
    const Access* access;
    const ReadApi* api;
    ChangeFeed* feed;
    ServerMetrics* metrics;
  };
  explicit RequestHandler(const Sources& sources) : sources_(sources) {}

  // Answers GET and HEAD, refuses everything else.
  void Handle(const httplib::Request& request, httplib::Response& response) const;

  // Sets what every answer has: who may embed it, what its page may load.
  static void AddSecurityHeaders(httplib::Response& response);

 private:
  // Returns the route's name for the metrics.
  std::string Answer(const httplib::Request& request, httplib::Response& response) const;
  std::string RouteOf(const std::string& path) const;
  // True: the request was answered with a refusal or a login.
  bool Refuse(const httplib::Request& request, httplib::Response& response) const;
  void Stream(const httplib::Request& request, const std::string& study, httplib::Response& response) const;
  bool ServeFile(const httplib::Request& request, httplib::Response& response) const;

  const Sources sources_;
};

}  // namespace tune
