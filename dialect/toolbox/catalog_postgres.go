package toolbox

// catalogTools returns the kinds whose statements are here.
func catalogTools() []catalogTool {
	return []catalogTool{
		{"postgres-list-tables", "Lists tables of PostgreSQL with their columns, constraints, indexes and triggers.", []catalogParam{tableNames, tableDetail}, postgresTables, true},
		{"postgres-list-views", "Lists views of PostgreSQL.", []catalogParam{partOf("view_name", "view"), partOf("schema_name", "schema"), limit50}, postgresViews, false},
		{"postgres-list-schemas", "Lists schemas of PostgreSQL, with what they hold and who may use them.", []catalogParam{partOf("schema_name", "schema"), partOf("owner", "owner"), limit10}, postgresSchemas, false},
		{"postgres-list-indexes", "Lists indexes of PostgreSQL, and how much they are used.", []catalogParam{
			partOf("schema_name", "schema"), partOf("table_name", "table"), partOf("index_name", "index"), limit50,
			{name: "only_unused", typ: "boolean", fallback: "false", doc: "Only those that were never used"},
		}, postgresIndexes, false},
		{"postgres-list-sequences", "Lists sequences of PostgreSQL.", []catalogParam{partOf("schema_name", "schema"), partOf("sequence_name", "sequence"), limit50}, postgresSequences, false},
		{"postgres-list-triggers", "Lists triggers of PostgreSQL.", []catalogParam{partOf("trigger_name", "trigger"), partOf("schema_name", "schema"), partOf("table_name", "table"), limit50}, postgresTriggers, false},
		{"postgres-list-active-queries", "Lists the statements that PostgreSQL is running.", []catalogParam{
			{name: "min_duration", typ: "string", fallback: `"1 minute"`, doc: "How long they have run at least, such as 1 minute"},
			{name: "exclude_application_names", typ: "string", fallback: `""`, doc: "Names of applications to leave out, with commas between them"}, limit50,
		}, postgresActiveQueries, true},
		{"postgres-list-available-extensions", "Lists the extensions that PostgreSQL could install.", nil, postgresAvailableExtensions, true},
		{"postgres-list-installed-extensions", "Lists the extensions that are installed in PostgreSQL.", nil, postgresInstalledExtensions, true},
		{"postgres-list-roles", "Lists roles of PostgreSQL.", []catalogParam{partOf("role_name", "role"), limit50}, postgresRoles, false},
		{"postgres-list-tablespaces", "Lists tablespaces of PostgreSQL.", []catalogParam{partOf("tablespace_name", "tablespace"), limit50}, postgresTablespaces, false},
		{"postgres-list-publication-tables", "Lists the tables that PostgreSQL publishes.", []catalogParam{
			tableNames, {name: "publication_names", typ: "string", fallback: `""`, doc: "The names of publications, with commas between them; all if empty"},
			{name: "schema_names", typ: "string", fallback: `""`, doc: "The names of schemas, with commas between them; all if empty"}, limit50,
		}, postgresPublicationTables, false},
		{"mysql-list-tables", "Lists tables of MySQL with their columns, constraints, indexes and triggers.", []catalogParam{tableNames, tableDetail}, mysqlTables, true},
		{"mysql-list-active-queries", "Lists the statements that MySQL is running.", []catalogParam{
			{name: "min_duration_secs", typ: "integer", fallback: "0", doc: "How many seconds they have run at least"}, limit100,
		}, mysqlActiveQueries, true},
		{"mysql-list-tables-missing-unique-indexes", "Lists tables of MySQL without a primary key and without a unique index.", []catalogParam{tableSchema, limit50}, mysqlMissingUniqueIndexes, true},
		{"mysql-list-table-fragmentation", "Lists tables of MySQL with free space inside them.", []catalogParam{
			tableSchema, {name: "table_name", typ: "string", fallback: `""`, doc: "The table; all if empty"},
			{name: "data_free_threshold_bytes", typ: "integer", fallback: "1", doc: "How many free bytes they have at least"}, limit10,
		}, mysqlFragmentation, true},
	}
}

