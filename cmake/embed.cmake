# strata_embed(TARGET FILE NAME): makes the text of FILE available to TARGET's sources as the constant
# strata::embedded::NAME, which the file that uses it declares.
function(strata_embed target file name)
  set(source ${CMAKE_SOURCE_DIR}/${file})
  set(output ${CMAKE_BINARY_DIR}/embedded/${name}.cc)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${source})
  file(READ ${source} text)
  string(LENGTH "${text}" length)
  # A string literal may hold 65536 characters; the embedded headers are far shorter.
  file(CONFIGURE OUTPUT ${output} CONTENT
    "namespace strata::embedded {\nextern const char* const ${name};\nconst char* const ${name} = R\"embedded(${text})embedded\";\n}  // namespace strata::embedded\n"
    @ONLY)
  target_sources(${target} PRIVATE ${output})
endfunction()
