# etcore-plugin.cmake -- builds a plugin. etcore's own plugins and those of vendors use this
# function; the installed package includes it.
#
#   etcore_add_plugin(acme acme.c names.c)
#
# The target `acme` builds acme.so with the public header in its include path. Only symbols that
# ETCORE_EXPORT marks and etcore needs (etcore-plugin.map) are exported; an undefined symbol is an
# error when the plugin is linked, not when it is first loaded. The RPATH in the build tree is that
# of the installed file: INSTALL_RPATH and the folders of linked libraries outside of the project.
# Any CMake property can be changed afterwards. `cmake --install` copies the plugin to
# ETCORE_PLUGIN_INSTALL_DIR, which is relative to the prefix: a program in etcore's own prefix finds
# it there.
function(etcore_add_plugin name)
  if(NOT ARGN)
    message(FATAL_ERROR "etcore_add_plugin(${name}): no sources")
  endif()
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE etcore::plugin)
  set_target_properties(${name} PROPERTIES PREFIX "" SUFFIX ".so"
    C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  # CMake ends an RPATH that it changes at installation with ':', which means the current folder.
  # etcore does not load such a file from a plugin folder (W0620), so this RPATH is not changed.
  set_target_properties(${name} PROPERTIES BUILD_WITH_INSTALL_RPATH ON)
  if(NOT DEFINED CMAKE_INSTALL_RPATH_USE_LINK_PATH)
    set_target_properties(${name} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  endif()
  target_link_options(${name} PRIVATE "LINKER:--version-script=${CMAKE_CURRENT_FUNCTION_LIST_DIR}/etcore-plugin.map")
  # The functions of a sanitizer are in the program, so they may be undefined here.
  get_target_property(options ${name} COMPILE_OPTIONS)
  if(NOT "${options} ${CMAKE_C_FLAGS} ${CMAKE_CXX_FLAGS}" MATCHES "-fsanitize")
    target_link_options(${name} PRIVATE -Wl,-z,defs)
  endif()
  install(TARGETS ${name} LIBRARY DESTINATION ${ETCORE_PLUGIN_INSTALL_DIR})
endfunction()
