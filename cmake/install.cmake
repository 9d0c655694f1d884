# What `cmake --install` and `cpack` install beside the library: the program, manual pages, completions,
# documentation, examples, licence. They build none of the tests.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY TRUE)

# ./strata builds no more than a check needs. Installing first builds the rest, if something is missing; so this rule
# precedes all others.
include(GNUInstallDirs)
add_custom_target(installed)
add_dependencies(installed strata strata_generated strata_library)
if(TARGET strata_mpi)
  add_dependencies(installed strata_mpi)
endif()
install(CODE "
  if(NOT EXISTS \"${CMAKE_BINARY_DIR}/generated/strata.bash\" OR NOT EXISTS \"$<TARGET_FILE:strata_library>\"
      OR NOT EXISTS \"$<TARGET_FILE:strata>\")
    message(STATUS \"Building what is to be installed and is missing\")
    execute_process(COMMAND \"${CMAKE_COMMAND}\" --build \"${CMAKE_BINARY_DIR}\" --target installed
      COMMAND_ERROR_IS_FATAL ANY)
  endif()" ALL_COMPONENTS)

# Manual pages and completions are printed by the program itself, from its tables.
set(pages strata)
foreach(command check resume info simulate step lsp graph trace ltl algorithms cache suite murphi)
  list(APPEND pages strata-${command})
endforeach()
set(generated)
foreach(page ${pages})
  string(REGEX REPLACE "^strata-?" "" command ${page})
  set(output ${CMAKE_BINARY_DIR}/generated/${page}.1.gz)
  add_custom_command(OUTPUT ${output} COMMAND strata --man ${command} | gzip -9n > ${output} DEPENDS strata)
  list(APPEND generated ${output})
endforeach()
foreach(shell bash zsh fish)
  set(output ${CMAKE_BINARY_DIR}/generated/strata.${shell})
  add_custom_command(OUTPUT ${output} COMMAND strata --completion ${shell} > ${output} DEPENDS strata VERBATIM)
  list(APPEND generated ${output})
endforeach()
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/generated)
add_custom_target(strata_generated ALL DEPENDS ${generated})

install(FILES src/plugin/strata_model.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/strata RENAME model.h)
install(TARGETS strata RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# Where src/cluster/launch.cc looks for it.
if(TARGET strata_mpi)
  install(TARGETS strata_mpi LIBRARY DESTINATION lib/strata)
endif()
foreach(page ${pages})
  install(FILES ${CMAKE_BINARY_DIR}/generated/${page}.1.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endforeach()
set(share ${CMAKE_INSTALL_DATAROOTDIR})
install(FILES ${CMAKE_BINARY_DIR}/generated/strata.bash DESTINATION ${share}/bash-completion/completions RENAME strata)
install(FILES ${CMAKE_BINARY_DIR}/generated/strata.zsh DESTINATION ${share}/zsh/vendor-completions RENAME _strata)
install(FILES ${CMAKE_BINARY_DIR}/generated/strata.fish DESTINATION ${share}/fish/vendor_completions.d)
install(DIRECTORY doc/ DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "*.json")
install(FILES README.md NEWS.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
