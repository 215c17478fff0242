// What one lab has tuned answers in another: pull, look-up, fetch, submission that begins with it, backup,
// restore.
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstdlib>

#include "tests/end_to_end/installation.h"

namespace tune {
namespace {

using ::testing::HasSubstr;

// The computation of small.c under other names, with other text around it.
std::string RenamedSource(int size) {
  return absl::StrCat("#include <stdio.h>\nenum { SIZE = ", size, R"( };
static double left[SIZE][SIZE], right[SIZE][SIZE], product[SIZE][SIZE];
/* Fills the operands. */
static void fill(void) {
  for (int r = 0; r < SIZE; r++)
    for (int s = 0; s < SIZE; s++) left[r][s] = (r + s) % 7, right[r][s] = (r * s) % 5;
}
int main(void) {
  fill();
#pragma scop
  for (int row = 0; row <= SIZE - 1; ++row) {  // every row
    for (int column = 0; column <= SIZE - 1; ++column)
    {
      product[row][column] = 0;
      for (int inner = 0; inner < SIZE; ++inner)
        product[row][column] += left[row][inner] * right[inner][column];
    }
  }
#pragma endscop
  double sum = 0;
  for (int r = 0; r < SIZE; r++)
    for (int s = 0; s < SIZE; s++) sum += product[r][s];
  printf("%.6f\n", sum);
  return 0;
}
)");
}

class Exchange : public ::testing::Test {
 protected:
  // What a program made of the file prints.
  static std::string Output(const Installation& installation, const std::string& source) {
    const std::string binary = installation.path("a.out");
    EXPECT_TRUE(RunSubprocess({"cc", "-O2", "-fopenmp", source, "-o", binary}, {}).value().ok()) << source;
    return RunSubprocess({binary}, {}).value().standard_output;
  }
  static Json Known(const Installation& installation, const std::string& file,
                    const std::vector<std::string>& options = {}) {
    std::vector<std::string> arguments = {"best", file};
    arguments.insert(arguments.end(), options.begin(), options.end());
    return installation.TunectlJson(arguments)[0];
  }

