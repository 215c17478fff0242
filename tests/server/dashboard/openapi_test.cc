// The document says what the server does.
#include "server/dashboard/message_json.h"
#include "server/dashboard/page_files.h"
#include "server/dashboard/read_api.h"
#include "tests/server/dashboard/dashboard_fixture.h"

namespace tune {
namespace {

class OpenApiTest : public DashboardTest {};

const nlohmann::json& Document() {
  static const auto* const kDocument =
      new nlohmann::json(nlohmann::json::parse(FindPageFile("openapi.json")->text));
  return *kDocument;
}

const nlohmann::json& Resolve(const nlohmann::json& schema) {
  if (!schema.contains("$ref")) return schema;
  return Document().at(nlohmann::json::json_pointer(schema["$ref"].get<std::string>().substr(1)));
}

bool HasType(const nlohmann::json& value, const std::string& type) {
  return type == "null"      ? value.is_null()
         : type == "object"  ? value.is_object()
         : type == "array"   ? value.is_array()
         : type == "string"  ? value.is_string()
         : type == "boolean" ? value.is_boolean()
         : type == "integer" ? value.is_number_integer()
                             : value.is_number();
}

// The part of JSON Schema that the document uses: what is wrong with the value, a line each.
void Validate(const nlohmann::json& value, const nlohmann::json& reference, const std::string& where,
              std::vector<std::string>* wrong) {
  const nlohmann::json& schema = Resolve(reference);
  if (schema.contains("oneOf")) {
    size_t fit = 0;
    for (const auto& choice : schema["oneOf"]) {
      std::vector<std::string> found;
      Validate(value, choice, where, &found);
      if (found.empty()) ++fit;
    }
    if (fit != 1) wrong->push_back(where + ": fits " + std::to_string(fit) + " of oneOf");
    return;
  }
  bool typed = !schema.contains("type");
  if (!typed && schema["type"].is_string()) typed = HasType(value, schema["type"]);
  if (!typed && schema["type"].is_array()) {
    for (const auto& type : schema["type"]) typed |= HasType(value, type);
  }
  if (!typed)
    return wrong->push_back(where + ": is " + value.dump().substr(0, 60) + ", not " + schema["type"].dump());
  if (schema.contains("enum")) {
    const auto& words = schema["enum"];
    if (std::find(words.begin(), words.end(), value) == words.end())
      wrong->push_back(where + ": " + value.dump());
  }
  if (value.is_array() && schema.contains("items")) {
    for (size_t i = 0; i < value.size(); ++i) {
      Validate(value[i], schema["items"], where + "[" + std::to_string(i) + "]", wrong);
    }
  }
  if (!value.is_object() || !schema.contains("properties")) return;
  for (const auto& name : schema["required"]) {
    if (!value.contains(name)) wrong->push_back(where + ": lacks " + name.get<std::string>());
  }
  for (const auto& [name, member] : value.items()) {
    if (!schema["properties"].contains(name)) {
      wrong->push_back(where + "." + name + ": is not documented");
    } else {
      Validate(member, schema["properties"][name], where + "." + name, wrong);
    }
  }
}

TEST_F(OpenApiTest, EveryRouteIsDocumentedAndEveryDocumentedOneAnswersAsItSays) {
  Serve();
  RunStudy();
  EXPECT_EQ(Document()["openapi"], "3.1.0");
  StudyIndex index(coordinator_.get(), absl::ZeroDuration());
  CandidateTables tables(coordinator_.get(), absl::ZeroDuration());
  Explanations explanations(coordinator_.get());
  const ReadApi api({coordinator_.get(), &index, &tables, &explanations});
  for (const Route& route : api.routes())
    EXPECT_TRUE(Document()["paths"].contains(route.pattern)) << route.pattern;
  for (const auto& [pattern, item] : Document()["paths"].items()) {
    std::string path = pattern;
    for (const auto& [name, value] :
         {std::pair<std::string, std::string>("{study}", "s1"), {"{index}", "0"}}) {
      if (const size_t place = path.find(name); place != std::string::npos)
        path.replace(place, name.size(), value);
    }
    const nlohmann::json& answers = item["get"]["responses"];
    if (answers["200"]["content"].contains("text/event-stream")) {
      EXPECT_EQ(Open().Head(path.c_str())->status, 200) << path;
      continue;
    }
    const httplib::Response response = Get(path);
    const bool of_gpu = path == "/api/v1/studies/s1/tuned.cu" || path == "/api/v1/studies/s1/tuned.h";
    EXPECT_EQ(response.status, of_gpu ? 404 : 200) << path;  // a study on a CPU
    ASSERT_TRUE(answers.contains(std::to_string(response.status))) << path << "\n" << response.body;
    if (!answers[std::to_string(response.status)].contains("content")) continue;
    const nlohmann::json& content = answers[std::to_string(response.status)]["content"];
    const std::string type = response.get_header_value("Content-Type");
    ASSERT_TRUE(content.contains(type.substr(0, type.find(';')))) << path << " is " << type;
    if (!content.contains("application/json")) continue;
    std::vector<std::string> wrong;
    Validate(nlohmann::json::parse(response.body), content["application/json"]["schema"], path, &wrong);
    EXPECT_EQ(wrong, std::vector<std::string>());
  }
}

TEST(OpenApiDocumentTest, AGpuIsAsItSays) {
  v1::Device device;
  device.set_target(v1::CUDA);
  device.mutable_cuda()->set_shared_bytes_per_block_optin(232448);
  device.mutable_cuda()->set_cooperative_launch(true);
  const nlohmann::json json = nlohmann::json::parse(PrintJsonLine(DeviceJson(device)));
  std::vector<std::string> wrong;
  Validate(json, Document()["components"]["schemas"]["Device"], "device", &wrong);
  EXPECT_EQ(wrong, std::vector<std::string>());
  EXPECT_EQ(json["cuda"]["shared_bytes_per_block_optin"], 232448);
  EXPECT_EQ(json["cuda"]["cooperative_launch"], true);
}

TEST(OpenApiDocumentTest, ACheckIsAsItSays) {
  v1::Confirmation confirmation;
  v1::ProgramCheck* check = confirmation.mutable_check();
  check->set_outcome(v1::CORRECT);
  check->mutable_fresh()->set_runs(12);
  check->mutable_fresh()->set_ratio(1.5);
  check->mutable_fresh()->set_ratio_low(1.4);
  check->mutable_fresh()->set_ratio_high(1.6);
  const nlohmann::json json = nlohmann::json::parse(PrintJsonLine(ToJson(confirmation)));
  std::vector<std::string> wrong;
  Validate(json, Document()["components"]["schemas"]["Confirmation"], "confirmation", &wrong);
  EXPECT_EQ(wrong, std::vector<std::string>());
  EXPECT_EQ(json["check"]["fresh"]["runs"], 12);
  EXPECT_EQ(json["check"]["fresh"]["verdict"], "faster");
  EXPECT_TRUE(json["check"]["warm"].is_null());
}

// A parameter that the document names is accepted, with each of its words.
TEST_F(OpenApiTest, DocumentedParametersAreAccepted) {
  Serve();
  RunStudy();
  int tried = 0;
  for (const auto& [pattern, item] : Document()["paths"].items()) {
    std::string path = pattern;
    if (const size_t place = path.find("{study}"); place != std::string::npos) path.replace(place, 7, "s1");
    for (const auto& reference : item["get"].value("parameters", nlohmann::json::array())) {
      const nlohmann::json& parameter = Resolve(reference);
      if (parameter["in"] != "query") continue;
      const std::string name = parameter["name"];
      nlohmann::json values = parameter["schema"].value("enum", nlohmann::json::array({"1"}));
      for (const auto& value : values) {
        EXPECT_EQ(Get(path + "?" + name + "=" + value.get<std::string>()).status, 200) << path << " " << name;
        ++tried;
      }
    }
  }
  EXPECT_GT(tried, 20);
}

}  // namespace
}  // namespace tune
