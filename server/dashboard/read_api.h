// The routes of the read API, without the network.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "server/dashboard/explanations.h"
#include "server/dashboard/route.h"
#include "server/dashboard/study_index.h"

namespace tune {

// What the routes read. Nothing is owned.
struct ReadSources {
  const Coordinator* coordinator;
  StudyIndex* index;
  CandidateTables* tables;
  Explanations* explanations;
};

// Adds routes whose patterns begin alike.
class RouteAdder {
 public:
  using Answer = absl::StatusOr<RouteResponse> (*)(const ReadSources& sources, const RouteRequest& request);

  // `routes` outlives the adder.
  RouteAdder(std::string prefix, const ReadSources& sources, std::vector<Route>* routes)
      : prefix_(std::move(prefix)), sources_(sources), routes_(routes) {}

  void operator()(const std::string& pattern, Answer answer) const {
    routes_->push_back({prefix_ + pattern, [sources = sources_, answer](const RouteRequest& request) {
                          return answer(sources, request);
                        }});
  }

 private:
  const std::string prefix_;
  const ReadSources sources_;
  std::vector<Route>* const routes_;
};

// Groups of routes, each in a file of its own.
void AddStudyRoutes(const ReadSources& sources, std::vector<Route>* routes);
void AddCandidateRoutes(const ReadSources& sources, std::vector<Route>* routes);
void AddSearchRoutes(const ReadSources& sources, std::vector<Route>* routes);
void AddInspectionRoutes(const ReadSources& sources, std::vector<Route>* routes);
void AddArchiveRoutes(const ReadSources& sources, std::vector<Route>* routes);
void AddServerRoutes(const ReadSources& sources, std::vector<Route>* routes);

// Thread safe.
class ReadApi {
 public:
  explicit ReadApi(const ReadSources& sources);

  const std::vector<Route>& routes() const { return routes_; }

  // Of the route that `path` matches; empty when there is none.
  std::string PatternOf(const std::string& path) const;
  // The answer of the route that `path` matches, also when it is an error; NOT_FOUND's when there is none.
  // *pattern is set to the route's pattern, "" without one.
  RouteResponse Answer(const std::string& path, std::multimap<std::string, std::string> parameters,
                       std::string* pattern) const;

 private:
  std::vector<Route> routes_;
};

}  // namespace tune
