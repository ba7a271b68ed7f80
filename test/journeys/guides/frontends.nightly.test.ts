import { execFile } from 'node:child_process';
import { globSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { type InstalledPackage, installPacked } from '../../support/installPacked.ts';
import { type Program, startProgram } from '../../support/stack/startProgram.ts';
import { tempFolder } from '../../support/tempFolder.ts';
import { linesOf, someEvent, writeBeside, writeProgram } from './guidePrograms.ts';

const run = promisify(execFile);
const root = path.join(import.meta.dirname, '../../..');
const password = 'journey-password-3';
const patienceMs = 240_000;

let product: Program;
let installed: InstalledPackage;
beforeAll(async () => {
  const settings = { DEMO_PASSWORD: password, PORT: '0', MONGODB_URI: '', RATE_LIMITS: 'off' };
  [product, installed] = await Promise.all([
    startProgram('main.ts', 'bin/main.ts', { ...settings, DATA_DIR: path.join(folder, 'data') }),
    installPacked(path.join(root, 'packages/client'), '@trigate/client'),
  ]);
}, patienceMs);
afterAll(async () => {
  await product?.stop();
  installed?.remove();
});
// After the product has stopped, because its data is in the folder.
const folder = tempFolder();
const account = () => ({ url: product.url, password });

async function typeErrors(files: readonly string[]): Promise<string> {
  const compiler = path.join(root, 'node_modules/typescript/bin/tsc');
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--skipLibCheck'];
  const types = ['--types', 'node', '--typeRoots', path.join(root, 'node_modules/@types')];
  const compiled = await run(process.execPath, [
    compiler,
    ...options,
    '--ignoreConfig',
    '--allowImportingTsExtensions',
    ...types,
    ...files,
  ]).catch((error: { stdout: string }) => error);
  return compiled.stdout;
}

test.each([
  ['frontend-apollo-client', /^4 cars of two pages/],
  ['frontend-urql', /^4 cars of two pages/],
  ['frontend-relay', /^2 cars, beginning with/],
])(
  'the program of the guide %s reads a list, recognises a refusal and follows an event',
  async (guide, list) => {
    const place = writeBeside(path.join(folder, guide), ['build-a-frontend', guide], account());
    expect(await linesOf(place)).toEqual([
      expect.stringMatching(list),
      'refused: precondition_failed',
      someEvent,
    ]);
    expect(await typeErrors(globSync(path.join(place, '*.ts')))).toBe('');
  },
  patienceMs,
);

test(
  'the program of the guide of @trigate/client runs with the packed package alone',
  async () => {
    writeProgram(installed.folder, ['frontend-trigate-client'], account());
    const lines = await linesOf(installed.folder);
    expect(lines[0]).toMatch(/^4 cars of two pages/);
    expect(lines).toEqual(expect.arrayContaining(['refused: precondition_failed', someEvent]));
    expect(await typeErrors([path.join(installed.folder, 'main.ts')])).toBe('');
  },
  patienceMs,
);

test(
  'the upload of the guide returns the id of an image that the account then has',
  async () => {
    const place = writeProgram(path.join(folder, 'upload'), ['build-a-frontend'], account());
    const image = await sharp({ create: { width: 320, height: 240, channels: 3, background: '#446688' } })
      .jpeg()
      .toBuffer();
    writeFileSync(path.join(place, 'car.jpg'), image);
    writeFileSync(path.join(place, 'package.json'), '{ "type": "module" }');
    writeFileSync(
      path.join(place, 'try.ts'),
      `import { openAsBlob } from 'node:fs';
import { base, signedFetch, signIn } from './session.ts';
import { uploadImage } from './upload.ts';
await signIn('dealer@demo.example', '${password}');
const id = await uploadImage(await openAsBlob('car.jpg', { type: 'image/jpeg' }), 'car.jpg');
const media = await (await signedFetch(\`\${base}/api/v1/media/\${id}\`)).json();
console.log(media.id === id, media.contentType, media.purpose);
`,
    );
    expect(await linesOf(place, 'try.ts')).toEqual(['true image/jpeg listing']);
  },
  patienceMs,
);
