/* bundled_text.c -- writes a BundledProgram and external data as text; see bundled_text.h */
#include "commands/dump/bundled_text.h"

#include "commands/dump/etdump_text.h"
#include "commands/dump/program_text.h"

const char *etc_view_bundled_kind(unsigned kind)
{
	static const char *const names[ETC_BUNDLED_KINDS] = {
		[ETC_BUNDLED_TENSOR] = "Tensor",
		[ETC_BUNDLED_INT] = "Int",
		[ETC_BUNDLED_BOOL] = "Bool",
		[ETC_BUNDLED_DOUBLE] = "Double",
	};

	return kind < ETC_BUNDLED_KINDS ? names[kind] : NULL;
}

static void values(const char *what, const struct etc_bundled_value *v, uint32_t count,
                   struct etc_text *out)
{
	etc_text_printf(out, "    %s %lu\n", what, (unsigned long)count);
	for (uint32_t i = 0; i < count && !out->failed; i++) {
		const char *kind = etc_view_bundled_kind(v[i].kind);

		etc_text_printf(out, "      [%lu] %s ", (unsigned long)i, kind ? kind : "-");
		if (v[i].kind == ETC_BUNDLED_TENSOR) {
			etc_view_type_and_sizes(v[i].scalar_type, v[i].sizes, out);
			etc_text_printf(out, "  %zu bytes", v[i].data.len);
		} else if (v[i].kind == ETC_BUNDLED_INT) {
			etc_text_i64(out, v[i].integer);
		} else if (v[i].kind == ETC_BUNDLED_BOOL) {
			etc_text_cstr(out, v[i].integer ? "true" : "false");
		} else if (v[i].kind == ETC_BUNDLED_DOUBLE) {
			etc_text_printf(out, "%.17g", v[i].number);
		}
		etc_text_char(out, '\n');
	}
}

void etc_view_dump_bundled(const struct etc_bundled_program *p, size_t file_bytes,
                           struct etc_text *out)
{
	etc_text_printf(out,
	                "bundled program, %zu bytes\n  identifier          BP08\n"
	                "  version             %lu\n  method_test_suites  %lu\n",
	                file_bytes, (unsigned long)p->version, (unsigned long)p->suite_count);
	for (uint32_t i = 0; i < p->suite_count && !out->failed; i++) {
		const struct etc_bundled_suite *s = &p->suites[i];

		etc_text_printf(out, "\nmethod_test_suites[%lu]\n  method_name  ",
		                (unsigned long)i);
		etc_view_quoted(s->method, out);
		etc_text_printf(out, "\n  test_cases   %lu\n", (unsigned long)s->case_count);
		for (uint32_t k = 0; k < s->case_count && !out->failed; k++) {
			const struct etc_bundled_case *c = &s->cases[k];

			etc_text_printf(out, "   [%lu]\n", (unsigned long)k);
			values("inputs", c->inputs, c->input_count, out);
			values("expected_outputs", c->outputs, c->output_count, out);
		}
	}
}

void etc_view_dump_tensor_file(const struct etc_tensor_file *f, struct etc_span file,
                               struct etc_text *out)
{
	etc_text_printf(
		out,
		"external data, %zu bytes\n  identifier  FT01\n  header      %lu bytes: "
		"FlatBuffer %llu bytes at byte %llu, segments from byte %llu on, %llu bytes\n"
		"  version     %lu\n  segments    %lu\n",
		file.len, (unsigned long)f->header_length, (unsigned long long)f->flatbuffer_bytes,
		(unsigned long long)f->flatbuffer_at, (unsigned long long)f->segments_at,
		(unsigned long long)f->segments_bytes, (unsigned long)f->version,
		(unsigned long)f->segment_count);
	if (f->data_count)
		etc_text_cstr(out, "\nnamed_data\n  segment        at byte        bytes  key\n");
	for (uint32_t i = 0; i < f->data_count && !out->failed; i++) {
		const struct etc_external_data *d = &f->data[i];

		etc_text_printf(out, "  %7lu  %13zu  %11zu  ", (unsigned long)d->segment,
		                (size_t)(d->bytes.ptr - file.ptr), d->bytes.len);
		etc_view_quoted(d->key, out);
		if (d->is_tensor) {
			etc_text_cstr(out, "  ");
			etc_view_type_and_sizes(d->scalar_type, d->sizes, out);
		}
		etc_text_char(out, '\n');
	}
}
