# attn_embed(TARGET PATTERNS...): the files that match go into TARGET as raw bytes, found again by path through
# embedded_file() of src/base/embedded.h. All are written and compiled again when one changes.
function(attn_embed target)
  file(GLOB files CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} ${ARGN})
  set(output ${CMAKE_BINARY_DIR}/embedded.cpp)
  list(TRANSFORM files PREPEND ${CMAKE_SOURCE_DIR}/ OUTPUT_VARIABLE paths)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -DROOT=${CMAKE_SOURCE_DIR} "-DFILES=${files}" -DOUTPUT=${output}
            -P ${CMAKE_SOURCE_DIR}/cmake/write_embedded.cmake
    DEPENDS ${paths} ${CMAKE_SOURCE_DIR}/cmake/write_embedded.cmake
    VERBATIM)
  set_source_files_properties(${output} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  target_sources(${target} PRIVATE ${output})
endfunction()
