# cmake -DPROGRAM=etcore -DINTO=FOLDER -P pages.cmake -- writes the manual pages and shell
# completion that PROGRAM prints. PROGRAM may be a list that starts with an emulator.
function(page file)
  execute_process(COMMAND ${PROGRAM} help --as ${ARGN} OUTPUT_FILE ${INTO}/${file} RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "etcore help --as ${ARGN}: ${status}")
  endif()
endfunction()

file(REMOVE_RECURSE ${INTO})
file(MAKE_DIRECTORY ${INTO}/man/man1 ${INTO}/man/man5 ${INTO}/man/man7 ${INTO}/bash-completion/completions
  ${INTO}/zsh/site-functions ${INTO}/fish/vendor_completions.d)
execute_process(COMMAND ${PROGRAM} help --as pages OUTPUT_VARIABLE names COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n]+" names "${names}")
foreach(name ${names})
  string(REGEX REPLACE ".*\\." "" section ${name})
  page(man/man${section}/${name} man ${name})
endforeach()
page(bash-completion/completions/etcore bash)
page(zsh/site-functions/_etcore zsh)
page(fish/vendor_completions.d/etcore.fish fish)
