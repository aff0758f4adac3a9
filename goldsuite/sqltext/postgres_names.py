"""PostgreSQL's functions and catalog tables, as far as the parse gate must know them.

`FUNCTIONS` are the documented functions, built in or of common extensions, that neither change
anything nor tell of the server; those that sqlglot knows by itself need not stand here. `HARMFUL`
are the built-in functions that write, wait, read files, run a text as SQL, or tell of other
sessions.
"""

__all__ = ["FUNCTIONS", "HARMFUL", "SYSTEM_TABLES", "TABLE_FUNCTIONS"]

_FUNCTIONS = """
    abbrev abs acos acosd acosh age akeys any_value area array_agg array_append array_cat
    array_dims array_fill array_length array_lower array_ndims array_position array_positions
    array_prepend array_remove array_replace array_sample array_shuffle array_to_json
    array_to_string array_to_tsvector array_upper ascii asin asind asinh atan atan2 atan2d atand
    atanh avals avg bit_and bit_count bit_length bit_or bit_xor bool bool_and bool_or bound_box
    box bpchar broadcast btrim cardinality cbrt ceil ceiling center char_length character_length
    chr circle citext clock_timestamp col_description concat concat_ws convert convert_from
    convert_to corr cos cosd cosh cot cotd count covar_pop covar_samp cube cume_dist
    current_database current_schema current_schemas daitch_mokotoff date date_add date_bin
    date_part date_subtract date_trunc datemultirange daterange decode degrees dense_rank diagonal
    diameter difference digest div dmetaphone dmetaphone_alt earth_distance encode enum_first
    enum_last enum_range erf erfc every exp extract factorial family first_value float4 float8
    floor format format_type gcd gen_random_uuid generate_series generate_subscripts get_bit
    get_byte get_current_ts_config greatest grouping has_any_column_privilege has_column_privilege
    has_schema_privilege has_table_privilege height hmac host hostmask hstore hstore_to_json
    hstore_to_jsonb initcap int2 int4 int4multirange int4range int8 int8multirange int8range
    interval is_normalized isclosed isempty isfinite isopen json_agg json_array_elements
    json_array_elements_text json_array_length json_build_array json_build_object json_each
    json_each_text json_exists json_extract_path json_extract_path_text json_object
    json_object_agg json_object_keys json_populate_record json_populate_recordset json_query
    json_scalar json_serialize json_strip_nulls json_to_record json_to_recordset json_typeof
    json_value jsonb_agg jsonb_array_elements jsonb_array_elements_text jsonb_array_length
    jsonb_build_array jsonb_build_object jsonb_each jsonb_each_text jsonb_extract_path
    jsonb_extract_path_text jsonb_insert jsonb_object jsonb_object_agg jsonb_object_keys
    jsonb_path_exists jsonb_path_exists_tz jsonb_path_match jsonb_path_match_tz jsonb_path_query
    jsonb_path_query_array jsonb_path_query_array_tz jsonb_path_query_first
    jsonb_path_query_first_tz jsonb_path_query_tz jsonb_populate_record jsonb_populate_recordset
    jsonb_pretty jsonb_set jsonb_set_lax jsonb_strip_nulls jsonb_to_record jsonb_to_recordset
    jsonb_typeof justify_days justify_hours justify_interval lag last_value lcm lead least left
    length levenshtein levenshtein_less_equal line ll_to_earth ln log log10 lower lower_inc
    lower_inf lpad lseg ltrim make_date make_interval make_time make_timestamp make_timestamptz
    masklen max md5 metaphone min min_scale mod mode multirange netmask network normalize now
    npoints nth_value ntile num_nonnulls num_nulls numeric nummultirange numnode numrange
    obj_description octet_length overlaps overlay parse_ident path pclose percent_rank
    percentile_cont percentile_disc pg_client_encoding pg_collation_for pg_column_size
    pg_get_constraintdef pg_get_expr pg_get_indexdef pg_get_serial_sequence pg_get_userbyid
    pg_get_viewdef pg_lsn pg_relation_size pg_size_bytes pg_size_pretty pg_table_is_visible
    pg_table_size pg_total_relation_size pg_type_is_visible pg_typeof phraseto_tsquery pi
    plainto_tsquery point polygon popen position pow power querytree quote_ident quote_literal
    quote_nullable radians radius random random_normal range_agg range_intersect_agg range_merge
    rank regexp_count regexp_instr regexp_like regexp_match regexp_matches regexp_replace
    regexp_split_to_array regexp_split_to_table regexp_substr regr_avgx regr_avgy regr_count
    regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy repeat replace reverse right
    round row row_number row_to_json rpad rtrim scale set_bit set_byte set_masklen setweight
    sha224 sha256 sha384 sha512 shobj_description show_trgm sign similarity sin sind sinh skeys
    slice slope soundex split_part sqrt st_area st_asewkt st_asgeojson st_astext st_aswkt
    st_boundary st_buffer st_centroid st_contains st_convexhull st_covers st_crosses st_difference
    st_disjoint st_distance st_distance_sphere st_distancesphere st_dwithin st_endpoint
    st_envelope st_equals st_geogfromtext st_geohash st_geometrytype st_geomfromgeojson
    st_geomfromtext st_intersection st_intersects st_isempty st_isvalid st_length st_makeenvelope
    st_makeline st_makepoint st_npoints st_numpoints st_overlaps st_perimeter st_point
    st_pointfromtext st_pointn st_polygonfromtext st_setsrid st_simplify st_srid st_startpoint
    st_touches st_transform st_union st_within st_x st_xmax st_xmin st_y st_ymax st_ymin
    starts_with statement_timestamp stddev stddev_pop stddev_samp strict_word_similarity
    string_agg string_to_array string_to_table strip strpos substr substring sum svals tan tand
    tanh text time timeofday timestamp timestamptz timetz timezone to_ascii to_bin to_char to_date
    to_hex to_json to_jsonb to_number to_oct to_regclass to_regtype to_timestamp to_tsquery
    to_tsvector transaction_timestamp translate trim_array trim_scale trunc ts_delete ts_filter
    ts_headline ts_rank ts_rank_cd tsmultirange tsquery_phrase tsrange tstzmultirange tstzrange
    tsvector_to_array unaccent unistr unnest upper upper_inc upper_inf uuid_extract_timestamp
    uuid_extract_version uuid_generate_v1 uuid_generate_v4 uuid_generate_v5 uuidv4 uuidv7 var_pop
    var_samp varchar variance version websearch_to_tsquery width width_bucket word_similarity
    xml_is_well_formed xml_is_well_formed_content xml_is_well_formed_document xmlagg xmlcomment
    xmlconcat xmlelement xmlexists xmlforest xpath xpath_exists
"""
FUNCTIONS = frozenset(_FUNCTIONS.split())

