#pragma once

#include <string>
#include <string_view>

namespace roofplan::model {

/// The text as one word of a POSIX shell or bash, whatever it holds: bare where that is safe, in single
/// quotes, or as $'...' (bash) where it holds control characters, so that it stays on one line.
std::string shell_quote(std::string_view text);

/// The text as a double-quoted scalar of YAML 1.2, which is a JSON string.
std::string yaml_quote(std::string_view text);

/// The text on one line, for a comment: control characters become spaces.
std::string comment_text(std::string_view text);

/// A name for jobs and Kubernetes objects (RFC 1123 label): lower-case letters, digits and single dashes, at
/// most 50 characters; "roofplan" where nothing is left.
std::string label_name(std::string_view text);

}  // namespace roofplan::model
