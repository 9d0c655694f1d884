# The folders of src/, from the bottom up, each with those it includes; then the test program of each.
strata_folder(base)
strata_folder(base/process)
strata_folder(base/text base)
strata_folder(base/image base)
strata_tests(base base base/process base/text base/image)

strata_folder(model base)
strata_testing(model/testing base model)
strata_tests(model model model/testing)

strata_folder(ltl/formula base base/text)
strata_folder(ltl/automaton base ltl/formula)
strata_folder(ltl/translate base ltl/formula ltl/automaton)
strata_folder(ltl/format base base/text ltl/formula ltl/automaton ltl/translate)
strata_testing(ltl/testing base ltl/formula ltl/automaton ltl/translate)
strata_tests(ltl ltl/translate ltl/format ltl/testing)

strata_folder(ir base model)
strata_folder(ir/rounds ir)
strata_folder(ir/symmetry base ir ir/rounds)
strata_tests(ir ir ir/symmetry)
strata_folder(lang/common base base/text ir)
strata_folder(lang/murphi/syntax base lang/common)
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

strata_folder(native/analysis base ir)
strata_folder(native/code base ir ir/symmetry native/analysis)
strata_folder(native/symmetry ir ir/symmetry native/code)
strata_embed(strata_native_symmetry src/native/symmetry/permutations.h kPermutationsText)
strata_embed(strata_native_symmetry src/native/symmetry/shapes.h kShapesText)
strata_embed(strata_native_symmetry src/native/symmetry/element_keys.h kKeysText)
strata_embed(strata_native_symmetry src/native/symmetry/rows.h kRowsText)
strata_embed(strata_native_symmetry src/native/symmetry/orbits.h kOrbitsText)
strata_folder(native/emit ir native/analysis native/code native/symmetry)
strata_embed(strata_native_emit src/native/abi.h kAbiText)
strata_embed(strata_native_emit src/native/model_runtime.h kModelRuntimeText)
strata_folder(native/compile base base/process)
strata_folder(native base base/image model ir native/analysis native/code native/emit native/compile)
target_link_libraries(strata_native PUBLIC ${CMAKE_DL_LIBS})
strata_tests(native native)

strata_folder(block/io base)
target_link_libraries(strata_block_io PUBLIC uring)
strata_folder(block/storage base base/process base/text base/image block/io)
strata_folder(block/record base block/io block/storage)
strata_folder(block/checkpoint base base/image block/io block/storage block/record)
strata_testing(block/testing block/storage)
strata_tests(block block/record block/checkpoint block/testing)

strata_folder(cluster/transport base)
strata_folder(cluster base cluster/transport)
strata_folder(cluster/rounds cluster/transport)
strata_testing(cluster/testing base cluster/transport)
strata_tests(cluster cluster cluster/testing)
# An object of its own, loaded under mpirun: libstrata_mpi.so beside the program.
if(MPI_CXX_FOUND)
strata_folder(cluster/mpi cluster/transport)
strata_mpi_object()
endif()

strata_folder(store/key base)
strata_folder(store/table base store/key)
strata_folder(store/compact base store/table)
strata_folder(store/set base store/key store/table)
strata_folder(store/cache base store/key store/table)
strata_folder(store/checkpoint base base/text base/image block/checkpoint)
strata_folder(store/log base block/io block/storage block/record block/checkpoint store/key)
strata_folder(store/queue base base/image block/io block/storage block/record store/key)
strata_folder(store/sorted base/image block/record store/key store/cache store/log store/queue)
strata_folder(store/perfect base base/image block/io block/storage block/record store/key store/log)
strata_testing(store/testing base block/testing store/key store/log)
strata_tests(store store/checkpoint store/compact store/set store/sorted store/perfect store/testing)

strata_folder(report/progress base base/text)
target_link_libraries(strata_report_progress PUBLIC nlohmann_json::nlohmann_json)
strata_folder(report base model store/key report/progress)
target_link_libraries(strata_report PUBLIC nlohmann_json::nlohmann_json)
strata_folder(report/trace model report)
strata_folder(report/json model report/progress report report/trace)
target_link_libraries(strata_report_json PUBLIC nlohmann_json::nlohmann_json)
strata_folder(report/text base/text model report report/trace report/json)
strata_folder(report/ci base model report report/json)
strata_folder(report/page base model report report/trace report/json report/text)
foreach(asset page.html style.css base.js states.js lists.js tree.js trace.js messages.js sequence.js plots.js source.js main.js)
  string(REGEX REPLACE "^(.)(.*)\\..*$" "\\1;\\2" letters ${asset})
  list(GET letters 0 first)
  list(GET letters 1 rest)
  string(TOUPPER ${first} first)
  strata_embed(strata_report_page src/report/page/assets/${asset} kPage${first}${rest})
endforeach()
# Chart.js as Debian has it, and its licence; the page carries both.
find_file(chart_js chart.min.js PATHS /usr/share/javascript/chart.js NO_DEFAULT_PATH)
find_file(chart_js_licence copyright PATHS /usr/share/doc/libjs-chart.js NO_DEFAULT_PATH)
if(NOT chart_js OR NOT chart_js_licence)
  message(FATAL_ERROR "chart.min.js or its licence is missing: install the Debian package libjs-chart.js")
endif()
strata_embed(strata_report_page ${chart_js} kPagePlotLibrary)
strata_embed(strata_report_page ${chart_js_licence} kPageLicence)
strata_folder(report/saved base model report)
target_link_libraries(strata_report_saved PUBLIC nlohmann_json::nlohmann_json)
strata_folder(report/graph base model report report/json)
strata_testing(report/testing model report)
strata_tests(report report report/text report/graph report/ci report/page report/saved report/testing)

