# The folders of src/, from the bottom up, each with those it includes; then the test program of each.
strata_folder(base/locks)
strata_folder(base base/locks)
strata_folder(base/process base)
strata_folder(base/system base/locks base)
strata_folder(base/text base)
strata_folder(base/image base)
strata_testing(base/testing)
strata_tests(base base base/process base/system base/text base/image base/testing)

strata_folder(model base/system base)
strata_testing(model/testing base model)
strata_tests(model model model/testing)

strata_folder(ltl/formula base base/text)
strata_folder(ltl/automaton base ltl/formula)
strata_folder(ltl/translate base ltl/formula ltl/automaton)
strata_folder(ltl/format base base/text ltl/formula ltl/automaton ltl/translate)
strata_testing(ltl/testing base ltl/formula ltl/automaton ltl/translate)
strata_tests(ltl base/testing ltl/translate ltl/format ltl/testing)

strata_folder(ir base model)
strata_folder(ir/rounds ir)
strata_folder(ir/symmetry base ir ir/rounds)
strata_folder(ir/interpret base model ir)
strata_folder(ir/actors model ir)
strata_tests(ir ir ir/symmetry ir/interpret ir/actors)
strata_folder(lang/common base base/text ir)
strata_folder(lang/murphi/syntax base ir lang/common)
strata_folder(lang/murphi/types base ir lang/common)
strata_folder(lang/murphi/expressions base ir lang/common lang/murphi/syntax lang/murphi/types)
strata_folder(lang/murphi/lower base ir ir/symmetry lang/common lang/murphi/syntax lang/murphi/expressions)
strata_folder(lang/murphi base ir lang/common lang/murphi/syntax lang/murphi/lower)
strata_folder(lang/dve/syntax base lang/common)
strata_folder(lang/dve/lower base ir lang/common lang/dve/syntax)
strata_folder(lang/dve base base/process ir lang/common lang/dve/syntax lang/dve/lower)
strata_embed(strata_lang_dve src/lang/dve/prelude.m4 kDvePrelude)
strata_folder(lang base ir lang/common lang/murphi lang/dve)
strata_testing(lang/testing base ir lang/common lang/murphi)
strata_tests(lang ir/symmetry lang lang/testing)

strata_folder(lsp/protocol)
target_link_libraries(strata_all_lsp PUBLIC nlohmann_json::nlohmann_json)
strata_folder(lsp/text base lang/common lang lsp/protocol)
strata_folder(lsp/features base lsp/protocol lsp/text)
strata_folder(lsp lsp/protocol lsp/text lsp/features)
strata_testing(lsp/testing lsp lsp/protocol lsp/text)
strata_tests(lsp lsp lsp/testing)

strata_folder(device/contract base)
strata_folder(device/kernels)
strata_embed(strata_device_kernels src/device/kernels/lane.cuh kLaneText)
strata_embed(strata_device_kernels src/device/kernels/visited.cuh kVisitedText)
strata_embed(strata_device_kernels src/device/kernels/folded.cuh kFoldedText)
strata_embed(strata_device_kernels src/device/kernels/firing.cuh kFiringText)
strata_embed(strata_device_kernels src/device/kernels/level.cuh kLevelText)
strata_embed(strata_device_kernels src/device/kernels/beyond.cuh kBeyondText)
strata_embed(strata_device_kernels src/device/kernels/expand.cuh kExpandText)
strata_embed(strata_device_kernels src/device/kernels/two_passes.cuh kTwoPassesText)
strata_embed(strata_device_kernels src/device/kernels/search.cuh kSearchText)
strata_embed(strata_device_kernels src/device/kernels/resolve.cuh kResolveText)
strata_folder(device/cuda base base/process device/contract)
target_link_libraries(strata_all_device PUBLIC ${CMAKE_DL_LIBS})
strata_folder(device/host base device/contract)
strata_folder(device base device/contract device/cuda device/host)
strata_testing(device/testing base base/process device/contract device/kernels device/host)
strata_tests(device device device/testing)

