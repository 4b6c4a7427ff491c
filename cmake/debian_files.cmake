# Run by cpack in the folder that becomes a package: what Debian wants of a .deb beside the files themselves. The man page
# is compressed, the licence is called copyright, there is a changelog, and zsh looks elsewhere for completions.
if(NOT CPACK_GENERATOR STREQUAL "DEB")
  return()
endif()
set(share ${CPACK_TEMPORARY_DIRECTORY}/usr/share)
set(doc ${share}/doc/${CPACK_PACKAGE_NAME})
file(RENAME ${doc}/LICENSE ${doc}/copyright)
file(RENAME ${share}/zsh/site-functions ${share}/zsh/vendor-completions)
execute_process(COMMAND date -u -R -d ${CPACK_ATTN_RELEASED} OUTPUT_VARIABLE date OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY)
file(WRITE ${doc}/changelog.Debian
  "${CPACK_PACKAGE_NAME} (${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}) unstable; urgency=medium\n\n"
  "  * Version ${CPACK_PACKAGE_VERSION}.\n\n -- ${CPACK_DEBIAN_PACKAGE_MAINTAINER}  ${date}\n")
execute_process(COMMAND gzip -9nf ${doc}/changelog.Debian ${share}/man/man1/attn-tutor.1 COMMAND_ERROR_IS_FATAL ANY)
