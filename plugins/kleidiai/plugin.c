/* plugin.c -- the kleidiai plugin: finds the events of XNNPACK for which a kernel of Arm's KleidiAI
 * ran.
 *
 * KleidiAI is not a backend but a library that XNNPACK uses, so this plugin is an annotator. It
 * decides only from the answers of the events' owner (decide.h), never from the name of a file. */
#include "../xnnpack/nodes.h"
#include "known.h"
#include "microkernel.h"

#include <stdlib.h>
#include <string.h>

static const char *const backends[] = { "XnnpackBackend", NULL };

static const struct etcore_option cpu_features = {
	.size = sizeof cpu_features,
	.type = ETCORE_TYPE_STR,
	.name = "cpu_features",
	.help = "features of the processor that ran, as in /proc/cpuinfo (asimddp i8mm sme sme2): "
		"leaves only the instruction sets that it has",
};

static const struct etcore_option cpu = {
	.size = sizeof cpu,
	.type = ETCORE_TYPE_STR,
	.name = "cpu",
	.help = "best instruction set of the processor that ran (sme2, sme, i8mm or dotprod): "
		"names "
		"the micro-kernel that XNNPACK takes there, an inference",
};

static const struct etcore_option *const options[] = { &cpu_features, &cpu, NULL };

struct kleidiai {
	const struct etcore_host *host;
	/* set of ISA_*: the processor's instruction sets according to the option `cpu_features`;
	 * all, if the option is not set */
	uint32_t has;
	uint32_t best; /* ISA_*: the instruction set in the option `cpu`; 0: it is not set */
	struct xnnpack_nodes nodes;
	struct kleidiai_known known;
	bool warned;
};

static bool is_named(const struct etcore_setting *setting, const struct etcore_option *option)
{
	return setting->name.len == strlen(option->name) &&
	       memcmp(setting->name.ptr, option->name, (size_t)setting->name.len) == 0;
}

static void say(const struct kleidiai *k, const char *message)
{
	if (k->host->diagnose)
		k->host->diagnose(k->host->handle, ETCORE_SEVERITY_WARNING,
		                  (struct etcore_text){ message, strlen(message) });
}

static etcore_result open_instance(const struct etcore_host *host,
                                   const struct etcore_setting *const *settings, uint32_t count,
                                   void **self)
{
	struct kleidiai *k = calloc(1, sizeof *k);

	if (!k)
		return ETCORE_NOMEM;
	k->host = host;
	k->has = ISA_ALL;
	for (uint32_t i = 0; i < count; i++) {
		struct etcore_text value = settings[i]->value;

		if (value.len == 0)
			continue;
		if (is_named(settings[i], &cpu_features))
			/* every AArch64 processor has NEON */
			k->has = isa_from_features(value) | ISA_NEON;
		else if (is_named(settings[i], &cpu))
			k->best = isa_from_features(value);
		if (is_named(settings[i], &cpu) && !microkernel_has(k->best)) {
			say(k, "cpu is sme2, sme, i8mm or dotprod");
			free(k);
			return ETCORE_FAILED;
		}
	}
	*self = k;
	return ETCORE_OK;
}

static void close_instance(void *self)
{
	struct kleidiai *k = self;

	xnnpack_nodes_release(&k->nodes);
	kleidiai_known_release(&k->known);
	free(k);
}

static etcore_result put(const struct etcore_text_sink *out, uint32_t field, const char *text)
{
	struct etcore_text value = { text, strlen(text) };

	return value.len ? out->put(out->handle, field, value) : ETCORE_OK;
}

/* Removes from `isas` the instruction sets that the processor does not have. If none would be left,
 * the option `cpu_features` describes another processor than that of the run; this is reported
 * once, and `isas` is returned unchanged. */
static uint32_t narrow(struct kleidiai *k, uint32_t isas)
{
	static const char message[] = "cpu_features is not of the machine that ran this: "
				      "it has none of the instruction sets of a kernel that ran";

	if (isas == 0 || isas & k->has)
		return isas & k->has;
	if (!k->warned)
		say(k, message);
	k->warned = true;
	return isas;
}

/* Passes the name of the micro-kernel that XNNPACK selects for the instruction set in the option
 * `cpu`. The micro-kernel depends on the number of rows of the left operand; if this number is
 * unknown, both candidates are named. */
static etcore_result put_microkernel(struct kleidiai *k, const struct etcore_call *call,
                                     uint32_t index, const struct etcore_text_sink *out)
{
	char text[MICROKERNEL_MAX];
	uint64_t rows;

	if (!k->best)
		return ETCORE_OK;
	if (!xnnpack_nodes_find(&k->nodes, call, index))
		return ETCORE_NOMEM;
	rows = k->nodes.v[index].rows;
	if (rows > 1 && ETCORE_HAS(call, struct etcore_call, flags) &&
	    call->flags & ETCORE_CALL_DYNAMIC_SHAPES)
		rows = 0; /* with dynamic shapes, the blob has the largest number of rows; a run may
		           * have had one row */
	microkernel_text(call->events[index]->facts, k->best, rows, text);
	return put(out, ETCORE_CLASS_MICROKERNEL, text);
}

static etcore_result classify(void *self, const struct etcore_call *call, uint32_t index,
                              const struct etcore_text_sink *out)
{
	const struct etcore_event *event = call->events[index];
	struct kleidiai *k = self;
	struct kleidiai_known_kind *kind;
	const struct decision *d;
	etcore_result r;

	if (!(event->flags & ETCORE_EVENT_DELEGATE) || !event->facts)
		return ETCORE_DECLINE;
	kind = kleidiai_known_find(&k->known, event->facts);
	if (!kind)
		return ETCORE_DECLINE;
	d = &kind->decision;
	if (!kind->told)
		isa_text(narrow(k, d->isas), kind->isa, sizeof kind->isa);
	kind->told = true;
	r = out->put_number(out->handle, ETCORE_CLASS_LIBRARY_RAN, d->ran);
	if (r == ETCORE_OK)
		r = out->put_number(out->handle, ETCORE_CLASS_IS_MATRIX, d->is_matrix);
	if (r == ETCORE_OK && d->ran == ETCORE_RAN_YES)
		r = put(out, ETCORE_CLASS_KERNEL_LIBRARY, "kleidiai");
	if (r == ETCORE_OK && d->why.len > 0)
		r = out->put(out->handle, ETCORE_CLASS_LIBRARY_WHY, d->why);
	if (r == ETCORE_OK)
		r = put(out, ETCORE_CLASS_ISA, kind->isa);
	if (r == ETCORE_OK)
		r = put(out, ETCORE_CLASS_VARIANT, d->variant);
	if (r == ETCORE_OK)
		r = put(out, ETCORE_CLASS_CANONICAL, d->canonical);
	if (r == ETCORE_OK && d->ran == ETCORE_RAN_YES)
		r = put_microkernel(k, call, index, out);
	return r;
}

ETCORE_EXPORT const struct etcore_plugin etcore_plugin_v1 = {
	.size = sizeof(struct etcore_plugin),
	.abi_major = ETCORE_PLUGIN_ABI_MAJOR,
	.abi_minor = ETCORE_PLUGIN_ABI_MINOR,
	.role = ETCORE_ROLE_ANNOTATOR,
	.sees = ETCORE_SEES_DELEGATE,
	.name = "kleidiai",
	.version = "1.0.0",
	.vendor = "etcore",
	.description = "which XNNPACK events ran a KleidiAI kernel, and why one can tell",
	.backends = backends,
	.options = options,
	.open = open_instance,
	.close = close_instance,
	.classify = classify,
	.title = "KleidiAI",
};