const postgresTables = `
SELECT n.nspname AS schema_name, t.relname AS object_name,
  CASE WHEN {{output_format}} = 'simple' THEN json_build_object('name', t.relname)
  ELSE json_build_object(
    'schema_name', n.nspname, 'object_name', t.relname, 'owner', pg_get_userbyid(t.relowner),
    'object_type', CASE t.relkind WHEN 'p' THEN 'PARTITIONED TABLE' ELSE 'TABLE' END,
    'comment', obj_description(t.oid, 'pg_class'),
    'columns', COALESCE((
      SELECT json_agg(json_build_object(
        'column_name', a.attname, 'data_type', format_type(a.atttypid, a.atttypmod), 'ordinal_position', a.attnum, 'is_not_nullable', a.attnotnull,
        'column_default', pg_get_expr(d.adbin, d.adrelid), 'column_comment', col_description(a.attrelid, a.attnum)) ORDER BY a.attnum)
      FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
      WHERE a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped), '[]'),
    'constraints', COALESCE((
      SELECT json_agg(json_build_object(
        'constraint_name', c.conname, 'constraint_definition', pg_get_constraintdef(c.oid),
        'constraint_type', CASE c.contype WHEN 'p' THEN 'PRIMARY KEY' WHEN 'u' THEN 'UNIQUE' WHEN 'f' THEN 'FOREIGN KEY' WHEN 'c' THEN 'CHECK' WHEN 'x' THEN 'EXCLUSION' ELSE c.contype::text END,
        'constraint_columns', (SELECT json_agg(a.attname ORDER BY k.place) FROM unnest(c.conkey) WITH ORDINALITY k (attnum, place) JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = k.attnum),
        'foreign_key_referenced_table', CASE WHEN c.confrelid <> 0 THEN c.confrelid::regclass::text END,
        'foreign_key_referenced_columns', (SELECT json_agg(a.attname ORDER BY k.place) FROM unnest(c.confkey) WITH ORDINALITY k (attnum, place) JOIN pg_attribute a ON a.attrelid = c.confrelid AND a.attnum = k.attnum)
        ) ORDER BY c.oid)
      FROM pg_constraint c WHERE c.conrelid = t.oid), '[]'),
    'indexes', COALESCE((
      SELECT json_agg(json_build_object(
        'index_name', x.relname, 'index_definition', pg_get_indexdef(x.oid), 'index_method', m.amname, 'is_unique', i.indisunique, 'is_primary', i.indisprimary,
        'index_columns', (SELECT json_agg(a.attname ORDER BY a.attnum) FROM pg_attribute a WHERE a.attrelid = x.oid)) ORDER BY x.oid)
      FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_am m ON m.oid = x.relam
      WHERE i.indrelid = t.oid), '[]'),
    'triggers', COALESCE((
      SELECT json_agg(json_build_object('trigger_name', g.tgname, 'trigger_definition', pg_get_triggerdef(g.oid), 'trigger_enabled_state', g.tgenabled) ORDER BY g.tgname)
      FROM pg_trigger g WHERE g.tgrelid = t.oid AND NOT g.tgisinternal), '[]'))
  END AS object_details
FROM pg_class t JOIN pg_namespace n ON n.oid = t.relnamespace
WHERE t.relkind IN ('r', 'p') AND n.nspname <> 'information_schema' AND left(n.nspname, 3) <> 'pg_'
  AND ({{table_names}}::text = '' OR t.relname IN (SELECT btrim(name) FROM unnest(string_to_array({{table_names}}::text, ',')) AS name))
ORDER BY n.nspname, t.relname`

const postgresViews = `
SELECT schemaname AS schema_name, viewname AS view_name, viewowner AS owner_name, definition
FROM pg_views
WHERE schemaname <> 'information_schema' AND left(schemaname, 3) <> 'pg_'
  AND viewname LIKE '%' || {{view_name}}::text || '%' AND schemaname LIKE '%' || {{schema_name}}::text || '%'
ORDER BY schemaname, viewname
LIMIT {{limit}}`