  const std::string small_ = TUNE_SOURCE_DIR "/tests/end_to_end/small.c";
};

TEST_F(Exchange, ASecondServerAnswersWithTheResultsOfTheFirst) {
  Installation here, there;
  here.Start();
  there.StartServer();
  const std::string study =
      here.Submit({small_, "--target", "cpu", "--evaluations", "4", "--time-limit", "20s"})[0];
  ASSERT_EQ(here.WaitForEnd(study).value("state", ""), "done");

  const SubprocessResult unknown = there.Tunectl({"best", small_});
  EXPECT_FALSE(unknown.ok());
  EXPECT_THAT(unknown.standard_error, HasSubstr("nothing is known here"));

  const Json pulled = there.TunectlJson({"pull", "--from", here.address()});
  ASSERT_EQ(pulled.size(), 1u);
  const std::string copy = pulled[0].value("id", "");
  EXPECT_EQ(there.TunectlJson({"pull", "--from", here.address()}).size(), 0u);
  EXPECT_EQ(there.TunectlJson({"pull", study, "--from", here.address()})[0]["duplicate"], true);
  EXPECT_EQ(there.TunectlJson({"publish", copy, "--to", here.address()})[0]["id"], study);

  // Another program of the same computation, on the device that the result is of.
  const Json original = here.TunectlJson({"show", study});
  const std::string model = original["device"].value("model", "");
  const std::string renamed = there.Write("renamed.c", RenamedSource(64));
  const Json match = Known(there, renamed, {"--device", model})["matches"][0];
  EXPECT_EQ(match["device"], "same");
  EXPECT_EQ(match["sizes"], "same");
  EXPECT_EQ(match["exact"], true);
  EXPECT_EQ(match["study"]["id"], copy);
  EXPECT_EQ(match["study"]["best"]["median"], original["best"]["median"]);
  EXPECT_EQ(match["study"]["provenance"]["server"], here.address());
  EXPECT_EQ(match["study"]["provenance"]["study"], study);
  const std::string larger = there.Write("larger.c", RenamedSource(96));
  EXPECT_EQ(Known(there, larger)["matches"][0]["sizes"], "other");

  // The tuned file from there is the program of here.
  const std::string tuned = there.path("small.tuned.c");
  ASSERT_TRUE(there.Tunectl({"fetch", copy, "-o", tuned, "--force"}).ok());
  EXPECT_EQ(Output(there, tuned), Output(there, small_));

  // A submission there verifies the known configuration right after the default.
  there.StartWorker();
  ASSERT_TRUE(WaitUntil([&] { return there.TunectlJson({"workers"}).size() == 1; }, 60));
  const SubprocessResult submitted =
      there.Tunectl({"submit", renamed, "--target", "cpu", "--evaluations", "3", "--time-limit", "20s"});
  ASSERT_TRUE(submitted.ok()) << submitted.standard_error;
  EXPECT_THAT(submitted.standard_output, HasSubstr("is known here: " + copy));
  const std::string verified = there.TunectlJson({"ls"})[0].value("id", "");
  EXPECT_EQ(there.WaitForEnd(verified).value("state", ""), "done");
  // The known best is candidate 1, unless it is the default configuration itself.
  EXPECT_THAT((std::vector<Json>{there.TunectlJson({"show", verified + "/0"})["configuration"],
                                 there.TunectlJson({"show", verified + "/1"})["configuration"]}),
              ::testing::Contains(match["configuration"]));

  // A backup of the running server answers the same in another place.
  const std::string backup = there.path("backup.db");
  ASSERT_TRUE(there.Tunectl({"backup", backup}).ok());
  const Json before = Known(there, renamed, {"--device", model});
  there.worker.reset();
  there.server.reset();
  const SubprocessResult restore =
      RunSubprocess({Program("tuned-server"), "--restore", backup, "--database", there.path("tuned.db")}, {})
          .value();
  ASSERT_TRUE(restore.ok()) << restore.standard_error;
  EXPECT_THAT(restore.standard_output, HasSubstr("tuned.db.replaced-1"));
  there.StartServer();
  EXPECT_EQ(Known(there, renamed, {"--device", model}), before);
  const SubprocessResult in_use =
      RunSubprocess({Program("tuned-server"), "--restore", backup, "--database", there.path("tuned.db")}, {})
          .value();
  EXPECT_EQ(in_use.exit_code, 1);
  EXPECT_THAT(in_use.standard_error, HasSubstr("in use by another tuned-server"));
}

// The page's read API alone brings the results over.
TEST_F(Exchange, ASecondServerPullsFromThePageOfTheFirst) {
  Installation here, there;
  const std::string page = here.StartServerWithPage({"--no-token"});
  here.StartWorker(std::string(TUNE_BINARY_DIR) + "/tests/steady_worker");
  there.StartServer();
  std::vector<std::string> ids;
  for (const char* seed : {"1", "2"}) {
    ids.push_back(here.Submit({small_, "--fresh", "--evaluations", "6", "--seed", seed})[0]);
    ASSERT_EQ(here.WaitForEnd(ids.back()).value("state", ""), "done");
  }
  EXPECT_FALSE(there.Tunectl({"best", small_}).ok());

  const Json pulled = there.TunectlJson({"pull", "--from", page});
  ASSERT_EQ(pulled.size(), 2u);
  EXPECT_EQ(pulled[0]["from"], ids[0]);
  EXPECT_EQ(pulled[0]["duplicate"], false);
  EXPECT_EQ(there.TunectlJson({"pull", "--from", page}).size(), 0u);
  EXPECT_EQ(there.TunectlJson({"pull", "--from", here.address()}).size(), 0u);  // the same studies over gRPC
  EXPECT_EQ(there.TunectlJson({"pull", ids[0], "--from", page})[0]["duplicate"], true);
  EXPECT_THAT(there.Tunectl({"pull", "--from", page}).standard_output,
              HasSubstr("Nothing new at http://127"));

  // Whole studies, and an answer.
  for (size_t i = 0; i < ids.size(); ++i) {
    const std::string copy = pulled[i].value("id", "");
    EXPECT_EQ(there.TunectlJson({"show", copy, "--candidates"})["candidates"],
              here.TunectlJson({"show", ids[i], "--candidates"})["candidates"]);
    const Json provenance = there.TunectlJson({"show", copy})["provenance"];
    EXPECT_EQ(provenance["server"], page.substr(0, page.size() - 1));
    EXPECT_EQ(provenance["study"], ids[i]);
  }
  const Json match = Known(there, there.Write("renamed.c", RenamedSource(64)))["matches"][0];
  EXPECT_EQ(match["sizes"], "same");
  // This server has no worker, on whose device times could be compared: the newest is first.
  EXPECT_EQ(match["study"]["provenance"]["study"], ids.back());
  EXPECT_EQ(match["study"]["best"], here.TunectlJson({"show", ids.back()})["best"]);
}

TEST_F(Exchange, APageWithATokenIsPulledFromWithIt) {
  Installation here, there;
  const std::string token = here.Write("token", "0123456789abcdef0123456789abcdef\n");
  ASSERT_EQ(chmod(token.c_str(), 0600), 0);
  const std::string page = here.StartServerWithPage({"--token-file", token});
  there.StartServer();
  const SubprocessResult refused = there.Tunectl({"pull", "--from", page});
  EXPECT_EQ(refused.exit_code, 1);
  EXPECT_THAT(refused.standard_error, HasSubstr("Give its file with --from-token-file"));
  const SubprocessResult allowed = there.Tunectl({"pull", "--from", page, "--from-token-file", token});
  EXPECT_TRUE(allowed.ok()) << allowed.standard_error;
  EXPECT_THAT(allowed.standard_output, HasSubstr("Nothing new"));
  here.server.reset();
  EXPECT_EQ(there.Tunectl({"pull", "--from", page}).exit_code, 3);
}

// The private server of `tunectl tune` remembers what it has tuned.
TEST_F(Exchange, TuneBeginsWithWhatIsKnown) {
  const Installation user;
  const auto tune = [&](const std::vector<std::string>& options) {
    std::vector<std::string> argv = {"env",
                                     "-u",
                                     "TUNE_SERVER",
                                     "XDG_DATA_HOME=" + user.path("data"),
                                     Program("tunectl"),
                                     "tune",
                                     small_,
                                     "--force",
                                     "--target",
                                     "cpu",
                                     "--evaluations",
                                     "3",
                                     "--time-limit",
                                     "20s",
                                     "-o",
                                     user.path("small.tuned.c")};
    argv.insert(argv.end(), options.begin(), options.end());
    const SubprocessResult result = RunSubprocess(argv, {}).value();
    EXPECT_TRUE(result.ok()) << result.standard_error;
    return result.standard_output;
  };
  EXPECT_THAT(tune({}), ::testing::Not(HasSubstr("known here")));
  const std::string again = tune({});
  EXPECT_THAT(again, HasSubstr("is known here: s1"));
  EXPECT_THAT(again, HasSubstr("same device"));
  EXPECT_THAT(tune({"--fresh"}), ::testing::Not(HasSubstr("known here")));
}

// The values of parameters are known when the program has run; those of another program only when they are
// told.
TEST_F(Exchange, ParametersTellWhetherSizesAreTheSame) {
  Installation lab;
  lab.Start();
  const auto source = [](int n, absl::string_view name) {
    return absl::StrCat("#include <stdio.h>\nstatic double ", name, "[500];\nstatic void scale(int n) {\n",
                        "#pragma scop\n  for (int i = 0; i < n; i++) ", name, "[i] = 2 * ", name,
                        "[i] + i;\n#pragma endscop\n}\nint main(void) {\n  scale(", n,
                        ");\n  printf(\"%f\\n\", ", name, "[", n - 1, "]);\n  return 0;\n}\n");
  };
  const std::string tuned = lab.Write("tuned.c", source(400, "a")),
                    other = lab.Write("other.c", source(300, "b"));
  const std::string study =
      lab.Submit({tuned, "--target", "cpu", "--evaluations", "2", "--time-limit", "20s"})[0];
  ASSERT_EQ(lab.WaitForEnd(study).value("state", ""), "done");
  const auto sizes = [&](const std::string& file, const std::vector<std::string>& options) {
    return Known(lab, file, options)["matches"][0].value("sizes", "");
  };
  EXPECT_EQ(sizes(tuned, {}), "same");
  EXPECT_EQ(sizes(other, {}), "settings");  // no macros, no arguments in both
  EXPECT_EQ(sizes(other, {"-DOTHER"}), "unknown");
  EXPECT_EQ(sizes(other, {"--parameter", "n=400"}), "same");
  EXPECT_EQ(sizes(other, {"--parameter", "n=300"}), "other");
  EXPECT_THAT(lab.Tunectl({"best", other}).standard_output, HasSubstr("(n = 400 there)"));
}

TEST_F(Exchange, FilesBetweenServersAndTools) {
  Installation here, there;
  here.StartServer();
  here.StartWorker(std::string(TUNE_BINARY_DIR) + "/tests/steady_worker");
  there.StartServer();
  const std::string study = here.Submit({small_, "--evaluations", "12", "--seed", "3"})[0];
  ASSERT_EQ(here.WaitForEnd(study).value("state", ""), "done");
  const std::string archive = here.path("lab.tune"), t4 = here.path("t4.json"),
                    wisdom = here.path("k.wisdom");
  ASSERT_TRUE(here.Tunectl({"export", study, "-o", archive}).ok());
  ASSERT_TRUE(here.Tunectl({"export", study, "--format", "t4", "-o", t4}).ok());
  ASSERT_TRUE(here.Tunectl({"export", study, "--format", "wisdom", "-o", wisdom}).ok());
  EXPECT_EQ(Json::parse(ReadFile(t4).value())["results"].size(), 12u);

  const std::string whole = there.TunectlJson({"import", archive})[0].value("id", "");
  const std::string results = there.TunectlJson({"import", t4})[0].value("id", "");
  EXPECT_EQ(there.TunectlJson({"import", archive})[0]["duplicate"], true);
  EXPECT_EQ(there.TunectlJson({"import", t4})[0]["duplicate"], true);
  EXPECT_EQ(there.TunectlJson({"ls"}).size(), 2u);
  Json original = here.TunectlJson({"show", study, "--candidates"});
  const Json copied = there.TunectlJson({"show", whole, "--candidates"});
  EXPECT_EQ(copied["candidates"], original["candidates"]);
  // Results alone are no answer to a look-up, and say so when they are to be fetched.
  const Json known = Known(there, small_)["matches"];
  ASSERT_EQ(known.size(), 1u);
  EXPECT_EQ(known[0]["study"]["id"], whole);
  EXPECT_THAT(there.Tunectl({"fetch", results, "-o", there.path("x.c")}).standard_error,
              HasSubstr("results without code"));
  EXPECT_THAT(there.Tunectl({"replay", results + "/0"}).standard_error, HasSubstr("results without code"));
  EXPECT_EQ(there.TunectlJson({"show", results})["provenance"]["format"], "T4");

  std::string damaged = ReadFile(archive).value();
  damaged[damaged.size() / 2] ^= 1;
  const SubprocessResult refused = there.Tunectl({"import", there.Write("damaged", damaged)});
  EXPECT_FALSE(refused.ok());
  EXPECT_THAT(refused.standard_error, HasSubstr("damaged"));
  // All that has ended is old from now on.
  const Json collected = there.TunectlJson({"gc", "--keep-days", "0", "--keep-best", "1"});
  EXPECT_LE(collected["bytes_after"], collected["bytes_before"]);
  EXPECT_THAT(there.Tunectl({"doctor"}).standard_output, HasSubstr("iB)"));
}

}  // namespace
}  // namespace tune
