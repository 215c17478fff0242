// What transformations decided, each in a type of its own.
#pragma once

#include <any>
#include <typeindex>
#include <unordered_map>
#include <utility>

namespace tune {

// Holds at most one value of each type. A transformation's folder declares the type that says what it
// decides, whose default is that nothing is transformed; nothing else needs to know of it.
class Decisions {
 public:
  // As it is by default, where nothing was decided.
  template <typename Decision>
  const Decision& Get() const {
    static const Decision kNone{};
    const auto found = made_.find(typeid(Decision));
    return found == made_.end() ? kNone : *std::any_cast<Decision>(&found->second);
  }
  template <typename Decision>
  void Set(Decision decision) {
    made_[typeid(Decision)] = std::move(decision);
  }

 private:
  std::unordered_map<std::type_index, std::any> made_;
};

}  // namespace tune
