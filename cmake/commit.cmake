# cmake -DSOURCE=DIR -DOUTPUT=FILE -P commit.cmake: writes the commit of the sources as a constant, when it is
# another one than before. Sources without a repository have none.
execute_process(COMMAND git -C ${SOURCE} rev-parse --short=12 HEAD
  OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE
  ERROR_QUIET RESULT_VARIABLE failed)
execute_process(COMMAND git -C ${SOURCE} rev-parse --show-toplevel OUTPUT_VARIABLE top OUTPUT_STRIP_TRAILING_WHITESPACE
  ERROR_QUIET)
file(REAL_PATH ${SOURCE} source)
if(failed OR NOT top STREQUAL source)
  set(commit "")
endif()
set(text "namespace strata::embedded {
extern const char* const kCommit;
const char* const kCommit = \"${commit}\";
}  // namespace strata::embedded
")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} old)
endif()
if(NOT "${old}" STREQUAL "${text}")
  file(WRITE ${OUTPUT} "${text}")
endif()
