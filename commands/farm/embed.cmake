# embed.cmake -- cmake -DTO=FILE.c -DFOLDER=share/sql -P embed.cmake: writes the queries and the prelude for DuckDB as C arrays,
# so that the program needs no data file.
file(GLOB files ${FOLDER}/*.sql)
set(all "")
set(list "")
foreach(file ${files})
  get_filename_component(name ${file} NAME_WE)
  if(name STREQUAL "prelude-clickhouse")
    continue()
  endif()
  string(REPLACE "-" "_" id ${name})
  file(READ ${file} hex HEX)
  string(REGEX REPLACE "(................................................)" "\\1\n\t" hex "${hex}")
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," hex "${hex}")
  string(APPEND all "static const char sql_${id}[] = {\n\t${hex}\n};\n")
  string(APPEND list "\t{ \"${name}\", { sql_${id}, sizeof sql_${id} } },\n")
endforeach()
file(WRITE ${TO} "/* Made by commands/farm/embed.cmake. */\n#include \"commands/farm/farm.h\"\n\n${all}\n"
  "const struct etc_farm_sql etc_farm_files[] = {\n${list}\t{ NULL, { NULL, 0 } },\n};\n")
