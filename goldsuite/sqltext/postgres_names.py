"""PostgreSQL's functions and catalog tables, as far as the parse gate must know them.

`FUNCTIONS` are the documented built-in functions that neither change anything nor tell of the
server; those that sqlglot knows by itself need not stand here. `HARMFUL` are the built-in functions
that write, wait, read files, run a text as SQL, or tell of other sessions.
"""

__all__ = ["FUNCTIONS", "HARMFUL", "SYSTEM_TABLES", "TABLE_FUNCTIONS"]

_FUNCTIONS = """
    abbrev abs acos acosd acosh age any_value area array_agg array_append array_cat array_dims
    array_fill array_length array_lower array_ndims array_position array_positions array_prepend
    array_remove array_replace array_sample array_shuffle array_to_json array_to_string
    array_to_tsvector array_upper ascii asin asind asinh atan atan2 atan2d atand atanh avg bit_and
    bit_count bit_length bit_or bit_xor bool bool_and bool_or bound_box box bpchar broadcast btrim
    cardinality cbrt ceil ceiling center char_length character_length chr circle clock_timestamp
    col_description concat concat_ws convert convert_from convert_to corr cos cosd cosh cot cotd
    count covar_pop covar_samp cume_dist current_database current_schema current_schemas date
    date_add date_bin date_part date_subtract date_trunc datemultirange daterange decode degrees
    dense_rank diagonal diameter div encode enum_first enum_last enum_range erf erfc every exp
    extract factorial family first_value float4 float8 floor format format_type gcd
    gen_random_uuid generate_series generate_subscripts get_bit get_byte get_current_ts_config
    greatest grouping has_any_column_privilege has_column_privilege has_schema_privilege
    has_table_privilege height host hostmask initcap int2 int4 int4multirange int4range int8
    int8multirange int8range interval is_normalized isclosed isempty isfinite isopen json_agg
    json_array_elements json_array_elements_text json_array_length json_build_array
    json_build_object json_each json_each_text json_extract_path json_extract_path_text
    json_object json_object_agg json_object_keys json_populate_record json_populate_recordset
    json_query json_exists json_scalar json_serialize json_strip_nulls json_to_record
    json_to_recordset json_typeof json_value jsonb_agg jsonb_array_elements
    jsonb_array_elements_text jsonb_array_length jsonb_build_array jsonb_build_object jsonb_each
    jsonb_each_text jsonb_extract_path jsonb_extract_path_text jsonb_insert jsonb_object
    jsonb_object_agg jsonb_object_keys jsonb_path_exists jsonb_path_exists_tz jsonb_path_match
    jsonb_path_match_tz jsonb_path_query jsonb_path_query_array jsonb_path_query_array_tz
    jsonb_path_query_first jsonb_path_query_first_tz jsonb_path_query_tz jsonb_populate_record
    jsonb_populate_recordset jsonb_pretty jsonb_set jsonb_set_lax jsonb_strip_nulls
    jsonb_to_record jsonb_to_recordset jsonb_typeof justify_days justify_hours justify_interval
    lag last_value lcm lead least left length line ln log log10 lower lower_inc lower_inf lpad
    lseg ltrim make_date make_interval make_time make_timestamp make_timestamptz masklen max md5
    min min_scale mod mode multirange netmask network normalize now npoints nth_value ntile
    num_nonnulls num_nulls numeric nummultirange numnode numrange obj_description octet_length
    overlaps overlay parse_ident path pclose percent_rank percentile_cont percentile_disc
    pg_client_encoding pg_collation_for pg_column_size pg_get_constraintdef pg_get_expr
    pg_get_indexdef pg_get_serial_sequence pg_get_userbyid pg_get_viewdef pg_lsn pg_relation_size
    pg_size_bytes pg_size_pretty pg_table_is_visible pg_table_size pg_total_relation_size
    pg_type_is_visible pg_typeof phraseto_tsquery pi plainto_tsquery point polygon popen position
    pow power querytree quote_ident quote_literal quote_nullable radians radius random
    random_normal range_agg range_intersect_agg range_merge rank regexp_count regexp_instr
    regexp_like regexp_match regexp_matches regexp_replace regexp_split_to_array
    regexp_split_to_table regexp_substr regr_avgx regr_avgy regr_count regr_intercept regr_r2
    regr_slope regr_sxx regr_sxy regr_syy repeat replace reverse right round row row_number
    row_to_json rpad rtrim scale set_bit set_byte set_masklen setweight sha224 sha256 sha384
    sha512 shobj_description sign sin sind sinh slope split_part sqrt starts_with
    statement_timestamp stddev stddev_pop stddev_samp string_agg string_to_array string_to_table
    strip strpos substr substring sum tan tand tanh text time timeofday timestamp timestamptz
    timetz timezone to_ascii to_bin to_char to_date to_hex to_json to_jsonb to_number to_oct
    to_regclass to_regtype to_timestamp to_tsquery to_tsvector transaction_timestamp translate
    trim_array trim_scale trunc ts_delete ts_filter ts_headline ts_rank ts_rank_cd tsmultirange
    tsquery_phrase tsrange tstzmultirange tstzrange tsvector_to_array unistr unnest upper
    upper_inc upper_inf uuid_extract_timestamp uuid_extract_version uuidv4 uuidv7 var_pop var_samp
    varchar variance version websearch_to_tsquery width width_bucket xml_is_well_formed
    xml_is_well_formed_content xml_is_well_formed_document xmlagg xmlcomment xmlconcat xmlelement
    xmlexists xmlforest xpath xpath_exists
"""
FUNCTIONS = frozenset(_FUNCTIONS.split())

