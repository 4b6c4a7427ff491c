# cpack makes a Debian package and an archive of what cmake/Install.cmake installs; scripts/package calls it.
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_PACKAGE_NAME attn-tutor)
set(CPACK_PACKAGE_VENDOR "The attn-tutor authors")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "lessons on attention that run line by line")
set(CPACK_PACKAGE_DESCRIPTION
"From one softmax between two products to a module as one would write it: the
code of a lesson runs one line at a time in a terminal, and every line shows
the shapes, the names of the axes and the numbers of what it did.
.
The code is ordinary PyTorch and the numbers are those that PyTorch gives for
the same seed; neither Python nor PyTorch is needed. Notebooks and scripts of
one's own can be stepped through, too.")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_STRIP_FILES ON)
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_SOURCE_DIR}/cmake/debian_files.cmake)
set(CPACK_ATTN_RELEASED ${ATTN_RELEASED})

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "The attn-tutor authors <attn-tutor@users.noreply.github.com>")
set(CPACK_DEBIAN_PACKAGE_SECTION education)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)  # depends on the libraries that the program is linked to
include(CPack)
