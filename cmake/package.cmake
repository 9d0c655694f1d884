# What `cpack` makes: Debian packages, of the program (strata), the library (libstrata0.1), what programs are
# compiled with it (libstrata-dev), and the module for Python (python3-strata).
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME strata)
set(CPACK_PACKAGE_VENDOR "Strata")
set(CPACK_PACKAGE_CONTACT "The Strata developers <strata@invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL program library development)
if(TARGET strata_python)
  list(APPEND CPACK_COMPONENTS_ALL python)
  math(EXPR next_python "${Python3_VERSION_MINOR} + 1")
endif()
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CMAKE_BINARY_DIR})
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY "=")

set(library libstrata${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME strata)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME ${library})
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libstrata-dev)
set(CPACK_DEBIAN_PYTHON_PACKAGE_NAME python3-strata)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SECTION science)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_PYTHON_PACKAGE_SECTION python)
# Models are compiled when they are checked.
set(CPACK_DEBIAN_PROGRAM_PACKAGE_DEPENDS "g++")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS "g++")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_RECOMMENDS "m4")
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "${library} (= ${PROJECT_VERSION})")
set(CPACK_DEBIAN_PYTHON_PACKAGE_DEPENDS
  "${library} (= ${PROJECT_VERSION}), python3 (>= 3.${Python3_VERSION_MINOR}), python3 (<< 3.${next_python})")

set(about "Strata visits every state that a model can reach and reports violated
invariants, deadlocks, failed assertions, run-time errors and paths that
violate a formula of linear temporal logic, each with a counterexample.
A search that outgrows its memory continues on disk.")
foreach(part "PROGRAM;explicit-state model checker for Murphi and DVE models;This package has the command strata."
    "LIBRARY;explicit-state model checker, as a library;This package has the library."
    "DEVELOPMENT;explicit-state model checker, files for programs that use it;This package has their headers."
    "PYTHON;explicit-state model checker, module for Python;This package has the module strata.")
  list(GET part 0 name)
  list(GET part 1 summary)
  list(GET part 2 own)
  set(CPACK_COMPONENT_${name}_DESCRIPTION "${summary}\n${about}\n.\n${own}")
endforeach()

# Each has its licence and a list of changes.
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE ${CMAKE_BINARY_DIR}/generated/changelog
  "strata (${PROJECT_VERSION}) unstable; urgency=medium\n\n"
  "  * NEWS.md lists what changes for users.\n\n -- ${CPACK_PACKAGE_CONTACT}  ${date}\n")
execute_process(COMMAND gzip -9nf ${CMAKE_BINARY_DIR}/generated/changelog)
foreach(part ${CPACK_COMPONENTS_ALL})
  string(TOUPPER ${part} upper)
  install(FILES cmake/copyright ${CMAKE_BINARY_DIR}/generated/changelog.gz
    DESTINATION ${CMAKE_INSTALL_DATAROOTDIR}/doc/${CPACK_DEBIAN_${upper}_PACKAGE_NAME} COMPONENT ${part})
endforeach()
include(CPack)