_TABLE_FUNCTIONS = """
    exploding_generate_series generate_series generate_subscripts json_array_elements
    json_array_elements_text json_each json_each_text json_object_keys json_populate_record
    json_populate_recordset json_table json_to_record json_to_recordset jsonb_array_elements
    jsonb_array_elements_text jsonb_each jsonb_each_text jsonb_object_keys jsonb_path_query
    jsonb_path_query_tz jsonb_populate_record jsonb_populate_recordset jsonb_to_record
    jsonb_to_recordset pg_timezone_names regexp_matches regexp_split_to_table string_to_table
    unnest xmltable
"""
TABLE_FUNCTIONS = frozenset(_TABLE_FUNCTIONS.split())

_HARMFUL = """
    brin_desummarize_range brin_summarize_new_values brin_summarize_range current_query
    current_setting currval cursor_to_xml cursor_to_xmlschema database_to_xml
    database_to_xml_and_xmlschema dblink dblink_connect dblink_connect_u dblink_exec dblink_open
    dblink_send_query gin_clean_pending_list lastval lo_close lo_creat lo_create lo_export
    lo_from_bytea lo_get lo_import lo_lseek lo_lseek64 lo_open lo_put lo_tell lo_tell64
    lo_truncate lo_truncate64 lo_unlink loread lowrite nextval pg_advisory_lock
    pg_advisory_lock_shared pg_advisory_unlock pg_advisory_unlock_all pg_advisory_unlock_shared
    pg_advisory_xact_lock pg_advisory_xact_lock_shared pg_cancel_backend pg_current_xact_id
    pg_export_snapshot pg_file_rename pg_file_sync pg_file_unlink pg_file_write pg_ls_dir
    pg_log_backend_memory_contexts pg_logical_emit_message pg_nextoid pg_notify pg_promote
    pg_read_binary_file pg_read_file pg_read_file_old pg_relation_filepath pg_reload_conf
    pg_rotate_logfile pg_rotate_logfile_old pg_sleep pg_sleep_for pg_sleep_until pg_stat_file
    pg_stat_get_activity pg_stat_reset pg_switch_wal pg_tablespace_location pg_terminate_backend
    pg_try_advisory_lock pg_try_advisory_lock_shared pg_try_advisory_xact_lock
    pg_try_advisory_xact_lock_shared query_to_xml query_to_xml_and_xmlschema query_to_xmlschema
    schema_to_xml set_config setseed setval table_to_xml ts_rewrite ts_stat txid_current
"""
HARMFUL = frozenset(_HARMFUL.split())

_SYSTEM_TABLES = """
    pg_am pg_attrdef pg_attribute pg_cast pg_catalog pg_class pg_collation pg_constraint pg_depend
    pg_description pg_enum pg_extension pg_index pg_indexes pg_inherits pg_language pg_matviews
    pg_namespace pg_operator pg_partitioned_table pg_proc pg_range pg_sequences pg_statistic_ext
    pg_tables pg_timezone_abbrevs pg_timezone_names pg_trigger pg_type pg_views
"""
SYSTEM_TABLES = frozenset(_SYSTEM_TABLES.split())
"""What may be read of `pg_catalog`; all other names there tell of sessions, roles, settings."""
