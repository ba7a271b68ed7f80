import { execFile, spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { openDoor } from '../../packages/client/test/openDoor.ts';
import { product } from '../support/product.ts';
import { completeListing } from '../support/seed.ts';
import { tempFolder } from '../support/tempFolder.ts';

const run = promisify(execFile);
const guide = readFileSync(path.join(import.meta.dirname, '../../docs/how-to/generated-clients.md'), 'utf8');
const password = 'plum-tractor-9-violin';
const world = product();
let door: Awaited<ReturnType<typeof openDoor>>;
beforeAll(async () => {
  door = await openDoor(await world.stack.port(), world.market.installation.hosts[0]);
});
afterAll(() => door.close());

interface GeneratedClient {
  readonly language: string;
  /** Folder with the program. */
  readonly folder: string;
  /** Programs that the commands of the guide need, each with its arguments for a test call. */
  readonly needs: readonly (readonly [program: string, argument: string])[];
  /** Runs the program in the folder with the generated client. */
  readonly start: string;
}

const clients: readonly GeneratedClient[] = [
  {
    language: 'Python',
    folder: 'python',
    needs: [['python3', '--version']],
    start: '.venv/bin/python journey.py',
  },
  { language: 'Go', folder: 'go', needs: [['go', 'version']], start: 'go run .' },
  {
    language: 'Java',
    folder: 'java',
    needs: [
      ['java', '--version'],
      ['javac', '--version'],
      ['mvn', '--version'],
    ],
    start: "java -cp 'client/target/classes:client/target/dependency/*' Journey.java",
  },
  {
    language: 'C#',
    folder: 'csharp',
    needs: [
      ['dotnet', '--version'],
      ['java', '--version'],
      ['mvn', '--version'],
    ],
    start: 'dotnet run --project Journey.csproj',
  },
];

/** Returns the commands of the guide that every language needs, and those of one. */
function commandsOf(language: string): string {
  const [general = '', ...sections] = guide.split(/^## /m);
  const section = sections.find((text) => text.startsWith(`${language}\n`)) ?? '';
  return [general, section]
    .map((text) => [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, commands]) => commands).join(''))
    .join('');
}

const isThere = (program: string, argument: string) => spawnSync(program, [argument]).status === 0;

describe.each(clients)('a generated $language client', ({ language, folder, needs, start }) => {
  const project = tempFolder();
  const missing = needs.filter((need) => !isThere(...need)).map(([program]) => program);
  const bash = async (commands: string, environment: Record<string, string> = {}) => {
    const { stdout } = await run('bash', ['-e', '-c', commands], {
      cwd: project,
      env: { ...process.env, ...environment },
      maxBuffer: 64 * 1024 * 1024,
    });
    return stdout;
  };

  (missing.length === 0 ? test : test.skip)(
    `compiles and sells a car${missing.length === 0 ? '' : ` (skipped: ${missing.join(', ')} is missing)`}`,
    async () => {
      const { market } = world;
      const seller = await market.user({ password });
      const { id } = await market.dealer({ owner: seller });
      const { attributes, categoryId } = completeListing(market.categories);
      cpSync(path.join(import.meta.dirname, folder), project, { recursive: true });
      const commands = commandsOf(language).replaceAll('http://localhost:4000', door.url);
      expect(commands).toContain(door.url);
      await bash(commands);
      const printed = await bash(start, {
        TRIGATE_URL: door.url,
        TRIGATE_USER: seller.email,
        TRIGATE_PASSWORD: password,
        TRIGATE_DEALER: id,
        TRIGATE_CATEGORY: String(categoryId),
        TRIGATE_ATTRIBUTES: JSON.stringify(attributes),
      });
      expect(JSON.parse(printed)).toEqual({
        id: expect.stringMatching(/^lst_/),
        title: 'Volvo 145 estate',
        state: 'active',
        amount: 1_245_000,
        refusal: 'not_found',
      });
    },
    900_000,
  );
});
