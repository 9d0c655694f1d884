# strata_embed(TARGET FILE NAME): makes the text of FILE available to the sources of a folder's TARGET as the constant
# strata::embedded::NAME, which the source that uses it declares; its SHA-256 in hexadecimal is NAME followed by Sha256.
function(strata_embed target file name)
  set(output ${CMAKE_BINARY_DIR}/embedded/${name}.cc)
  cmake_path(ABSOLUTE_PATH file BASE_DIRECTORY ${CMAKE_SOURCE_DIR} OUTPUT_VARIABLE source)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  file(READ ${source} text)
  file(SHA256 ${source} hash)
  # Through a variable, because the text may hold what CMake would replace. The standard promises literals of 65536
  # characters; the compilers of this project take longer ones.
  file(CONFIGURE OUTPUT ${output} CONTENT
    "namespace strata::embedded {
extern const char* const ${name};
extern const char* const ${name}Sha256;
const char* const ${name} = R\"embedded(@text@)embedded\";
const char* const ${name}Sha256 = \"${hash}\";
}  // namespace strata::embedded
"
    @ONLY)
  get_target_property(code ${target} STRATA_CODE)
  if(NOT TARGET ${code})
    get_target_property(path ${target} STRATA_PATH)
    strata_code(${code} ${path})
  endif()
  target_sources(${code} PRIVATE ${output})
endfunction()
