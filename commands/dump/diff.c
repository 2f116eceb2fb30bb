/* diff.c -- see dump.h: `etcore dump A --diff B`, which compares two programs. */
#include "context/output.h"

#include "base/map.h"
#include "base/sha256.h"
#include "commands/dump/dump.h"
#include "commands/dump/etdump_text.h"
#include "commands/dump/schema.h"
#include "formats/program/bundled.h"
#include "formats/program/program.h"
#include "model/scalar_type.h"
#include "tensor/program_sizes.h"
#include "tensor/program_tensor.h"

/* ---- the differences of two programs ------------------------------------------- */

/* What a row is about. The comments say what `name` of the row, and `count` and `bytes` of its
 * amounts are. Rows of one method with the same name are added up. */
enum etc_program_part {
	/* a kind of contents of the file, such as constants; bytes: their size */
	ETC_PART_SIZE,
	ETC_PART_METHOD,   /* a method; count: number of its instructions */
	ETC_PART_MEMORY,   /* a planned memory; name: its id; bytes: its size */
	ETC_PART_OPERATOR, /* an operator; count: number of instructions that call it */
	ETC_PART_DELEGATE, /* name: backend and hash of the blob; count: number of delegates */
	ETC_PART_CONSTANT, /* name: type, sizes and hash of the data; count: number of tensors */
	ETC_PART_NAMED,    /* name: key and hash; count: number of pieces of named data */
	ETC_PARTS
};

/* A row's amounts in one of the two programs. */
struct etc_part_amount {
	bool present;
	uint64_t count, bytes;
};

struct etc_part_row {
	uint8_t part;          /* enum etc_program_part */
	struct etc_str method; /* empty: the row is about the file */
	struct etc_str name;
	struct etc_part_amount side[2]; /* amounts in A and B */
};

struct etc_program_diff {
	/* sorted by part, then in the order of A. Within a part, rows that only B has come last */
	const struct etc_part_row *rows;
	uint32_t row_count, equal_count;
	/* the files have the same bytes. (If all rows are equal, the files may still differ, since
	 * rows do not cover every byte.) */
	bool identical;
};

/* A program and its bytes. */
struct etc_diffed {
	const struct etc_program *program;
	struct etc_span file;
};

struct builder {
	struct etc_arena *arena;
	/* maps a part of the program, a method and a name to the index of a row */
	struct etc_map places;
	struct etc_part_row *rows;
	uint32_t count, room;
	int side;
	bool failed;
};

/* Returns the name of a part, such as "size" or "method". */
static const char *part_text(unsigned part)
{
	static const char *const texts[ETC_PARTS] = {
		[ETC_PART_SIZE] = "size",         [ETC_PART_METHOD] = "method",
		[ETC_PART_MEMORY] = "memory",     [ETC_PART_OPERATOR] = "operator",
		[ETC_PART_DELEGATE] = "delegate", [ETC_PART_CONSTANT] = "constant",
		[ETC_PART_NAMED] = "data",
	};

	return texts[part];
}

static bool is_part_equal(const struct etc_part_row *r)
{
	return r->side[0].present == r->side[1].present && r->side[0].count == r->side[1].count &&
	       r->side[0].bytes == r->side[1].bytes;
}

/* Adds `count` and `bytes` to the amounts of the current program (b->side) in the row with this
 * part, method and name. If there is no such row, appends one. */
static void add(struct builder *b, uint8_t part, struct etc_str method, struct etc_str name,
                uint64_t count, uint64_t bytes)
{
	struct etc_str key =
		etc_arena_printf(b->arena, "%u %zu " ETC_STR_FMT ETC_STR_FMT, (unsigned)part,
	                         method.len, ETC_STR_ARG(method), ETC_STR_ARG(name));
	size_t at = b->failed || !key.ptr ? ETC_MAP_NONE : etc_map_add(&b->places, key, b->count);
	struct etc_part_row *row = at == ETC_MAP_NONE ? NULL
	                           : at < b->count
	                                   ? &b->rows[at]
	                                   : ETC_APPEND(b->arena, b->rows, b->count, b->room);

	if (!row) {
		b->failed = true;
		return;
	}
	row->part = part;
	row->method = method;
	row->name = name;
	row->side[b->side].present = true;
	row->side[b->side].count += count;
	row->side[b->side].bytes += bytes;
}