const postgresSchemas = `
SELECT n.nspname AS schema_name, pg_get_userbyid(n.nspowner) AS owner,
  COALESCE((
    SELECT json_object_agg(who, rights)
    FROM (SELECT CASE g.grantee WHEN 0 THEN 'PUBLIC' ELSE pg_get_userbyid(g.grantee)::text END AS who, json_agg(g.privilege_type ORDER BY g.privilege_type) AS rights FROM aclexplode(n.nspacl) g GROUP BY 1) AS granted), '{}') AS grants,
  (SELECT count(*) FROM pg_class t WHERE t.relnamespace = n.oid AND t.relkind = 'r') AS tables,
  (SELECT count(*) FROM pg_class v WHERE v.relnamespace = n.oid AND v.relkind = 'v') AS views,
  (SELECT count(*) FROM pg_proc f WHERE f.pronamespace = n.oid) AS functions
FROM pg_namespace n
WHERE n.nspname <> 'information_schema' AND left(n.nspname, 3) <> 'pg_'
  AND n.nspname LIKE '%' || {{schema_name}}::text || '%' AND pg_get_userbyid(n.nspowner) LIKE '%' || {{owner}}::text || '%'
ORDER BY n.nspname
LIMIT {{limit}}`

const postgresIndexes = `
SELECT s.schemaname AS schema_name, s.relname AS table_name, s.indexrelname AS index_name, m.amname AS index_type, i.indisunique AS is_unique, i.indisprimary AS is_primary,
  pg_get_indexdef(s.indexrelid) AS index_definition, pg_relation_size(s.indexrelid) AS index_size_bytes,
  s.idx_scan AS index_scans, s.idx_tup_read AS tuples_read, s.idx_tup_fetch AS tuples_fetched, s.idx_scan > 0 AS is_used
FROM pg_stat_user_indexes s JOIN pg_index i ON i.indexrelid = s.indexrelid JOIN pg_class x ON x.oid = s.indexrelid JOIN pg_am m ON m.oid = x.relam
WHERE s.schemaname LIKE '%' || {{schema_name}}::text || '%' AND s.relname LIKE '%' || {{table_name}}::text || '%' AND s.indexrelname LIKE '%' || {{index_name}}::text || '%'
  AND (NOT {{only_unused}}::boolean OR s.idx_scan = 0)
ORDER BY s.schemaname, s.relname, s.indexrelname
LIMIT {{limit}}`

const postgresSequences = `
SELECT sequencename AS sequence_name, schemaname AS schema_name, sequenceowner AS sequence_owner, data_type::text AS data_type, start_value, min_value, max_value, increment_by, last_value
FROM pg_sequences
WHERE schemaname LIKE '%' || {{schema_name}}::text || '%' AND sequencename LIKE '%' || {{sequence_name}}::text || '%'
ORDER BY schemaname, sequencename
LIMIT {{limit}}`

// The bits of tgtype are those of PostgreSQL's pg_trigger.h: 1 for each row, 2 before, 64 instead of,
// 4 insert, 16 update, 8 delete, 32 truncate.
const postgresTriggers = `
SELECT g.tgname AS trigger_name, n.nspname AS schema_name, t.relname AS table_name,
  CASE g.tgenabled WHEN 'O' THEN 'ENABLED' WHEN 'D' THEN 'DISABLED' WHEN 'R' THEN 'REPLICA' ELSE 'ALWAYS' END AS status,
  CASE WHEN g.tgtype & 2 > 0 THEN 'BEFORE' WHEN g.tgtype & 64 > 0 THEN 'INSTEAD OF' ELSE 'AFTER' END AS timing,
  concat_ws(', ', CASE WHEN g.tgtype & 4 > 0 THEN 'INSERT' END, CASE WHEN g.tgtype & 16 > 0 THEN 'UPDATE' END, CASE WHEN g.tgtype & 8 > 0 THEN 'DELETE' END, CASE WHEN g.tgtype & 32 > 0 THEN 'TRUNCATE' END) AS events,
  CASE WHEN g.tgtype & 1 > 0 THEN 'ROW' ELSE 'STATEMENT' END AS activation_level,
  f.proname AS function_name, pg_get_triggerdef(g.oid) AS definition
FROM pg_trigger g JOIN pg_class t ON t.oid = g.tgrelid JOIN pg_namespace n ON n.oid = t.relnamespace JOIN pg_proc f ON f.oid = g.tgfoid
WHERE NOT g.tgisinternal
  AND g.tgname LIKE '%' || {{trigger_name}}::text || '%' AND n.nspname LIKE '%' || {{schema_name}}::text || '%' AND t.relname LIKE '%' || {{table_name}}::text || '%'
ORDER BY n.nspname, t.relname, g.tgname
LIMIT {{limit}}`