_TABLE_FUNCTIONS = """
    each exploding_generate_series generate_series generate_subscripts j_s_o_n_table
    json_array_elements json_array_elements_text json_each json_each_text json_object_keys
    json_populate_record json_populate_recordset json_table json_to_record json_to_recordset
    jsonb_array_elements jsonb_array_elements_text jsonb_each jsonb_each_text jsonb_object_keys
    jsonb_path_query jsonb_path_query_tz jsonb_populate_record jsonb_populate_recordset
    jsonb_to_record jsonb_to_recordset pg_timezone_names regexp_matches regexp_split_to_table
    skeys string_to_table svals unnest xmltable
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
    pg_advisory_xact_lock pg_advisory_xact_lock_shared pg_backup_start pg_backup_stop
    pg_blocking_pids pg_cancel_backend pg_create_logical_replication_slot
    pg_create_physical_replication_slot pg_create_restore_point pg_current_logfile
    pg_current_xact_id pg_drop_replication_slot pg_export_snapshot pg_file_rename pg_file_sync
    pg_file_unlink pg_file_write pg_import_system_collations pg_log_backend_memory_contexts
    pg_logical_emit_message pg_ls_archive_statusdir pg_ls_dir pg_ls_logdir pg_ls_logicalmapdir
    pg_ls_logicalsnapdir pg_ls_replslotdir pg_ls_tmpdir pg_ls_waldir pg_nextoid pg_notify
    pg_promote pg_read_binary_file pg_read_file pg_read_file_old pg_relation_filepath
    pg_reload_conf pg_replication_origin_create pg_replication_origin_drop
    pg_replication_origin_session_progress pg_replication_origin_session_setup pg_rotate_logfile
    pg_rotate_logfile_old pg_sleep pg_sleep_for pg_sleep_until pg_stat_file pg_stat_get_activity
    pg_stat_reset pg_stat_reset_replication_slot pg_stat_reset_shared
    pg_stat_reset_single_function_counters pg_stat_reset_single_table_counters pg_stat_reset_slru
    pg_stat_reset_subscription_stats pg_switch_wal pg_tablespace_location pg_terminate_backend
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
