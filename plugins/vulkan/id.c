/* id.c -- parses ids of Vulkan's events; see id.h */
#include "id.h"

#include "scan.h"

#include <string.h>

static bool is(struct etcore_text t, const char *word)
{
	return t.len == strlen(word) && memcmp(t.ptr, word, (size_t)t.len) == 0;
}

/* The texts of an argument that is a tensor, or a constant that becomes a tensor. */
struct argument {
	struct etcore_text dtype, sizes, storage;
};

static struct argument argument_of(struct etcore_text object)
{
	struct scan s = scan_inside(object);
	struct etcore_text key, value;
	struct argument a = { 0 };

	while (scan_member(&s, &key, &value)) {
		if (is(key, "dtype"))
			a.dtype = scan_word(value);
		else if (is(key, "sizes") && value.len && *value.ptr == '[')
			a.sizes = value;
		else if (is(key, "storage"))
			a.storage = scan_word(value);
	}
	return a;
}

static void read_args(struct etcore_text array, struct vulkan_id *id)
{
	struct scan s = scan_inside(array);
	struct etcore_text value;
	struct argument a = { 0 };

	id->args = array;
	while (scan_element(&s, &value)) {
		a = argument_of(value);
		if (!id->first_dtype.len && a.storage.len)
			id->first_dtype = a.dtype;
	}
	if (!a.storage.len)
		return;
	id->dtype = a.dtype;
	id->sizes = a.sizes;
	id->storage = a.storage;
}

static void read_operator(struct etcore_text object, struct vulkan_id *id)
{
	struct scan s = scan_inside(object);
	struct etcore_text key, value;

	while (scan_member(&s, &key, &value)) {
		if (is(key, "name"))
			id->operator_name = scan_word(value);
		else if (is(key, "delegate_node_id"))
			id->node = scan_number(value);
		else if (is(key, "args"))
			read_args(value, id);
	}
}

static bool read_shader(struct etcore_text text, struct vulkan_id *id)
{
	struct scan s = scan_inside(text);
	struct etcore_text key, value;

	if (!scan_is_object(text))
		return false;
	while (scan_member(&s, &key, &value)) {
		if (is(key, "operator"))
			read_operator(value, id);
		else if (is(key, "kernel_name"))
			id->kernel = scan_word(value);
		else if (is(key, "operator_id"))
			id->operator_id = scan_number(value);
		else if (is(key, "dispatch_id"))
			id->dispatch = scan_number(value);
	}
	return id->kernel.len > 0;
}

static bool begins(struct etcore_text t, const char *word)
{
	size_t len = strlen(word);

	return t.len >= len && memcmp(t.ptr, word, len) == 0;
}

static bool read_legacy(struct etcore_text text, struct vulkan_id *id)
{
	uint64_t at = text.len;

	while (at > 0 && text.ptr[at - 1] >= '0' && text.ptr[at - 1] <= '9')
		at--;
	if (at == text.len || at < 2 || text.ptr[at - 1] != '_')
		return false;
	for (uint64_t i = 0; i < at; i++) {
		char c = text.ptr[i];

		if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
		      c == '_'))
			return false;
	}
	id->kernel = (struct etcore_text){ text.ptr, at - 1 };
	id->dispatch = scan_number((struct etcore_text){ text.ptr + at, text.len - at });
	return true;
}

struct vulkan_id vulkan_id_of(const struct etcore_event *event)
{
	static const char host[] = "ETVK_";
	const struct vulkan_id none = { .node = -1, .operator_id = -1, .dispatch = -1 };
	struct vulkan_id id = none;
	struct etcore_text text = event->delegate_name;
	uint64_t len = sizeof host - 1;

	if (!(event->flags & ETCORE_EVENT_DELEGATE) || event->delegate_id != -1)
		return none;
	if (text.len > len && begins(text, host)) {
		id.kind = VULKAN_HOST;
		id.step = (struct etcore_text){ text.ptr + len, text.len - len };
	} else if (read_shader(text, &id)) {
		id.kind = VULKAN_SHADER;
	} else {
		id = none;
		if (begins(text, "{\"operator\"") || begins(text, "{\"kernel_name\""))
			id.kind = VULKAN_SHADER;
		else if (read_legacy(text, &id))
			id.kind = VULKAN_LEGACY;
	}
	return id;
}

bool vulkan_types(const struct vulkan_id *id, char *text, size_t room)
{
	struct scan s = scan_inside(id->args);
	struct etcore_text value;
	size_t len = 0;

	text[0] = '\0';
	while (scan_element(&s, &value)) {
		struct etcore_text dtype = argument_of(value).dtype;
		size_t comma = len > 0 ? 2 : 0;

		if (dtype.len == 0)
			continue;
		if (dtype.len + comma >= room - len)
			return false;
		memcpy(text + len, ", ", comma);
		memcpy(text + len + comma, dtype.ptr, (size_t)dtype.len);
		len += comma + (size_t)dtype.len;
		text[len] = '\0';
	}
	return len > 0;
}