const postgresActiveQueries = `
SELECT pid, usename AS "user", datname, application_name, client_addr::text AS client_addr, state, wait_event_type, wait_event, backend_start, xact_start, query_start,
  clock_timestamp() - query_start AS query_duration, query
FROM pg_stat_activity
WHERE state = 'active' AND pid <> pg_backend_pid() AND clock_timestamp() - query_start >= {{min_duration}}::text::interval
  AND application_name NOT IN (SELECT btrim(name) FROM unnest(string_to_array({{exclude_application_names}}::text, ',')) AS name WHERE btrim(name) <> '')
ORDER BY query_start
LIMIT {{limit}}`

const postgresAvailableExtensions = `
SELECT name, default_version, comment AS description FROM pg_available_extensions ORDER BY name`

const postgresInstalledExtensions = `
SELECT e.extname AS name, e.extversion AS version, n.nspname AS schema, pg_get_userbyid(e.extowner) AS owner, obj_description(e.oid, 'pg_extension') AS description
FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace
ORDER BY e.extname`

const postgresRoles = `
SELECT r.rolname AS role_name, r.oid::bigint AS oid, r.rolconnlimit AS connection_limit, r.rolsuper AS is_superuser, r.rolinherit AS inherits_privileges, r.rolcreaterole AS can_create_roles,
  r.rolcreatedb AS can_create_db, r.rolcanlogin AS can_login, r.rolreplication AS is_replication_role, r.rolbypassrls AS bypass_rls, r.rolvaliduntil AS valid_until,
  COALESCE((SELECT json_agg(m.rolname ORDER BY m.rolname) FROM pg_auth_members a JOIN pg_roles m ON m.oid = a.member WHERE a.roleid = r.oid), '[]') AS direct_members,
  COALESCE((SELECT json_agg(o.rolname ORDER BY o.rolname) FROM pg_auth_members a JOIN pg_roles o ON o.oid = a.roleid WHERE a.member = r.oid), '[]') AS member_of
FROM pg_roles r
WHERE left(r.rolname, 3) <> 'pg_' AND r.rolname LIKE '%' || {{role_name}}::text || '%'
ORDER BY r.rolname
LIMIT {{limit}}`

const postgresTablespaces = `
SELECT spcname AS tablespace_name, pg_get_userbyid(spcowner) AS owner_name, pg_tablespace_size(oid) AS size_in_bytes, oid::bigint AS oid, spcacl::text[] AS spcacl, spcoptions
FROM pg_tablespace
WHERE spcname LIKE '%' || {{tablespace_name}}::text || '%'
ORDER BY spcname
LIMIT {{limit}}`

const postgresPublicationTables = `
SELECT t.pubname AS publication_name, t.schemaname AS schema_name, t.tablename AS table_name, p.puballtables AS publishes_all_tables, p.pubinsert AS publishes_inserts,
  p.pubupdate AS publishes_updates, p.pubdelete AS publishes_deletes, p.pubtruncate AS publishes_truncates, pg_get_userbyid(p.pubowner) AS publication_owner
FROM pg_publication_tables t JOIN pg_publication p ON p.pubname = t.pubname
WHERE ({{table_names}}::text = '' OR t.tablename IN (SELECT btrim(name) FROM unnest(string_to_array({{table_names}}::text, ',')) AS name))
  AND ({{publication_names}}::text = '' OR t.pubname IN (SELECT btrim(name) FROM unnest(string_to_array({{publication_names}}::text, ',')) AS name))
  AND ({{schema_names}}::text = '' OR t.schemaname IN (SELECT btrim(name) FROM unnest(string_to_array({{schema_names}}::text, ',')) AS name))
ORDER BY t.pubname, t.schemaname, t.tablename
LIMIT {{limit}}`
