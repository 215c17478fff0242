// Definitions of hand-written kernels: files of other tuners, short forms, messages, and kernels' sources.
#include <cstdlib>

#include "client/exchange/bounded_json.h"
#include "client/kernels/description.h"
#include "client/kernels/short_form.h"
#include "client/kernels/source_check.h"
#include "client/kernels/t1_reader.h"
#include "common/kernel_definition/definition_check.h"
#include "common/kernel_definition/definition_space.h"
#include "common/kernel_definition/launch.h"
#include "tests/fuzz/targets.h"
#include "tests/fuzz/text_format.h"

namespace tune::testing {
namespace {

constexpr char kShortForm[] = R"(file k.cu
flags -use_fast_math '-DA=b c'
problem n=64, m=n // 2
parameter b=16,32
parameter t=1..4
parameter T=float,'a b'
default b=32
constraint b * t <= 64
define W=n
kernel f
template b, float
block b, 2
grid ceil(n / b)
shared 4 * b
takes x, y, n
kernel g
block 8
threads n * m
launch f times t
launch g
argument x:float4[n * m]:in:copy-to=d:random=-1..1:seed=3
argument y:double[n]:out
argument n:int:n
argument p:uint8[n * m]:texture:extents=n,m:linear:in
argument w:custom[5]:bytes=12:symbol:file='a b.raw'
argument s:float[b]:local
reference function h:file=h.c:takes=x,y,n
check y:each=0.1:generator=2 * i
evaluations 10
)";

constexpr char kT1[] =
    R"({"General": {"FormatVersion": 1}, "Budget": [{"Type": "ConfigurationCount", "BudgetValue": 4}],
 "Search": {"Name": "Random", "Attributes": [{"Name": "a", "Value": 1}]},
 "ConfigurationSpace": {"TuningParameters": [
   {"Name": "block_size_x", "Type": "int", "Values": "[2**i for i in range(4)]", "Default": 2},
   {"Name": "u", "Type": "bool", "Values": "[0, 1]"}],
  "Conditions": [{"Parameters": ["u"], "Expression": "block_size_x > 1 or not u"}]},
 "KernelSpecification": {"Language": "CUDA", "KernelName": "f", "KernelFile": "f.cu", "CompilerOptions": ["-a 'b c'"],
  "GlobalSize": {"X": "64"}, "LocalSize": {"X": "block_size_x"}, "GridDivX": ["block_size_x", 2],
  "ProblemSize": [64, 2], "SharedMemory": 16, "Arguments": [
   {"Name": "x", "Type": "float2", "MemoryType": "Vector", "Size": "ProblemSize[0]", "FillType": "Random",
    "FillValue": 2.0, "RandomSeed": 1, "MemType": "Constant"},
   {"Type": "int32", "MemoryType": "Scalar", "FillValue": 64}],
  "ReferenceArguments": [{"Name": "r", "TargetName": "x", "FillType": "Generator", "DataSource": "i",
   "ValidationMethod": "AbsoluteDifference", "ValidationThreshold": 0.5}]}})";

constexpr char kKernelSource[] = R"(#ifndef A
#define A 4
#endif
namespace n { template <int b, typename T = float> __global__ void __launch_bounds__(32) f(const T *x, double *y,
int n) {
#if B
{
#else
{
#endif
} } }
__constant__ float d[5][A];
extern "C" __global__ void g(cudaTextureObject_t t, unsigned long long n = 4) { float a = C * d[0][0], *e; }
)";

ParameterSpaceLimits SmallLimits() {
  ParameterSpaceLimits limits;
  limits.states = 5'000;
  limits.trials = 20'000;
  limits.evaluation = {2'000, 500, 200};
  return limits;
}

// What is right is written and read again as the same, and its first configuration can be launched.
void Use(const v1::KernelDefinition& definition) {
  if (!FaultsOf(definition, SmallLimits()).empty()) return;
  const auto choice = DefaultConfiguration(definition, SmallLimits());
  if (!choice.ok() || !EvaluateLaunch(definition, ValuesOf(definition, *choice)).ok()) std::abort();
  const auto read = ReadShortForm(WriteShortForm(definition), "fuzz");
  if (!read.ok() || WriteShortForm(*read) != WriteShortForm(definition)) std::abort();
  FaultList faults;
  CheckAgainstSource(definition, ScanSource(kKernelSource, definition.language()), &faults);
}

void FuzzT1(absl::string_view input) {
  const absl::StatusOr<Json> json = ParseBoundedJson(input);
  if (!json.ok()) return;
  const absl::StatusOr<T1Reading> reading = ReadT1(*json, SmallLimits());
  if (reading.ok()) Use(reading->definition);
}

void FuzzShortForm(absl::string_view input) {
  const absl::StatusOr<v1::KernelDefinition> definition = ReadShortForm(input, "fuzz");
  if (definition.ok()) Use(*definition);
}

void FuzzDefinition(absl::string_view input) {
  v1::KernelDefinition definition;
  if (ReadText(input, &definition)) FaultsOf(definition, SmallLimits());
}

void FuzzSource(absl::string_view input) {
  for (const v1::KernelLanguage language : {v1::KERNEL_LANGUAGE_CUDA, v1::KERNEL_LANGUAGE_C}) {
    const SourceScan source = ScanSource(input, language);
    DescribeSource(source, "k.cu", language, {}).IgnoreError();
    FaultList faults;
    CheckAgainstSource(ReadShortForm(kShortForm, "fuzz").value(), source, &faults);
  }
}

std::vector<std::string> T1Seeds() { return {kT1}; }
std::vector<std::string> ShortFormSeeds() { return {kShortForm}; }
std::vector<std::string> DefinitionSeeds() { return {WriteText(ReadShortForm(kShortForm, "fuzz").value())}; }
std::vector<std::string> SourceSeeds() { return {kKernelSource}; }

}  // namespace

FuzzTarget T1Target() { return {"t1", FuzzT1, T1Seeds}; }
FuzzTarget ShortFormTarget() { return {"short_form", FuzzShortForm, ShortFormSeeds}; }
FuzzTarget KernelDefinitionTarget() { return {"kernel_definition", FuzzDefinition, DefinitionSeeds}; }
FuzzTarget KernelSourceTarget() { return {"kernel_source", FuzzSource, SourceSeeds}; }

}  // namespace tune::testing