strata_folder(native/text base ir)
strata_folder(native/analysis base ir)
strata_folder(native/code base ir ir/symmetry native/analysis native/text)
strata_folder(native/symmetry ir ir/symmetry native/text)
strata_embed(strata_native_symmetry src/native/symmetry/permutations.h kPermutationsText)
strata_embed(strata_native_symmetry src/native/symmetry/scalar_shapes.h kScalarShapesText)
strata_embed(strata_native_symmetry src/native/symmetry/shapes.h kShapesText)
strata_embed(strata_native_symmetry src/native/symmetry/element_keys.h kKeysText)
strata_embed(strata_native_symmetry src/native/symmetry/rows.h kRowsText)
strata_embed(strata_native_symmetry src/native/symmetry/element_lists.h kElementListsText)
strata_embed(strata_native_symmetry src/native/symmetry/tie_search.h kTieSearchText)
strata_embed(strata_native_symmetry src/native/symmetry/orbits.h kOrbitsText)
strata_folder(native/rules ir native/analysis native/code native/text)
strata_folder(native/emit base model ir native/analysis native/code native/rules native/symmetry native/text)
strata_embed(strata_native_emit src/native/abi.h kAbiText)
strata_embed(strata_native_emit src/native/runtime/failing.h kFailingText)
strata_embed(strata_native_emit src/native/runtime/checked_values.h kCheckedValuesText)
strata_embed(strata_native_emit src/native/runtime/state_bits.h kStateBitsText)
strata_embed(strata_native_emit src/native/runtime/words_on_host.h kWordsOnHostText)
strata_embed(strata_native_emit src/native/runtime/words_on_device.cuh kWordsOnDeviceText)
strata_embed(strata_native_emit src/native/runtime/state_bytes.h kStateBytesText)
strata_embed(strata_native_emit src/native/runtime/packed_places.h kPackedPlacesText)
strata_embed(strata_native_emit src/native/runtime/device_failing.cuh kDeviceFailingText)
strata_embed(strata_native_emit src/native/runtime/device_context.cuh kDeviceContextText)
strata_embed(strata_native_emit src/native/runtime/call_context.h kCallContextText)
strata_embed(strata_native_emit src/native/runtime/host_calls.h kHostCallsText)
strata_folder(native/compile base base/process base/system)
strata_folder(native base base/image model ir ir/interpret ir/actors native/analysis native/code native/emit
  native/compile native/text)
target_link_libraries(strata_all_native PUBLIC ${CMAKE_DL_LIBS})
strata_tests(native native)
# Code for devices fails in another way than the host's, under the same names.
set_source_files_properties(src/native/runtime/device_values_test.cc PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)

strata_folder(block/io base/system base base/locks)
# Without the library liburing, files are read and written by threads.
find_path(uring_headers liburing.h)
find_library(uring_library uring)
if(uring_headers AND uring_library)
  set(io_feature "io_uring")
  target_link_libraries(strata_all_block PUBLIC uring)
  set_source_files_properties(src/block/io/no_kernel_ring.cc PROPERTIES HEADER_FILE_ONLY ON)
else()
  set(io_feature "no io_uring")
  message(STATUS "liburing is not installed: searches on disk use threads for their files (Debian: liburing-dev)")
  set_source_files_properties(src/block/io/kernel_ring.cc PROPERTIES HEADER_FILE_ONLY ON)
endif()
strata_folder(block/storage base base/process base/system base/text base/image block/io base/locks)
strata_folder(block/record base/system base block/io block/storage)
strata_folder(block/checkpoint base/locks base base/system base/text base/image block/io block/storage block/record)
strata_testing(block/testing block/storage base base/locks block/io)
strata_tests(block block/record block/checkpoint block/testing)

