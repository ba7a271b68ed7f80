import { indexesOf } from '../../../../test/support/indexesOf.ts';
import { openTestStack, type TestStack } from '../../../../test/support/openTestStack.ts';
import { seed } from '../../../../test/support/seed.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { isWithheld } from '../../../platform/storage/publicFile.ts';
import type { Storage } from '../../../platform/storage/Storage.ts';
import { buildIdentity } from '../../server.ts';
import { blockId, MediaBlockModel } from '../blockModel.ts';
import { settleBlock } from '../settleBlock.ts';
import { settleDelivery } from '../settleDelivery.ts';
import { videoOf } from './fixture/boxesOf.ts';
import { pictureOf } from './fixture/imagesOf.ts';
import { type MediaWorld, openMediaWorld } from './fixture/mediaWorld.ts';
import { pdfOf } from './fixture/pdfOf.ts';

let stack: TestStack;
let world: MediaWorld;
let photo: Buffer;
/** Its chunks are whole, and what is in them is not. */
let damagedPicture: Buffer;

beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [buildIdentity] });
  photo = await pictureOf(700, 500).jpeg().toBuffer();
  const picture = await pictureOf(70, 50).png().toBuffer();
  damagedPicture = Buffer.from(picture).fill(
    0x55,
    picture.indexOf('IDAT') + 20,
    picture.indexOf('IDAT') + 60,
  );
});
beforeEach(async () => {
  const { installation } = await seed(stack).installation();
  world = await openMediaWorld(stack, installation.id);
});
afterEach(() => world.close());
afterAll(() => stack.close());

const dayMs = 24 * 3600 * 1000;

/** Everything that is named is there, and nothing else is. */
async function expectWhole(...ids: string[]): Promise<void> {
  const records = await Promise.all(ids.map((id) => world.find(id)));
  const keys = new Set(records.flatMap((record) => world.keysOf(record)));
  for (const key of keys) expect(await world.storage.exists(key)).toBe(true);
  expect(await world.count()).toBe(keys.size);
  for (const { strays } of records) expect(strays).toEqual([]);
}

