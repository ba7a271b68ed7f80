import { Long, ObjectId } from 'bson';
import type { Command } from '../Command.ts';
import type { GatewayServices } from '../GatewayServices.ts';
import { type BsonBytes, encode, okDocument } from '../wire/bson.ts';
import { maxMessageBytes } from '../wire/wire.ts';
import { sessionTimeoutMinutes } from './sessions.ts';

const serverVersion = '7.0.0';
/** The wire version of MongoDB 7.0: what drivers derive the features they may use from. */
const wireVersion = 21;
const maxDocumentBytes = 16 * 1024 * 1024;
const maxWriteBatch = 25_000;

/** There is one node, so the election id never changes. */
const election = new ObjectId('7fffffff0000000000000001');

/** Responds as a replica set of one, because drivers offer transactions and change streams only to replica sets. */
export function hello(services: GatewayServices, command: Command): BsonBytes {
  const { address } = services;
  return encode({
    helloOk: true,
    [command.name === 'hello' ? 'isWritablePrimary' : 'ismaster']: true,
    setName: services.replicaSet,
    setVersion: 1,
    hosts: [address],
    me: address,
    primary: address,
    secondary: false,
    electionId: election,
    maxBsonObjectSize: maxDocumentBytes,
    maxMessageSizeBytes: maxMessageBytes,
    maxWriteBatchSize: maxWriteBatch,
    localTime: new Date(),
    logicalSessionTimeoutMinutes: sessionTimeoutMinutes,
    connectionId: command.client.id,
    minWireVersion: 0,
    maxWireVersion: wireVersion,
    readOnly: false,
    ok: 1,
  });
}

/** Checks that the engine responds, on the connection that no client can occupy. */
export async function ping({ pool }: GatewayServices): Promise<BsonBytes> {
  const connection = await pool.lookup();
  await connection.query('ping', 'SELECT 1');
  return okDocument;
}

/** Returns the build information; `gitVersion` distinguishes this gateway from a mongod. */
export function buildInfo(): BsonBytes {
  return encode({
    version: serverVersion,
    versionArray: [...serverVersion.split('.').map(Number), 0],
    gitVersion: 'documentdb-gateway',
    bits: 64,
    debug: false,
    maxBsonObjectSize: maxDocumentBytes,
    modules: [],
    ok: 1,
  });
}

export function serverStatus(services: GatewayServices): BsonBytes {
  return encode({
    host: services.address,
    version: serverVersion,
    process: 'documentdb-gateway',
    pid: Long.fromNumber(process.pid),
    uptime: process.uptime(),
    localTime: new Date(),
    connections: { current: services.statistics.connections },
    opcounters: { command: services.statistics.commands },
    mem: { resident: Math.round(process.memoryUsage.rss() / 1_048_576) },
    ok: 1,
  });
}

export function whatsMyUri(): BsonBytes {
  return encode({ you: 'anonymous unix socket', ok: 1 });
}

export function connectionStatus(): BsonBytes {
  return encode({ authInfo: { authenticatedUsers: [], authenticatedUserRoles: [] }, ok: 1 });
}

export function getParameter(): BsonBytes {
  return encode({ featureCompatibilityVersion: { version: '7.0' }, ok: 1 });
}
