#pragma once

#include "model/catalog/data_files.hpp"
#include "model/catalog/sources.hpp"
#include "model/hardware/system.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace roofplan::model {

/// The systems of data/systems with the chips of data/chips. A file of the overlay whose "id" is that of a
/// compiled-in file replaces it, whatever its own name.
class SystemCatalog {
 public:
  /// Reads everything and checks it. Throws InputError (content) with file and JSON pointer.
  explicit SystemCatalog(const DataFiles& files);

  /// The system of that id or alias; letter case, spaces and punctuation do not count. Throws InputError:
  /// usage with the nearest names; missing for "this", which needs a calibration file of the machine.
  const System& find(std::string_view name) const;
  /// As find, or nullptr where it would throw.
  const System* find_if(std::string_view name) const;
  /// The system that a longer text names, as lists of measurements write it ("Tyche (8x NVIDIA GB200
  /// NVL72)"): the whole text, then what stands before " / ", then the longest run of at least two words that
  /// is a name. A sum of systems ("A + B") is none of them. nullptr where nothing is named.
  const System* recognise(std::string_view text) const;

  /// All ids, from small to large: cards, desktops, nodes, racks, then in order of the alphabet.
  std::vector<std::string> ids() const;
  const Sources& sources() const { return sources_; }

 private:
  void add_names(const System& system, const std::string& file);

  Sources sources_;
  std::map<std::string, Chip, std::less<>> chips_;
  std::map<std::string, System, std::less<>> systems_;
  std::map<std::string, const System*, std::less<>> by_name_;  ///< by folded id and alias
};

}  // namespace roofplan::model
