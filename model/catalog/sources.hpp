#pragma once

#include "model/catalog/data_files.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model {

/// Where numbers of the catalogue were read.
struct Source {
  /// How near the reading is to who made the hardware. Only `primary` may be printed to a customer as the
  /// vendor's word; `transcribed` is a copy or quotation of a vendor document.
  enum class Tier { primary, transcribed, vendor_code, third_party, physics };

  std::string id;
  std::string title;
  std::string url;                 ///< or repo, path and commit; or unlocated
  std::string repo, path, commit;  ///< a file of a public repository
  std::string unlocated;           ///< why no address is known
  std::string date_read;           ///< ISO date
  std::string licence;             ///< where the text asks for attribution, else empty
  Tier tier = Tier::third_party;
};

/// "primary", "transcribed", "vendor-code", "third-party", "physics".
std::string_view tier_name(Source::Tier tier);

/// data/sources.json; an overlay's own sources.json adds to it and replaces entries of the same id.
class Sources {
 public:
  /// Throws InputError (content) on malformed entries.
  explicit Sources(const DataFiles& files);

  bool contains(std::string_view id) const { return sources_.contains(id); }
  /// Throws InputError (content) with the nearest ids when there is none.
  const Source& at(std::string_view id) const;
  std::vector<std::string> ids() const;

 private:
  void read(const std::string& text, const std::string& file);
  std::map<std::string, Source, std::less<>> sources_;
};

}  // namespace roofplan::model
