import { randomBytes } from 'node:crypto';
import { connectTestDatabase } from '../support/stack/connectTestDatabase.ts';
import { runProgram } from '../support/stack/runProgram.ts';
import { startProgram } from '../support/stack/startProgram.ts';

/* A deployment on its own MongoDB prepares the database in a step before the start. */

let database: Awaited<ReturnType<typeof connectTestDatabase>>;
let environment: Record<string, string>;
beforeAll(async () => {
  database = await connectTestDatabase();
  environment = {
    MONGODB_URI: database.ownUri,
    TRIGATE_SECRET: randomBytes(32).toString('base64url'),
    TRANSLATION_URL: 'http://127.0.0.1:0/',
    JOBS: 'off',
  };
});
afterAll(() => database.close());

const migrate = (...args: string[]) => runProgram('bin/migrate.ts', args, environment);

test('a process on an unprepared MongoDB names the command that prepares it, and starts after it', async () => {
  const refused = await runProgram('bin/subgraph.ts', ['translation'], environment);
  expect([refused.code, refused.stderr]).toEqual([
    1,
    expect.stringMatching(/^cannot start: The database lacks .* Run npm run migrate -- apply/),
  ]);
  expect((await migrate('plan')).stdout).toMatch(/^create collection listings$/m);
  const applied = await migrate('apply');
  expect([applied.code, applied.stdout]).toEqual([
    0,
    expect.stringMatching(/creating \d+ collections\nthe database is ready for this release\n$/),
  ]);
  expect((await migrate('plan')).stdout).toMatch(/^nothing to do$/m);
  expect((await migrate('status')).stdout).toMatch(/^identity\/0001-drop-account-tokens {2}contract/m);
  const subgraph = await startProgram('translation', 'bin/subgraph.ts', environment, ['translation']);
  expect(await subgraph.stop()).toBe(0);
}, 60_000);
