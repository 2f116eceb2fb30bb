// floor_json.cpp -- measures the first DOM parse of a file by simdjson.
//
//   floor_json FILE
//
// Reads FILE with read(2), parses it once with a new simdjson::dom::parser, and prints the CPU time
// of the parse in seconds. Starting, reading and exiting are not included.
#include <ctime>
#include <cstdio>
#include <simdjson.h>

static double cpu()
{
	timespec t{};

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

int main(int argc, char **argv)
{
	simdjson::padded_string text;
	simdjson::dom::parser parser;
	simdjson::dom::element root;
	double start;

	if (argc != 2)
		return 2;
	if (simdjson::padded_string::load(argv[1]).get(text) != simdjson::SUCCESS)
		return 1;
	start = cpu();
	if (parser.parse(text).get(root) != simdjson::SUCCESS)
		return 1;
	std::printf("%.6f\n", cpu() - start);
	return root.type() == simdjson::dom::element_type::OBJECT ? 0 : 1;
}
