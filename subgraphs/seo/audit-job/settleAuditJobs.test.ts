import mongoose from 'mongoose';
import { EventModel } from '../../platform/events/model.ts';
import { type Audits, openAudits } from './fixture/openAudits.ts';

const dayMs = 24 * 3_600_000;
let audits: Audits;
beforeAll(async () => {
  audits = await openAudits();
});
afterAll(() => audits.stack.close());

const settle = () => audits.stack.runJob('seo.audit-jobs');
const jobOf = (id: string) => audits.jobs.findOne({ _id: id });

test('a job on which nobody worked for 24 hours expires with its items; one that is worked on does not', async () => {
  const ada = await audits.administrator();
  const [idle, busy] = [
    await audits.startFresh([audits.put(), audits.put()]),
    (await audits.start({ items: [audits.put()] }, ada)).data?.startSeoAudit.job,
  ];
  const [yesterday, lately] = [dayMs, dayMs - 60_000].map((ago) => new Date(Date.now() - ago));
  await audits.jobs.updateMany({ _id: idle.id }, { $set: { lastActivityAt: yesterday } });
  await audits.jobs.updateMany({ _id: busy.id }, { $set: { lastActivityAt: lately } });
  await settle();
  const { seoAuditJob } = (await audits.read(idle.id)).data as any;
  expect(seoAuditJob).toMatchObject({ state: 'EXPIRED', counts: { cancelled: 2, queued: 0 } });
  expect((await jobOf(busy.id))?.state).toBe('pending');
  await audits.stack.runJob('seo.relay');
  expect(await EventModel.countDocuments({ 'object.id': idle.id, type: 'seo.audit_job.expired' })).toBe(1);
});

test.each([
  ['suspended', { state: 'suspended' }],
  ['deleted', { state: 'deleted' }],
  ['no administrator any more', { roles: ['editor'] }],
])('a job whose initiator is %s is cancelled, and leaves room for others', async (_, changes) => {
  const ada = await audits.administrator();
  const { id } = (await audits.start({ items: [audits.put()] }, ada)).data!.startSeoAudit.job;
  await settle();
  expect((await jobOf(id))?.state).toBe('pending');
  await mongoose.connection
    .collection<{ _id: string }>('users')
    .updateOne({ _id: ada.id }, { $set: changes });
  await settle();
  const job = await jobOf(id);
  expect(job).toMatchObject({ state: 'cancelled', cancelReason: 'initiator_unavailable' });
  expect(job).not.toHaveProperty('slot');
  expect(await audits.stored.count({ jobId: id, state: 'cancelled' })).toBe(1);
});

test('a job whose last batch was killed before it could close it is closed', async () => {
  const { id } = await audits.startFresh([audits.put()]);
  await audits.stored.updateMany({ jobId: id }, { $set: { state: 'failed' } });
  await audits.jobs.updateMany({ _id: id }, { $set: { state: 'running' } });
  await settle();
  expect((await jobOf(id))?.state).toBe('completed_with_errors');
});

test('jobs and their items are removed 30 days after their end, and open ones never', async () => {
  const over = await audits.startFresh([audits.put()]);
  await audits.cancel({ jobId: over.id });
  const kept = await audits.startFresh([audits.put()]);
  await audits.cancel({ jobId: kept.id });
  const open = await audits.startFresh([audits.put()]);
  const ago = (days: number) => new Date(Date.now() - days * dayMs);
  await audits.jobs.updateMany({ _id: over.id }, { $set: { finishedAt: ago(31) } });
  await audits.jobs.updateMany({ _id: kept.id }, { $set: { finishedAt: ago(29) } });
  await settle();
  for (const [id, count] of [
    [over.id, 0],
    [kept.id, 1],
    [open.id, 1],
  ]) {
    expect(await audits.jobs.count({ _id: id })).toBe(count);
    expect(await audits.stored.count({ jobId: id })).toBe(count);
  }
});
