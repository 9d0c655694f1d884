# libstrata.so: the library of src/api, with everything that it stands on inside. A shared one: those who link it
# need neither our other libraries nor their packages, see only what strata.h declares, and the bindings for Python
# load it anyway. The program does not use it; it is linked with the same objects, so that it starts quickly and
# lies alone.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

add_library(strata_library SHARED $<TARGET_OBJECTS:strata_all_api>)
# Its objects are taken one and all; the library brings what they need.
target_link_libraries(strata_library PRIVATE strata_api)
target_link_options(strata_library PRIVATE LINKER:--exclude-libs,ALL)
# The second number of a version 0.x is that of an interface.
set_target_properties(strata_library PROPERTIES OUTPUT_NAME strata EXPORT_NAME strata LINKER_LANGUAGE CXX
  VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
target_include_directories(strata_library INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(strata_library INTERFACE cxx_std_17)

install(TARGETS strata_library EXPORT strata LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  COMPONENT library NAMELINK_COMPONENT development)
install(FILES src/api/strata.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/strata COMPONENT development)
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/strata)
install(EXPORT strata FILE strata-config.cmake NAMESPACE strata:: DESTINATION ${package} COMPONENT development)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/generated/strata-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/generated/strata-config-version.cmake DESTINATION ${package} COMPONENT development)

# pkg-config finds out itself where its file lies.
file(RELATIVE_PATH from_pkgconfig ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
configure_file(cmake/strata.pc.in generated/strata.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/generated/strata.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
  COMPONENT development)
