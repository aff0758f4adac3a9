"""MySQL's and MariaDB's functions, as far as the parse gate must know them.

`FUNCTIONS` are the documented functions, built in or of common extensions, that neither change
anything nor tell of the server; those that sqlglot knows by itself need not stand here. `HARMFUL`
are the built-in functions that wait, lock, read files, or tell of the session and the server.
"""

__all__ = ["FUNCTIONS", "HARMFUL", "SHOWN", "SYSTEM_SCHEMAS", "SYSTEM_TABLES", "TABLE_FUNCTIONS"]

_FUNCTIONS = """
    abs acos add_months adddate addtime any_value ascii asin atan atan2 avg bin bin_to_uuid
    bit_and bit_count bit_length bit_or bit_xor cast ceil ceiling char char_length
    character_length chr coalesce coercibility collation column_check column_exists column_get
    column_json column_list compress concat concat_ws conv convert convert_tz cos cot count crc32
    crc32c cume_dist curdate curtime database date date_add date_format date_sub datediff day
    dayname dayofmonth dayofweek dayofyear degrees dense_rank elt exp export_set extract
    extractvalue field find_in_set first_value floor format format_bytes from_base64 from_days
    from_unixtime geometrycollection greatest group_concat grouping hex hour if ifnull inet6_aton
    inet6_ntoa inet_aton inet_ntoa insert instr is_ipv4 is_ipv4_compat is_ipv4_mapped is_ipv6
    is_uuid isnull json_array json_array_append json_array_insert json_arrayagg json_compact
    json_contains json_contains_path json_depth json_detailed json_equals json_exists json_extract
    json_insert json_keys json_length json_loose json_merge json_merge_patch json_merge_preserve
    json_normalize json_object json_object_filter_keys json_object_to_array json_objectagg
    json_overlaps json_pretty json_query json_quote json_remove json_replace json_schema_valid
    json_search json_set json_storage_size json_type json_unquote json_valid json_value lag
    last_day last_value lcase lead least left length lengthb linestring ln localtime
    localtimestamp locate log log10 log2 lower lpad ltrim make_set makedate maketime max md5
    median microsecond mid min minute mod month monthname multilinestring multipoint multipolygon
    name_const natural_sort_key now nth_value ntile nullif nvl nvl2 oct octet_length ord
    percent_rank percentile_cont percentile_disc period_add period_diff pi point polygon position
    pow power quarter quote radians rand rank regexp_instr regexp_like regexp_replace
    regexp_substr repeat replace reverse right round row row_number rpad rtrim schema sec_to_time
    second sformat sha sha1 sha2 sign sin soundex space sqrt st_area st_asewkt st_asgeojson
    st_astext st_aswkt st_boundary st_buffer st_centroid st_contains st_convexhull st_covers
    st_crosses st_difference st_disjoint st_distance st_distance_sphere st_distancesphere
    st_dwithin st_endpoint st_envelope st_equals st_geogfromtext st_geohash st_geometrytype
    st_geomfromgeojson st_geomfromtext st_intersection st_intersects st_isempty st_isvalid
    st_length st_makeenvelope st_makeline st_makepoint st_npoints st_numpoints st_overlaps
    st_perimeter st_point st_pointfromtext st_pointn st_polygonfromtext st_setsrid st_simplify
    st_srid st_startpoint st_touches st_transform st_union st_within st_x st_xmax st_xmin st_y
    st_ymax st_ymin std stddev stddev_pop stddev_samp str_to_date strcmp subdate substr substring
    substring_index subtime sum sysdate tan time time_format time_to_sec timediff timestamp
    timestampadd timestampdiff to_base64 to_char to_date to_days to_number to_seconds trim trunc
    truncate ucase uncompress uncompressed_length unhex unix_timestamp updatexml upper utc_date
    utc_time utc_timestamp uuid uuid_short uuid_to_bin var_pop var_samp variance version week
    weekday weekofyear weight_string year yearweek
"""
FUNCTIONS = frozenset(_FUNCTIONS.split())

TABLE_FUNCTIONS = frozenset({"json_table", "j_s_o_n_table", "unnest"})

_HARMFUL = """
    benchmark binlog_gtid_pos connection_id current_role des_decrypt encrypt found_rows get_lock
    gtid_subset is_free_lock is_used_lock last_insert_id lastval load_file master_gtid_wait
    master_pos_wait nextval ps_thread_id release_all_locks release_lock row_count setval sleep
    source_pos_wait sys_eval sys_exec sys_get sys_set wait_for_executed_gtid_set
    wsrep_sync_wait_upto_gtid
"""
HARMFUL = frozenset(_HARMFUL.split())

SYSTEM_SCHEMAS = frozenset({"mysql", "performance_schema", "sys"})
"""Databases of the server itself: accounts, other sessions' statements, settings."""

_SYSTEM_TABLES = """
    all_plugins files global_status global_variables innodb_metrics innodb_sys_tablespaces
    innodb_tablespaces plugins processlist session_status session_variables system_variables
    tablespaces user_attributes user_privileges user_statistics user_variables
"""
SYSTEM_TABLES = frozenset(_SYSTEM_TABLES.split())
"""Tables of `information_schema` that tell settings, files, or what others run."""

SHOWN = frozenset(
    {
        "CHARACTER SET",
        "COLLATION",
        "COLUMNS",
        "CREATE TABLE",
        "CREATE VIEW",
        "DATABASES",
        "INDEX",
        "TABLES",
        "TABLE STATUS",
    }
)
"""What SHOW may list, in sqlglot's words."""
