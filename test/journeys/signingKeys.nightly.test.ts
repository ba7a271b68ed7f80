import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import mongoose from 'mongoose';
import { createInstallation } from '../../subgraphs/identity/createInstallation.ts';
import { createUser } from '../../subgraphs/identity/people/user/createUser.ts';
import { createSecrets } from '../../subgraphs/platform/secrets/deriveSecret.ts';
import { connectTestDatabase } from '../support/stack/connectTestDatabase.ts';
import { type HttpAnswer, type HttpClient, openHttpClient } from '../support/stack/openHttpClient.ts';
import { runProgram } from '../support/stack/runProgram.ts';
import { type Program, startProgram } from '../support/stack/startProgram.ts';

/* The keys command changes the keys of a product that runs as two processes on one database. */

const password = 'plum-tractor-9-violin';
const email = 'ada@example.test';
const patienceMs = 60_000;
const secret = randomBytes(32).toString('base64url');

let database: Awaited<ReturnType<typeof connectTestDatabase>>;
let environment: Record<string, string>;
const programs: Program[] = [];
const clients: HttpClient[] = [];

beforeAll(async () => {
  database = await connectTestDatabase();
  environment = {
    MONGODB_URI: database.ownUri,
    MIGRATE_ON_START: 'on',
    TRIGATE_SECRET: secret,
    DEMO: 'off',
    PORT: '0',
    ISSUER: 'http://issuer.test',
    TRUSTED_PROXIES: '1',
  };
  const installation = await createInstallation(
    { name: 'Shop', hosts: ['shop.localhost'], baseUrl: 'http://shop.localhost' },
    { now: Date.now },
  );
  await createUser(
    installation,
    { email, displayName: 'Ada', password, emailVerified: true },
    { secrets: createSecrets(secret), now: Date.now },
  );
  for (const name of ['one', 'other']) {
    const program = await startProgram(name, 'bin/main.ts', environment);
    programs.push(program);
    clients.push(openHttpClient(Number(new URL(program.url).port)));
  }
}, patienceMs);

afterAll(async () => {
  for (const client of clients) client.close();
  await Promise.all(programs.map((program) => program.stop()));
  await database.close();
}, patienceMs);

const send = (request: Parameters<HttpClient['send']>[0], process = 0): Promise<HttpAnswer> => {
  const client = clients[process];
  if (!client) throw new Error(`There is no process ${process}.`);
  return client.send({ host: 'shop.localhost', ...request });
};
/** Each sign-in has another address, because sign-ins are rate limited by address. */
let callers = 0;
const elsewhere = (): [string, string] => {
  callers += 1;
  return ['x-forwarded-for', `198.18.${callers >> 8}.${callers & 255}`];
};
const signIn = (process = 0) =>
  send(
    {
      method: 'POST',
      path: '/api/v1/auth/token',
      headers: [elsewhere()],
      body: { grant_type: 'password', username: email, password },
    },
    process,
  );
const me = (token: string, process: number) => send({ path: '/api/v1/me', token }, process);
const keys = (...args: string[]) => runProgram('bin/keys.ts', args, environment);
const kidOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;
const published = async (process: number): Promise<string[]> =>
  (await send({ path: '/.well-known/jwks.json' }, process)).json.keys.map(({ kid }: { kid: string }) => kid);

test(
  'the keys command lists the keys of a running deployment without their private keys',
  async () => {
    const { code, stdout } = await keys('list');
    expect(code).toBe(0);
    expect(stdout).toMatch(/\n?[\w-]{43} {2}current .*private half: database .*signs since/);
    expect(stdout).toMatch(/[\w-]{43} {2}next /);
    const stored = await mongoose.connection.collection('signing_keys').find({}).toArray();
    for (const { sealedPrivateKey } of stored) expect(stdout).not.toContain(sealedPrivateKey);
  },
  patienceMs,
);

test(
  'a rotation under load fails no sign-in, and tokens of the previous key stay valid in every process',
  async () => {
    const { access_token: before } = (await signIn()).json;
    const rotation = new AbortController();
    const statuses: number[] = [];
    const load = [0, 1].map(async (process) => {
      while (!rotation.signal.aborted) {
        const answer = await signIn(process);
        statuses.push(answer.status, (await me(answer.json.access_token, 1 - process)).status);
      }
    });
    const refused = await keys('rotate');
    const rotated = await keys('rotate', '--now');
    rotation.abort();
    await Promise.all(load);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringMatching(/less than 24 hours ago.*--now/),
    ]);
    expect([rotated.code, rotated.stdout]).toEqual([0, expect.stringMatching(/signs from now on/)]);
    expect(statuses.length).toBeGreaterThan(3);
    expect(new Set(statuses)).toEqual(new Set([200]));
    const { access_token: after } = (await signIn()).json;
    expect(kidOf(after)).not.toBe(kidOf(before));
    for (const process of [0, 1]) {
      expect((await me(before, process)).status).toBe(200);
      expect((await me(after, process)).status).toBe(200);
      expect(await published(process)).toEqual(expect.arrayContaining([kidOf(before), kidOf(after)]));
    }
  },
  patienceMs,
);

test(
  'revoking a key removes it from the key set of every process and invalidates the tokens that it signed',
  async () => {
    const { access_token: stolen, refresh_token } = (await signIn()).json;
    // Both processes cache the verified token.
    for (const process of [0, 1]) expect((await me(stolen, process)).status).toBe(200);
    const revoked = await keys('revoke', kidOf(stolen));
    expect([revoked.code, revoked.stdout]).toEqual([0, expect.stringMatching(/is revoked/)]);
    for (const process of [0, 1]) {
      // The pause keeps the requests below the rate limit of reads.
      while ((await me(stolen, process)).status === 200) await pause(100);
      const refusal = await me(stolen, process);
      expect([refusal.status, refusal.json.code]).toEqual([401, 'token_invalid']);
      expect(await published(process)).not.toContain(kidOf(stolen));
    }
    const body = { grant_type: 'refresh_token', refresh_token };
    const renewed = await send({ method: 'POST', path: '/api/v1/auth/token', body }, 1);
    expect(renewed.status).toBe(200);
    expect((await me(renewed.json.access_token, 0)).status).toBe(200);
  },
  patienceMs,
);

test.each([
  [['revoke', 'nobody'], 1, /there is no key nobody/],
  [['revoke'], 2, /1 argument\(s\) expected.*--help/],
  [['destroy'], 2, /there is no command "destroy"[\s\S]*keys -- list/],
  [['rotate', '--when', 'now'], 2, /--help/],
])(
  'the keys command refuses the arguments %j with the reason',
  async (args, code, message) => {
    const result = await keys(...args);
    expect([result.code, result.stderr]).toEqual([code, expect.stringMatching(message)]);
  },
  patienceMs,
);
