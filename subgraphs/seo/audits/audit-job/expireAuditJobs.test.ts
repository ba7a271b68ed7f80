import mongoose from 'mongoose';
import { product } from '../../../../test/support/product.ts';
import { EventModel } from '../../../platform/events/model.ts';
import { createPages } from '../../fixture/createPage.ts';
import { AuditJobModel, type StoredAuditJob } from '../job/model.ts';
import { auditShop } from './fixture/auditShop.ts';

const dayMs = 24 * 3_600_000;
const world = product();
const { shop, boss, jobs, items } = auditShop(world);

const stored = (id: string) => jobs().findOne({ _id: id });
const put = (_id: string, set: Partial<StoredAuditJob>) => jobs().updateMany({ _id }, { $set: set });
const expire = () => world.stack.runJob('seo.audit-jobs');
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds);
const start = async (by = boss) =>
  (await by.startSeoAudit({ items: await createPages(boss, 2) }, 'job { id }')).job.id;

test('a job without activity for 24 hours expires with its items, and a job with activity stays open', async () => {
  const [idle, busy] = [await start(), await start(await shop.staff('installation_admin'))];
  await put(idle, { lastActivityAt: ago(dayMs) });
  await put(busy, { lastActivityAt: ago(dayMs - 60_000) });
  await expire();
  const job = await boss.seoAuditJob({ jobId: idle });
  expect(job).toMatchObject({ state: 'EXPIRED', counts: { cancelled: 2, queued: 0 } });
  expect((await stored(busy))?.state).toBe('pending');
  await world.stack.runJob('seo.relay');
  expect(await EventModel.countDocuments({ 'object.id': idle, type: 'seo.audit_job.expired' })).toBe(1);
});

test.each([
  ['is suspended', { state: 'suspended' }],
  ['is deleted', { state: 'deleted' }],
  ['lost the role of an administrator', { roles: ['editor'] }],
])('a job whose initiator %s is cancelled and no longer counts as open', async (_, changes) => {
  const id = await start();
  await expire();
  expect((await stored(id))?.state).toBe('pending');
  const users = mongoose.connection.collection<{ _id: string }>('users');
  await users.updateOne({ _id: boss.id }, { $set: changes });
  await expire();
  const job = await stored(id);
  expect(job).toMatchObject({ state: 'cancelled', cancelReason: 'initiator_unavailable' });
  expect(job).not.toHaveProperty('slot');
  expect((await items(id)).map(({ state }) => state)).toEqual(['cancelled', 'cancelled']);
});

test('an index deletes jobs 30 days after their end, and never open ones', async () => {
  expect(AuditJobModel.schema.indexes()).toContainEqual([
    { finishedAt: 1 },
    expect.objectContaining({ expireAfterSeconds: 30 * 24 * 3600 }),
  ]);
  expect((await stored(await start()))?.finishedAt).toBeNull();
});
