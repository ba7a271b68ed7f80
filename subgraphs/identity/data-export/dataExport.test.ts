import { Readable } from 'node:stream';
import { problemOf } from '../../../test/support/problemOf.ts';
import { product } from '../../../test/support/product.ts';
import { readArchive } from '../../../test/support/readArchive.ts';
import { type SeededUser } from '../../../test/support/seed.ts';
import { AuditEventModel } from '../../platform/audit/model.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import type { Storage } from '../../platform/storage/Storage.ts';
import { eraseUser } from '../account-deletion/eraseUser.ts';
import { UserModel } from '../user/model.ts';
import { archiveKey } from './archiveOf.ts';
import { dataExports } from './dataExports.ts';
import { DataExportModel, type DataExportRecord } from './model.ts';

const world = product();
const { market } = world;
const minute = 60_000;
const day = 24 * 60 * minute;

const fields = 'id state progress { done total } createdAt readyAt expiresAt byteSize sha256 url';
const request = ({ token }: SeededUser, input: object = {}) =>
  world.stack.execute(
    `mutation ($input: RequestMyDataExportInput!) { requestMyDataExport(input: $input) { dataExport { ${fields} } } }`,
    { input },
    { as: token, installation: market.installation },
  );
const look = ({ token }: SeededUser, exportId: string) =>
  world.stack.execute(
    `query ($exportId: ID!) { myDataExport(exportId: $exportId) { ${fields} } }`,
    { exportId },
    { as: token, installation: market.installation },
  );
const make = () => world.stack.runJob('identity.data-exports');
const exportsOf = ({ id }: SeededUser) =>
  scoped(DataExportModel, market.installation.id).find({ userId: id }, { sort: { createdAt: 1, _id: 1 } });
const change = (_id: string, members: Partial<DataExportRecord>) =>
  scoped(DataExportModel, market.installation.id).findOneAndUpdate({ _id }, { $set: members });

async function requested(user: SeededUser): Promise<string> {
  const { data, errors } = await request(user);
  expect(errors).toBeUndefined();
  return data?.requestMyDataExport.dataExport.id;
}

/** The archive of an export, from the storage. */
async function archive(id: string): Promise<Map<string, string>> {
  const file = await world.stack.platform.storage.open(
    archiveKey({ installationId: market.installation.id, _id: id }),
  );
  return readArchive(file?.stream ?? Readable.from([]));
}

