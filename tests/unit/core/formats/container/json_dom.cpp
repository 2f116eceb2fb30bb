/* json_dom.cpp -- see json_dom.h */
#include "json_dom.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <simdjson.h>
#include <string>

namespace dom = simdjson::dom;

static void put_string(std::string &out, std::string_view s)
{
	out += 's' + std::to_string(s.size()) + ':';
	out += s;
}

static void put_double(std::string &out, double d)
{
	char text[64];

	snprintf(text, sizeof text, "d%a;", d);
	out += text;
}

static void put(std::string &out, dom::element e);

static void put_array(std::string &out, dom::array list)
{
	out += '[';
	for (dom::element item : list)
		put(out, item);
	out += ']';
}

static void put_object(std::string &out, dom::object object)
{
	out += '{';
	for (dom::key_value_pair member : object) {
		put_string(out, member.key);
		put(out, member.value);
	}
	out += '}';
}

static void put(std::string &out, dom::element e)
{
	switch (e.type()) {
	case dom::element_type::NULL_VALUE:
		out += 'n';
		break;
	case dom::element_type::BOOL:
		out += e.get_bool().value_unsafe() ? 't' : 'f';
		break;
	case dom::element_type::INT64:
		out += 'i' + std::to_string(e.get_int64().value_unsafe()) + ';';
		break;
	case dom::element_type::UINT64:
		put_double(out, double(e.get_uint64().value_unsafe()));
		break;
	case dom::element_type::DOUBLE:
		put_double(out, e.get_double().value_unsafe());
		break;
	case dom::element_type::STRING:
		put_string(out, e.get_string().value_unsafe());
		break;
	case dom::element_type::ARRAY:
		put_array(out, e.get_array().value_unsafe());
		break;
	case dom::element_type::OBJECT:
		put_object(out, e.get_object().value_unsafe());
		break;
	}
}

enum json_dom json_dom(const char *text, size_t len, struct etc_str *out)
{
	dom::parser parser;
	dom::element root;
	simdjson::error_code e = parser.parse(text, len).get(root);
	std::string all;

	*out = etc_str{};
	if (e == simdjson::NUMBER_ERROR)
		return JSON_DOM_NUMBER;
	if (e != simdjson::SUCCESS)
		return JSON_DOM_REFUSED;
	put(all, root);
	char *copy = static_cast<char *>(malloc(all.size()));
	memcpy(copy, all.data(), all.size());
	*out = etc_str{ copy, all.size() };
	return JSON_DOM_READ;
}
