#include "client/exchange/known_studies.h"

namespace tune {

KnownStudies::KnownStudies(const std::vector<v1::Study>& own) {
  for (const v1::Study& study : own) {
    const v1::Provenance& provenance = study.provenance();
    if (!study.has_provenance()) made_here_.insert(IdentityOf(study.id(), study));
    // Results from a file have no id at the place that they come from.
    if (!provenance.study_id().empty()) copies_.insert(IdentityOf(provenance.study_id(), study));
    if (!provenance.fingerprint().empty()) fingerprints_.insert(provenance.fingerprint());
  }
}

bool KnownStudies::HasCopyOf(const v1::Study& made_there) const {
  return copies_.count(IdentityOf(made_there.id(), made_there)) > 0;
}

bool KnownStudies::HasCopyOf(const v1::Study& listed, const v1::Provenance& origin) const {
  if (!origin.fingerprint().empty() && fingerprints_.count(origin.fingerprint()) > 0) return true;
  if (origin.study_id().empty()) return false;
  const Identity identity = IdentityOf(origin.study_id(), listed);
  return copies_.count(identity) > 0 || made_here_.count(identity) > 0;
}

}  // namespace tune
