const firstPage = 'cursorpage::bytea, continuation::bytea, persistconnection, cursorid';

/**
 * All statements that the gateway sends for a client. `::bytea` passes documents as BSON. `$1` is the database unless
 * stated otherwise; commands are passed as the client's document.
 */
export const statements = {
  insert: 'SELECT p_result::bytea FROM documentdb_api.insert($1,$2::bytea,$3::bytea)',
  update: 'SELECT p_result::bytea FROM documentdb_api.update($1,$2::bytea,$3::bytea)',
  delete: 'SELECT p_result::bytea FROM documentdb_api.delete($1,$2::bytea,$3::bytea)',
  findAndModify: 'SELECT p_result::bytea FROM documentdb_api.find_and_modify($1,$2::bytea)',
  find: `SELECT ${firstPage} FROM documentdb_api.find_cursor_first_page($1,$2::bytea)`,
  aggregate: `SELECT ${firstPage} FROM documentdb_api.aggregate_cursor_first_page($1,$2::bytea)`,
  listCollections: `SELECT ${firstPage} FROM documentdb_api.list_collections_cursor_first_page($1,$2::bytea)`,
  listIndexes: `SELECT ${firstPage} FROM documentdb_api.list_indexes_cursor_first_page($1,$2::bytea)`,
  getMore:
    'SELECT cursorpage::bytea, continuation::bytea FROM documentdb_api.cursor_get_more($1,$2::bytea,$3::bytea)',
  deleteCursor: 'SELECT documentdb_api_internal.delete_cursors(ARRAY[$1::bigint])',
  count: 'SELECT document::bytea FROM documentdb_api.count_query($1,$2::bytea)',
  distinct: 'SELECT document::bytea FROM documentdb_api.distinct_query($1,$2::bytea)',
  create: 'SELECT documentdb_api.create_collection_view($1,$2::bytea)',
  // The alternative waits up to two seconds for a background job.
  createIndexes: 'SELECT documentdb_api_internal.create_indexes_non_concurrently($1,$2::bytea,true)',
  dropIndexes: 'CALL documentdb_api.drop_indexes($1,$2::bytea)',
  indexName:
    'SELECT (index_spec).index_name::text FROM documentdb_api_catalog.collection_indexes WHERE index_id=$1::int',
  collMod: 'SELECT documentdb_api.coll_mod($1,$2,$3::bytea)',
  collStats: 'SELECT documentdb_api.coll_stats($1,$2,$3)',
  dbStats: 'SELECT documentdb_api.db_stats($1,$2,$3)',
  validate: 'SELECT document::bytea FROM documentdb_api.validate($1,$2::bytea)',
  listDatabases: 'SELECT documentdb_api.list_databases($1::bytea)',
  drop: 'SELECT documentdb_api.drop_collection($1,$2)',
  dropDatabase: 'SELECT documentdb_api.drop_database($1)',
  renameCollection: 'SELECT documentdb_api.rename_collection($1,$2,$3,$4)',
} as const;

export type StatementName = keyof typeof statements;
