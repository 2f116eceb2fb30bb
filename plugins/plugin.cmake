# etcore_plugin(NAME SOURCE...): a plugin of this tree, built as a vendor builds
# one, with our warnings, into build/plugins/; its target is plugin_NAME.
#
# Every plugin of the folder is opened at every start: with code and constants in
# one segment that takes two thirds of the time.
include(CheckLinkerFlag)
include(${PROJECT_SOURCE_DIR}/sdk/cmake/etcore-plugin.cmake)

check_linker_flag(C -Wl,-z,noseparate-code ETCORE_HAS_NOSEPARATE_CODE)
if(NOT TARGET etcore_plugins) # all of them
  add_custom_target(etcore_plugins)
endif()

function(etcore_plugin name)
  etcore_add_plugin(plugin_${name} ${ARGN})
  target_link_libraries(plugin_${name} PRIVATE etcore_flags)
  if(ETCORE_HAS_NOSEPARATE_CODE)
    target_link_options(plugin_${name} PRIVATE -Wl,-z,noseparate-code)
  endif()
  set_target_properties(plugin_${name} PROPERTIES OUTPUT_NAME ${name}
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/plugins)
  add_dependencies(etcore_plugins plugin_${name})
endfunction()
