import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Program, startProgram } from '../support/stack/startProgram.ts';

const password = 'journey-password-2';
const patienceMs = 240_000;

let dataDir: string;
let product: Program;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'trigate-guides-'));
  // All guides sign in, one right after the other: no reader is that fast.
  const settings = {
    DATA_DIR: dataDir,
    DEMO_PASSWORD: password,
    PORT: '0',
    MONGODB_URI: '',
    RATE_LIMITS: 'off',
  };
  product = await startProgram('main.ts', 'bin/main.ts', settings);
}, patienceMs);
afterAll(async () => {
  await product?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** Commands that a guide asks its reader to paste into a shell. */
function commandsOf(guide: string): string {
  const [file = guide] = globSync(path.join(import.meta.dirname, `../../docs/*/${guide}.md`));
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block).join('\n');
}

/** A guide, how many answers its examples print, and the refusals it shows. */
const guides: [guide: string, answers: number, refusals: string[]][] = [
  ['getting-started', 5, []],
  ['authentication', 4, []],
  ['tenancy-and-ownership', 3, ['installation_mismatch', 'ownership_required']],
  ['errors', 3, ['token_missing', 'unknown_field', 'token_missing']],
  ['pagination', 3, ['invalid_cursor']],
  ['concurrency', 3, ['precondition_failed', 'precondition_failed']],
  ['idempotency', 3, ['idempotency_key_reused']],
  ['following-events', 5, ['invalid_cursor']],
];

test.each(guides)(
  'the examples of %s run as written, and are refused where it says so',
  (guide, count, refusals) => {
    // Variables of the first guide are those of all: its commands run in the same shell.
    const first = guide === 'getting-started' ? '' : `{ ${commandsOf('getting-started')}\n} > /dev/null`;
    const script = ['curl() { command curl -sS "$@"; echo; }', first, commandsOf(guide)]
      .join('\n')
      .replaceAll('http://localhost:4000', product.url)
      .replaceAll('a-demo-password', password);
    const printed = execFileSync('bash', ['-c', script], { encoding: 'utf8' });
    const answers = printed.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
    expect(answers).toHaveLength(count);
    const refused = answers.flatMap(({ code, errors }) =>
      code === undefined && Array.isArray(errors) ? errors.map(codeOf) : (code ?? []),
    );
    expect(refused).toEqual(refusals);
  },
  patienceMs,
);

/** The code of a problem that GraphQL answers; a fault without one shows as its message. */
function codeOf(error: { message: string; extensions?: { problem?: { code?: string } } }): string {
  return error.extensions?.problem?.code ?? error.message;
}
