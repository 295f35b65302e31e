# Toolchain: builds for 64-bit Arm (GB10, Grace) on another machine with Debian's cross compiler,
# g++-aarch64-linux-gnu. The libraries are headers alone, so those of the machine at hand serve; fmt is taken
# as headers too. On an Arm machine itself no toolchain is needed.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
find_program(ROOFPLAN_EMULATOR NAMES qemu-aarch64-static qemu-aarch64)
if(ROOFPLAN_EMULATOR)
  set(CMAKE_CROSSCOMPILING_EMULATOR ${ROOFPLAN_EMULATOR};-L;/usr/aarch64-linux-gnu)
endif()
file(GLOB ROOFPLAN_FMT_FOLDERS /usr/lib/*/cmake/fmt)
if(ROOFPLAN_FMT_FOLDERS)
  list(GET ROOFPLAN_FMT_FOLDERS 0 fmt_DIR)
endif()
