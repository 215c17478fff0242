// Programs without pragmas through the real programs: the loops of a function, and of structures.
#include <gmock/gmock.h>

#include "absl/strings/str_cat.h"
#include "tests/end_to_end/installation.h"

namespace tune {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

// As people write it. Of `step` two nests are accepted, around a call that is not; numbers are whole, so that
// sums are exact in any order.
constexpr char kPlain[] = R"(#include <stdio.h>

#define N 60

double grid[N][N], next[N][N];

void step(int t) {
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            next[i][j] = grid[i-1][j] + grid[i+1][j] + grid[i][j-1] + grid[i][j+1] - 3 * grid[i][j];
    if (t == 0)
        printf("%g\n", next[1][1]);
    for (int i = 1; i < N - 1; i++) {
        for (int j = 1; j < N - 1; j++) {
            grid[i][j] = next[i][j];
        }
    }
}

int main(void) {
    for (int i = 0; i < N; i++) for (int j = 0; j < N; j++) grid[i][j] = (i * 7 + j * 3) % 11;
    for (int t = 0; t < 3; t++)
        step(t);
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum += (i + 2 * j) * grid[i][j];
    printf("%.0f\n", sum);
    return 0;
}
)";

// Members of structures in arrays and behind a pointer.
constexpr char kParticles[] = R"(#include <stdio.h>
#define COUNT 400
struct vector { double x, y, z; };
struct particle { struct vector at, speed; double mass; };
struct world { int kind; double dt; double weights[COUNT]; };
static struct particle all[COUNT];
static struct world world = {1, 2};

static void move(int n, struct particle *p, struct world *w) {
  for (int i = 0; i < n; i++) {
    double pull = 0;
    for (int j = 0; j < n; j++)
      pull += p[j].mass * w->weights[j];
    p[i].speed.x += pull;
    p[i].at.x += w->dt * p[i].speed.x;
    p[i].at.y -= w->dt;
  }
}

int main(void) {
  for (int i = 0; i < COUNT; i++) {
    all[i].at = (struct vector){i, 2 * i, 3};
    all[i].mass = i % 3;
    world.weights[i] = i % 5 - 2;
  }
  for (int t = 0; t < 2; t++) move(COUNT, all, &world);
  double sum = 0;
  for (int i = 0; i < COUNT; i++)
    sum += all[i].at.x + 2 * all[i].at.y + 3 * all[i].at.z + 4 * all[i].speed.x + all[i].mass;
  printf("%.0f\n", sum);
  return 0;
}
)";

// What the program prints, built with OpenMP.
std::string Output(const Installation& installation, const std::string& source) {
  const std::string program = installation.path("program");
  const SubprocessResult built =
      RunSubprocess({"cc", "-O2", "-fopenmp", "-Wall", "-Werror", source, "-o", program, "-lm"}, {}).value();
  EXPECT_TRUE(built.ok()) << built.standard_error;
  const SubprocessResult run = RunSubprocess({program}, {}).value();
  EXPECT_TRUE(run.ok()) << source;
  return run.standard_output;
}