strata_folder(cluster/transport base base/locks)
strata_folder(cluster base cluster/transport)
strata_folder(cluster/rounds base/locks cluster/transport)
strata_testing(cluster/testing base base/locks cluster/transport)
strata_tests(cluster cluster cluster/testing)
# An object of its own, loaded under mpirun: libstrata_mpi.so beside the program.
if(MPI_CXX_FOUND)
strata_folder(cluster/mpi base/locks cluster/transport)
strata_mpi_object()
endif()

strata_folder(store/key base/system base)
strata_folder(store/table base/system base base/locks store/key)
strata_folder(store/compact base base/locks store/table)
strata_folder(store/set base base/locks store/key store/table)
strata_folder(store/cache base/locks base store/key store/table)
strata_folder(store/checkpoint base base/locks base/text base/image block/checkpoint)
strata_folder(store/log base base/locks block/io block/storage block/record block/checkpoint store/key)
strata_folder(store/tiered base base/system block/storage block/record store/log)
strata_folder(store/queue base/system base base/image block/io block/storage block/record store/key)
strata_folder(store/sorted base/image block/record store/key store/cache store/log store/queue base)
strata_folder(store/perfect base/system base base/locks base/image block/io block/storage block/record store/key
  store/log)
strata_testing(store/testing base base/locks block/testing store/key store/log)
strata_tests(store store/checkpoint store/compact store/set store/sorted store/perfect store/tiered store/testing)

strata_folder(report/progress base base/system base/text base/locks)
target_link_libraries(strata_all_report PUBLIC nlohmann_json::nlohmann_json)
strata_folder(report base model store/key report/progress)
strata_folder(report/trace model report)
strata_folder(report/json model report/progress report report/trace)
strata_folder(report/text base/text model report report/trace report/json)
strata_folder(report/ci base model report report/json)
strata_folder(report/page base model report report/trace report/json report/text)
foreach(asset page.html style.css base.js states.js lists.js expression.js tree.js trace.js carriers.js actors.js
  messages.js sequence.js plots.js source.js main.js)
  string(REGEX REPLACE "^(.)(.*)\\..*$" "\\1;\\2" letters ${asset})
  list(GET letters 0 first)
  list(GET letters 1 rest)
  string(TOUPPER ${first} first)
  strata_embed(strata_report_page src/report/page/assets/${asset} kPage${first}${rest})
endforeach()
# Chart.js as Debian has it, and its licence: the page carries both. Without it, pages have no plots.
find_file(chart_js chart.min.js PATHS /usr/share/javascript/chart.js NO_DEFAULT_PATH)
find_file(chart_js_licence copyright PATHS /usr/share/doc/libjs-chart.js NO_DEFAULT_PATH)
if(NOT chart_js OR NOT chart_js_licence)
  message(STATUS "Chart.js is not installed: pages of --report have no plots (Debian: libjs-chart.js)")
  set(chart_js ${CMAKE_BINARY_DIR}/embedded/no_chart.js)
  set(chart_js_licence ${CMAKE_BINARY_DIR}/embedded/no_chart_licence)
  file(WRITE ${chart_js} "// Built without Chart.js.\n")
  file(WRITE ${chart_js_licence} "Built without Chart.js.\n")
endif()
strata_embed(strata_report_page ${chart_js} kPagePlotLibrary)
strata_embed(strata_report_page ${chart_js_licence} kPageLicence)
strata_folder(report/saved base base/text model report)
strata_folder(report/shown base model)
strata_folder(report/graph base model report report/json)
strata_testing(report/testing model report)
strata_tests(report report report/text report/graph report/ci report/page report/saved report/shown report/testing)

strata_folder(view base model ltl/formula ltl/automaton)
strata_folder(view/fair base model view)
strata_folder(view/quotient base base/locks model view)
strata_folder(view/fold base/system base base/locks base/image model view)
strata_folder(view/share base model cluster/rounds store/key view)
strata_tests(view view view/fair view/quotient view/fold view/share model/testing ltl/testing)

