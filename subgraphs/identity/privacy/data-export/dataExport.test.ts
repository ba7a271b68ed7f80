import { Readable } from 'node:stream';
import { concurrently } from '../../../../test/support/concurrently.ts';
import { perTest, product } from '../../../../test/support/product.ts';
import { readArchive } from '../../../../test/support/readArchive.ts';
import { AuditEventModel } from '../../../platform/audit/store/model.ts';
import type { Storage } from '../../../platform/storage/Storage.ts';
import { UserModel, type UserRecord } from '../../people/user/model.ts';
import { exportParts, personalData } from '../../server.ts';
import { eraseUser } from '../account-deletion/eraseUser.ts';
import { archiveKey } from './archiveOf.ts';
import { dataExports } from './dataExports.ts';
import { DataExportModel, type DataExportRecord } from './model.ts';

const { market, stack } = product();
const day = 24 * 3_600_000;
const user = perTest(() => market.user());

const here = () => market.installation.id;
const request = (by = user) => by.requestMyDataExport({});
const requested = async (by = user) => (await request(by)).dataExport.id;
const read = (exportId: string, by = user) => by.myDataExport({ exportId });
const run = () => stack.runJob('identity.data-exports');
const exportsOf = ({ id } = user) =>
  market.records(DataExportModel).find({ userId: id }, { sort: { createdAt: 1, _id: 1 } });
const change = (_id: string, set: Partial<DataExportRecord>) =>
  market.records(DataExportModel).findOneAndUpdate({ _id }, { $set: set });
const setState = (state: UserRecord['state']) =>
  market.records(UserModel).findOneAndUpdate({ _id: user.id }, { $set: { state } });
const keyOf = (_id: string) => archiveKey({ installationId: here(), _id });
const isStored = (id: string) => stack.platform.storage.exists(keyOf(id));

test('a data export is queued, created by the job and announced by a mail', async () => {
  const { dataExport } = await request();
  const { id, progress } = dataExport;
  expect(dataExport).toMatchObject({ state: 'QUEUED', url: null, byteSize: null, progress: { done: 0 } });
  expect(progress?.total).toBeGreaterThan(5);
  await run();
  const ready = await read(id);
  const all = { done: progress?.total, total: progress?.total };
  const sha256 = expect.stringMatching(/^[0-9a-f]{64}$/);
  expect(ready).toMatchObject({ state: 'READY', progress: all, sha256 });
  expect(Date.parse(String(ready.expiresAt)) - Date.parse(String(ready.readyAt))).toBe(7 * day);
  expect(Number(ready.byteSize)).toBeGreaterThan(500);
  expect(ready.url).toMatch(new RegExp(`^${market.installation.baseUrl}/api/v1/files/[\\w-]+\\.[\\w-]+$`));
  expect(await stack.mailsTo(user.email)).toHaveLength(1);
  const events = { action: 'requestMyDataExport', 'actor.id': user.id };
  expect(await market.records(AuditEventModel).count(events)).toBe(1);
});

test('a request during a data export is refused with its id, also for concurrent requests', async () => {
  expect(await concurrently(20, () => request())).toBeRefusedTimes(19, 409, 'export_in_progress');
  const [stored, ...others] = await exportsOf();
  expect(others).toEqual([]);
  expect(await request()).toBeRefused(409, 'export_in_progress', { dataExportId: stored?._id });
});

test('a further data export is refused within 24 hours with the time to wait, and then accepted', async () => {
  const id = await requested();
  await run();
  const retryAfter = expect.any(Number);
  expect(await request()).toBeRefused(429, 'rate_limited', { retryAfter });
  await change(id, { createdAt: new Date(stack.platform.now() - day) });
  expect(await requested()).not.toBe(id);
});

test('a further data export is accepted immediately after a failed one', async () => {
  await change(await requested(), { state: 'failed' });
  await requested();
  expect(await exportsOf()).toHaveLength(2);
});

test('a data export expires after 7 days, and the next run deletes its file', async () => {
  const id = await requested();
  await run();
  await change(id, { expiresAt: new Date(stack.platform.now() - 1) });
  for (const stored of [true, false]) {
    expect(await read(id)).toBeRefused(410, 'export_expired');
    expect(await isStored(id)).toBe(stored);
    await run();
  }
});

