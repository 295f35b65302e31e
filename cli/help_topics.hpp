#pragma once

#include <string>
#include <vector>

namespace roofplan::cli {

/// A page of help that belongs to no verb.
struct HelpTopic {
  std::string name;
  std::string (*text)();
};

const std::vector<HelpTopic>& topic_pages();

}  // namespace roofplan::cli
