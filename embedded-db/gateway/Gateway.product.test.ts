import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { startIfAvailable } from '../conformance/startIfAvailable.ts';
import { childrenOf, killHard, processesWith } from '../durability/processTree.ts';
import type { EmbeddedDb } from '../startEmbeddedDb.ts';
import { encode } from './wire/bson.ts';
import { writeRequest } from './wire/wire.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'gateway-'));

const database = await startIfAvailable({ dataDir, testing: true });
afterAll(async () => {
  await database?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

(database ? describe : describe.skip)('the gateway', () => {
  const { uri } = database as EmbeddedDb;
  const path = decodeURIComponent(new URL(uri).hostname);
  const client = new mongoose.mongo.MongoClient(uri, { maxPoolSize: 100 });
  const documents = client.db('gateway').collection<{ n: number; v?: number }>('documents');
  afterAll(() => client.close());

  async function openSocket(): Promise<net.Socket> {
    const socket = net.connect(path);
    await once(socket, 'connect');
    return socket;
  }

  test.each([
    ['HTTP', Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')],
    ['a frame of two gigabytes', Buffer.from([0xff, 0xff, 0xff, 0x7f, ...Array(16).fill(0)])],
    ['a message without a body', writeRequest(1, new Uint8Array(0))],
  ])('%s closes that connection and no other', async (_what, bytes) => {
    const socket = await openSocket();
    socket.write(bytes);
    await once(socket, 'close');
    expect(await client.db('gateway').command({ ping: 1 })).toMatchObject({ ok: 1 });
  });

  test('damaged BSON returns an error and leaves the connection open', async () => {
    const socket = await openSocket();
    const damaged = Buffer.from(encode({ ping: 1, $db: 'admin' }));
    damaged[4] = 0x77; // a type that does not exist
    socket.write(writeRequest(1, damaged));
    const [refusal] = (await once(socket, 'data')) as [Buffer];
    expect(refusal.toString('latin1')).toContain('InvalidBSON');
    socket.write(writeRequest(2, encode({ ping: 1, $db: 'admin' })));
    const [pong] = (await once(socket, 'data')) as [Buffer];
    expect(pong.readInt32LE(8)).toBe(2);
    socket.destroy();
  });

  test('transactions beyond the number of connections wait for a connection', async () => {
    await documents.insertMany(Array.from({ length: 90 }, (_, n) => ({ n, v: 0 })));
    await Promise.all(
      Array.from({ length: 90 }, (_, n) =>
        client.withSession((session) =>
          session.withTransaction(async () => {
            await documents.updateOne({ n }, { $inc: { v: 1 } }, { session });
            await documents.updateOne({ n }, { $inc: { v: 1 } }, { session });
          }),
        ),
      ),
    );
    expect(await documents.countDocuments({ v: 2 })).toBe(90);
  });

  test('a client that disconnects inside a transaction blocks others no longer than its session lasts', async () => {
    await documents.insertOne({ n: -1, v: 0 });
    const other = await new mongoose.mongo.MongoClient(uri).connect();
    const session = other.startSession();
    session.startTransaction();
    await other
      .db('gateway')
      .collection('documents')
      .updateOne({ n: -1 }, { $inc: { v: 1 } }, { session });
    await other.close(); // ends its sessions
    await documents.updateOne({ n: -1 }, { $inc: { v: 10 } }, { maxTimeMS: 5_000 });
    expect(await documents.findOne({ n: -1 })).toMatchObject({ v: 10 });
  });

  test('a client that is killed inside a transaction keeps its locks only briefly', async () => {
    await documents.insertOne({ n: -2, v: 0 });
    const socket = await openSocket();
    const update = {
      update: 'documents',
      updates: [{ q: { n: -2 }, u: { $inc: { v: 1 } } }],
      lsid: { id: new mongoose.mongo.UUID() },
      txnNumber: mongoose.mongo.Long.fromNumber(1),
      startTransaction: true,
      autocommit: false,
      $db: 'gateway',
    };
    socket.write(writeRequest(1, encode(update)));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString('latin1')).toContain('nModified');
    socket.destroy();
    await documents.updateOne({ n: -2 }, { $inc: { v: 10 } }, { maxTimeMS: 50_000 });
    expect(await documents.findOne({ n: -2 })).toMatchObject({ v: 10 });
  });

  test('refuses to change the catalogue inside a transaction', async () => {
    await client.withSession(async (session) => {
      session.startTransaction();
      await documents.findOne({}, { session });
      await expect(documents.createIndex({ v: 1 }, { session })).rejects.toMatchObject({ code: 263 });
      await session.abortTransaction();
    });
  });

  test('a change stream reports what an aggregation writes with $merge', async () => {
    const target = client.db('gateway').collection('merged');
    await target.insertOne({ n: 0 });
    const stream = target.watch([], { maxAwaitTimeMS: 200 });
    expect(await stream.tryNext()).toBeNull();
    await documents.aggregate([{ $match: { n: 1 } }, { $merge: { into: 'merged' } }]).toArray();
    expect(await stream.next()).toMatchObject({ operationType: 'insert', fullDocument: { n: 1 } });
    await stream.close();
  });

  test('killing a server process fails its running operation once, and later operations succeed', async () => {
    const session = client.startSession();
    session.startTransaction();
    await documents.updateOne({ n: 1 }, { $set: { v: 100 } }, { session });
    const pidFile = readFileSync(join(dataDir, 'documentdb/cluster/postmaster.pid'), 'utf8');
    const backends = new Set(childrenOf(Number(pidFile.split('\n')[0])));
    const victims = processesWith('idle in tra').filter((id) => backends.has(id));
    expect(victims).toHaveLength(1);
    for (const id of victims) killHard(id);
    const lost = documents.updateOne({ n: 1 }, { $set: { v: 101 } }, { session });
    await expect(lost).rejects.toMatchObject({
      errorLabels: expect.arrayContaining(['TransientTransactionError']),
    });
    await session.endSession();
    await documents.updateOne({ n: 1 }, { $set: { v: 3 } });
    expect(await documents.findOne({ n: 1, v: { $ne: 100 } })).toMatchObject({ v: 3 });
  });
});
