/* SPDX-License-Identifier: GPL-2.0-only OR BSD-2-Clause */
/*
 * The library of Babeltrace 2, which reads CTF. It is opened at run time, when a conversion needs it: see
 * late/late.h.
 *
 * bt.graph_create() calls bt_graph_create(), and likewise for all functions of the list.
 */
#ifndef CONVERT_CTF_LIBRARY_H
#define CONVERT_CTF_LIBRARY_H

#include <babeltrace2/babeltrace.h>

#include "core/host/user.h"

#define CTF_FUNCTIONS(X) \
	X(clock_class_cycles_to_ns_from_origin) \
	X(clock_class_get_frequency) \
	X(clock_class_get_name) \
	X(clock_class_get_offset) \
	X(clock_class_origin_is_unix_epoch) \
	X(clock_snapshot_borrow_clock_class_const) \
	X(clock_snapshot_get_value) \
	X(component_class_sink_create) \
	X(component_class_sink_put_ref) \
	X(component_class_sink_set_graph_is_configured_method) \
	X(component_class_sink_set_initialize_method) \
	X(component_sink_borrow_input_port_by_index_const) \
	X(component_source_borrow_output_port_by_index_const) \
	X(component_source_get_output_port_count) \
	X(current_thread_take_error) \
	X(error_borrow_cause_by_index) \
	X(error_cause_get_message) \
	X(error_get_cause_count) \
	X(error_release) \
	X(event_borrow_class_const) \
	X(event_borrow_common_context_field_const) \
	X(event_borrow_payload_field_const) \
	X(event_borrow_stream_const) \
	X(event_class_borrow_payload_field_class_const) \
	X(event_class_get_name) \
	X(field_array_borrow_element_field_by_index_const) \
	X(field_array_get_length) \
	X(field_bool_get_value) \
	X(field_class_array_borrow_element_field_class_const) \
	X(field_class_structure_borrow_member_by_index_const) \
	X(field_class_structure_get_member_count) \
	X(field_class_structure_member_borrow_field_class_const) \
	X(field_class_structure_member_get_name) \
	X(field_get_class_type) \
	X(field_integer_signed_get_value) \
	X(field_integer_unsigned_get_value) \
	X(field_string_get_length) \
	X(field_string_get_value) \
	X(field_structure_borrow_member_field_by_index_const) \
	X(field_structure_borrow_member_field_by_name_const) \
	X(graph_add_sink_component_with_initialize_method_data) \
	X(graph_add_source_component_with_initialize_method_data) \
	X(graph_connect_ports) \
	X(graph_create) \
	X(graph_put_ref) \
	X(graph_run_once) \
	X(message_discarded_events_borrow_beginning_default_clock_snapshot_const) \
	X(message_discarded_events_borrow_end_default_clock_snapshot_const) \
	X(message_discarded_events_borrow_stream_const) \
	X(message_discarded_events_get_count) \
	X(message_discarded_packets_borrow_beginning_default_clock_snapshot_const) \
	X(message_discarded_packets_borrow_end_default_clock_snapshot_const) \
	X(message_discarded_packets_borrow_stream_const) \
	X(message_discarded_packets_get_count) \
	X(message_event_borrow_default_clock_snapshot_const) \
	X(message_event_borrow_event_const) \
	X(message_get_type) \
	X(message_iterator_create_from_sink_component) \
	X(message_iterator_next) \
	X(message_iterator_put_ref) \
	X(message_packet_beginning_borrow_packet_const) \
	X(message_put_ref) \
	X(message_stream_beginning_borrow_stream_const) \
	X(packet_borrow_context_field_const) \
	X(plugin_borrow_source_component_class_by_name_const) \
	X(plugin_find) \
	X(plugin_put_ref) \
	X(self_component_get_data) \
	X(self_component_set_data) \
	X(self_component_sink_add_input_port) \
	X(self_component_sink_borrow_input_port_by_index) \
	X(stream_borrow_class_const) \
	X(stream_borrow_trace_const) \
	X(stream_class_borrow_default_clock_class_const) \
	X(stream_class_discarded_events_have_default_clock_snapshots) \
	X(stream_class_discarded_packets_have_default_clock_snapshots) \
	X(stream_class_borrow_event_class_by_index_const) \
	X(stream_class_get_event_class_count) \
	X(trace_borrow_environment_entry_value_by_name_const) \
	X(value_array_append_string_element) \
	X(value_array_create) \
	X(value_get_type) \
	X(value_integer_signed_get) \
	X(value_map_create) \
	X(value_map_insert_entry) \
	X(value_put_ref) \
	X(value_string_get)

struct ctf_library {
#define CTF_FUNCTION(name) typeof(bt_##name) *name;
	CTF_FUNCTIONS(CTF_FUNCTION)
#undef CTF_FUNCTION
};

/* The functions, which are set once ctf_library_load() has returned 0. */
extern struct ctf_library bt;

/* Opens the library. Returns 0 or, after a complaint, -ENOSYS. */
int ctf_library_load(void);

/*
 * Takes the error that the library has noted. Returns its first message, "" if there is none, which stays valid until
 * the next call.
 */
const char *ctf_library_error(void);

#endif
