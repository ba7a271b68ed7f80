import { connect, createServer, type Socket } from 'node:net';
import mongoose from 'mongoose';
import { connectTestDatabase } from '../../../test/support/stack/connectTestDatabase.ts';
import { countCommands } from '../../../test/support/stack/countCommands.ts';
import { connectMongo } from './connectMongo.ts';
import { aggregateDirectly, findDirectly } from './directReads.ts';
import { openedDatabase } from './openedDatabase.ts';

/** A proxy between the driver and the database. */
interface Line {
  fault: 'none' | 'cut once' | 'swallowed';
  /** Commands that name the collection. */
  heard: number;
  uri: string;
  close(): void;
}

const collection = 'numbers_read_directly';
let uri: string;
let name: string;

beforeAll(async () => {
  const database = await connectTestDatabase();
  ({ uri, name } = database);
  const numbers = Array.from({ length: 5 }, (_, at) => ({ _id: `n${at}`, at, even: at % 2 === 0 }));
  await openedDatabase().collection<{ _id: string }>(collection).insertMany(numbers);
  await database.leave();
});

afterAll(async () => {
  await (await connectTestDatabase(name)).close();
});

async function openLine(): Promise<Line> {
  const { hostname, port } = new URL(uri);
  const isSocket = hostname.endsWith('.sock');
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = isSocket ? connect(decodeURIComponent(hostname)) : connect(Number(port), hostname);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on('error', () => undefined).on('close', () => [near, far].map((each) => each.destroy()));
    }
    far.pipe(near);
    near.on('data', (bytes) => {
      const isHeard = bytes.includes(collection);
      if (isHeard) line.heard += 1;
      if (isHeard && line.fault === 'swallowed') return;
      if (isHeard && line.fault === 'cut once') {
        line.fault = 'none';
        near.destroy();
      } else far.write(bytes);
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const through = new URL(uri);
  through.host = `127.0.0.1:${(server.address() as { port: number }).port}`;
  through.searchParams.set('directConnection', 'true');
  through.searchParams.set('readConcernLevel', 'majority');
  const line: Line = {
    fault: 'none',
    heard: 0,
    uri: through.href,
    close() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
  return line;
}

/** Runs the work on a connection through a proxy. */
async function along(work: (line: Line) => Promise<void>, timeoutMs = 1000): Promise<void> {
  const line = await openLine();
  const options = { uri: line.uri, database: name, timeoutMs, tellsCommands: true };
  const connection = await connectMongo(options);
  try {
    await work(line);
  } finally {
    await connection.close();
    line.close();
  }
}

const even = { even: true };
const ids = ['n4', 'n2', 'n0'].map((_id) => ({ _id }));
const options = { projection: { _id: 1 }, sort: { at: -1 } } as const;
const pipeline = [{ $match: even }, { $sort: { at: -1 } }, { $project: { _id: 1 } }];

test('a direct read is one command with the read concern of the connection', async () => {
  await along(async () => {
    const concerns: unknown[] = [];
    mongoose.connection
      .getClient()
      .on('commandStarted', ({ command }) => concerns.push(command.readConcern?.level));
    const { result, commands } = await countCommands(() => findDirectly(collection, even, options));
    expect(result).toEqual(ids);
    expect(await aggregateDirectly(collection, pipeline)).toEqual(ids);
    expect(await findDirectly(collection, { at: 7 }, {})).toEqual([]);
    expect(commands).toEqual([`find ${collection}`]);
    expect(concerns).toEqual(['majority', 'majority', 'majority']);
  });
});

test('a direct read whose connection breaks is repeated', async () => {
  await along(async (line) => {
    line.fault = 'cut once';
    expect(await findDirectly(collection, even, options)).toEqual(ids);
    line.fault = 'cut once';
    expect(await aggregateDirectly(collection, pipeline)).toEqual(ids);
    expect(line.heard).toBe(4);
    // The driver looks for the server again after half a second at the earliest.
  }, 8000);
});

test('a direct read without a response times out and is not repeated', async () => {
  await along(async (line) => {
    line.fault = 'swallowed';
    await expect(findDirectly(collection, even, options)).rejects.toThrow(
      mongoose.mongo.MongoNetworkTimeoutError,
    );
    expect(line.heard).toBe(1);
  });
});

test('a direct read that the server refuses rejects with the error of the server', async () => {
  await along(async () => {
    await expect(aggregateDirectly(collection, [{ $nonsense: {} }])).rejects.toThrow(
      mongoose.mongo.MongoServerError,
    );
  });
});
