import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import path from 'node:path';
import { concurrently } from '../../../../test/support/concurrently.ts';
import { imagesOf, pictureOf } from './fixture/imagesOf.ts';
import { pdfOf } from './fixture/pdfOf.ts';
import { IsolatedRenderer } from './IsolatedRenderer.ts';
import { mediaFailureCodes } from './MediaFailure.ts';

let folder: string;
const renderer = new IsolatedRenderer({ processes: 1 });
const { signal } = new AbortController();

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'trigate-test-'));
});
afterAll(async () => {
  renderer.close();
  await rm(folder, { recursive: true });
});

async function store(bytes: Buffer): Promise<string> {
  const file = path.join(folder, 'original');
  await writeFile(file, bytes);
  return file;
}
const render = async (bytes: Buffer, by = renderer) =>
  by.render({ file: await store(bytes), folder, rotation: 0 }, signal);
const large = () => pictureOf(2500, 2500).png().toBuffer();

test('an image is inspected and rendered in a process of a low priority', async () => {
  const reply = await render(await pictureOf(400, 240).jpeg().toBuffer());
  expect(reply).toMatchObject({
    inspection: { mimeType: 'image/jpeg', kind: 'image' },
    image: { width: 400, height: 240 },
  });
  const [processId = 0] = renderer.processIds;
  expect(getPriority(processId)).toBe(10);
});

test('a document is inspected and not rendered', async () => {
  const inspection = { mimeType: 'application/pdf', kind: 'document' };
  expect(await render(pdfOf())).toEqual({ inspection, image: null });
});

test('a refused file does not end the rendering process', async () => {
  const before = renderer.processIds;
  expect(await render(Buffer.from('<svg/>'))).toMatchObject({ failure: { code: 'svg_not_allowed' } });
  expect(renderer.processIds).toEqual(before);
});

test.each(['jpeg', 'png', 'webp'])(
  'a %s that is truncated at any length does not end the rendering process',
  async (type) => {
    const whole = (await imagesOf(16, 12))[`image/${type}`] ?? Buffer.alloc(0);
    await render(whole);
    const before = renderer.processIds;
    for (let length = 0; length < whole.length; length += 7) {
      const reply = await render(whole.subarray(0, length));
      expect(mediaFailureCodes).toContain('failure' in reply ? reply.failure.code : reply);
    }
    expect(renderer.processIds).toEqual(before);
  },
  60_000,
);

test('an image with damaged pixels does not end the rendering process', async () => {
  const before = renderer.processIds;
  for (const [type, whole] of Object.entries(await imagesOf(64, 48))) {
    for (let at = 40; at < whole.length; at += Math.ceil(whole.length / 20)) {
      const bytes = Buffer.from(whole);
      bytes.fill(0x55, at, Math.min(at + 8, whole.length));
      const reply = await render(bytes);
      expect({ type, at, trouble: 'error' in reply && reply.error }).toMatchObject({ trouble: false });
    }
  }
  expect(renderer.processIds).toEqual(before);
}, 60_000);

test('a rendering process that ends fails only its own file, and a new process renders the next file', async () => {
  const file = await store(await large());
  const [victim = 0] = renderer.processIds;
  const lost = renderer.render({ file, folder, rotation: 0 }, signal);
  process.kill(victim, 'SIGKILL');
  await expect(lost).rejects.toThrow('The process that processed the file has exited.');
  expect(await render(pdfOf())).toMatchObject({ image: null });
  expect(renderer.processIds).not.toContain(victim);
});

test('an idle rendering process that ends is replaced', async () => {
  await render(pdfOf());
  const [victim = 0] = renderer.processIds;
  process.kill(victim, 'SIGKILL');
  while (renderer.processIds.includes(victim)) await new Promise((next) => setImmediate(next));
  expect(await render(pdfOf())).toMatchObject({ image: null });
});

test('rendering that takes too long is aborted, and its process is ended', async () => {
  const hasty = new IsolatedRenderer({ processes: 1, timeoutMs: 1 });
  await expect(render(await large(), hasty)).rejects.toThrow(/timeout/i);
  expect(hasty.processIds).toEqual([]);
});

test('rendering stops when its signal is aborted', async () => {
  const leaving = new AbortController();
  const file = await store(await large());
  const unwanted = renderer.render({ file, folder, rotation: 0 }, leaving.signal);
  leaving.abort(new Error('We are closing.'));
  await expect(unwanted).rejects.toThrow('We are closing.');
});

test('concurrent files share the existing rendering processes', async () => {
  const file = await store(pdfOf());
  const order = { file, folder, rotation: 0 } as const;
  const replies = await concurrently(6, () => renderer.render(order, signal));
  expect(replies).toHaveLength(6);
  expect(renderer.processIds).toHaveLength(1);
});