strata_folder(view model ltl/formula ltl/automaton)
strata_folder(view/quotient base model view)
strata_folder(view/fold base base/image model view)
strata_folder(view/share base model cluster/rounds store/key view)
strata_tests(view view view/quotient view/fold view/share model/testing ltl/testing)

strata_folder(engine/ranks base cluster/rounds)
strata_folder(engine/contract base base/text model cluster/rounds store/key store/checkpoint store/log report/progress
  report)
strata_folder(engine/trace base model report engine/ranks engine/contract)
strata_folder(engine/plan base)
strata_folder(engine/run base base/image model report report/progress store/key store/checkpoint engine/ranks
  engine/contract engine/trace engine/plan)
strata_folder(engine/disk store/key store/set store/cache store/log store/sorted report engine/contract engine/plan
  engine/run)
strata_folder(engine/redistribute base engine/contract engine/trace engine/disk)
strata_folder(engine/ram base store/table store/compact engine/trace engine/plan engine/run engine/disk
  engine/redistribute)
strata_folder(engine/graph model report report/graph engine/trace)
strata_testing(engine/testing model report engine/plan)
strata_testing(engine/run/testing engine/ranks)
strata_tests(engine engine/graph engine/run engine/ram engine/disk engine/testing engine/run/testing model/testing view/share
  block/testing)

strata_folder(search/checked engine/contract engine/disk)
strata_folder(search/cached store/cache engine/disk)
strata_folder(search/partitioned base base/image store/set store/cache store/log engine/disk)
strata_folder(search/filtered store/key store/set store/cache store/log engine/disk engine/redistribute engine/ram)
strata_folder(search report engine/contract engine/disk engine/ram search/checked search/cached search/partitioned
  search/filtered)
strata_testing(search/testing base model/testing engine/testing search/filtered search)
strata_tests(search block/testing search search/testing model/testing view view/fold)

strata_folder(liveness/lasso base base/image model store/key store/table store/queue report view engine/contract
  engine/trace engine/run search)
strata_folder(liveness/fixpoint base store/key store/set report engine/contract engine/disk)
strata_folder(liveness/semi base store/key store/queue store/perfect engine/contract engine/disk search/partitioned
  liveness/lasso)
strata_folder(liveness/recurrence base view engine/contract engine/trace engine/ram liveness/semi)
strata_folder(liveness base/image store/table store/queue store/sorted engine/contract engine/trace engine/plan
  engine/run engine/disk search liveness/lasso liveness/fixpoint liveness/semi)
strata_testing(liveness/testing base model model/testing view search/testing liveness/lasso liveness)
strata_tests(liveness liveness liveness/recurrence liveness/testing)

strata_folder(property/symmetry base model report view/quotient engine/trace liveness/lasso)
strata_folder(property/ask base model ltl/formula ltl/translate ltl/format view view/quotient engine/contract liveness
  liveness/recurrence)
strata_folder(property/answer base ltl/formula report view/fold view/share engine/ranks engine/contract liveness/lasso
  liveness/recurrence property/symmetry property/ask)
strata_testing(property/testing model/testing view engine/contract search/testing liveness property/ask property/answer)
strata_tests(property property/answer property/testing liveness/testing cluster/testing block/testing)

strata_folder(plugin base model)
target_link_libraries(strata_plugin PUBLIC ${CMAKE_DL_LIBS})

strata_folder(options base model ir/symmetry store/key report)
target_compile_definitions(strata_options PUBLIC STRATA_VERSION="${PROJECT_VERSION}")
strata_tests(options options)

strata_folder(check base base/process base/text model ir ir/symmetry lang native report/progress report
  engine/contract search liveness property/symmetry property/ask property/answer plugin options)
strata_tests(check check report/testing)

strata_folder(api base base/process model store/log report report/trace report/json report/text report/ci options
  check)
strata_tests(api api)

strata_folder(tool/options base options)
strata_folder(tool/system base base/process base/text cluster cluster/rounds store/checkpoint report/progress report
  report/json report/ci report/page options check)
strata_folder(tool/resume base model cluster/rounds store/checkpoint report engine/ranks engine/contract options
  tool/options tool/system)
strata_folder(tool/command base base/text ltl/formula ltl/translate ltl/format ir ir/symmetry native report
  report/trace report/json report/text report/page report/saved report/graph engine/trace engine/graph search liveness
  property/ask property/answer options check tool/options tool/system tool/resume)
strata_folder(tool/suite base base/text report/json report/ci options tool/options tool/system)
strata_folder(tool/murphi base model report/progress report report/trace report/json report/text engine/trace options
  check tool/options tool/system tool/resume tool/command)
strata_folder(tool/about base base/text native/compile liveness options tool/options tool/system tool/murphi)
set(commit ${CMAKE_BINARY_DIR}/embedded/commit.cc)
add_custom_target(strata_commit ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR} -DOUTPUT=${commit}
  -P ${CMAKE_SOURCE_DIR}/cmake/commit.cmake BYPRODUCTS ${commit})
add_dependencies(strata_tool_about strata_commit)
target_sources(strata_tool_about PRIVATE ${commit})
set(features "io_uring, no MPI")
if(MPI_CXX_FOUND)
  set(features "io_uring, MPI")
endif()
target_compile_definitions(strata_tool_about PRIVATE STRATA_FEATURES="${features}")
target_link_libraries(strata_tool_options PUBLIC CLI11::CLI11)
strata_folder(tool base base/process cluster store/log report tool/options tool/system tool/resume tool/command
  tool/suite tool/murphi tool/about)
strata_tests(tool tool model/testing report/testing liveness/testing)
