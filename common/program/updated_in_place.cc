#include "common/program/updated_in_place.h"

#include <algorithm>

#include "common/program/instance_statement.h"
#include "common/program/row_access.h"

namespace tune {
namespace {

class InPlace {
 public:
  InPlace(const ElementAccess& element, const v1::Scop& scop) : element_(element), scop_(scop) {}

  bool Of(const Block& body) {
    return std::all_of(body.begin(), body.end(), [&](const Node& node) { return Run(node); }) && written_;
  }

 private:
  // False where the node rules it out.
  bool Run(const Node& node) {
    const auto* const instance = node.As<Instance>();
    if (instance == nullptr || instance->atomic) return false;
    const v1::Statement* const statement = StatementOf(*instance, scop_);
    if (statement == nullptr) return false;
    bool reads = false, writes = false;
    for (int i = 0; i < statement->accesses_size(); ++i) {
      const ElementAccess& access = instance->accesses[static_cast<size_t>(i)];
      if (access.array != element_.array) continue;
      if (!(access == element_)) return false;
      const v1::Access::Kind kind = statement->accesses(i).kind();
      reads = reads || kind != v1::Access::WRITE;
      writes = writes || kind != v1::Access::READ;
    }
    if (writes && !reads && !read_) return false;
    read_ = read_ || reads;
    written_ = written_ || writes;
    return true;
  }

  const ElementAccess& element_;
  const v1::Scop& scop_;
  bool read_ = false, written_ = false;  // so far
};

}  // namespace

bool IsUpdatedInPlace(const Loop& loop, const ElementAccess& element, const v1::Scop& scop) {
  return DirectionInRow(element, loop.iterator) != 0 && InPlace(element, scop).Of(loop.body);
}

}  // namespace tune
