import { randomBytes } from 'node:crypto';
import mongoose from 'mongoose';
import { connectTestDatabase } from '../support/stack/connectTestDatabase.ts';
import { type HttpClient, openHttpClient } from '../support/stack/openHttpClient.ts';
import { type ProgramResult, runProgram } from '../support/stack/runProgram.ts';
import { type Program, startProgram } from '../support/stack/startProgram.ts';

/* A deployment without the demonstration, in which an operator creates installations while the product runs. */

const patienceMs = 90_000;
let database: Awaited<ReturnType<typeof connectTestDatabase>>;
let environment: Record<string, string>;
let product: Program;
let client: HttpClient;

beforeAll(async () => {
  database = await connectTestDatabase();
  environment = {
    MONGODB_URI: database.ownUri,
    MIGRATE_ON_START: 'on',
    TRIGATE_SECRET: randomBytes(32).toString('base64url'),
    DEMO: 'off',
    PORT: '0',
  };
  product = await startProgram('product', 'bin/main.ts', environment);
  client = openHttpClient(Number(new URL(product.url).port));
}, patienceMs);

afterAll(async () => {
  client.close();
  await product.stop();
  await database.close();
}, patienceMs);

const run = (...args: string[]): Promise<ProgramResult> =>
  runProgram('bin/installations.ts', args, environment);
const complete = (host: string): string[] => [
  'create',
  '--name=Cars of the North',
  `--base-url=https://${host}/`,
  `--admin-email=Ada@${host}`,
];

async function untilKnown(host: string): Promise<void> {
  const deadline = Date.now() + 15_000;
  for (;;) {
    const { status } = await client.send({ host, path: '/api/v1/catalog/listings' });
    if (status === 200) return;
    if (Date.now() > deadline) throw new Error(`No installation answers at ${host}: ${status}`);
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test(
  'an installation created while the product runs has an administrator, languages, categories and an audit event',
  async () => {
    const host = 'north.example';
    const made = await run(
      ...complete(host),
      `--host=${host}`,
      '--host=www.north.example',
      '--locale=de',
      '--locale=pt-br',
      '--currency=CHF',
      '--admin-name=Ada',
    );
    expect(made).toMatchObject({ code: 0, stderr: '' });
    const link = /https:\/\/north\.example\/account\/reset-password#token=(\S+)/.exec(made.stdout);
    const token = link?.[1] ?? '';
    expect(token).not.toBe('');
    await untilKnown(host);
    await untilKnown('www.north.example');

    const password = 'plum-tractor-9-violin';
    const post = (path: string, body: object) => client.send({ host, method: 'POST', path, body });
    const confirm = { token, password };
    expect((await post('/api/v1/auth/password-resets/confirm', confirm)).status).toBeLessThan(300);
    expect((await post('/api/v1/auth/password-resets/confirm', confirm)).status).toBeGreaterThanOrEqual(400);
    const signedIn = await post('/api/v1/auth/token', {
      grant_type: 'password',
      username: `ada@${host}`,
      password,
    });
    const get = (path: string) => client.send({ host, path, token: signedIn.json.access_token });
    expect((await get('/api/v1/me')).json).toMatchObject({
      displayName: 'Ada',
      emailVerified: true,
      accountType: 'staff',
      roles: ['buyer', 'installation_admin'],
      installation: { name: 'Cars of the North', defaultCurrency: 'CHF', locales: ['de', 'pt-BR'] },
    });
    expect((await get('/api/v1/admin/users')).json.data).toHaveLength(1);
    const languages = await get('/api/rest/translation/v1/languages');
    expect(languages.json.data.map(({ code }: { code: string }) => code)).toEqual(['de', 'pt-br']);
    const { installation } = (await get('/api/v1/me')).json;
    const categories = mongoose.connection.collection('categories');
    expect(await categories.countDocuments({ installationId: installation.id })).toBeGreaterThan(0);
    const audit = mongoose.connection.collection('audit_events');
    expect(
      await audit.findOne({ installationId: installation.id, action: 'createInstallation' }),
    ).toMatchObject({
      actor: { type: 'system', id: 'installations create' },
    });
  },
  patienceMs,
);

test(
  'the list command shows an installation, and a second installation with the same host is refused',
  async () => {
    const host = 'south.example';
    expect((await run(...complete(host))).code).toBe(0);
    const list = await run('list');
    expect(list.stdout).toMatch(
      /^ins_\w{26} {2}"Cars of the North" {2}hosts: south\.example {2}base URL: https:\/\/south\.example {2}languages: en {2}administrators: 1$/m,
    );
    const again = await run(...complete(host));
    expect(again).toMatchObject({ code: 1 });
    expect(again.stderr).toMatch(
      /^installations: the host south\.example belongs to .* Choose another one with --host\.\n$/,
    );
    const installations = mongoose.connection.collection('installations');
    expect(await installations.countDocuments({ hosts: host })).toBe(1);
  },
  patienceMs,
);

test(
  'the command refuses missing and invalid arguments with the reason, before it writes anything',
  async () => {
    const count = () => mongoose.connection.collection('users').countDocuments({});
    const before = await count();
    const wrong: [RegExp, number, string[]][] = [
      [/a command is required. Use one of: list, create, export-usage; --help/, 2, []],
      [/Unknown option '--colour'/, 2, [...complete('x.example'), '--colour', 'red']],
      [/--locale is "e n"; it must be/, 1, [...complete('x.example'), '--locale', 'e n']],
    ];
    for (const [message, code, args] of wrong) {
      const result = await run(...args);
      expect([args, result.code, result.stderr]).toEqual([args, code, expect.stringMatching(message)]);
      expect(result.stderr).not.toMatch(/\n\s+at /);
    }
    expect(await count()).toBe(before);
  },
  patienceMs,
);

test(
  'the command refuses to create an installation without TRIGATE_SECRET',
  async () => {
    const result = await runProgram('bin/installations.ts', complete('x.example'), {
      ...environment,
      TRIGATE_SECRET: '',
    });
    expect(result.code).toBe(1);
    expect(result.stderr).toMatch(/TRIGATE_SECRET/);
  },
  patienceMs,
);
