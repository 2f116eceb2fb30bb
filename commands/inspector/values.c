/* values.c -- writes logged values and nodes as JSON or as Python prints them; see values.h */
#include "commands/inspector/values.h"

#include "base/sha256.h"
#include "inspector/pyrepr.h"

void etc_insp_put_str(struct etc_text *t, enum etc_insp_style style, struct etc_str s)
{
	if (style == ETC_INSP_JSON)
		etc_text_json_string(t, s);
	else
		etc_py_str(t, s);
}

void etc_insp_put_real(struct etc_text *t, enum etc_insp_style style, double v)
{
	if (style == ETC_INSP_JSON)
		etc_text_json_real(t, v);
	else
		etc_py_float(t, v);
}

void etc_insp_put_bool(struct etc_text *t, enum etc_insp_style style, bool v)
{
	etc_text_cstr(t, style == ETC_INSP_JSON ? v ? "true" : "false" : v ? "True" : "False");
}

void etc_insp_put_none(struct etc_text *t, enum etc_insp_style style)
{
	etc_text_cstr(t, style == ETC_INSP_JSON ? "null" : "None");
}

void etc_insp_put_tensor(struct etc_text *t, struct etc_str dtype, const int64_t *sizes,
                         uint32_t rank, const uint8_t *digest)
{
	etc_text_cstr(t, "{\"dtype\": \"");
	etc_text_put(t, dtype);
	etc_text_cstr(t, "\", \"shape\": [");
	for (uint32_t i = 0; i < rank; i++) {
		etc_insp_comma(t, i);
		etc_text_i64(t, sizes[i]);
	}
	etc_text_cstr(t, digest ? "], \"sha256\": \"" : "], \"sha256\": null}");
	if (!digest)
		return;
	etc_text_hex(t, (struct etc_span){ digest, ETC_SHA256_BYTES });
	etc_text_cstr(t, "\"}");
}

static void put_logged(struct etc_text *t, enum etc_insp_style style,
                       const struct etc_tensor_data *d)
{
	uint8_t digest[ETC_SHA256_BYTES];

	etc_insp_digest(d, digest);
	if (style == ETC_INSP_JSON) {
		etc_insp_put_tensor(t, etc_str_of(d->type->numpy), d->sizes, d->rank, digest);
		return;
	}
	etc_text_printf(t, "%s[", d->type->numpy);
	for (uint32_t i = 0; i < d->rank; i++)
		etc_text_printf(t, "%s%lld", i ? "," : "", (long long)d->sizes[i]);
	etc_text_cstr(t, "] ");
	etc_text_hex(t, (struct etc_span){ digest, sizeof digest });
}

static void put_value(struct etc_text *t, enum etc_insp_style style, const struct etc_insp_value *v)
{
	switch (v->kind) {
	case ETC_INSP_NONE:
		etc_insp_put_none(t, style);
		return;
	case ETC_INSP_INT:
		etc_text_i64(t, v->i);
		return;
	case ETC_INSP_BOOL:
		etc_insp_put_bool(t, style, v->i);
		return;
	case ETC_INSP_FLOAT:
		etc_insp_put_real(t, style, v->f);
		return;
	case ETC_INSP_TENSOR:
		put_logged(t, style, v->tensors);
		return;
	default:
		etc_text_char(t, '[');
		for (uint32_t i = 0; i < v->count; i++) {
			etc_insp_comma(t, i);
			put_logged(t, style, &v->tensors[i]);
		}
		etc_text_char(t, ']');
	}
}

void etc_insp_put_values(struct etc_text *t, enum etc_insp_style style,
                         const struct etc_insp_value *v, uint32_t count)
{
	etc_text_char(t, '[');
	for (uint32_t i = 0; i < count; i++) {
		etc_insp_comma(t, i);
		put_value(t, style, &v[i]);
	}
	etc_text_char(t, ']');
}

void etc_insp_put_raw(struct etc_text *t, enum etc_insp_style style, const struct etc_inspector *in,
                      const struct etc_insp_block *b, const struct etc_insp_event *e)
{
	/* number of runs that are read at a time, since an event may have millions */
	enum { MOST = 64 };
	const struct etc_converted *converted = etc_insp_extra(e)->converted;
	double raw[MOST];

	etc_text_char(t, '[');
	for (uint32_t i = 0; i < b->run_count; i++) {
		uint32_t left = b->run_count - i;

		etc_insp_comma(t, i);
		if (!converted && i % MOST == 0)
			etc_insp_raw_of(in, b, e, i, left < MOST ? left : MOST, raw);
		if (converted && converted[i].is_integer)
			etc_text_i64(t, converted[i].i);
		else
			etc_insp_put_real(t, style, converted ? converted[i].f : raw[i % MOST]);
	}
	etc_text_char(t, ']');
}

/* ---- nodes --------------------------------------------------------------------------- */

static void put_node_name(struct etc_text *t, enum etc_insp_style style, struct etc_str name)
{
	struct etc_text full = { 0 };

	etc_text_put(&full, name);
	etc_text_char(&full, '_');
	etc_insp_put_str(t, style, etc_text_str(&full));
	t->failed = t->failed || full.failed;
	etc_text_release(&full);
}

/* Is module `m` the first of the node's modules with its key? Sets `*last` to the last one with
 * this key. As in a dict, the first of equal keys determines the position, the last the value. */
static bool is_first(const struct etc_node *n, uint32_t m, uint32_t *last)
{
	bool first = true;

	for (uint32_t i = 0; i < n->module_count; i++)
		if (etc_str_eq(n->modules[i].key, n->modules[m].key)) {
			first = first && i >= m;
			*last = i;
		}
	return first;
}

/* Writes the modules of a node; each is a tuple in the style of Python, and a list in JSON. */
static void put_modules(struct etc_text *t, enum etc_insp_style style, const struct etc_node *n)
{
	const bool json = style == ETC_INSP_JSON;
	uint32_t written = 0, last = 0;

	if (!n->has_modules) {
		etc_insp_put_none(t, style);
		return;
	}
	etc_text_char(t, '{');
	for (uint32_t m = 0; m < n->module_count; m++) {
		if (!is_first(n, m, &last))
			continue;
		etc_insp_comma(t, written++);
		etc_insp_put_str(t, style, n->modules[m].key);
		etc_text_cstr(t, json ? ": [" : ": (");
		etc_insp_put_str(t, style, n->modules[last].path);
		etc_text_cstr(t, ", ");
		etc_insp_put_str(t, style, n->modules[last].klass);
		etc_text_char(t, json ? ']' : ')');
	}
	etc_text_char(t, '}');
}

void etc_insp_put_nodes(struct etc_text *t, enum etc_insp_style style,
                        const struct etc_insp_event *e, bool modules)
{
	const struct etc_insp_extra *x = etc_insp_extra(e);

	etc_text_char(t, '{');
	for (uint32_t i = 0; i < x->node_count; i++) {
		etc_insp_comma(t, i);
		put_node_name(t, style, x->nodes[i]->name);
		etc_text_cstr(t, ": ");
		if (modules)
			put_modules(t, style, x->nodes[i]);
		else if (x->nodes[i]->has_stack_trace)
			etc_insp_put_str(t, style, x->nodes[i]->stack_trace);
		else
			etc_insp_put_none(t, style);
	}
	etc_text_char(t, '}');
}