// A study of each accepted nest of the function, which finds something correct; the fetched file prints what
// the original prints. Returns the file.
std::string TuneAndFetch(const Installation& installation, const std::string& source,
                         const std::string& function, size_t regions) {
  const std::vector<std::string> ids =
      installation.Submit({source, "--function", function, "--target", "cpu", "--evaluations", "3", "--ants",
                           "2", "--confirm", "1", "--time-limit", "20s"});
  EXPECT_EQ(ids.size(), regions);
  std::vector<std::string> fetch = {"fetch"};
  for (const std::string& id : ids) {
    const Json study = installation.WaitForEnd(id, 300);
    if (study.value("state", "") != "done") {
      ADD_FAILURE() << study.value("failure", "");
      return "";
    }
    EXPECT_GT(study["outcomes"].value("correct", 0), 0) << study["outcomes"];
    for (const char* wrong : {"correctness", "runtime", "compile"})
      EXPECT_EQ(study["outcomes"].value(wrong, 0), 0) << study["outcomes"];
    EXPECT_EQ(study["confirmation"]["check"].value("outcome", ""), "correct") << study["confirmation"];
    EXPECT_TRUE(study["warnings"].empty()) << study["warnings"];
    fetch.push_back(id);
  }
  const std::string tuned = installation.path("tuned.c");
  fetch.insert(fetch.end(), {"-o", tuned, "--force"});
  const SubprocessResult fetched = installation.Tunectl(fetch);
  EXPECT_TRUE(fetched.ok()) << fetched.standard_error;
  EXPECT_THAT(fetched.standard_error, Not(HasSubstr("Beware")));
  const std::string expected = Output(installation, source);
  EXPECT_EQ(Output(installation, tuned), expected);
  EXPECT_NE(expected, "");
  return ReadFile(tuned).value_or("");
}

TEST(FunctionsTest, LoopsWithoutPragmas) {
  Installation installation;
  installation.Start();
  if (::testing::Test::HasFatalFailure()) return;
  const std::string source = installation.Write("plain.c", kPlain);
  const std::string tuned = TuneAndFetch(installation, source, "step", 2);
  // Both are in it, what is between them is as it was, and the text has no pragma of ours.
  EXPECT_THAT(tuned, HasSubstr("\n    if (t == 0)\n        printf(\"%g\\n\", next[1][1]);\n"));
  EXPECT_THAT(tuned, HasSubstr("#pragma omp"));
  EXPECT_THAT(tuned, Not(HasSubstr("pragma scop")));
  // The same file is known now, by its regions.
  const SubprocessResult best = installation.Tunectl({"best", source, "--function", "step"});
  EXPECT_TRUE(best.ok()) << best.standard_error;
  EXPECT_THAT(best.standard_output, HasSubstr("s1"));
  EXPECT_THAT(best.standard_output, HasSubstr("s2"));
}

TEST(FunctionsTest, MembersOfStructures) {
  Installation installation;
  installation.Start();
  if (::testing::Test::HasFatalFailure()) return;
  TuneAndFetch(installation, installation.Write("particles.c", kParticles), "move", 1);
}

// The command of the manual, with a private server, and flags from the project's database.
TEST(FunctionsTest, TuneWithAProject) {
  const Installation user;
  const std::string source = user.Write("plain.c", kPlain), tuned = user.path("plain.tuned.c");
  user.Write("compile_commands.json",
             absl::StrCat("[{\"directory\": \"", user.path(""), "\", \"file\": \"plain.c\", \"command\": ",
                          "\"cc -std=gnu99 -O2 -Wall -c plain.c\"}]"));
  const SubprocessResult result = RunSubprocess({"env",
                                                 "-u",
                                                 "TUNE_SERVER",
                                                 "XDG_DATA_HOME=" + user.path("data"),
                                                 Program("tunectl"),
                                                 "tune",
                                                 source,
                                                 "-p",
                                                 user.path("compile_commands.json"),
                                                 "--function",
                                                 "step",
                                                 "--region",
                                                 "1",
                                                 "--force",
                                                 "--target",
                                                 "cpu",
                                                 "--evaluations",
                                                 "2",
                                                 "--time-limit",
                                                 "20s",
                                                 "-o",
                                                 tuned},
                                                {})
                                      .value();
  ASSERT_TRUE(result.ok()) << result.standard_error;
  EXPECT_THAT(result.standard_output, HasSubstr("region of step in plain.c, lines 8 to 10"));
  EXPECT_THAT(result.standard_output, HasSubstr("cc -std=gnu99 -O2 -fopenmp"));
  EXPECT_EQ(Output(user, tuned), Output(user, source));
}

}  // namespace
}  // namespace tune
