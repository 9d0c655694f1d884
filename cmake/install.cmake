# What `cmake --install` and `cpack` install: the program, manual pages, completions, documentation, examples, licence.
include(GNUInstallDirs)
# Installing and packaging take what was built; they do not build the tests first.
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY TRUE)

# Manual pages and completions are printed by the program itself, from its tables.
set(pages strata)
foreach(command check resume info simulate trace ltl algorithms cache suite murphi)
  list(APPEND pages strata-${command})
endforeach()
set(generated)
foreach(page ${pages})
  string(REGEX REPLACE "^strata-?" "" command ${page})
  set(output ${CMAKE_BINARY_DIR}/generated/${page}.1)
  add_custom_command(OUTPUT ${output} COMMAND strata --man ${command} > ${output} DEPENDS strata VERBATIM)
  list(APPEND generated ${output})
endforeach()
foreach(shell bash zsh fish)
  set(output ${CMAKE_BINARY_DIR}/generated/strata.${shell})
  add_custom_command(OUTPUT ${output} COMMAND strata --completion ${shell} > ${output} DEPENDS strata VERBATIM)
  list(APPEND generated ${output})
endforeach()
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/generated)
add_custom_target(strata_generated ALL DEPENDS ${generated})

install(FILES src/object/strata_model.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/strata RENAME model.h)
install(TARGETS strata RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
# Where src/cluster/launch.cc looks for it.
if(TARGET strata_mpi)
  install(TARGETS strata_mpi LIBRARY DESTINATION lib/strata)
endif()
foreach(page ${pages})
  install(FILES ${CMAKE_BINARY_DIR}/generated/${page}.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
endforeach()
set(share ${CMAKE_INSTALL_DATAROOTDIR})
install(FILES ${CMAKE_BINARY_DIR}/generated/strata.bash DESTINATION ${share}/bash-completion/completions RENAME strata)
install(FILES ${CMAKE_BINARY_DIR}/generated/strata.zsh DESTINATION ${share}/zsh/vendor-completions RENAME _strata)
install(FILES ${CMAKE_BINARY_DIR}/generated/strata.fish DESTINATION ${share}/fish/vendor_completions.d)
install(DIRECTORY doc/ DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md" PATTERN "*.json")
install(FILES README.md NEWS.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DOCDIR})

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME strata)
set(CPACK_PACKAGE_VENDOR "Strata")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "explicit-state model checker for Murphi and DVE models")
set(CPACK_PACKAGE_CONTACT "The Strata developers <strata@invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Models are compiled when they are checked.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "g++")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "m4")
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "${CPACK_PACKAGE_DESCRIPTION_SUMMARY}
 Strata visits every state that a model can reach and reports violated
 invariants, deadlocks, failed assertions, run-time errors and paths that
 violate a formula of linear temporal logic, each with a counterexample.
 A search that outgrows its memory continues on disk.")
include(CPack)
