# etcore_plugin(NAME SOURCE...): a plugin of this tree, built as a vendor builds
# one, with our warnings, into build/plugins/; its target is plugin_NAME.
include(${PROJECT_SOURCE_DIR}/sdk/cmake/etcore-plugin.cmake)

function(etcore_plugin name)
  etcore_add_plugin(plugin_${name} ${ARGN})
  target_link_libraries(plugin_${name} PRIVATE etcore_flags)
  set_target_properties(plugin_${name} PROPERTIES OUTPUT_NAME ${name}
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/plugins)
endfunction()