/* Returns the text `what`, followed by the first half of the SHA-256 of the data. Half of the hash
 * is enough to distinguish data. */
static struct etc_str with_hash(struct builder *b, struct etc_str what, struct etc_span data)
{
	uint8_t digest[ETC_SHA256_BYTES];

	etc_sha256_of(data, digest);
	return etc_arena_printf(
		b->arena,
		ETC_STR_FMT
		" sha256 %02x%02x%02x%02x%02x%02x%02x%02x%02x%02x%02x%02x%02x%02x%02x%02x",
		ETC_STR_ARG(what), digest[0], digest[1], digest[2], digest[3], digest[4], digest[5],
		digest[6], digest[7], digest[8], digest[9], digest[10], digest[11], digest[12],
		digest[13], digest[14], digest[15]);
}

static struct etc_str shape_of(struct builder *b, const struct etc_evalue_tensor *t)
{
	const struct etc_scalar_type *type = etc_scalar_type(t->scalar_type);
	struct etc_str text = type ? etc_str_of(type->name)
	                           : etc_arena_printf(b->arena, "type %d", t->scalar_type);

	for (uint32_t i = 0; i < t->sizes.count; i++)
		text = etc_arena_printf(b->arena, ETC_STR_FMT "%s%ld", ETC_STR_ARG(text),
		                        i ? "x" : " ", (long)etc_i32_at(t->sizes, i));
	return text;
}

/* ---- the parts -------------------------------------------------------------------- */

