# pages.cmake -- cmake -DTO=FILE.c -DFOLDER=docs/codes -P pages.cmake: writes the pages of the
# diagnostics as one C array, so that the program needs no data file.
file(GLOB files ${FOLDER}/*.md)
list(SORT files)
set(all "")
foreach(file IN LISTS files)
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "^2320(0[^a]|[^0].)*0a" "" hex "${hex}") # without "# 06xx: Plugins"
  string(APPEND all "${hex}0a")
endforeach()
string(REGEX REPLACE "(................................................)" "\\1\n\t" all "${all}")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," all "${all}")
file(WRITE ${TO} "/* Made by commands/explain/pages.cmake. */\n#include <stddef.h>\n\n"
  "extern const unsigned char etc_pages_text[];\nextern const size_t etc_pages_size;\n"
  "const unsigned char etc_pages_text[] = {\n\t${all}\n};\n"
  "const size_t etc_pages_size = sizeof etc_pages_text;\n")
