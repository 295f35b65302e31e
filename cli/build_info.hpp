#pragma once

namespace roofplan::cli {

// Written by cli/build_info.cmake at every build, so that the commit is never stale.
extern const char* const kBuildVersion;
extern const char* const kBuildGit;
extern const bool kBuildDirty;

}  // namespace roofplan::cli
