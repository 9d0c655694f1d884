# The tests that run the program. Each script prints what failed and how to run that one case again. The long ones are
# sized so that all of them end within two hours on two cores; each takes larger numbers by hand.
set(strata --strata $<TARGET_FILE:strata>)
# A script that runs several programs at once has the machine to itself; of those that run one after another, a
# sequence, as many run side by side as there are cores.
set(processors ${cores})
function(strata_sequence name labels)
  set(processors 1)
  strata_script(${name} "${labels}" ${ARGN})
endfunction()

set(model_compiler ${CMAKE_CURRENT_SOURCE_DIR}/quick_compiler)

# Models with expectations in their first lines, and the collections of ../shared/models (skipped where absent).
strata_script(models.examples program 900 models/run_models.py ${strata} ${CMAKE_SOURCE_DIR}/examples)
set(graphs)
foreach(model dining.m token_ring.m file_transfer.m traffic.dve alternating_bit.dve leader_ring.dve)
  list(APPEND graphs ${CMAKE_SOURCE_DIR}/examples/${model})
endforeach()
strata_script(models.graphs program 300 models/run_graphs.py ${strata} ${graphs}
  --around ${CMAKE_SOURCE_DIR}/examples/peterson_bug.m ${CMAKE_SOURCE_DIR}/examples/ring_buffer_bug.m)
strata_script(models.murphi program 900 models/run_models.py ${strata} ${CMAKE_CURRENT_SOURCE_DIR}/models/murphi)
strata_script(models.disk program 900 disk/algorithms_on_models.py ${strata} ${CMAKE_SOURCE_DIR}/examples
  ${CMAKE_CURRENT_SOURCE_DIR}/models/murphi ${CMAKE_CURRENT_SOURCE_DIR}/models/dve)
strata_script(models.disk_long "program;long" 3600 disk/algorithms_on_models.py ${strata} --all
  ${CMAKE_SOURCE_DIR}/examples
  ${CMAKE_CURRENT_SOURCE_DIR}/models/murphi ${CMAKE_CURRENT_SOURCE_DIR}/models/dve)
strata_script(models.dve program 900 models/run_models.py ${strata} ${CMAKE_CURRENT_SOURCE_DIR}/models/dve)
strata_sequence(models.dve_small program 900 models/run_dve_small.py ${strata})
strata_script(models.beem program 1800 models/run_beem.py ${strata} --states 3000)
strata_script(models.beem_long "program;long" 7200 models/run_beem.py ${strata} --states 500000)
strata_sequence(models.beem_templates program 900 models/run_templates.py ${strata} --states 5000)
strata_sequence(models.beem_templates_long "program;long" 900 models/run_templates.py ${strata})
strata_script(models.rumur_tests program 900 models/run_rumur_tests.py ${strata})
strata_sequence(models.classic program 900 models/run_classic.py ${strata} --quick)
strata_sequence(models.classic_long "program;long" 7200 models/run_classic.py ${strata} --long)
strata_sequence(models.coherence program 900 models/run_coherence.py ${strata})
strata_sequence(models.coherence_long "program;long" 7200 models/run_coherence.py ${strata} --long)

# Small states, which are unpacked otherwise.
strata_script(models.packed program 900 models/run_models.py ${strata} ${CMAKE_CURRENT_SOURCE_DIR}/models/murphi)
strata_script(models.packed_dve "program;long" 900 models/run_models.py ${strata}
  ${CMAKE_CURRENT_SOURCE_DIR}/models/dve)
strata_sequence(models.packed_classic "program;long" 7200 models/run_classic.py ${strata} --long)
strata_sequence(models.packed_rumur "program;long" 7200 models/run_rumur_tests.py ${strata})
strata_script(models.packed_random "peer;long" 7200 differential/murphi_vs_rumur.py ${strata} --count 100
  --seed 2000)
foreach(name packed packed_dve packed_classic packed_rumur packed_random)
  if(TEST models.${name})
    set_property(TEST models.${name} APPEND PROPERTY ENVIRONMENT STRATA_STATES=packed)
  endif()
endforeach()

# Models as text for a device, compared with the model state by state and compiled for a GPU where NVRTC or clang is
# there.
find_program(clang_for_gpus NAMES clang++ clang++-14)
set(compile_by_clang)
if(clang_for_gpus)
  set(compile_by_clang --clang ${clang_for_gpus})
endif()
function(strata_device_models name labels seconds)
  if("long" IN_LIST labels AND NOT STRATA_LONG_TESTS)
    return()
  endif()
  add_test(NAME ${name} COMMAND models_on_device ${compile_by_clang} ${ARGN} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT ${seconds} SKIP_RETURN_CODE 77
    ENVIRONMENT CXX=${model_compiler})
