# etcore_plugin(NAME SOURCE...): one shared object that includes only the public
# header and exports only etcore_plugin_v1; built into build/plugins/, installed
# into the versioned plugin folder.
function(etcore_plugin name)
  add_library(plugin_${name} MODULE ${ARGN})
  target_include_directories(plugin_${name} PRIVATE ${PROJECT_SOURCE_DIR}/sdk/include)
  target_link_libraries(plugin_${name} PRIVATE etcore_flags)
  set_target_properties(plugin_${name} PROPERTIES PREFIX "" OUTPUT_NAME ${name}
    LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/plugins)
  install(TARGETS plugin_${name} LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/etcore/plugins/1)
endfunction()
