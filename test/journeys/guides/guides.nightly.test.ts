import { execFileSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import sharp from 'sharp';
import { type Program, startProgram } from '../../support/stack/startProgram.ts';

const password = 'journey-password-2';
const patienceMs = 240_000;

let dataDir: string;
let product: Program;
beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'trigate-guides-'));
  // All guides sign in within seconds, which exceeds the rate limit of one reader.
  const settings = {
    DATA_DIR: dataDir,
    DEMO_PASSWORD: password,
    DEMO_SAMPLES: 'off',
    PORT: '0',
    MONGODB_URI: '',
    RATE_LIMITS: 'off',
    CORS_ORIGINS: 'https://shop.example.com',
  };
  // The file that an example uploads.
  await sharp({ create: { width: 320, height: 240, channels: 3, background: '#446688' } })
    .jpeg()
    .toFile(path.join(dataDir, 'front.jpg'));
  product = await startProgram('main.ts', 'bin/main.ts', settings);
}, patienceMs);
afterAll(async () => {
  await product?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

/** The shell commands of a guide. */
function commandsOf(guide: string): string {
  const [file = guide] = globSync(path.join(import.meta.dirname, `../../../docs/*/${guide}.md`));
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block]) => block).join('\n');
}

/** Guides with the number of answers that their examples print, and the refusals among them. */
const guides: [guide: string, answers: number, refusals: string[]][] = [
  ['getting-started', 5, []],
  ['authentication', 4, []],
  ['tenancy-and-ownership', 3, ['installation_mismatch', 'ownership_required']],
  ['errors', 3, ['token_missing', 'unknown_field', 'token_missing']],
  ['pagination', 3, ['invalid_cursor']],
  ['concurrency', 3, ['precondition_failed', 'precondition_failed']],
  ['idempotency', 3, ['idempotency_key_reused']],
  ['following-events', 5, ['invalid_cursor']],
  ['signing-in', 1, []],
  ['cors', 0, []],
  ['media', 1, []],
  ['messaging', 1, []],
  ['events', 0, []],
  ['feed-import', 1, []],
  ['moderation', 8, []],
];

/** What the examples print of guides whose answers are no JSON. */
const prints: Readonly<Record<string, readonly RegExp[]>> = {
  cors: [/^Access-Control-Allow-Origin: https:\/\/shop\.example\.com\r?$/im],
  events: [/^id: /m, /^event: next$/m],
};

test.each(guides)(
  'the examples of the guide %s run as written and print the documented refusals',
  (guide, count, refusals) => {
    // The other guides use variables of the first guide, so its commands run in the same shell.
    const first = guide === 'getting-started' ? '' : `{ ${commandsOf('getting-started')}\n} > /dev/null`;
    const script = ['curl() { command curl -sS "$@"; echo; }', first, commandsOf(guide)]
      .join('\n')
      .replaceAll('http://localhost:4000', product.url)
      .replaceAll('a-demo-password', password);
    const printed = execFileSync('bash', ['-c', script], { encoding: 'utf8', cwd: dataDir });
    for (const expected of prints[guide] ?? []) expect(printed).toMatch(expected);
    const answers = printed.split('\n').flatMap((line) => (line.startsWith('{') ? [JSON.parse(line)] : []));
    expect(answers).toHaveLength(count);
    const refused = answers.flatMap(({ code, errors }) =>
      code === undefined && Array.isArray(errors) ? errors.map(codeOf) : (code ?? []),
    );
    expect(refused).toEqual(refusals);
  },
  patienceMs,
);

/** The code of a GraphQL problem, or the message of another error. */
function codeOf(error: { message: string; extensions?: { problem?: { code?: string } } }): string {
  return error.extensions?.problem?.code ?? error.message;
}
