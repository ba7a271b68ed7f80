import type { Command } from '../Command.ts';
import type { GatewayServices } from '../GatewayServices.ts';
import { type BsonBytes, encode, okDocument } from '../wire/bson.ts';
import * as collections from './collections.ts';
import * as diagnostics from './diagnostics.ts';
import { explain } from './explain.ts';
import * as reads from './reads.ts';
import * as sessions from './sessions.ts';
import * as writes from './writes.ts';

export type CommandHandler = (services: GatewayServices, command: Command) => BsonBytes | Promise<BsonBytes>;

const answerOk: CommandHandler = () => okDocument;
const answer = (document: Record<string, unknown>): CommandHandler => {
  const reply = encode({ ...document, ok: 1 });
  return () => reply;
};

/** All commands of the gateway. Any other name is answered with CommandNotFound. */
export const commandTable: Readonly<Record<string, CommandHandler>> = {
  insert: writes.insert,
  update: writes.update,
  delete: writes.remove,
  findAndModify: writes.findAndModify,
  findandmodify: writes.findAndModify,

  find: reads.openCursor('find'),
  aggregate: reads.aggregate,
  count: reads.count,
  distinct: reads.distinct,
  getMore: reads.getMore,
  killCursors: reads.killCursors,
  explain,

  create: collections.passThrough('create'),
  drop: collections.drop,
  dropDatabase: collections.dropDatabase,
  renameCollection: collections.renameCollection,
  collMod: collections.collMod,
  collStats: collections.collStats,
  collstats: collections.collStats,
  dbStats: collections.dbStats,
  dbstats: collections.dbStats,
  validate: collections.passThrough('validate'),
  listCollections: reads.openCursor('listCollections'),
  listDatabases: collections.listDatabases,

  createIndexes: collections.createIndexes,
  dropIndexes: collections.dropIndexes,
  deleteIndexes: collections.dropIndexes,
  listIndexes: reads.openCursor('listIndexes'),

  hello: diagnostics.hello,
  isMaster: diagnostics.hello,
  ismaster: diagnostics.hello,
  ping: diagnostics.ping,
  buildInfo: diagnostics.buildInfo,
  buildinfo: diagnostics.buildInfo,
  serverStatus: diagnostics.serverStatus,
  whatsmyuri: diagnostics.whatsMyUri,
  connectionStatus: diagnostics.connectionStatus,
  getParameter: diagnostics.getParameter,
  getCmdLineOpts: answer({ argv: [], parsed: {} }),
  getLog: answer({ totalLinesWritten: 0, log: [] }),
  hostInfo: answer({ system: { hostname: 'localhost' }, os: {}, extra: {} }),

  startSession: sessions.startSession,
  endSessions: sessions.endSessions,
  refreshSessions: answerOk,
  killSessions: sessions.endSessions,
  killAllSessions: answerOk,
  logout: answerOk,
};

/** Commands that change the catalog in ways that PostgreSQL cannot roll back together with other changes. */
export const notInTransactions: ReadonlySet<string> = new Set([
  'createIndexes',
  'dropIndexes',
  'deleteIndexes',
  'drop',
  'dropDatabase',
  'renameCollection',
  'collMod',
  'explain',
]);
