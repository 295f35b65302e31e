#pragma once

#include "model/fabric/collective.hpp"
#include "model/units/byte_count.hpp"
#include "model/units/quantity.hpp"
#include "model/units/text.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace roofplan::model {

/// Where in the logs something stands.
struct LogPlace {
  std::string file;
  long line = 0;
  std::string node;  ///< host where the log or the file's name says it
};

/// One rank of a run of nccl-tests and where it ran.
struct RankPlace {
  int rank = 0;
  std::string host;
  int device = 0;
  std::string bus;   ///< PCI bus id as printed, "0x8d" or "0000:8d:00"
  std::string name;  ///< of the accelerator
};

/// One size of a run of nccl-tests, out of place, else in place.
struct CollectiveRow {
  Bytes bytes;
  int element_bytes = 4;
  Seconds time;
  BytesPerSecond algorithm_rate, bus_rate;
};

/// One run of one of the programs of nccl-tests.
struct CollectiveRun {
  LogPlace place;
  std::optional<Collective> op;  ///< nothing where the log does not say which
  std::vector<RankPlace> ranks;  ///< by rank; empty where the log has lost them
  int rank_count = 0;            ///< as listed, else as the ratio of the two bandwidths says; 0 unknown
  std::vector<CollectiveRow> rows;
  std::int64_t wrong = 0;  ///< elements that came out wrong
  bool alone = false;      ///< several processes that each ran on their own: built without MPI
  std::string library;     ///< "2.30.3+cuda13.0"
  std::string network;     ///< what the library says it uses, "IB", "Socket"
  std::string failure;     ///< first line that reports an error
};

/// What a log did not yield. The rest of it is judged all the same.
struct LogProblem {
  Text text;
  bool damaged = false;  ///< a known log that is cut or contradicts itself: its part of the verdict is open
};

/// One file of logs.
struct LogFile {
  std::string name;
  std::int64_t bytes = 0;
  long lines = 0;
  std::set<std::string> tools;  ///< whose output was found
  std::vector<LogProblem> problems;

  bool damaged() const {
    for (const LogProblem& p : problems) {
      if (p.damaged) return true;
    }
    return false;
  }
};

/// All that a set of logs says, whatever tool printed it and however it was pasted together.
struct Evidence {
  std::vector<LogFile> files;
  std::vector<CollectiveRun> collectives;
};

}  // namespace roofplan::model