static void add_sizes(struct builder *b, const struct etc_program_sizes *s)
{
	const struct {
		const char *name;
		uint32_t count;
		uint64_t bytes;
	} rows[] = {
		{ "file", 1, s->file },
		{ "constants", s->constant_count, s->constants },
		{ "initial states", s->initial_count, s->initial },
		{ "delegate blobs", s->delegate_count, s->delegates },
		{ "named data", s->named_count, s->named },
		{ "external", s->external_count, s->external },
		{ "tables, padding", 1, s->rest },
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
		if (rows[i].count)
			add(b, ETC_PART_SIZE, ETC_STR(""), etc_str_of(rows[i].name), rows[i].count,
			    rows[i].bytes);
}

static void add_instructions(struct builder *b, const struct etc_program_method *m)
{
	uint64_t total = 0;

	for (uint32_t c = 0; c < m->chain_count; c++)
		total += m->chains[c].count;
	add(b, ETC_PART_METHOD, m->name, m->name, total, 0);
	for (uint32_t c = 0; c < m->chain_count; c++)
		for (uint32_t i = 0; i < m->chains[c].count && !b->failed; i++) {
			const struct etc_instruction *n = &m->chains[c].instructions[i];

			if (n->kind == ETC_INSTRUCTION_KERNEL)
				add(b, ETC_PART_OPERATOR, m->name, m->operators[n->index].text, 1,
				    0);
		}
}

static void add_delegates(struct builder *b, const struct etc_program_method *m)
{
	for (uint32_t i = 0; i < m->delegate_count && !b->failed; i++)
		add(b, ETC_PART_DELEGATE, m->name,
		    with_hash(b, m->delegates[i].backend, m->delegates[i].processed), 1,
		    m->delegates[i].processed.len);
}

static void add_memories(struct builder *b, const struct etc_program_method *m)
{
	for (uint32_t i = 1; i < m->memory.count && !b->failed; i++) {
		int64_t bytes = etc_i64_at(m->memory, i);

		add(b, ETC_PART_MEMORY, m->name,
		    etc_arena_printf(b->arena, "memory %lu", (unsigned long)i), 1,
		    bytes > 0 ? (uint64_t)bytes : 0);
	}
}

static void add_constants(struct builder *b, const struct etc_diffed *side,
                          const struct etc_program_method *m)
{
	for (uint32_t i = 0; i < m->value_count && !b->failed; i++) {
		const struct etc_evalue *v = &m->values[i];
		struct etc_tensor_data_place place;

		if (v->kind == ETC_EVALUE_TENSOR &&
		    etc_tensor_data_place(side->program, side->file, v->tensor, &place))
			add(b, ETC_PART_CONSTANT, m->name,
			    with_hash(b, shape_of(b, v->tensor), place.bytes), 1, place.bytes.len);
	}
}

static void add_named(struct builder *b, const struct etc_diffed *side)
{
	for (uint32_t i = 0; i < side->program->named_count && !b->failed; i++) {
		struct etc_span data = etc_named_data_bytes(side->program, side->file, i);

		add(b, ETC_PART_NAMED, ETC_STR(""),
		    with_hash(b, side->program->named_data[i].key, data), 1, data.len);
	}
}

static enum etc_status add_side(struct builder *b, const struct etc_diffed *side,
                                struct etc_error *err)
{
	const struct etc_program *p = side->program;
	struct etc_program_sizes sizes;

	ETC_TRY(etc_program_sizes(p, side->file, b->arena, &sizes, err));
	add_sizes(b, &sizes);
	for (uint32_t i = 0; i < p->method_count; i++) {
		add_instructions(b, &p->methods[i]);
		add_memories(b, &p->methods[i]);
		add_delegates(b, &p->methods[i]);
		add_constants(b, side, &p->methods[i]);
	}
	add_named(b, side);
	return b->failed ? etc_no_memory(err) : ETC_OK;
}

/* Sorts rows by part with a counting sort, which keeps the order of the rows of a part. */
static enum etc_status sort(const struct builder *b, struct etc_program_diff *out,
                            struct etc_error *err)
{
	struct etc_part_row *rows = etc_new(b->arena, struct etc_part_row, b->count);
	uint32_t at = 0;

	ETC_NEED(rows, err);
	for (uint8_t part = 0; part < ETC_PARTS; part++)
		for (uint32_t i = 0; i < b->count; i++)
			if (b->rows[i].part == part) {
				out->equal_count += is_part_equal(&b->rows[i]);
				rows[at++] = b->rows[i];
			}
	out->rows = rows;
	out->row_count = b->count;
	return ETC_OK;
}

/* Compares two programs part by part. Reads all data of both programs once, to compute hashes.
 * E0904. */
static enum etc_status compare_programs(const struct etc_diffed sides[2], struct etc_arena *arena,
                                        struct etc_program_diff *out, struct etc_error *err)
{
	struct builder b = { .arena = arena };

	*out = (struct etc_program_diff){ .identical = sides[0].file.len == sides[1].file.len &&
		                                       !memcmp(sides[0].file.ptr, sides[1].file.ptr,
		                                               sides[0].file.len) };
	etc_map_init(&b.places, arena);
	for (b.side = 0; b.side < 2; b.side++)
		ETC_TRY(add_side(&b, &sides[b.side], err));
	return sort(&b, out, err);
}

struct pair {
	const char *paths[2];
	struct etc_program_diff diff;
};

/* ---- text ---------------------------------------------------------------- */

static void put_amount(const struct etc_part_row *r, int side, struct etc_text *out)
{
	const struct etc_part_amount *a = &r->side[side];
	bool bytes = r->part == ETC_PART_SIZE || r->part == ETC_PART_MEMORY;

	if (!a->present)
		etc_text_printf(out, " %13s", "-");
	else
		etc_text_printf(out, " %13llu", (unsigned long long)(bytes ? a->bytes : a->count));
}

static void put_row(const struct etc_part_row *r, struct etc_text *out)
{
	etc_text_printf(out, "%-9s", part_text(r->part));
	put_amount(r, 0, out);
	put_amount(r, 1, out);
	etc_text_cstr(out, "  ");
	if (r->method.len && r->part != ETC_PART_METHOD) {
		etc_view_clean(r->method, out);
		etc_text_cstr(out, ": ");
	}
	etc_view_clean(r->name, out);
	if (r->part == ETC_PART_DELEGATE || r->part == ETC_PART_CONSTANT ||
	    r->part == ETC_PART_NAMED)
		etc_text_printf(out, ", %llu bytes",
		                (unsigned long long)(r->side[0].present ? r->side[0].bytes
		                                                        : r->side[1].bytes));
	else if (r->part == ETC_PART_METHOD)
		etc_text_cstr(out, ", instructions");
	else if (r->part != ETC_PART_OPERATOR)
		etc_text_cstr(out, ", bytes");
	etc_text_char(out, '\n');
}

/* Returns the end of the summary line. Programs with equal rows may still differ, because rows do
 * not cover every byte. */
static const char *rest(const struct etc_program_diff *d)
{
	if (d->identical)
		return ": the programs are identical";
	if (d->equal_count == d->row_count)
		return ", but the programs differ: in order or arguments of instructions, values, "
		       "or bytes that no row counts";
	return "";
}

/* Writes the rows that differ, and the number of rows that are equal. */
static void put_text(void *what, struct etc_text *out)
{
	const struct pair *p = what;
	const struct etc_program_diff *d = &p->diff;

	for (int i = 0; i < 2; i++) {
		etc_text_printf(out, "%c  ", "AB"[i]);
		etc_view_clean(etc_str_of(p->paths[i]), out);
		etc_text_char(out, '\n');
	}
	if (d->equal_count < d->row_count)
		etc_text_printf(out, "\n%-9s %13s %13s\n", "", "A", "B");
	for (uint32_t i = 0; i < d->row_count && !out->failed; i++)
		if (!is_part_equal(&d->rows[i]))
			put_row(&d->rows[i], out);
	etc_text_printf(out, "\n%lu of %lu equal%s\n", (unsigned long)d->equal_count,
	                (unsigned long)d->row_count, rest(d));
}

/* ---- JSON ---------------------------------------------------------------- */

static void equal(const struct etc_walk *w, const char *name, const void *row)
{
	etc_emit_bool(w->e, name, is_part_equal(row));
}

/* clang-format off */
#define SIDE struct etc_part_amount
static const struct etc_schema side = { ETC_SCHEMA(SIDE,
	{ ETC_FIELD(SIDE, "count", count) },
	{ ETC_FIELD(SIDE, "bytes", bytes) }) };

#define ROW struct etc_part_row
static const struct etc_schema row = { ETC_SCHEMA(ROW,
	{ ETC_FIELD(ROW, "part", part), .word = part_text },
	{ ETC_FIELD(ROW, "method", method) },
	{ ETC_FIELD(ROW, "name", name) },
	{ ETC_FIELD_AS(TABLE, ROW, "a", side[0]), .of = &side, ETC_FIELD_IF(ROW, side[0].present) },
	{ ETC_FIELD_AS(TABLE, ROW, "b", side[1]), .of = &side, ETC_FIELD_IF(ROW, side[1].present) },
	{ ETC_FIELD_BY("equal", equal) }) };

#define PAIR struct pair
static const struct etc_schema document = { ETC_SCHEMA(PAIR,
	{ ETC_FIELD_IS("schema", "etcore.program-diff/1") },
	{ ETC_FIELD(PAIR, "a", paths[0]) },
	{ ETC_FIELD(PAIR, "b", paths[1]) },
	{ ETC_FIELD(PAIR, "identical", diff.identical) },
	{ ETC_FIELD_TABLES(PAIR, "rows", diff.rows, diff.row_count, row), .lines = true }),
	.bare = true };
/* clang-format on */

static void put_json(void *what, struct etc_text *out)
{
	struct etc_emit e = { .out = out };

	etc_emit_block(&e, NULL, '{');
	etc_walk_table(&(struct etc_walk){ .e = &e }, NULL, &document, what);
	etc_text_char(out, '\n');
	etc_emit_close(&e);
}

static const struct etc_format formats[] =
	ETC_FORMAT_ARRAY(ETC_TEXT_JSON_FORMATS, ETC_DOCUMENT_FORMAT);

static enum etc_status read(struct etc_session *s, const char *path, struct etc_diffed *out,
                            struct etc_error *err)
{
	struct etc_program *p = etc_new(&s->arena, struct etc_program, 1);

	ETC_NEED(p, err);
	out->program = p;
	ETC_TRY(etc_session_open(s, path, &out->file, err));
	if (etc_bundled_is(out->file))
		ETC_TRY(etc_bundled_inner(out->file, &out->file, err));
	return etc_program_read_whole(out->file, &s->settings.limits, &s->arena, p, err);
}

enum etc_status etc_dump_programs(struct etc_session *s, const struct etc_dump_options *o,
                                  const struct etc_reply *reply, struct etc_error *err)
{
	struct pair p = { .paths = { o->file, o->diff } };
	struct etc_targets targets;
	struct etc_diffed sides[2];

	ETC_TRY(etc_targets_parse(&targets, formats, &o->output, &s->arena, err));
	for (int i = 0; i < 2; i++)
		ETC_TRY(etc_in_file(err, read(s, p.paths[i], &sides[i], err), p.paths[i]));
	ETC_TRY(compare_programs(sides, &s->arena, &p.diff, err));
	ETC_TRY(etc_session_report(s, o->common.strict, reply, err));
	return etc_targets_document(&targets, &p, reply->out, err);
}
