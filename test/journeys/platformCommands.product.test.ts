import { randomBytes } from 'node:crypto';
import { createInstallation } from '../../subgraphs/identity/createInstallation.ts';
import { type ExternalIssuer, openExternalIssuer } from '../support/servers/openExternalIssuer.ts';
import { connectTestDatabase } from '../support/stack/connectTestDatabase.ts';
import { runProgram } from '../support/stack/runProgram.ts';

/* The commands for operators and issuers, on a separate database. */

const patienceMs = 60_000;
let database: Awaited<ReturnType<typeof connectTestDatabase>>;
let environment: Record<string, string>;
let issuer: ExternalIssuer;

beforeAll(async () => {
  database = await connectTestDatabase();
  issuer = await openExternalIssuer();
  environment = {
    MONGODB_URI: database.ownUri,
    MIGRATE_ON_START: 'on',
    TRIGATE_SECRET: randomBytes(32).toString('base64url'),
    ISSUER: 'https://trigate.example',
    PRIVATE_ISSUERS: 'on',
  };
  await createInstallation(
    { id: 'ins_shop', name: 'Shop', hosts: ['shop.localhost'], baseUrl: 'http://shop.localhost' },
    { now: Date.now },
  );
}, patienceMs);
afterAll(async () => {
  await issuer.close();
  await database.close();
});

const run =
  (program: string) =>
  (args: string[], input?: string, settings: Record<string, string> = {}) =>
    runProgram(`bin/${program}.ts`, args, { ...environment, ...settings }, input);
const operators = run('operators');
const issuers = run('issuers');

test(
  'the operators command adds an operator with a second factor, lists operators without secrets and removes them',
  async () => {
    const added = await operators(['add', 'ada']);
    expect([added.code, added.stdout]).toEqual([
      0,
      expect.stringMatching(/operator ada \(opr_[0-9A-Z]{26}\)/),
    ]);
    expect(added.stdout).toMatch(/^password [\w-]{24}$/m);
    expect(added.stdout).toMatch(
      /^second factor otpauth:\/\/totp\/trigate\.example:ada\?secret=[A-Z2-7]{32}/m,
    );
    const given = await operators(['add', 'bob', '--password-stdin'], 'plum-tractor-9-violin\n');
    expect([given.code, given.stdout.includes('violin')]).toEqual([0, false]);
    expect((await operators(['add', 'ada'])).stderr).toMatch(/Names cannot be reused/);
    expect((await operators(['remove', 'bob'])).stdout).toMatch(/operator bob \(opr_\w+\) is removed/);
    const { stdout } = await operators(['list']);
    expect(stdout).toMatch(/opr_\w+ {2}ada +active +added/);
    expect(stdout).toMatch(/opr_\w+ {2}bob +removed +added .*, removed/);
    expect(stdout).not.toMatch(/secret|argon/);
  },
  patienceMs,
);

test(
  'the issuers command adds an issuer by discovery, lists, disables, enables and removes it',
  async () => {
    const args = ['add', '--installation', 'shop.localhost', '--issuer', issuer.url, '--audience', 'web'];
    const added = await issuers([
      ...args,
      '--audience=app',
      '--algorithm=ES256',
      '--provision',
      '--claim=roles=https://roles.example/v1',
      '--role=Desk=support',
      '--max-age=120',
      '--name=Company login',
    ]);
    expect([added.code, added.stderr]).toEqual([0, '']);
    expect(added.stdout).toContain(`keys at ${issuer.jwksUri}`);
    const id = /iss_[0-9A-Z]{26}/.exec(added.stdout)?.[0] ?? '';
    const again = await issuers(args);
    expect([again.code, again.stderr]).toEqual([
      1,
      expect.stringMatching(/already belongs to an installation/),
    ]);
    expect((await issuers(['list'])).stdout).toMatch(
      new RegExp(`${id} {2}ins_shop {2}active .* for web, app {2}ES256 {2}makes accounts`),
    );
    expect((await issuers(['disable', id])).stdout).toMatch(/is disabled/);
    expect((await issuers(['enable', id])).stdout).toMatch(/is active/);
    expect((await issuers(['remove', id])).stdout).toMatch(/is removed/);
    expect((await issuers(['list'])).stdout).toMatch(/no external issuers/);
  },
  patienceMs,
);

test.each([
  ['no installation', ['--issuer', 'x', '--audience', 'web'], /--installation is missing/],
  ['an unknown installation', ['--installation', 'nowhere'], /the installation "nowhere" does not exist/],
  ['no issuer', ['--installation', 'ins_shop'], /--issuer is missing/],
  [
    'an issuer that is not a URL',
    ['--installation', 'ins_shop', '--issuer', 'x', '--audience', 'w'],
    /"x" is not a URL/,
  ],
  ['a role without a value', ['--installation', 'ins_shop', '--issuer', 'x', '--role', 'Desk'], /no "="/],
  ['an unknown claim', ['--installation', 'ins_shop', '--issuer', 'x', '--claim', 'a=b'], /--claim a/],
])(
  'the issuers command refuses %s and states the option',
  async (_, args, reason) => {
    const { code, stderr } = await issuers(['add', ...args]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(reason)]);
  },
  patienceMs,
);

test(
  'the issuers command refuses an issuer at a private address outside of development',
  async () => {
    const args = ['add', '--installation', 'ins_shop', '--issuer', issuer.url, '--audience', 'web'];
    const refused = await issuers(args, '', { PRIVATE_ISSUERS: 'off' });
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/is not an https URL/)]);
    const product = await issuers(args, '', { DEMO: 'off' });
    expect([product.code, product.stderr]).toEqual([
      1,
      expect.stringMatching(/PRIVATE_ISSUERS is for development/),
    ]);
  },
  patienceMs,
);