strata_folder(engine/ranks base cluster/rounds)
strata_folder(engine/contract base base/text model cluster/rounds store/key store/checkpoint store/log report/progress
  report)
strata_folder(engine/trace base model report engine/ranks engine/contract)
strata_folder(engine/plan base/system)
strata_folder(engine/run base/locks base base/system base/image model store/key store/checkpoint report/progress
  report engine/ranks engine/contract engine/trace engine/plan)
strata_folder(engine/disk store/key store/set store/cache store/log store/sorted report engine/contract engine/plan
  engine/run base/locks base)
strata_folder(engine/redistribute base engine/contract engine/trace engine/disk base/locks)
strata_folder(engine/ram base/system base store/table store/compact engine/trace engine/plan engine/run engine/disk
  engine/redistribute base/locks)
strata_folder(engine/graph model report report/graph engine/trace)
strata_testing(engine/testing model report engine/plan)
strata_testing(engine/run/testing engine/ranks)
strata_tests(engine engine/graph engine/run engine/ram engine/disk engine/testing engine/run/testing model/testing
  view/share block/testing)

strata_folder(search/checked engine/contract engine/disk)
strata_folder(search/cached store/cache engine/disk)
strata_folder(search/partitioned base base/image store/set store/cache store/log engine/disk engine/contract)
strata_folder(search/filtered base/locks store/key store/set store/cache store/log engine/trace engine/disk
  engine/redistribute engine/ram)
strata_folder(search/device base/system base base/locks base/text model device/contract device/kernels engine/contract
  engine/plan engine/run engine/trace engine/ram)
strata_folder(search/beyond device/contract device/kernels store/tiered engine/contract engine/plan engine/run
  engine/trace engine/disk engine/ram base base/locks search/device)
strata_folder(search report device/contract store/checkpoint engine/contract engine/trace engine/disk engine/ram
  search/checked search/cached search/partitioned search/filtered search/device search/beyond)
strata_testing(search/testing base base/locks block/testing device/contract device/cuda device/host device/testing
  model/testing engine/testing search/filtered search base/testing)
strata_tests(search block/testing search search/testing model/testing view view/fold view/quotient device/cuda)

strata_folder(liveness/lasso base base/system base/image model store/key store/table store/queue report view
  engine/contract engine/trace engine/run search)
strata_folder(liveness/fixpoint base/system base store/key store/set report engine/contract engine/disk base/locks
  base/image)
strata_folder(liveness/semi base store/key store/queue store/perfect engine/contract engine/disk search/partitioned
  liveness/lasso base/locks search)
strata_folder(liveness/recurrence base/system base view engine/contract engine/trace engine/ram liveness/semi
  base/locks)
strata_folder(liveness base/image store/table store/queue store/sorted engine/contract engine/trace engine/plan
  engine/run engine/disk search liveness/lasso liveness/fixpoint liveness/semi base/locks)
strata_testing(liveness/testing base model model/testing view search/testing liveness/lasso liveness)
strata_tests(liveness liveness liveness/recurrence liveness/testing)

strata_folder(property/symmetry base model report view/quotient engine/trace liveness/lasso)
strata_folder(property/ask base model ltl/formula ltl/translate ltl/format view view/fair view/quotient engine/contract
  liveness liveness/recurrence)
strata_folder(property/answer base ltl/formula report view/fold view/share engine/ranks engine/contract liveness/lasso
  liveness/recurrence property/symmetry property/ask)
strata_testing(property/testing model/testing view engine/contract search/testing liveness property/ask
  property/answer base/testing)
strata_tests(property property/answer property/testing liveness/testing cluster/testing block/testing)

strata_folder(plugin base model)
target_link_libraries(strata_all_plugin PUBLIC ${CMAKE_DL_LIBS})

strata_folder(options base model ir/symmetry lang store/key report)
target_compile_definitions(strata_all_options PUBLIC STRATA_VERSION="${PROJECT_VERSION}")
strata_tests(options options)