endfunction()
file(GLOB device_examples CONFIGURE_DEPENDS ${CMAKE_SOURCE_DIR}/examples/*.m ${CMAKE_SOURCE_DIR}/examples/*.dve)
file(GLOB device_models CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/models/murphi/*.m
  ${CMAKE_CURRENT_SOURCE_DIR}/models/dve/*.dve)
file(GLOB_RECURSE device_shared ${CMAKE_SOURCE_DIR}/../shared/models/*.m ${CMAKE_SOURCE_DIR}/../shared/models/*.dve)
# A sixteenth of them takes half an hour on two cores.
set(device_shared_some)
foreach(model ${device_shared})
  list(FIND device_shared ${model} number)
  math(EXPR rest "${number} % 16")
  if(rest EQUAL 0)
    list(APPEND device_shared_some ${model})
  endif()
endforeach()
# NVRTC and clang compile a few in a short run.
set(device_few)
foreach(model peterson.m lock.m msi.m ring_election.m overflow.dve dining.dve)
  list(APPEND device_few ${CMAKE_SOURCE_DIR}/examples/${model})
endforeach()
set(device_compared ${CMAKE_CURRENT_SOURCE_DIR}/models/dve/error_state_keeps_property.dve)
function(strata_device_comparison name labels)
  add_test(NAME ${name} COMMAND models_on_device --states 1000 ${ARGN} ${device_compared}
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT 900 ENVIRONMENT CXX=${model_compiler})
endfunction()
if(STRATA_LONG_TESTS)
  strata_device_comparison(device.examples "program;long" ${device_examples})
else()
  strata_device_comparison(device.examples program ${device_few} ${CMAKE_SOURCE_DIR}/examples/union_lock.m
    ${CMAKE_SOURCE_DIR}/examples/traffic.dve)
endif()
strata_device_models(device.clang program 900 --no-comparison --kernels 0 ${device_few})
strata_device_models(device.clang_examples "program;long" 1800 --no-comparison --kernels 0 ${device_examples})
strata_device_models(device.models "program;long" 3600 --states 500 ${device_models})
strata_sequence(device.random program 900 device/random_models.py --program $<TARGET_FILE:models_on_device> --count 8)
strata_device_models(device.shared "program;long" 7200 --states 5000 ${device_shared_some})

# The interpreter of `strata step` against compiled code.
add_test(NAME interpreter.examples COMMAND guards_on_models ${device_examples} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
set_tests_properties(interpreter.examples PROPERTIES LABELS program TIMEOUT 900 ENVIRONMENT CXX=${model_compiler})
if(STRATA_LONG_TESTS)
  add_test(NAME interpreter.models COMMAND guards_on_models --states 2000 ${device_models} ${device_shared}
    WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(interpreter.models PROPERTIES LABELS "program;long" TIMEOUT 7200
    ENVIRONMENT CXX=${model_compiler})
endif()

# Formulas on models: answers, lassos, messages, limits.
strata_sequence(ltl.end_to_end program 900 ltl/end_to_end.py ${strata} --every 2)
strata_sequence(ltl.end_to_end_long "program;long" 900 ltl/end_to_end.py ${strata})
strata_script(ltl.products program 900 ltl/algorithms_on_products.py ${strata} --states 3000)
strata_script(ltl.products_long "program;long" 14400 ltl/algorithms_on_products.py ${strata} --states 300000
  --timeout 600)
strata_sequence(ltl.spin_fairness peer 900 ltl/spin_fairness.py ${strata} --processes 2 --formulas 3)
strata_sequence(ltl.spin_fairness_long "peer;long" 900 ltl/spin_fairness.py ${strata})

strata_sequence(ltl.strong_fairness program 900 ltl/strong_fairness.py ${strata} --count 8)
strata_sequence(ltl.strong_fairness_long "program;long" 7200 ltl/strong_fairness.py ${strata} --count 400 --seed 1000)

# Pages in a browser.
strata_sequence(page.browser browser 600 page/browser.py ${strata})
strata_sequence(page.sequences browser 600 page/sequences.py ${strata} --every 4)
strata_sequence(page.sequences_long "browser;long" 600 page/sequences.py ${strata})
# The command line as users and scripts meet it.
strata_sequence(command.habits program 300 command/habits.py ${strata})
strata_sequence(command.documents program 300 command/documents.py ${strata})
strata_sequence(command.documents_long "program;long" 900 command/documents.py ${strata} --long)
strata_sequence(command.ci program 300 command/ci.py ${strata})
strata_sequence(command.pages program 300 command/pages.py ${strata})
strata_sequence(command.install program 300 command/install.py ${strata} --build ${CMAKE_BINARY_DIR})
strata_sequence(command.library program 300 command/library.py ${strata} --build ${CMAKE_BINARY_DIR})
strata_sequence(command.objects program 300 command/objects.py ${strata})
strata_sequence(command.devices program 300 command/devices.py ${strata})
strata_sequence(command.properties program 300 command/properties.py ${strata})
strata_sequence(command.step program 300 command/step.py ${strata})
strata_script(command.step_long "program;long" 7200 command/step.py ${strata} --count 10000 --seed 1000)
strata_sequence(command.murphi program 300 command/murphi.py ${strata})
strata_sequence(lsp.scripted program 300 lsp/scripted.py ${strata})
strata_sequence(lsp.neovim program 300 lsp/neovim.py ${strata})
strata_sequence(lsp.fuzz program 300 lsp/fuzz.py ${strata})
strata_sequence(lsp.fuzz_long "program;long" 3600 lsp/fuzz.py ${strata} --count 20000 --seed 1000)
strata_sequence(command.json_schema program 300 command/json_schema.py ${strata})

unset(model_compiler)
# The searches on disk: full disks, signals, what is left behind, memory.
strata_sequence(disk.end_to_end program 900 disk/disk_full.py ${strata})
strata_sequence(disk.end_to_end_long "program;long" 3600 disk/disk_full.py ${strata} --long)
strata_sequence(disk.goals program 900 disk/goals_on_disk.py ${strata})
strata_script(disk.hundred_million "program;long" 7200 disk/hundred_million.py ${strata})
strata_script(disk.wide_states "program;long" 7200 disk/wide_states.py ${strata})

# Bad days: hostile templates, damaged caches, signals in every phase.
foreach(attack templates cache signals)
  strata_sequence(attack.${attack} program 300 attack/${attack}.py ${strata})
  strata_sequence(attack.${attack}_long "program;long" 7200 attack/${attack}.py ${strata} --long)
endforeach()
set_tests_properties(attack.signals PROPERTIES RUN_SERIAL ON)
if(STRATA_LONG_TESTS)
  set_tests_properties(attack.signals_long PROPERTIES RUN_SERIAL ON)
endif()
strata_sequence(attack.forecast program 300 attack/forecast.py ${strata})
set_tests_properties(attack.forecast PROPERTIES RUN_SERIAL ON)
strata_sequence(attack.stacks program 300 attack/stacks.py ${strata})
# What the whole process takes, against --memory.
strata_sequence(attack.budgets program 900 attack/budgets.py ${strata})
strata_sequence(attack.budgets_long "program;long" 7200 attack/budgets.py ${strata} --long)

# Runs with checkpoints: killed, damaged, moved, and resumed.
strata_sequence(attack.resuming program 300 attack/resuming.py ${strata})
strata_sequence(attack.resuming_long "program;long" 7200 attack/resuming.py ${strata} --long)
strata_sequence(attack.full_disk program 300 attack/full_disk.py ${strata})
strata_sequence(attack.full_disk_long "program;long" 3600 attack/full_disk.py ${strata} --long)
strata_sequence(attack.long_run program 300 attack/long_run.py ${strata})
# Files of several runs in one folder; ranks that differ, fail early, or are killed at their start.
strata_sequence(attack.mixed program 300 attack/mixed.py ${strata} --count 20)
strata_sequence(attack.mixed_long "program;long" 7200 attack/mixed.py ${strata} --count 2000 --seed 1000)
strata_sequence(attack.mpi mpi 300 attack/mpi.py ${strata} --count 8)
strata_sequence(attack.mpi_long "mpi;long" 7200 attack/mpi.py ${strata} --count 500 --seed 1000)

set(model_compiler ${CMAKE_CURRENT_SOURCE_DIR}/quick_compiler)
# A system that refuses threads, memory and files; and signals without end.
set(refusals attack/refusals.py ${strata} --library $<TARGET_FILE:attack_refuse>)
strata_sequence(attack.refusals program 300 ${refusals} --count 10)
strata_sequence(attack.refusals_long "program;long" 7200 ${refusals} --count 1000 --seed 1000)
strata_sequence(attack.storm program 300 attack/storm.py ${strata} --count 1500)
strata_sequence(attack.storm_long "program;long" 7200 attack/storm.py ${strata} --count 100000 --seed 1000)
strata_sequence(attack.kills program 300 attack/kills.py ${strata} --count 15)
strata_sequence(attack.kills_long "program;long" 7200 attack/kills.py ${strata} --count 1000 --seed 1000)

# Our examples and random well-typed programs: same states, rules fired and verdict as rumur.
strata_script(differential.murphi peer 900 differential/murphi_vs_rumur.py ${strata} --count 8
  --examples ${CMAKE_SOURCE_DIR}/examples)
strata_script(differential.murphi_long "peer;long" 7200 differential/murphi_vs_rumur.py ${strata} --count 100 --seed
  1000)

# What shrinks a program on which two tools differ, with planted faults.
strata_script(differential.shrink short 300 differential/shrink_text_test.py)

# Symmetry against brute force, on random programs: the same orbits, and the same answers as without it.
set(orbits symmetry/orbits.py ${strata} --reference $<TARGET_FILE:orbit_reference>)
strata_script(symmetry.orbits program 900 ${orbits} --count 8 --seed 61 --states 5000)
set(orders symmetry/orders.py ${strata})
strata_script(symmetry.orders program 900 ${orders} --count 24 --seed 1 --together 12)
strata_script(symmetry.orders_long "program;long" 14400 ${orders} --count 2000 --seed 5000)
strata_script(symmetry.orbits_long "program;long" 14400 ${orbits} --count 550 --seed 1000 --all)

# Liveness properties: the same verdict as rumur.
strata_sequence(differential.liveness peer 900 differential/liveness_vs_rumur.py ${strata} --count 8)

# Random systems, written in DVE and in Murphi: the same states, transitions and depth.
strata_script(differential.dve program 900 differential/dve_vs_murphi.py ${strata} --count 20)
strata_script(differential.dve_long "program;long" 7200 differential/dve_vs_murphi.py ${strata} --count 100 --seed 1000)
strata_sequence(models.large_dve program 900 models/large_dve.py ${strata} --megabytes 0.2)
strata_sequence(models.large_dve_long "program;long" 900 models/large_dve.py ${strata})

# Broken texts: what fuzzing found stays found, and more is looked for in the long run.
strata_sequence(fuzz.replay program 300 fuzz/replay.py ${strata})
strata_script(fuzz.murphi "program;long" 1800 fuzz/fuzz.py ${strata} --language murphi --seconds 200)
strata_script(fuzz.dve "program;long" 1800 fuzz/fuzz.py ${strata} --language dve --seconds 200)

# Several processes: the transport between them, by MPI.
strata_script(cluster.contract mpi 300 cluster/contract.py --program $<TARGET_FILE:cluster_contract>)
strata_sequence(cluster.searches mpi 300 cluster/searches.py ${strata})
strata_sequence(cluster.lost_ranks mpi 300 cluster/lost_ranks.py ${strata} --count 1)
strata_sequence(cluster.searches_long "mpi;long" 7200 cluster/searches.py ${strata} --long)
strata_sequence(cluster.lost_ranks_long "mpi;long" 7200 cluster/lost_ranks.py ${strata} --count 50)
strata_script(cluster.contract_long "mpi;long" 3600 cluster/contract.py --program $<TARGET_FILE:cluster_contract>
  --long)

# The unit tests that take the number of their runs from the environment (src/base/testing/test_count.h), with many.
# strata_many(NAME PROGRAM FILTER VARIABLE=NUMBER...)
function(strata_many name program filter)
  add_test(NAME ${name}.long COMMAND ${CMAKE_COMMAND} -E env ${ARGN} $<TARGET_FILE:${program}> --gtest_filter=${filter})
  set_tests_properties(${name}.long PROPERTIES LABELS "unit;long" TIMEOUT 7200)
endfunction()
if(STRATA_LONG_TESTS)
  strata_many(disk_searches search_tests DiskSearchesTest.* STRATA_GRAPHS=600)
  strata_many(extremes search_tests ExtremesTest.* STRATA_GRAPHS=200)
  strata_many(cycle_extremes liveness_tests CycleExtremesTest.* STRATA_GRAPHS=200)
  strata_many(faults search_tests */FaultsTest.* STRATA_FAULT_RUNS=50)
  strata_many(resume_faults search_tests ResumeFaultsTest.* STRATA_FAULT_RUNS=200)
  strata_many(disk_cycles liveness_tests *DiskCyclesTest.* STRATA_GRAPHS=600)
  strata_many(cycles liveness_tests LivenessTest.verdicts*:MinimalTest.NoLasso* STRATA_GRAPHS=600)
  strata_many(cycle_faults liveness_tests *CycleFaultsTest.* STRATA_FAULT_RUNS=50)
  strata_many(goals liveness_tests Recurrence* STRATA_GRAPHS=600 STRATA_FAULT_RUNS=80)
  strata_many(ltl_words ltl_tests Translate.* STRATA_FORMULAS=20000)
  strata_many(ltl_spin ltl_tests Spin.* STRATA_FORMULAS=5000)
endif()

# The kernels of the search on a device, run by the processor: every n-th model against `ram`. With a GPU,
# tests/device/run checks all of them there.
strata_sequence(device.host device 900 device/on_gpu.py --build ${CMAKE_BINARY_DIR} --device host --only models
  --most 8 --seconds 2)
strata_sequence(device.host_folded device 900 device/on_gpu.py --build ${CMAKE_BINARY_DIR} --device host --only models
  --most 6 --seconds 2 --fold on)
strata_sequence(device.host_long "device;long" 7200 device/on_gpu.py --build ${CMAKE_BINARY_DIR} --device host
  --only models --seconds 5)
