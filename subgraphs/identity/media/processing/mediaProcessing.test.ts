import { product } from '../../../../test/support/product.ts';
import { indexesOf } from '../../../../test/support/stack/indexesOf.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { isWithheld } from '../../../platform/storage/publicFile.ts';
import type { Storage } from '../../../platform/storage/Storage.ts';
import { blockId, MediaBlockModel } from '../blockModel.ts';
import type { MediaRecord } from '../model.ts';
import { carryOutBlock } from '../removal/carryOutBlock.ts';
import { updateDelivery } from '../removal/updateDelivery.ts';
import { videoOf } from './fixture/boxesOf.ts';
import { pictureOf } from './fixture/imagesOf.ts';
import { type MediaWorld, openMediaWorld } from './fixture/mediaWorld.ts';
import { pdfOf } from './fixture/pdfOf.ts';

const stage = product();
let world: MediaWorld;
/** A picture with one width of renditions. */
let photo: Buffer;
/** A picture with three different widths of renditions. */
let widePhoto: Buffer;
/** A PNG whose chunks are complete and whose pixels are damaged. */
let damaged: Buffer;

beforeAll(async () => {
  photo = await pictureOf(300, 200).jpeg().toBuffer();
  widePhoto = await pictureOf(700, 500).jpeg().toBuffer();
  const picture = await pictureOf(70, 50).png().toBuffer();
  const at = picture.indexOf('IDAT');
  damaged = Buffer.from(picture).fill(0x55, at + 20, at + 60);
});
beforeEach(async () => {
  world = await openMediaWorld(stage.stack, (await stage.neighbour()).installation.id);
});
afterEach(async () => {
  // The job of another test file would process remaining files without the store of this one.
  await world.media.deleteMany({});
  await world.close();
});

const dayMs = 24 * 3600 * 1000;
const change = (_id: string, $set: Partial<MediaRecord>) => world.media.findOneAndUpdate({ _id }, { $set });
const isHidden = (_id: string) => isWithheld(world.storage, world.place.installationId, _id);
const stateOf = async ({ _id }: MediaRecord) => (await world.find(_id)).state;

/** Uploads the photo and processes it. Returns its id. */
async function processPhoto(): Promise<string> {
  const { _id } = await world.upload(photo);
  await world.run('process');
  return _id;
}

/** Checks that the store contains exactly the files that the records name. */
async function expectWhole(...ids: string[]): Promise<void> {
  const records = await Promise.all(ids.map((id) => world.find(id)));
  const keys = new Set(records.flatMap((record) => world.keysOf(record)));
  for (const key of keys) expect(await world.storage.exists(key)).toBe(true);
  expect(await world.count()).toBe(keys.size);
  for (const { strays } of records) expect(strays).toEqual([]);
}

/** A store that fails after a number of writes and deletions. */
function breaking(at: number): Storage {
  let left = at;
  const step = (): void => {
    left -= 1;
    if (left < 0) throw new Error('The store is gone.');
  };
  return {
    ...world.storage,
    put: async (...args) => {
      step();
      return world.storage.put(...args);
    },
    delete: async (...args) => {
      step();
      return world.storage.delete(...args);
    },
  };
}

