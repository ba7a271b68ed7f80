import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { getPriority, tmpdir } from 'node:os';
import path from 'node:path';
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

async function store(bytes: Buffer, name = 'original'): Promise<string> {
  const file = path.join(folder, name);
  await writeFile(file, bytes);
  return file;
}
const work = async (bytes: Buffer) =>
  renderer.render({ file: await store(bytes), folder, rotation: 0 }, signal);

test('a file is looked at and rendered in a process of the lowest priority', async () => {
  const reply = await work(await pictureOf(400, 240).jpeg().toBuffer());
  expect(reply).toMatchObject({
    inspection: { mimeType: 'image/jpeg', kind: 'image' },
    image: { width: 400, height: 240 },
  });
  const [processId = 0] = renderer.processIds;
  expect(getPriority(processId)).toBe(19);
});

test('a document is looked at and nothing is made of it', async () => {
  expect(await work(pdfOf())).toEqual({
    inspection: { mimeType: 'application/pdf', kind: 'document' },
    image: null,
  });
});

test('a file that is not taken is an answer, and the process goes on', async () => {
  const before = renderer.processIds;
  expect(await work(Buffer.from('<svg/>'))).toMatchObject({ failure: { code: 'svg_not_allowed' } });
  expect(renderer.processIds).toEqual(before);
});

test.each(['jpeg', 'png', 'webp'])(
  'a %s of any length is an answer, never a crash',
  async (type) => {
    const whole = (await imagesOf(16, 12))[`image/${type}`] ?? Buffer.alloc(0);
    await work(whole);
    const before = renderer.processIds;
    for (let length = 0; length < whole.length; length += 7) {
      const reply = await work(whole.subarray(0, length));
      expect(mediaFailureCodes).toContain('failure' in reply ? reply.failure.code : reply);
    }
    expect(renderer.processIds).toEqual(before);
  },
  60_000,
);

test('an image whose pixels are damaged is refused or shown, never a crash', async () => {
  const before = renderer.processIds;
  for (const [type, whole] of Object.entries(await imagesOf(64, 48))) {
    for (let at = 40; at < whole.length; at += Math.ceil(whole.length / 20)) {
      const bytes = Buffer.from(whole);
      bytes.fill(0x55, at, Math.min(at + 8, whole.length));
      const reply = await work(bytes);
      expect({ type, at, trouble: 'error' in reply && reply.error }).toMatchObject({ trouble: false });
    }
  }
  expect(renderer.processIds).toEqual(before);
}, 60_000);

test('a process that ends costs its file alone: the next one gets a new process', async () => {
  const file = await store(await pictureOf(2500, 2500).png().toBuffer());
  const [victim = 0] = renderer.processIds;
  const lost = renderer.render({ file, folder, rotation: 0 }, signal);
  process.kill(victim, 'SIGKILL');
  await expect(lost).rejects.toThrow('The process that worked on a file ended.');
  expect(await work(pdfOf())).toMatchObject({ image: null });
  expect(renderer.processIds).not.toContain(victim);
});

test('a process that ends while it rests is replaced', async () => {
  await work(pdfOf());
  const [victim = 0] = renderer.processIds;
  process.kill(victim, 'SIGKILL');
  while (renderer.processIds.includes(victim)) await new Promise((next) => setImmediate(next));
  expect(await work(pdfOf())).toMatchObject({ image: null });
});

test('work that takes too long is given up, and its process is ended', async () => {
  const hasty = new IsolatedRenderer({ processes: 1, timeoutMs: 1 });
  const file = await store(await pictureOf(2000, 2000).png().toBuffer());
  await expect(hasty.render({ file, folder, rotation: 0 }, signal)).rejects.toThrow(/timeout/i);
  expect(hasty.processIds).toEqual([]);
});

test('work that nobody wants any more is given up', async () => {
  const leaving = new AbortController();
  const file = await store(await pictureOf(2000, 2000).png().toBuffer());
  const unwanted = renderer.render({ file, folder, rotation: 0 }, leaving.signal);
  leaving.abort(new Error('We are closing.'));
  await expect(unwanted).rejects.toThrow('We are closing.');
});

test('no more files are worked on at once than there are processes', async () => {
  const file = await store(pdfOf());
  const replies = await Promise.all(
    Array.from({ length: 6 }, () => renderer.render({ file, folder, rotation: 0 }, signal)),
  );
  expect(replies).toHaveLength(6);
  expect(renderer.processIds).toHaveLength(1);
});
