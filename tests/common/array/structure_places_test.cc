#include "common/array/structure_places.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/array/array_object.h"

namespace tune {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;

// Some of the members of `structures`: `elements` of the type, of which the places are others.
v1::Array Members(const std::string& name, v1::ElementType type, int64_t elements,
                  const std::vector<std::pair<int64_t, int64_t>>& others) {
  v1::Array array;
  array.set_name(name);
  array.set_object("structures");
  array.set_element_type(type);
  array.add_extents()->set_c_expression("n");
  array.add_extents()->set_c_expression(std::to_string(elements));
  for (const auto& [first, count] : others) {
    v1::Places* places = array.mutable_structure()->add_others();
    places->set_first(first);
    places->set_count(count);
  }
  return array;
}

std::vector<std::pair<int64_t, int64_t>> Own(const v1::Array& array, int64_t elements) {
  std::vector<std::pair<int64_t, int64_t>> own;
  for (const v1::Places& places : OwnPlaces(array.structure(), elements))
    own.emplace_back(places.first(), places.count());
  return own;
}

TEST(StructurePlaces, OwnOnesAreWhatOthersLeave) {
  EXPECT_THAT(Own(Members("a", v1::ELEMENT_TYPE_INT, 8, {{0, 1}, {3, 2}}), 8),
              ElementsAre(Pair(1, 2), Pair(5, 3)));
  EXPECT_THAT(Own(Members("a", v1::ELEMENT_TYPE_INT, 8, {{6, 2}}), 8), ElementsAre(Pair(0, 6)));
  EXPECT_THAT(Own(Members("a", v1::ELEMENT_TYPE_INT, 4, {}), 4), ElementsAre(Pair(0, 4)));
  EXPECT_THAT(Own(Members("a", v1::ELEMENT_TYPE_INT, 4, {{0, 4}}), 4), IsEmpty());
}

TEST(StructurePlaces, OthersBecomeZero) {
  std::string bytes = "abcdefghijkl";  // structures of three shorts
  ClearOthers(Members("a", v1::ELEMENT_TYPE_SHORT, 3, {{1, 1}}).structure(), 3, 2, &bytes);
  EXPECT_EQ(bytes, std::string("ab\0\0efgh\0\0kl", 12));
}

// {float x, y; int kind;}
TEST(StructurePlaces, ArraysOfOneObjectAreApart) {
  v1::Scop scop;
  *scop.add_arrays() = Members("structures", v1::ELEMENT_TYPE_FLOAT, 3, {{2, 1}});
  *scop.add_arrays() = Members("kinds", v1::ELEMENT_TYPE_INT, 3, {{0, 2}});
  EXPECT_TRUE(CheckOneObjects(scop).ok()) << CheckOneObjects(scop);
  EXPECT_TRUE(HaveOneObject(scop.arrays(0), scop.arrays(1)));
  EXPECT_EQ(ObjectName(scop.arrays(1)), "structures");

  v1::Scop wrong = scop;
  wrong.mutable_arrays(1)->mutable_structure()->mutable_others(0)->set_count(1);
  EXPECT_THAT(CheckOneObjects(wrong).message(), HasSubstr("have the same members"));
  wrong = scop;
  wrong.mutable_arrays(1)->set_element_type(v1::ELEMENT_TYPE_SHORT);
  EXPECT_THAT(CheckOneObjects(wrong).message(), HasSubstr("differ in size"));
  wrong = scop;
  wrong.mutable_arrays(0)->clear_object();
  EXPECT_THAT(CheckOneObjects(wrong).message(), HasSubstr("an object that it is not of"));
  wrong = scop;
  wrong.mutable_arrays(1)->clear_structure();
  EXPECT_THAT(CheckOneObjects(wrong).message(), HasSubstr("no structures"));
}

TEST(ArrayObject, MembersAreIndexedByTheirOwnType) {
  v1::Array array = Members("tune_p_long", v1::ELEMENT_TYPE_LONG, 4, {{0, 2}});
  array.set_object("p");
  array.set_is_pointer(true);
  EXPECT_EQ(IndexedObject(array), "((long (*)[4])p)");
  EXPECT_EQ(FirstElement(array), "p[0]");
  array.mutable_structure()->set_member_type("long long");
  EXPECT_EQ(IndexedObject(array, /*is_const=*/true), "((const long long (*)[4])p)");
  array.set_is_truth(true);
  array.mutable_structure()->add_members()->set_path("on");
  EXPECT_EQ(IndexedObject(array), "((__typeof__((p[0]).on) (*)[4])p)");
}

}  // namespace
}  // namespace tune
