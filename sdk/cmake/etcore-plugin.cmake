# etcore-plugin.cmake -- how a plugin is built. etcore's own plugins and those
# of vendors go through this one function; the installed package includes it.
#
#   etcore_add_plugin(acme acme.c names.c)
#
# makes the target `acme`: acme.so with the public header in reach, every symbol
# hidden that ETCORE_EXPORT does not show, nothing exported that etcore does not
# ask for (etcore-plugin.map), and nothing left undefined (what is missing is an
# error of the link, not of a user's first run). The RPATH in the build tree is
# that of the installed file: INSTALL_RPATH and the folders of the libraries
# outside of the project that it links. Any CMake
# property can be changed afterwards. `cmake --install` puts it into
# ETCORE_PLUGIN_INSTALL_DIR, which is relative to the prefix: in etcore's own
# prefix the program finds it there.
function(etcore_add_plugin name)
  if(NOT ARGN)
    message(FATAL_ERROR "etcore_add_plugin(${name}): no sources")
  endif()
  add_library(${name} MODULE ${ARGN})
  target_link_libraries(${name} PRIVATE etcore::plugin)
  set_target_properties(${name} PROPERTIES PREFIX "" SUFFIX ".so"
    C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  # CMake ends an RPATH that it changes at installation with ':', which stands for the current folder:
  # etcore does not load such a file from a plugin folder (W0620). This one is not changed.
  set_target_properties(${name} PROPERTIES BUILD_WITH_INSTALL_RPATH ON)
  if(NOT DEFINED CMAKE_INSTALL_RPATH_USE_LINK_PATH)
    set_target_properties(${name} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  endif()
  target_link_options(${name} PRIVATE "LINKER:--version-script=${CMAKE_CURRENT_FUNCTION_LIST_DIR}/etcore-plugin.map")
  # A sanitizer's functions come from the program: they may be missing here.
  get_target_property(options ${name} COMPILE_OPTIONS)
  if(NOT "${options} ${CMAKE_C_FLAGS} ${CMAKE_CXX_FLAGS}" MATCHES "-fsanitize")
    target_link_options(${name} PRIVATE -Wl,-z,defs)
  endif()
  install(TARGETS ${name} LIBRARY DESTINATION ${ETCORE_PLUGIN_INSTALL_DIR})
endfunction()
