import mongoose from 'mongoose';
import { product } from '../../../test/support/product.ts';
import { EventModel } from '../../platform/events/model.ts';
import { createPages } from '../fixture/createPage.ts';
import { auditShop } from './fixture/auditShop.ts';
import { type StoredAuditJob } from './model.ts';

const dayMs = 24 * 3_600_000;
const world = product();
const { shop, boss, jobs, items } = auditShop(world);

const stored = (id: string) => jobs().findOne({ _id: id });
const put = (_id: string, set: Partial<StoredAuditJob>) => jobs().updateMany({ _id }, { $set: set });
const settle = () => world.stack.runJob('seo.audit-jobs');
const ago = (milliseconds: number) => new Date(Date.now() - milliseconds);
const start = async (by = boss) =>
  (await by.startSeoAudit({ items: await createPages(boss, 2) }, 'job { id }')).job.id;

test('a job without activity for 24 hours expires with its items, and a job with activity stays open', async () => {
  const [idle, busy] = [await start(), await start(await shop.staff('installation_admin'))];
  await put(idle, { lastActivityAt: ago(dayMs) });
  await put(busy, { lastActivityAt: ago(dayMs - 60_000) });
  await settle();
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
  await settle();
  expect((await stored(id))?.state).toBe('pending');
  const users = mongoose.connection.collection<{ _id: string }>('users');
  await users.updateOne({ _id: boss.id }, { $set: changes });
  await settle();
  const job = await stored(id);
  expect(job).toMatchObject({ state: 'cancelled', cancelReason: 'initiator_unavailable' });
  expect(job).not.toHaveProperty('slot');
  expect(await items().count({ jobId: id, state: 'cancelled' })).toBe(2);
});

test('jobs and their items are deleted 30 days after their end, and open ones never', async () => {
  const [over, kept] = [await start(), await start(await shop.staff('installation_admin'))];
  const open = await start(await shop.staff('installation_admin'));
  for (const id of [over, kept]) await jobs().updateMany({ _id: id }, { $unset: { active: 1, slot: 1 } });
  await put(over, { state: 'cancelled', finishedAt: ago(31 * dayMs) });
  await put(kept, { state: 'cancelled', finishedAt: ago(29 * dayMs) });
  await settle();
  const left = await Promise.all([over, kept, open].map((jobId) => items().count({ jobId })));
  expect(left).toEqual([0, 2, 2]);
  expect([await stored(over), await stored(kept), await stored(open)].map(Boolean)).toEqual([
    false,
    true,
    true,
  ]);
});
