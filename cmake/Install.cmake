# What is installed: the program, its lessons and their data as files to read and to start from, and what the program
# prints about itself: the man page and the completions. These are made when they are installed, so they fit.
include(GNUInstallDirs)

install(TARGETS attn-tutor)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/attn-tutor)
install(DIRECTORY lessons data DESTINATION ${CMAKE_INSTALL_DATADIR}/attn-tutor)

# attn_install_printed(FILE FOLDER ARGUMENTS...): what the program prints with these arguments, as FOLDER/FILE.
function(attn_install_printed file folder)
  set(made ${CMAKE_BINARY_DIR}/printed/${file})
  install(CODE "execute_process(COMMAND \"$<TARGET_FILE:attn-tutor>\" ${ARGN} OUTPUT_FILE \"${made}\"
                COMMAND_ERROR_IS_FATAL ANY)")
  install(FILES ${made} DESTINATION ${folder})
endfunction()

file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/printed)
attn_install_printed(attn-tutor.1 ${CMAKE_INSTALL_MANDIR}/man1 man)
attn_install_printed(attn-tutor ${CMAKE_INSTALL_DATADIR}/bash-completion/completions completion bash)
attn_install_printed(_attn-tutor ${CMAKE_INSTALL_DATADIR}/zsh/site-functions completion zsh)
attn_install_printed(attn-tutor.fish ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d completion fish)
