// SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause
/* Finds and gets the wanted fields of events, by their names. */
#include "read.h"

/* Finds the places of the fields with these names; a name may be NULL. */
static void find_members(struct ctf_class *class, const char *const *names)
{
	const bt_field_class *payload = bt_event_class_borrow_payload_field_class_const(class->class);
	const bt_field_class_structure_member *member;
	u64 i, members = payload ? bt_field_class_structure_get_member_count(payload) : 0;
	unsigned int n;

	for (n = 0; n < CTF_FIELDS_MAX; n++) {
		class->member[n] = -1;
		if (names[n])
			class->count = n + 1;
	}
	for (i = 0; i < members && i <= INT16_MAX; i++) {
		member = bt_field_class_structure_borrow_member_by_index_const(payload, i);
		for (n = 0; n < class->count; n++)
			if (names[n] && !strcmp(names[n], bt_field_class_structure_member_get_name(member)))
				class->member[n] = (int16_t)i;
	}
}

static void learn_kernel(struct ctf_class *class, const char *name)
{
	const struct ctf_kernel_layout *layout;
	enum ctf_kernel_event which;

	for (which = 0; which < CTF_KERNEL_EVENTS; which++) {
		layout = &ctf_kernel_layouts[which];
		if (strcmp(name, layout->name)) {
			layout = &ctf_perf_layouts[which];
			if (!layout->name || strcmp(name, layout->name))
				continue;
		}
		class->meaning = CTF_MEANS_KERNEL;
		class->which = which;
		find_members(class, layout->fields);
		return;
	}
}

void ctf_class_learn(struct ctf_class *class, enum ctf_meaning meaning)
{
	const char *name = bt_event_class_get_name(class->class);

	class->meaning = CTF_MEANS_NOTHING;
	if (meaning == CTF_MEANS_KERNEL)
		learn_kernel(class, name ? name : "");
	else
		class->meaning = CTF_MEANS_TEXT;
}

bool ctf_payload_number(const bt_event *event, const char *name, u64 *number)
{
	const bt_field *payload = bt_event_borrow_payload_field_const(event), *field = NULL;

	if (payload)
		field = bt_field_structure_borrow_member_field_by_name_const(payload, name);
	return field && ctf_field_number(field, number);
}

bool ctf_context_number(const bt_event *event, const char *name, u64 *number)
{
	const bt_field *context = bt_event_borrow_common_context_field_const(event), *field = NULL;

	if (context)
		field = bt_field_structure_borrow_member_field_by_name_const(context, name);
	return field && ctf_field_number(field, number);
}

void ctf_class_get(const struct ctf_class *class, struct ctf_seen *seen, const bt_event *event)
{
	const bt_field *payload = bt_event_borrow_payload_field_const(event), *field;
	unsigned int i;
	u64 number;

	for (i = 0; i < class->count; i++) {
		if (!payload || class->member[i] < 0) {
			ctf_value_add(seen, CTF_ABSENT, 0);
			continue;
		}
		field = bt_field_structure_borrow_member_field_by_index_const(payload, (u64)class->member[i]);
		if (ctf_field_number(field, &number))
			ctf_value_add(seen, CTF_NUMBER, number);
		else if (bt_field_get_class_type(field) == BT_FIELD_CLASS_TYPE_STRING)
			ctf_text_add(seen, bt_field_string_get_value(field), bt_field_string_get_length(field));
		else
			ctf_value_add(seen, CTF_ABSENT, 0);
	}
}
