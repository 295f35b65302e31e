# Writes the version, the commit and whether the tree has changes beyond it. Run at every build; the file is
# touched only when it changes. cmake -DVERSION=... -DROOT=... -DIN=... -DOUT=... -P
set(GIT "unknown")
set(DIRTY "false")
find_program(GIT_PROGRAM git)
if(GIT_PROGRAM AND EXISTS "${ROOT}/.git")
  execute_process(COMMAND ${GIT_PROGRAM} rev-parse --short=12 HEAD WORKING_DIRECTORY ${ROOT}
    OUTPUT_VARIABLE commit RESULT_VARIABLE failed OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  execute_process(COMMAND ${GIT_PROGRAM} status --porcelain --untracked-files=no WORKING_DIRECTORY ${ROOT}
    OUTPUT_VARIABLE changes OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(NOT failed)
    set(GIT "${commit}")
    if(changes)
      set(DIRTY "true")
    endif()
  endif()
endif()
configure_file(${IN} ${OUT} @ONLY)
