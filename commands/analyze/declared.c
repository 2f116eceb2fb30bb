/* declared.c -- makes the columns that plugins declare; see declared.h */
#include "commands/analyze/declared.h"

#include <string.h>

#include "model/datum.h"
#include "model/own_columns.h"
#include "table/cells.h"

/* Returns the column's name in tables: the declared name, or "metadata.NAME" if etcore itself has a
 * column NAME. NULL: out of memory. */
static const char *shown_name(struct etc_str name, struct etc_arena *arena)
{
	if (etc_column_own(name).ptr)
		return etc_arena_printf(arena, "metadata." ETC_STR_FMT, ETC_STR_ARG(name)).ptr;
	return etc_arena_cstr(arena, name);
}

bool etc_declared_meet(struct etc_declared_columns *d, struct etc_str name)
{
	return etc_map_add(&d->at, name, d->at.count) != ETC_MAP_NONE;
}

bool etc_declared_begin(struct etc_declared_columns *d, const struct etc_declared *all,
                        uint32_t count, bool of_rows, struct etc_arena *arena)
{
	bool ok = true;

	*d = (struct etc_declared_columns){
		.all = all, .count = count, .of_rows = of_rows, .arena = arena
	};
	etc_map_init(&d->at, arena);
	for (uint32_t i = 0; i < count && ok; i++)
		if (all[i].owned && !etc_declared_is_family(all[i].name))
			ok = etc_declared_meet(d, all[i].name);
	return ok;
}

static uint8_t cell_of(uint8_t type)
{
	static const uint8_t cells[] = { [ETC_TYPE_STR] = ETC_CELL_TEXT,
		                         [ETC_TYPE_I64] = ETC_CELL_INT,
		                         [ETC_TYPE_F64] = ETC_CELL_REAL,
		                         [ETC_TYPE_BOOL] = ETC_CELL_BOOL,
		                         [ETC_TYPE_JSON] = ETC_CELL_TEXT };

	return type < sizeof cells ? cells[type] : ETC_CELL_TEXT;
}

static bool is_number(const struct etc_declared *c)
{
	return c->type == ETC_TYPE_I64 || c->type == ETC_TYPE_F64;
}

/* Sets the type of a column's cells. Undeclared columns (`c` is NULL) are text; in a table of rows,
 * the undeclared column "metadata" is a list of texts. */
static void set_type(struct etc_column *to, const struct etc_declared *c, bool of_rows)
{
	bool list = c ? c->rollup == ETC_ROLLUP_SET : strcmp(to->name, "metadata") == 0;

	to->cell = c ? cell_of(c->type) : ETC_CELL_TEXT;
	if (of_rows && list) {
		to->items = to->cell;
		to->cell = ETC_CELL_LIST;
	} else if (of_rows && c && is_number(c) &&
	           (c->rollup == ETC_ROLLUP_MEAN || c->rollup == ETC_ROLLUP_TIME_MEAN)) {
		to->cell = ETC_CELL_REAL;
	}
	to->right = to->cell == ETC_CELL_INT || to->cell == ETC_CELL_REAL;
	to->style = to->cell == ETC_CELL_REAL ? ETC_STYLE_NUMBER : ETC_STYLE_PLAIN;
}

static bool make(const struct etc_declared *c, struct etc_str name, bool of_rows,
                 struct etc_arena *arena, struct etc_column *to)
{
	*to = (struct etc_column){
		.name = c ? shown_name(name, arena) : etc_arena_cstr(arena, name),
		.help = c && c->help && c->help[0] ? c->help : "from the delegate's metadata",
		.unit = c && c->unit ? c->unit : "",
		.extra = true,
	};
	if (!to->name)
		return false;
	set_type(to, c, of_rows);
	to->title = to->name;
	return true;
}

bool etc_declared_columns(const struct etc_declared_columns *d, struct etc_column *to)
{
	bool ok = true;

	for (size_t i = 0; i < d->at.room && ok; i++) {
		const struct etc_map_slot *s = &d->at.slots[i];

		if (s->hash)
			ok = make(etc_declared_find(d->all, d->count, s->key), s->key, d->of_rows,
			          d->arena, &to[s->value]);
	}
	return ok;
}

uint32_t etc_declared_elsewhere(const struct etc_declared *all, uint32_t count,
                                struct etc_column *to, struct etc_arena *arena)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < count; i++) {
		if (all[i].owned || etc_declared_is_family(all[i].name))
			continue;
		if (!make(&all[i], all[i].name, true, arena, &to[n]))
			return UINT32_MAX;
		to[n++].typed = true;
	}
	return n;
}

/* ---- values ----------------------------------------------------------------------- */

static struct etc_cell text_of(const struct etc_datum *d, struct etc_arena *arena)
{
	struct etc_datum text = *d;

	if (!etc_datum_as(&text, 0, arena))
		return (struct etc_cell){ .kind = UINT8_MAX };
	return etc_cell_string(text.text);
}

static struct etc_cell scalar(uint8_t kind, const struct etc_datum *d, struct etc_arena *arena)
{
	struct etc_datum typed = *d;

	if (d->kind == ETC_DATUM_NULL)
		return (struct etc_cell){ .kind = ETC_CELL_BLANK };
	if (!etc_datum_as(&typed, d->type, arena))
		return (struct etc_cell){ .kind = UINT8_MAX };
	if (kind == ETC_CELL_REAL && typed.kind == ETC_DATUM_I64)
		return (struct etc_cell){ .kind = kind, .f = (double)typed.i };
	if (kind == ETC_CELL_REAL && typed.kind == ETC_DATUM_F64)
		return (struct etc_cell){ .kind = kind, .f = typed.f };
	if ((kind == ETC_CELL_INT && typed.kind == ETC_DATUM_I64) ||
	    (kind == ETC_CELL_BOOL && typed.kind == ETC_DATUM_BOOL))
		return (struct etc_cell){ .kind = kind, .i = typed.i };
	/* the value's type is not that of the column: another plugin declared the column */
	return text_of(&typed, arena);
}

static struct etc_cell list(uint8_t kind, const struct etc_datum *d, struct etc_arena *arena)
{
	bool is_list = d->kind == ETC_DATUM_LIST;
	const struct etc_datum *from = is_list ? d->items : d;
	uint32_t n = is_list ? d->count : 1;
	struct etc_cell *items = etc_new(arena, struct etc_cell, n);

	if (d->kind == ETC_DATUM_NULL)
		return (struct etc_cell){ .kind = ETC_CELL_BLANK };
	if (!items)
		return (struct etc_cell){ .kind = UINT8_MAX };
	for (uint32_t i = 0; i < n; i++) {
		items[i] = scalar(kind, &from[i], arena);
		if (items[i].kind == UINT8_MAX)
			return items[i];
	}
	return etc_cell_list(items, n, arena);
}

struct etc_cell etc_declared_cell(const struct etc_column *column, const struct etc_datum *d,
                                  struct etc_arena *arena)
{
	return column->cell == ETC_CELL_LIST ? list(column->items, d, arena)
	                                     : scalar(column->cell, d, arena);
}
