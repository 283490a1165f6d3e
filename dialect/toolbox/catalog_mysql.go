package toolbox

// The outer JSON_EXTRACT make a JSON value of a text, of which JSON_OBJECT would make a string.
const mysqlTables = `
SELECT t.table_schema AS schema_name, t.table_name AS object_name,
  IF({{output_format}} = 'simple', JSON_OBJECT('name', t.table_name), JSON_OBJECT(
    'schema_name', t.table_schema, 'object_name', t.table_name, 'object_type', 'TABLE', 'owner', NULL, 'comment', t.table_comment,
    'columns', JSON_EXTRACT(COALESCE((
      SELECT JSON_ARRAYAGG(JSON_OBJECT('column_name', c.column_name, 'data_type', c.column_type, 'ordinal_position', c.ordinal_position,
        'is_not_nullable', JSON_EXTRACT(IF(c.is_nullable = 'NO', 'true', 'false'), '$'), 'column_default', c.column_default, 'column_comment', c.column_comment))
      FROM information_schema.columns c WHERE c.table_schema = t.table_schema AND c.table_name = t.table_name), '[]'), '$'),
    'constraints', JSON_EXTRACT(COALESCE((
      SELECT JSON_ARRAYAGG(JSON_OBJECT('constraint_name', k.constraint_name, 'constraint_type', k.constraint_type, 'constraint_definition', '',
        'constraint_columns', JSON_EXTRACT(COALESCE((SELECT JSON_ARRAYAGG(u.column_name) FROM information_schema.key_column_usage u
          WHERE u.table_schema = k.table_schema AND u.table_name = k.table_name AND u.constraint_name = k.constraint_name), '[]'), '$'),
        'foreign_key_referenced_table', (SELECT MAX(u.referenced_table_name) FROM information_schema.key_column_usage u
          WHERE u.table_schema = k.table_schema AND u.table_name = k.table_name AND u.constraint_name = k.constraint_name),
        'foreign_key_referenced_columns', JSON_EXTRACT((SELECT JSON_ARRAYAGG(u.referenced_column_name) FROM information_schema.key_column_usage u
          WHERE u.table_schema = k.table_schema AND u.table_name = k.table_name AND u.constraint_name = k.constraint_name AND u.referenced_column_name IS NOT NULL), '$')))
      FROM information_schema.table_constraints k WHERE k.table_schema = t.table_schema AND k.table_name = t.table_name), '[]'), '$'),
    'indexes', JSON_EXTRACT(COALESCE((
      SELECT JSON_ARRAYAGG(JSON_OBJECT('index_name', i.index_name,
        'is_unique', JSON_EXTRACT(IF(i.non_unique = 0, 'true', 'false'), '$'), 'is_primary', JSON_EXTRACT(IF(i.index_name = 'PRIMARY', 'true', 'false'), '$'),
        'index_columns', JSON_EXTRACT((SELECT JSON_ARRAYAGG(p.column_name) FROM information_schema.statistics p
          WHERE p.table_schema = i.table_schema AND p.table_name = i.table_name AND p.index_name = i.index_name), '$')))
      FROM information_schema.statistics i WHERE i.table_schema = t.table_schema AND i.table_name = t.table_name AND i.seq_in_index = 1), '[]'), '$'),
    'triggers', JSON_EXTRACT(COALESCE((
      SELECT JSON_ARRAYAGG(JSON_OBJECT('trigger_name', g.trigger_name, 'trigger_definition', g.action_statement))
      FROM information_schema.triggers g WHERE g.event_object_schema = t.table_schema AND g.event_object_table = t.table_name), '[]'), '$')
  )) AS object_details
FROM information_schema.tables t
WHERE t.table_type = 'BASE TABLE' AND t.table_schema NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys')
  AND ({{table_names}} = '' OR FIND_IN_SET(t.table_name, REPLACE({{table_names}}, ' ', '')) > 0)
ORDER BY t.table_schema, t.table_name`

const mysqlActiveQueries = `
SELECT p.id AS processlist_id, p.info AS query, x.trx_started AS trx_started, TIMESTAMPDIFF(SECOND, x.trx_started, NOW()) AS trx_duration_seconds,
  TIMESTAMPDIFF(SECOND, x.trx_wait_started, NOW()) AS trx_wait_duration_seconds, p.time AS query_time, x.trx_state AS trx_state, p.state AS process_state,
  CONCAT(p.user, '@', SUBSTRING_INDEX(p.host, ':', 1)) AS user, x.trx_rows_locked AS trx_rows_locked, x.trx_rows_modified AS trx_rows_modified, p.db AS db
FROM information_schema.processlist p LEFT JOIN information_schema.innodb_trx x ON x.trx_mysql_thread_id = p.id
WHERE p.id <> CONNECTION_ID() AND p.info IS NOT NULL AND p.command NOT IN ('Sleep', 'Daemon') AND p.time >= {{min_duration_secs}}
ORDER BY p.time DESC
LIMIT {{limit}}`

const mysqlMissingUniqueIndexes = `
SELECT t.table_schema AS table_schema, t.table_name AS table_name
FROM information_schema.tables t
WHERE t.table_type = 'BASE TABLE' AND t.table_schema NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys')
  AND ({{table_schema}} = '' OR t.table_schema = {{table_schema}})
  AND NOT EXISTS (SELECT 1 FROM information_schema.table_constraints k
    WHERE k.table_schema = t.table_schema AND k.table_name = t.table_name AND k.constraint_type IN ('PRIMARY KEY', 'UNIQUE'))
ORDER BY t.table_schema, t.table_name
LIMIT {{limit}}`

const mysqlFragmentation = `
SELECT table_schema AS table_schema, table_name AS table_name, data_length AS data_size, index_length AS index_size, data_free AS data_free,
  ROUND(data_free * 100 / GREATEST(data_length + index_length, 1), 2) AS fragmentation_percentage
FROM information_schema.tables
WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('mysql', 'information_schema', 'performance_schema', 'sys')
  AND ({{table_schema}} = '' OR table_schema = {{table_schema}}) AND ({{table_name}} = '' OR table_name = {{table_name}})
  AND data_free >= {{data_free_threshold_bytes}}
ORDER BY fragmentation_percentage DESC, table_schema, table_name
LIMIT {{limit}}`
