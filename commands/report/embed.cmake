# embed.cmake -- cmake -DTO=FILE.c -DFOLDER=commands/report -P embed.cmake: writes page.html,
# page.css and page.js as C arrays, so that the program needs no data file.
set(all "")
foreach(part html css js)
  file(READ ${FOLDER}/page.${part} hex HEX)
  string(REGEX REPLACE "0a(09)+" "0a" hex "${hex}") # without the tabs at the start of lines
  string(REGEX REPLACE "(................................................)" "\\1\n\t" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
  string(APPEND all "static const unsigned char ${part}[] = {\n\t${hex}\n};\n"
    "const struct etc_page_file etc_page_${part} = { ${part}, sizeof ${part} };\n")
endforeach()
file(WRITE ${TO} "/* Made by commands/report/embed.cmake. */\n#include \"commands/report/page.h\"\n\n${all}")
