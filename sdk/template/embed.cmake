# embed.cmake -- cmake -DTO=FILE.c -DFOLDER=sdk/template -P embed.cmake: writes the files of the
# template as one C array, so that the program needs no data file. Their names are "FOLDER/FILE".
file(GLOB files RELATIVE ${FOLDER} ${FOLDER}/*/*)
list(SORT files)
set(arrays "")
set(rows "")
set(i 0)
foreach(file IN LISTS files)
  file(READ ${FOLDER}/${file} hex HEX)
  string(REGEX REPLACE "(................................................)" "\\1\n\t" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
  string(APPEND arrays "static const unsigned char file_${i}[] = {\n\t${hex}\n};\n")
  string(APPEND rows "\t{ \"${file}\", file_${i}, sizeof file_${i} },\n")
  math(EXPR i "${i} + 1")
endforeach()
file(WRITE ${TO} "/* Made by sdk/template/embed.cmake. */\n#include \"commands/plugins/template.h\"\n\n${arrays}\n"
  "const struct etc_template_file etc_template_files[] = {\n${rows}\t{ 0, 0, 0 },\n};\n")
