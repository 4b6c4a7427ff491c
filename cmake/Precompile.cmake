# Headers of libraries that many files of a target include, read by the compiler once (ATTN_PCH).
if(ATTN_PCH AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  string(APPEND CMAKE_CXX_FLAGS " -fpch-preprocess")  # by which ccache can keep what is compiled with them
endif()

# attn_precompile(NAME LIBRARIES libraries... HEADERS headers...)
function(attn_precompile name)
  if(ATTN_PCH)
    cmake_parse_arguments(PARSE_ARGV 1 of "" "" "LIBRARIES;HEADERS")
    file(CONFIGURE OUTPUT ${name}.cpp CONTENT "")
    add_library(${name} OBJECT ${CMAKE_CURRENT_BINARY_DIR}/${name}.cpp)
    target_link_libraries(${name} PRIVATE attn_flags ${of_LIBRARIES})
    target_precompile_headers(${name} PRIVATE ${of_HEADERS})
  endif()
endfunction()

# attn_use_precompiled(TARGET NAME)
function(attn_use_precompiled target name)
  if(ATTN_PCH)
    target_precompile_headers(${target} REUSE_FROM ${name})
  endif()
endfunction()
