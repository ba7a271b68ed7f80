import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import mongoose from 'mongoose';
import { embeddedUriFile } from '../app/services/openDatabase.ts';
import { runProgram } from '../test/support/stack/runProgram.ts';
import { type Program, startProgram } from '../test/support/stack/startProgram.ts';

let dataDir: string;
let program: Program | undefined;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'database-uri-'));
});
afterAll(async () => {
  await program?.kill();
  await rm(dataDir, { recursive: true, force: true });
});

const ask = () => runProgram('bin/databaseUri.ts', [], { DATA_DIR: dataDir, MONGODB_URI: '' });

test('database:uri prints the address of a running embedded database, and fails when none runs', async () => {
  expect(await ask()).toMatchObject({ code: 1, stderr: expect.stringContaining('Start one with npm start') });
  const settings = { MONGODB_URI: '', DATA_DIR: dataDir, DEMO: 'off', PORT: '0', LOG_LEVEL: 'silent' };
  program = await startProgram('product', 'bin/main.ts', {
    ...settings,
    TRIGATE_SECRET: '\u0007'.repeat(32),
  });
  const { code, stdout } = await ask();
  expect(code).toBe(0);
  expect((await stat(embeddedUriFile(dataDir))).mode & 0o777).toBe(0o600);
  const client = await mongoose.mongo.MongoClient.connect(stdout.trim());
  expect(await client.db('trigate').collection('signing_keys').countDocuments()).toBeGreaterThan(0);
  await client.close();
  await program.kill();
  expect((await stat(embeddedUriFile(dataDir))).isFile()).toBe(true);
  expect(await ask()).toMatchObject({ code: 1, stdout: '' });
});