strata_folder(check base base/process base/text device device/contract model ir ir/symmetry lang native native/compile
  report/progress report engine/contract search liveness property/symmetry property/ask property/answer plugin options
  base/system)
strata_tests(check check report/testing)

strata_folder(api base base/process base/system model store/log report report/trace report/json report/text report/ci
  options check base/locks)
strata_tests(api api)

strata_folder(tool/options base base/text lang options)
strata_folder(tool/system base base/process base/system base/text report options check)
strata_folder(tool/ranks base cluster/transport cluster cluster/rounds store/checkpoint report/progress options)
strata_folder(tool/resume base base/text model cluster/rounds store/checkpoint report engine/ranks engine/contract
  options tool/options tool/system tool/ranks)
strata_folder(tool/output base base/process base/system base/text report/json report/ci report/page options
  tool/options tool/resume tool/system)
strata_folder(tool/step base base/text model lang/common ir ir/interpret report report/trace report/json report/page
  report/saved report/shown options check tool/output tool/system)
# Without the library libedit, lines that are typed cannot be edited.
find_path(edit_headers editline/readline.h)
find_library(edit_library edit)
if(edit_headers AND edit_library)
  target_link_libraries(strata_all_tool PUBLIC edit)
  set_source_files_properties(src/tool/step/plain_lines.cc PROPERTIES HEADER_FILE_ONLY ON)
else()
  message(STATUS "libedit is not installed: `strata step` has no history and no completion (Debian: libedit-dev)")
  set_source_files_properties(src/tool/step/edited_lines.cc PROPERTIES HEADER_FILE_ONLY ON)
endif()
strata_folder(tool/check base base/text device liveness native report report/ci report/json report/page
  report/text report/trace options check search tool/system tool/ranks tool/resume tool/output)
strata_folder(tool/command base base/text model ltl/formula ltl/translate ltl/format ir ir/symmetry report
  report/trace report/json report/page report/text report/saved report/shown report/graph engine/trace engine/graph
  search liveness property/ask property/answer options check tool/system tool/output tool/step)
strata_folder(tool/suite base base/text report/json report/ci options tool/options tool/system base/process tool/output)
strata_folder(tool/lsp base lsp/protocol lsp)
strata_folder(tool/murphi base model report/progress report report/trace report/json report/text engine/trace options
  check tool/options tool/system tool/resume tool/check tool/command base/text base/locks)
strata_folder(tool/about base base/text device native/compile liveness options tool/options tool/system tool/murphi
  tool/output)
set(commit ${CMAKE_BINARY_DIR}/embedded/commit.cc)
add_custom_target(strata_commit ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR} -DOUTPUT=${commit}
  -P ${CMAKE_SOURCE_DIR}/cmake/commit.cmake BYPRODUCTS ${commit})
add_dependencies(strata_all_tool strata_commit)
target_sources(strata_all_tool PRIVATE ${commit})
# It changes with every commit.
set_source_files_properties(${commit} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
set(features "${io_feature}, no MPI")
if(MPI_CXX_FOUND)
  set(features "${io_feature}, MPI")
endif()
target_compile_definitions(strata_all_tool PRIVATE STRATA_FEATURES="${features}")
# Without yaml-cpp, suites are written in JSON.
if(yaml-cpp_FOUND)
  target_link_libraries(strata_all_tool PRIVATE yaml-cpp)
  set_source_files_properties(src/tool/suite/no_yaml.cc PROPERTIES HEADER_FILE_ONLY ON)
else()
  message(STATUS "yaml-cpp is not installed: suites must be JSON (Debian: libyaml-cpp-dev)")
  set_source_files_properties(src/tool/suite/yaml.cc PROPERTIES HEADER_FILE_ONLY ON)
endif()
strata_folder(tool base/process base/system cluster store/log report tool/options tool/system tool/resume tool/check
  tool/command tool/suite tool/step tool/lsp tool/murphi tool/about)
strata_tests(tool tool tool/step model/testing report/testing liveness/testing)