test('an image becomes ready with everything that was made of it', async () => {
  const { _id, version } = await world.upload(photo, { contentType: 'image/png' });
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

test('documents and videos become ready as they are', async () => {
  const paper = await world.upload(pdfOf(), { purpose: 'verification', contentType: 'application/pdf' });
  const film = await world.upload(videoOf(), { contentType: 'video/mp4' });
  await world.run('process');
  expect(await world.find(paper._id)).toMatchObject({ state: 'ready', kind: 'document', renditions: [] });
  expect(await world.find(film._id)).toMatchObject({
    state: 'ready',
    kind: 'video',
    durationMs: 8000,
    width: 1920,
    renditions: [],
  });
});

test.each([
  ['is no image', Buffer.from('<svg/>'), 'svg_not_allowed'],
  ['is a document where pictures are taken', pdfOf(), 'unsupported_type'],
  ['has damaged pixels', () => damagedPicture, 'file_damaged'],
])('a file that %s fails, and its owner is told why', async (_, bytes, code) => {
  const { _id } = await world.upload(typeof bytes === 'function' ? bytes() : bytes);
  await world.run('process');
  expect(await world.find(_id)).toMatchObject({
    state: 'failed',
    failure: { code, detail: expect.stringMatching(/\.$/) },
    renditions: [],
  });
  await expectWhole(_id);
});

test('one that fails, or cannot be read now, keeps none of the others from its turn', async () => {
  const lost = await world.upload(photo, { owner: { type: 'user', id: 'usr_other' } });
  const bad = await world.upload(Buffer.from('no picture'));
  const good = await world.upload(photo);
  await world.storage.delete(world.keysOf(lost)[0] ?? '');
  await expect(world.run('process')).rejects.toThrow('1 files could not be worked on.');
  const states = await Promise.all([lost, bad, good].map(({ _id }) => world.find(_id)));
  expect(states.map(({ state }) => state)).toEqual(['processing', 'failed', 'ready']);
});

test('more files than one turn has are all worked on in one run', async () => {
  for (let index = 0; index < 12; index += 1) await world.upload(Buffer.from(`no picture ${index}`));
  await world.run('process');
  expect(await world.media.count({ state: 'failed' })).toBe(12);
});

test('a turn makes new renditions, and the old ones are removed', async () => {
  const { _id } = await world.upload(photo);
  await world.run('process');
  const before = await world.find(_id);
  await world.media.findOneAndUpdate({ _id }, { $set: { rotation: 90, state: 'processing' } });
  await world.run('process');
  const after = await world.find(_id);
  expect(after).toMatchObject({ state: 'ready', width: 500, height: 700 });
  const hashes = after.renditions.map(({ sha256 }) => sha256);
  for (const { sha256 } of before.renditions) expect(hashes).not.toContain(sha256);
  await expectWhole(_id);
});

describe('trouble with the store', () => {
  /** A store that breaks down at the given write or deletion. */
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

  test('at any step is made good by the next run, and nothing is left twice or lost', async () => {
    const { _id } = await world.upload(photo);
    let steps = 0;
    for (let isReady = false; !isReady; steps += 1) {
      await world.run('process', { store: breaking(steps) }).catch(() => undefined);
      isReady = (await world.find(_id)).state === 'ready';
    }
    // Four different renditions in two formats, of which two pairs are the same width.
    expect(steps).toBeGreaterThanOrEqual(6);
    await expectWhole(_id);
    await world.media.findOneAndUpdate({ _id }, { $set: { rotation: 180, state: 'processing' } });
    for (let isReady = false; !isReady; steps += 1) {
      await world.run('process', { store: breaking(steps % 16) }).catch(() => undefined);
      isReady = (await world.find(_id)).state === 'ready';
    }
    await expectWhole(_id);
  });

  test('is no fault of the file, however long it lasts', async () => {
    const { _id } = await world.upload(photo);
    for (let run = 0; run < 6; run += 1)
      await expect(world.run('process', { store: breaking(0) })).rejects.toThrow('could not be worked on');
    expect(await world.find(_id)).toMatchObject({ state: 'processing', attempts: 0 });
    await world.run('process');
    expect(await world.find(_id)).toMatchObject({ state: 'ready' });
  });
});

test('a file that ended its process several times is given up', async () => {
  const { _id } = await world.upload(photo);
  await world.media.findOneAndUpdate({ _id }, { $set: { attempts: 4 } });
  await world.run('process');
  expect(await world.find(_id)).toMatchObject({
    state: 'failed',
    failure: { code: 'processing_failed' },
  });
});

test('a run whose file was taken over by a later one has no effect', async () => {
  const { _id } = await world.upload(photo);
  let taken = false;
  const assertHeld = async (): Promise<void> => {
    const record = await world.find(_id);
    if (taken || record.attempts > 0 || record.strays.length === 0) return;
    taken = true;
    await world.run('process', { fence: 2 });
  };
  await expect(world.run('process', { fence: 1, assertHeld })).rejects.toThrow('could not be worked on');
  expect(taken).toBe(true);
  expect(await world.find(_id)).toMatchObject({ state: 'ready', fence: 2 });
  await expectWhole(_id);
});

test('bytes that were blocked while they were worked on are blocked', async () => {
  const { _id, sha256 } = await world.upload(photo);
  const { installationId } = world.place;
  const block = { mediaId: 'med_x', sha256: sha256 ?? '', by: 'usr_x', reason: null, settled: false };
  const assertHeld = async (): Promise<void> => {
    const record = await world.find(_id);
    if (record.strays.length === 0) return;
    // The decision falls before the file is ready, and has looked for files already.
    await scoped(MediaBlockModel, installationId).insertAbsent([
      { _id: blockId(installationId, block.sha256), at: new Date(), ...block },
    ]);
  };
  await world.run('process', { assertHeld });
  expect(await world.find(_id)).toMatchObject({ state: 'blocked', withheld: true });
  expect(await isWithheld(world.storage, installationId, _id)).toBe(true);
  const late = await world.upload(photo);
  await settleBlock(world.place, block.sha256);
  await world.run('process');
  expect((await world.find(late._id)).state).toBe('failed');
});

test('a delivery that was not brought to what the state says is corrected', async () => {
  const { installationId } = world.place;
  const [blocked, ready] = [
    await world.upload(photo),
    await world.upload(await pictureOf(60, 40).png().toBuffer()),
  ];
  await world.run('process');
  for (const { _id } of [blocked, ready])
    await world.media.findOneAndUpdate({ _id }, { $set: { state: 'blocked' } });
  await settleDelivery(world.place.platform, ready);
  await world.media.findOneAndUpdate({ _id: ready._id }, { $set: { state: 'ready' } });
  expect(await isWithheld(world.storage, installationId, blocked._id)).toBe(false);
  expect(await isWithheld(world.storage, installationId, ready._id)).toBe(true);
  await world.run('upkeep');
  expect(await isWithheld(world.storage, installationId, blocked._id)).toBe(true);
  expect(await isWithheld(world.storage, installationId, ready._id)).toBe(false);
});

test('of many who block and unblock at once the last word holds', async () => {
  const { _id } = await world.upload(photo);
  await world.run('process');
  const turns = Array.from({ length: 10 }, () => ['blocked', 'ready'] as const).flat();
  await Promise.all(
    turns.map(async (state) => {
      await world.media.findOneAndUpdate({ _id }, { $set: { state } });
      await settleDelivery(world.place.platform, { _id, installationId: world.place.installationId });
    }),
  );
  const { state, withheld } = await world.find(_id);
  expect(withheld).toBe(state === 'blocked');
  expect(await isWithheld(world.storage, world.place.installationId, _id)).toBe(withheld);
});

describe('what was deleted', () => {
  const remove = (_id: string, more: object = {}) =>
    world.media.findOneAndUpdate(
      { _id },
      { $set: { state: 'deleted', stateAt: new Date(stack.platform.now()), ...more } },
    );

  test('stays 30 days, and then nothing of it is left but that it was', async () => {
    const { _id, sha256 } = await world.upload(photo, { altText: 'My car' });
    await world.run('process');
    await remove(_id);
    await settleDelivery(world.place.platform, await world.find(_id));
    stack.advance(30 * dayMs - 60_000);
    await world.run('purge');
    expect((await world.find(_id)).state).toBe('deleted');
    stack.advance(120_000);
    await world.run('purge');
    expect(await world.count()).toBe(0);
    expect(await world.find(_id)).toMatchObject({
      state: 'purged',
      sha256,
      original: null,
      renditions: [],
      altText: null,
      filename: 'purged',
    });
  });

  test('leaves bytes that another file of the owner has, until that one goes', async () => {
    const [first, second] = [await world.upload(photo), await world.upload(photo)];
    await world.run('process');
    expect((await world.find(second._id)).original).toBe((await world.find(first._id)).original);
    await expectWhole(first._id, second._id);
    await remove(first._id);
    stack.advance(31 * dayMs);
    await world.run('purge');
    await expectWhole(second._id);
    await remove(second._id);
    stack.advance(31 * dayMs);
    await world.run('purge');
    expect(await world.count()).toBe(0);
  });

  test('is kept while the law holds it', async () => {
    const { _id } = await world.upload(photo);
    await world.run('process');
    await remove(_id, { legalHolds: [{ type: 'report', id: 'rep_1' }] });
    stack.advance(400 * dayMs);
    await world.run('purge');
    expect((await world.find(_id)).state).toBe('deleted');
    await expectWhole(_id);
  });

  test('is removed after any breakdown, however often', async () => {
    const { _id } = await world.upload(photo);
    await world.run('process');
    await remove(_id);
    stack.advance(31 * dayMs);
    for (let steps = 0; (await world.find(_id)).state === 'deleted'; steps += 1) {
      let left = steps;
      const store: Storage = {
        ...world.storage,
        delete: async (key) => {
          left -= 1;
          if (left < 0) throw new Error('The store is gone.');
          await world.storage.delete(key);
        },
      };
      await world.run('purge', { store }).catch(() => undefined);
    }
    expect(await world.count()).toBe(0);
  });
});

test('bytes of what failed go after 30 days, those of a fresh upload never', async () => {
  const { _id } = await world.upload(Buffer.from('no picture'));
  await world.run('process');
  stack.advance(31 * dayMs);
  const fresh = await world.upload(photo);
  await world.run('purge');
  expect(await world.find(_id)).toMatchObject({ state: 'failed', original: null });
  await expectWhole(fresh._id);
});

test('no job reads files without an index', async () => {
  await world.upload(photo);
  for (const job of ['process', 'purge', 'upkeep'] as const) {
    const plans = await indexesOf(() => world.run(job));
    const reads = plans.filter(({ command }) => command.endsWith(' media'));
    expect(reads.length).toBeGreaterThan(0);
    for (const { indexes } of reads) {
      expect(indexes).not.toContain('COLLSCAN');
      expect(indexes.length).toBeGreaterThan(0);
    }
  }
});
