# The other builds of the same sources, as tests: VARIANT.build configures and builds a preset, VARIANT.TARGET runs one
# of its unit test programs. asan is for memory, tsan for threads; of clang's nothing is run (warnings are errors).

# strata_variant(PRESET TARGET...): builds the targets of a preset with everything the machine has.
function(strata_variant preset)
  # Nobody runs ctest in these trees, so the test programs need not list their tests while they are built.
  set(build "cmake --preset ${preset} -DSTRATA_TESTS=ON -DCMAKE_GTEST_DISCOVER_TESTS_DISCOVERY_MODE=PRE_TEST")
  list(JOIN ARGN " " targets)
  string(APPEND build " && cmake --build --preset ${preset} --target ${targets}")
  add_test(NAME ${preset}.build COMMAND sh -c ${build} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${preset}.build PROPERTIES LABELS "build;long" TIMEOUT 1800 PROCESSORS ${cores}
    FIXTURES_SETUP ${preset})
endfunction()

# strata_variant_test(PRESET NAME LABEL COMMAND...): a test that needs the preset's build.
function(strata_variant_test preset name label)
  add_test(NAME ${preset}.${name} COMMAND ${CMAKE_COMMAND} -E env ${ARGN} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${preset}.${name} PROPERTIES LABELS "${label};long" TIMEOUT 1800 SKIP_RETURN_CODE 77
    FIXTURES_REQUIRED ${preset})
endfunction()

strata_variant(clang all)
# Reads the sources with clang-tidy; the script configures a tree of its own, and builds nothing.
set(processors ${cores})
strata_script(clang.tidy "build;long" 7200 house/clang_tidy.py)
set(processors 1)
strata_variant(asan strata ${unit_tests})
strata_variant(tsan strata ${unit_tests})
# The sanitizers slow the searches by a factor of twenty, and searches for cycles go through each graph many times.
set(counts STRATA_GRAPHS=20 STRATA_FAULT_RUNS=2)
# A std::mutex does not tell the sanitizer when it is destroyed, so a later one at the same address is taken for it,
# and the locking orders of unrelated mutexes seem to contradict each other.
foreach(program ${unit_tests})
  strata_variant_test(asan ${program} unit ${counts} ${CMAKE_SOURCE_DIR}/build/asan/${program})
  strata_variant_test(tsan ${program} unit ${counts} TSAN_OPTIONS=detect_deadlocks=0
    ${CMAKE_SOURCE_DIR}/build/tsan/${program})
endforeach()

# The program itself under the sanitizers, on models with known results.
foreach(preset asan tsan)
  strata_variant_test(${preset} models program ${Python3_EXECUTABLE} -B ${CMAKE_CURRENT_SOURCE_DIR}/models/run_models.py
    --strata ${CMAKE_SOURCE_DIR}/build/${preset}/strata --timeout 600 --memory 1G
    ${CMAKE_SOURCE_DIR}/examples ${CMAKE_CURRENT_SOURCE_DIR}/models/murphi)
  # The thread sanitizer leaves little address space, and looking for leaks takes seconds at the end of each run (on
  # ARM); the unit tests do it.
  set_tests_properties(${preset}.models PROPERTIES TIMEOUT 7200 PROCESSORS ${cores}
    ENVIRONMENT ASAN_OPTIONS=detect_leaks=0)
endforeach()
