#pragma once

#include "model/acceptance/acceptance.hpp"
#include "model/report/document.hpp"

namespace roofplan::model::report {

/// The keys of `accept` under result; for people one page: the verdict, what failed, what stands out, a line
/// for each kind of check, and what could not be read.
void describe_acceptance(Document& document, const Acceptance& acceptance, const Evidence& evidence,
                         const Promise& promise);

}  // namespace roofplan::model::report
