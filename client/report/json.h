// JSON output of `tunectl --json`. Field names are stable: they are added to, never renamed.
#pragma once

#include <string>

#include "common/json/message_json.h"
#include "tune/v1/state_service.pb.h"
#include "tune/v1/study.pb.h"

namespace tune {

// id, name, owner, state, failure, target, device, search, reference, evaluated, budget, outcomes,
// duplicates, best_index (null while nothing is correct), best, default, gain_over_default,
// gain_over_sequential, confirmation, created, finished (ms since 1970, null while it runs), region, note,
// warnings, provenance (null when it was made here: format, server, study, fingerprint, imported). Seconds
// throughout.
Json ToJson(const v1::Study& study);
// index, origin, state, attempts, lost, configuration, evaluation, created, evaluated.
Json ToJson(const v1::Candidate& candidate);
// outcome, message, log, measurement, errors, code, duplicate_of (null), stages, worker, compile_command,
// device_file (the CUDA file), kernels, device.
Json ToJson(const v1::Evaluation& evaluation);
// name, state, note, devices, last_seen, running, evaluations, failures, refused.
Json ToJson(const v1::WorkerView& worker);
// target, model, cores, memory_bytes, compiler, operating_system, slots, cuda (null on others; else fields
// named as in the protocol, compute_capability as "9.0").
Json ToJson(const v1::Device& device);
// version, database, schema_version, database_bytes, started, studies, workers.
Json ToJson(const v1::ServerInfo& info);

// Two blanks of indentation and a line end; text that is not UTF-8 is replaced, never an exception.
std::string PrintJson(const Json& json);

}  // namespace tune