test('an image becomes ready with its type, size, colors and renditions', async () => {
  const { _id, version } = await world.upload(widePhoto, { contentType: 'image/png' });
  await world.run('process');
  const record = await world.find(_id);
  expect(record).toMatchObject({
    state: 'ready',
    failure: null,
    kind: 'image',
    contentType: 'image/jpeg',
    width: 700,
    height: 500,
    dominantColor: expect.stringMatching(/^#[0-9a-f]{6}$/),
    blurHash: expect.any(String),
    attempts: 0,
  });
  expect(record.version).toBeGreaterThan(version);
  expect(record.renditions).toHaveLength(8);
  await expectWhole(_id);
});

test('documents and videos become ready without renditions', async () => {
  const paper = await world.upload(pdfOf(), { purpose: 'verification', contentType: 'application/pdf' });
  const film = await world.upload(videoOf(), { contentType: 'video/mp4' });
  await world.run('process');
  const ready = { state: 'ready', renditions: [] };
  expect(await world.find(paper._id)).toMatchObject({ ...ready, kind: 'document' });
  const facts = { kind: 'video', durationMs: 8000, width: 1920 };
  expect(await world.find(film._id)).toMatchObject({ ...ready, ...facts });
});

test.each([
  ['that is an SVG image', () => Buffer.from('<svg/>'), 'svg_not_allowed'],
  ['that is a document instead of a picture', pdfOf, 'unsupported_type'],
  ['with damaged pixels', () => damaged, 'file_damaged'],
])('a file %s fails with a reason for its owner', async (_, bytesOf, code) => {
  const { _id } = await world.upload(bytesOf());
  await world.run('process');
  const failure = { code, detail: expect.stringMatching(/\.$/) };
  expect(await world.find(_id)).toMatchObject({ state: 'failed', failure, renditions: [] });
  await expectWhole(_id);
});

test('a file that fails or cannot be read does not delay other files', async () => {
  const lost = await world.upload(photo, { owner: { type: 'user', id: 'usr_other' } });
  const bad = await world.upload(Buffer.from('no picture'));
  const good = await world.upload(photo);
  await world.storage.delete(world.keysOf(lost)[0] ?? '');
  await expect(world.run('process')).rejects.toThrow('1 files could not be processed.');
  const states = await Promise.all([lost, bad, good].map(stateOf));
  expect(states).toEqual(['processing', 'failed', 'ready']);
});

test('one run processes twelve files, which are more than one batch', async () => {
  for (let index = 0; index < 12; index += 1) await world.upload(Buffer.from(`no picture ${index}`));
  await world.run('process');
  expect(await world.media.count({ state: 'failed' })).toBe(12);
});

test('a rotation creates new renditions and removes the earlier ones', async () => {
  const _id = await processPhoto();
  const before = (await world.find(_id)).renditions.map(({ sha256 }) => sha256);
  await change(_id, { rotation: 90, state: 'processing' });
  await world.run('process');
  const after = await world.find(_id);
  expect(after).toMatchObject({ state: 'ready', width: 200, height: 300 });
  expect(after.renditions.filter(({ sha256 }) => before.includes(sha256))).toEqual([]);
  await expectWhole(_id);
});

test('a run after a failure of the store at any step completes the file and leaves no unused files', async () => {
  const { _id } = await world.upload(widePhoto);
  let steps = 0;
  const processUntilReady = async () => {
    for (let isReady = false; !isReady; steps += 1) {
      await world.run('process', { store: breaking(steps % 16) }).catch(() => undefined);
      isReady = (await world.find(_id)).state === 'ready';
    }
  };
  await processUntilReady();
  // Four different renditions in two formats, of which two pairs are the same width.
  expect(steps).toBeGreaterThanOrEqual(6);
  await expectWhole(_id);
  await change(_id, { rotation: 180, state: 'processing' });
  await processUntilReady();
  await expectWhole(_id);
});

test('failures of the store are not counted as attempts to process a file', async () => {
  const { _id } = await world.upload(photo);
  for (let run = 0; run < 6; run += 1)
    await expect(world.run('process', { store: breaking(0) })).rejects.toThrow('could not be processed');
  expect(await world.find(_id)).toMatchObject({ state: 'processing', attempts: 0 });
  await world.run('process');
  expect(await world.find(_id)).toMatchObject({ state: 'ready' });
});

test('a file during whose processing the process ended several times fails', async () => {
  const { _id } = await world.upload(photo);
  await change(_id, { attempts: 4 });
  await world.run('process');
  expect(await world.find(_id)).toMatchObject({ state: 'failed', failure: { code: 'processing_failed' } });
});

test('a run does not change a file that a later run has completed', async () => {
  const { _id } = await world.upload(photo);
  let isTaken = false;
  const assertHeld = async (): Promise<void> => {
    const { attempts, strays } = await world.find(_id);
    if (isTaken || attempts > 0 || strays.length === 0) return;
    isTaken = true;
    await world.run('process', { fence: 2 });
  };
  await expect(world.run('process', { fence: 1, assertHeld })).rejects.toThrow('could not be processed');
  expect(isTaken).toBe(true);
  expect(await world.find(_id)).toMatchObject({ state: 'ready', fence: 2 });
  await expectWhole(_id);
});

test('a run does not change a file that a later run has begun to process', async () => {
  const { _id } = await world.upload(photo);
  const assertHeld = async (): Promise<void> => {
    if ((await world.find(_id)).strays.length > 0) await change(_id, { fence: 2 });
  };
  await expect(world.run('process', { fence: 1, assertHeld })).rejects.toThrow('could not be processed');
  expect(await world.find(_id)).toMatchObject({ state: 'processing', fence: 2 });
  await world.run('process', { fence: 2 });
  expect(await world.find(_id)).toMatchObject({ state: 'ready', fence: 2 });
  await expectWhole(_id);
});

test('a file whose bytes are blocked during its processing becomes blocked', async () => {
  const { _id, sha256 } = await world.upload(photo);
  const { installationId } = world.place;
  const block = { mediaId: 'med_x', sha256: sha256 ?? '', by: 'usr_x', reason: null, settled: false };
  const assertHeld = async (): Promise<void> => {
    if ((await world.find(_id)).strays.length === 0) return;
    // The block is stored before the file is ready, and has already been applied to existing files.
    const record = { _id: blockId(installationId, block.sha256), at: new Date(), ...block };
    await scoped(MediaBlockModel, installationId).insertAbsent([record]);
  };
  await world.run('process', { assertHeld });
  expect(await world.find(_id)).toMatchObject({ state: 'blocked', withheld: true });
  expect(await isHidden(_id)).toBe(true);
  const late = await world.upload(photo);
  await carryOutBlock(world.place, block.sha256);
  await world.run('process');
  expect(await stateOf(late)).toBe('failed');
});

test('the upkeep job corrects a delivery that does not match the state of its file', async () => {
  const other = await pictureOf(60, 40).png().toBuffer();
  const [blocked, ready] = [await world.upload(photo), await world.upload(other)];
  await world.run('process');
  for (const { _id } of [blocked, ready]) await change(_id, { state: 'blocked' });
  await updateDelivery(world.place.platform, ready);
  await change(ready._id, { state: 'ready' });
  const hidden = async () => [await isHidden(blocked._id), await isHidden(ready._id)];
  expect(await hidden()).toEqual([false, true]);
  await world.run('upkeep');
  expect(await hidden()).toEqual([true, false]);
});

test('the delivery of a file matches its last state after concurrent blocks and unblocks', async () => {
  const _id = await processPhoto();
  const turns = Array.from({ length: 10 }, () => ['blocked', 'ready'] as const).flat();
  const { platform, installationId } = world.place;
  const decide = async (state: 'blocked' | 'ready') => {
    await change(_id, { state });
    await updateDelivery(platform, { _id, installationId });
  };
  await Promise.all(turns.map(decide));
  const { state, withheld } = await world.find(_id);
  expect(withheld).toBe(state === 'blocked');
  expect(await isHidden(_id)).toBe(withheld);
});

const markDeleted = (_id: string, more: Partial<MediaRecord> = {}) =>
  change(_id, { state: 'deleted', stateAt: new Date(stage.stack.platform.now()), ...more });

test('a deleted file is purged after 30 days with its texts and bytes', async () => {
  const { _id, sha256 } = await world.upload(photo, { altText: 'My car' });
  await world.run('process');
  await markDeleted(_id);
  await updateDelivery(world.place.platform, await world.find(_id));
  stage.stack.advance(30 * dayMs - 60_000);
  await world.run('purge');
  expect(await world.find(_id)).toMatchObject({ state: 'deleted' });
  stage.stack.advance(120_000);
  await world.run('purge');
  expect(await world.count()).toBe(0);
  const emptied = { original: null, renditions: [], altText: null, filename: 'purged' };
  expect(await world.find(_id)).toMatchObject({ state: 'purged', sha256, ...emptied });
});

test('a purge keeps bytes that another file of the owner shares', async () => {
  const [first, second] = [await world.upload(photo), await world.upload(photo)];
  await world.run('process');
  expect((await world.find(second._id)).original).toBe((await world.find(first._id)).original);
  await expectWhole(first._id, second._id);
  await markDeleted(first._id);
  stage.stack.advance(31 * dayMs);
  await world.run('purge');
  await expectWhole(second._id);
  await markDeleted(second._id);
  stage.stack.advance(31 * dayMs);
  await world.run('purge');
  expect(await world.count()).toBe(0);
});

test('a purge keeps a file under a legal hold', async () => {
  const _id = await processPhoto();
  await markDeleted(_id, { legalHolds: [{ type: 'report', id: 'rep_1' }] });
  stage.stack.advance(400 * dayMs);
  await world.run('purge');
  expect(await world.find(_id)).toMatchObject({ state: 'deleted' });
  await expectWhole(_id);
});

test('repeated purges remove all bytes of a file after failures of the store at any step', async () => {
  const _id = await processPhoto();
  await markDeleted(_id);
  stage.stack.advance(31 * dayMs);
  for (let steps = 0; (await world.find(_id)).state === 'deleted'; steps += 1)
    await world.run('purge', { store: breaking(steps) }).catch(() => undefined);
  expect(await world.count()).toBe(0);
});

test('a purge removes the bytes of a failed file after 30 days, and no bytes of a new upload', async () => {
  const { _id } = await world.upload(Buffer.from('no picture'));
  await world.run('process');
  stage.stack.advance(31 * dayMs);
  const fresh = await world.upload(photo);
  await world.run('purge');
  expect(await world.find(_id)).toMatchObject({ state: 'failed', original: null });
  await expectWhole(fresh._id);
});

test.each(['process', 'purge', 'upkeep'] as const)('the job %s reads files through indexes', async (job) => {
  await world.upload(photo);
  const plans = await indexesOf(() => world.run(job));
  const reads = plans.filter(({ command }) => command.endsWith(' media'));
  expect(reads.length).toBeGreaterThan(0);
  for (const { indexes } of reads) {
    expect(indexes).not.toContain('COLLSCAN');
    expect(indexes.length).toBeGreaterThan(0);
  }
});
