import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import mongoose from 'mongoose';
import { runProgram } from '../test/support/runProgram.ts';
import { embeddedUriFile, openDatabase } from './openDatabase.ts';

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'database-uri-'));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));

const ask = () => runProgram('start/databaseUri.ts', [], { DATA_DIR: dataDir, MONGODB_URI: '' });

test('database:uri prints the address of a running embedded database, and is refused when none runs', async () => {
  expect(await ask()).toMatchObject({ code: 1, stderr: expect.stringContaining('Start one with npm start') });
  const database = await openDatabase({ mongodbUri: undefined, dataDir }, () => {});
  const { code, stdout } = await ask();
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${database.uri}\n` });
  expect((await stat(embeddedUriFile(dataDir))).mode & 0o777).toBe(0o600);
  const client = await mongoose.mongo.MongoClient.connect(database.uri);
  expect(await client.db('trigate').command({ ping: 1 })).toMatchObject({ ok: 1 });
  await client.close();
  await database.close();
  // What a killed process leaves.
  await writeFile(embeddedUriFile(dataDir), database.uri);
  expect(await ask()).toMatchObject({ code: 1, stdout: '' });
});