describe('asking for one’s data', () => {
  test('waits in a queue, is made by the job, and is announced by mail', async () => {
    const user = await market.user();
    const asked = (await request(user)).data?.requestMyDataExport.dataExport;
    expect(asked).toMatchObject({ state: 'QUEUED', url: null, byteSize: null, progress: { done: 0 } });
    expect(asked.progress.total).toBeGreaterThan(5);
    await make();
    const ready = (await look(user, asked.id)).data?.myDataExport;
    expect(ready).toMatchObject({
      state: 'READY',
      progress: { done: asked.progress.total, total: asked.progress.total },
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(Date.parse(ready.expiresAt) - Date.parse(ready.readyAt)).toBe(7 * day);
    expect(ready.byteSize).toBeGreaterThan(500);
    expect(ready.url).toMatch(new RegExp(`^${market.installation.baseUrl}/api/v1/files/[\\w-]+\\.[\\w-]+$`));
    expect(await world.stack.mailsTo(user.email)).toHaveLength(1);
    expect(
      await scoped(AuditEventModel, market.installation.id).count({
        action: 'requestMyDataExport',
        'actor.id': user.id,
      }),
    ).toBe(1);
  });

  test.each(['suspended', 'deletion_scheduled'] as const)('is open to who is %s', async (state) => {
    const user = await market.user({ state });
    const id = await requested(user);
    await make();
    expect((await look(user, id)).data?.myDataExport.state).toBe('READY');
  });

  test('needs a sign-in of the last ten minutes', async () => {
    const user = await market.user();
    world.stack.advance(11 * minute);
    const { data } = await world.stack.execute(
      'mutation ($input: IssueTokenInput!) { issueToken(input: $input) { tokens { accessToken } } }',
      { input: { grantType: 'refresh_token', refreshToken: user.refreshToken } },
      { installation: market.installation },
    );
    const later = { ...user, token: data?.issueToken.tokens.accessToken };
    expect(problemOf(await request(later))).toMatchObject({ code: 'reauthentication_required', status: 401 });
  });

  test('while one is being made is refused, and names it', async () => {
    const user = await market.user();
    const id = await requested(user);
    expect(problemOf(await request(user))).toMatchObject({
      code: 'export_in_progress',
      status: 409,
      dataExportId: id,
    });
  });

  test('again within 24 hours is refused with the time to wait; afterwards it is taken', async () => {
    const user = await market.user();
    const id = await requested(user);
    await make();
    const problem = problemOf(await request(user));
    expect(problem).toMatchObject({ code: 'rate_limited', status: 429 });
    expect(problem.retryAfter).toBeGreaterThan(86_000);
    await change(id, { createdAt: new Date(world.stack.platform.now() - day) });
    expect(await requested(user)).not.toBe(id);
  });

  test('again after one that failed is taken at once', async () => {
    const user = await market.user();
    await change(await requested(user), { state: 'failed' });
    await requested(user);
    expect(await exportsOf(user)).toHaveLength(2);
  });

  test('by twenty requests at once makes one export', async () => {
    const user = await market.user();
    const results = await Promise.all(Array.from({ length: 20 }, () => request(user)));
    expect(results.filter(({ errors }) => !errors)).toHaveLength(1);
    const codes = results.filter(({ errors }) => errors).map((result) => problemOf(result).code);
    expect(new Set(codes)).toEqual(new Set(['export_in_progress']));
    expect(await exportsOf(user)).toHaveLength(1);
  });

  test('under one key answers the same export again', async () => {
    const user = await market.user();
    const input = { idempotencyKey: 'once' };
    const first = (await request(user, input)).data;
    expect((await request(user, input)).data).toEqual(first);
    expect(await exportsOf(user)).toHaveLength(1);
  });
});

describe('an export', () => {
  test('is its owner’s, and exists for nobody of another installation', async () => {
    const [user, other, abroad] = [await market.user(), await market.user(), await world.neighbour()];
    const id = await requested(user);
    expect(problemOf(await look(other, id))).toMatchObject({ code: 'ownership_required', status: 403 });
    expect(problemOf(await look(user, 'exp_01J00000000000000000000000'))).toMatchObject({
      code: 'not_found',
    });
    expect(problemOf(await look(user, user.id))).toMatchObject({ code: 'not_found', status: 404 });
    const stranger = await abroad.user();
    const seen = await world.stack.execute(
      'query ($id: ID!) { myDataExport(exportId: $id) { id } }',
      { id },
      { as: stranger.token, installation: abroad.installation },
    );
    expect(problemOf(seen)).toMatchObject({ code: 'not_found', status: 404 });
  });

  test('is over after 7 days: at once for who asks, and its bytes with the next run', async () => {
    const user = await market.user();
    const id = await requested(user);
    await make();
    const key = archiveKey({ installationId: market.installation.id, _id: id });
    await change(id, { expiresAt: new Date(world.stack.platform.now() - 1) });
    expect(problemOf(await look(user, id))).toMatchObject({ code: 'export_expired', status: 410 });
    expect(await world.stack.platform.storage.exists(key)).toBe(true);
    await make();
    expect(await world.stack.platform.storage.exists(key)).toBe(false);
    expect(problemOf(await look(user, id))).toMatchObject({ code: 'export_expired', status: 410 });
  });

  test('goes with the account, bytes and all', async () => {
    const user = await market.user({ state: 'unverified' });
    const id = await requested(user);
    await make();
    await eraseUser(
      {
        platform: world.stack.platform,
        installationId: market.installation.id,
        userId: user.id,
        job: 'test',
      },
      { state: 'unverified' },
    );
    expect(await exportsOf(user)).toEqual([]);
    const key = archiveKey({ installationId: market.installation.id, _id: id });
    expect(await world.stack.platform.storage.exists(key)).toBe(false);
  });

  test('of somebody who is erased meanwhile is never made', async () => {
    const user = await market.user();
    const id = await requested(user);
    await scoped(UserModel, market.installation.id).findOneAndUpdate(
      { _id: user.id },
      { $set: { state: 'deleted' } },
    );
    await make();
    expect(await exportsOf(user)).toMatchObject([{ _id: id, state: 'failed' }]);
  });
});

describe('the job', () => {
  /** Runs it with a storage that does something else, or under another fence. */
  const runWith = async ({
    storage = {},
    fence = 1,
    signal = new AbortController().signal,
    assertHeld = async () => undefined,
  }: {
    storage?: Partial<Storage>;
    fence?: number;
    signal?: AbortSignal;
    assertHeld?: () => Promise<void>;
  }) => {
    const platform = { ...world.stack.platform, storage: { ...world.stack.platform.storage, ...storage } };
    await dataExports.run({ platform, fence, signal, assertHeld });
  };

  test('that is cut short leaves nothing behind, and is repeated from the beginning', async () => {
    const user = await market.user();
    await user.listing();
    const id = await requested(user);
    const closing = new AbortController();
    let files = 0;
    const assertHeld = async () => {
      files += 1;
      if (files === 4) closing.abort();
    };
    await runWith({ signal: closing.signal, assertHeld }).catch(() => undefined);
    const key = archiveKey({ installationId: market.installation.id, _id: id });
    expect(await world.stack.platform.storage.exists(key)).toBe(false);
    const [cut] = await exportsOf(user);
    expect(cut?.state).toBe('running');
    expect(cut?.progress.done).toBeGreaterThan(0);
    expect((await look(user, id)).data?.myDataExport).toMatchObject({ state: 'RUNNING', url: null });
    await make();
    expect(await exportsOf(user)).toMatchObject([{ state: 'ready', attempts: 2 }]);
    expect([...(await archive(id)).keys()]).toContain('listings.json');
    expect(await world.stack.mailsTo(user.email)).toHaveLength(1);
  });

  test('that was taken over by a later holder has no effect any more', async () => {
    const user = await market.user();
    const id = await requested(user);
    let taken = false;
    const assertHeld = async () => {
      if (!taken) await change(id, { fence: 9 });
      taken = true;
    };
    await expect(runWith({ assertHeld })).resolves.toBeUndefined();
    expect(await exportsOf(user)).toMatchObject([{ state: 'queued', fence: 9 }]);
    await runWith({ fence: 9 });
    expect(await exportsOf(user)).toMatchObject([{ state: 'ready', fence: 9 }]);
  });

  test('that cannot store one archive makes the others, says so, and gives up after ten times', async () => {
    const [poor, other] = [await market.user(), await market.user()];
    const id = await requested(poor);
    await requested(other);
    const full: Partial<Storage> = {
      put: (key, bytes, facts) =>
        key.endsWith(id)
          ? Promise.reject(new Error('disk full'))
          : world.stack.platform.storage.put(key, bytes, facts),
    };
    for (let attempt = 0; attempt < 10; attempt += 1) {
      await expect(runWith({ storage: full })).rejects.toThrow('1 exports failed');
    }
    expect(await exportsOf(other)).toMatchObject([{ state: 'ready' }]);
    expect(await exportsOf(poor)).toMatchObject([{ state: 'running', attempts: 10 }]);
    await runWith({ storage: full });
    expect(await exportsOf(poor)).toMatchObject([{ state: 'failed' }]);
    expect((await look(poor, id)).data?.myDataExport).toMatchObject({ state: 'FAILED', url: null });
  });
});