test('the erasure of an account deletes its data exports and their files', async () => {
  await setState('unverified');
  const id = await requested();
  await run();
  const erased = {
    platform: stack.platform,
    installationId: here(),
    userId: user.id,
    job: 'test',
    personalData,
  };
  await eraseUser(erased, { state: 'unverified' });
  expect(await exportsOf()).toEqual([]);
  expect(await isStored(id)).toBe(false);
});

test('a data export of an account that was erased meanwhile fails', async () => {
  await requested();
  await setState('deleted');
  await run();
  expect(await exportsOf()).toMatchObject([{ state: 'failed' }]);
});

const job = dataExports(exportParts);
type JobContext = Parameters<typeof job.run>[0];
const live = new AbortController().signal;
/** Runs the job with another storage, or as another holder of its lease. */
const runWith = ({ storage, ...context }: Partial<JobContext> & { storage?: Partial<Storage> }) => {
  const { platform } = stack;
  return job.run({
    platform: { ...platform, storage: { ...platform.storage, ...storage } },
    fence: 1,
    signal: live,
    assertHeld: async () => undefined,
    ...context,
  });
};

test('an aborted run of a data export leaves no file, and the next run starts from the beginning', async () => {
  await user.listing();
  const id = await requested();
  const closing = new AbortController();
  let files = 0;
  const assertHeld = async () => {
    files += 1;
    if (files === 4) closing.abort();
  };
  await runWith({ signal: closing.signal, assertHeld }).catch(() => undefined);
  expect(await isStored(id)).toBe(false);
  const [cut] = await exportsOf();
  expect(cut?.state).toBe('running');
  expect(cut?.progress.done).toBeGreaterThan(0);
  expect(await read(id)).toMatchObject({ state: 'RUNNING', url: null });
  await run();
  expect(await exportsOf()).toMatchObject([{ state: 'ready', attempts: 2 }]);
  const file = await stack.platform.storage.open(keyOf(id));
  const archive = await readArchive(file?.stream ?? Readable.from([]));
  expect([...archive.keys()]).toContain('listings.json');
  expect(await stack.mailsTo(user.email)).toHaveLength(1);
});

test('a run that has lost its lease does not change a data export', async () => {
  const id = await requested();
  let isTaken = false;
  const assertHeld = async () => {
    if (!isTaken) await change(id, { fence: 9 });
    isTaken = true;
  };
  await runWith({ assertHeld });
  expect(await exportsOf()).toMatchObject([{ state: 'queued', fence: 9 }]);
  await runWith({ fence: 9 });
  expect(await exportsOf()).toMatchObject([{ state: 'ready', fence: 9 }]);
});

test('a run that loses its lease while it writes does not complete a data export', async () => {
  const id = await requested();
  const assertHeld = async () => {
    const [stored] = await exportsOf();
    if (stored?.state === 'running') await change(id, { fence: 9 });
  };
  await expect(runWith({ assertHeld })).rejects.toThrow('1 exports failed');
  expect(await exportsOf()).toMatchObject([{ state: 'running', fence: 9, progress: { done: 0 } }]);
  await runWith({ fence: 9 });
  expect(await exportsOf()).toMatchObject([{ state: 'ready', fence: 9 }]);
});

test('a data export whose file cannot be stored fails after ten attempts and does not stop other exports', async () => {
  const other = await market.user();
  const id = await requested();
  await requested(other);
  const { put } = stack.platform.storage;
  const full: Pick<Storage, 'put'> = {
    put: (key, bytes, facts) =>
      key.endsWith(id) ? Promise.reject(new Error('disk full')) : put(key, bytes, facts),
  };
  for (let attempt = 0; attempt < 10; attempt += 1)
    await expect(runWith({ storage: full })).rejects.toThrow('1 exports failed');
  expect(await exportsOf(other)).toMatchObject([{ state: 'ready' }]);
  expect(await exportsOf()).toMatchObject([{ state: 'running', attempts: 10 }]);
  await runWith({ storage: full });
  expect(await exportsOf()).toMatchObject([{ state: 'failed' }]);
  expect(await read(id)).toMatchObject({ state: 'FAILED', url: null });
});
