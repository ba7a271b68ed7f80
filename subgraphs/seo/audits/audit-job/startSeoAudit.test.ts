import type { Wire } from '../../../../test/support/operations.ts';
import { product } from '../../../../test/support/product.ts';
import { isRefused } from '../../../../test/support/Refusal.ts';
import type { SeededUser } from '../../../../test/support/seed.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import { EventModel } from '../../../platform/events/model.ts';
import { ExecutionModel } from '../../../platform/idempotency/model.ts';
import { newId } from '../../../platform/ids/newId.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { createPage, createPages } from '../../fixture/createPage.ts';
import { SeoPageModel } from '../../pages/site-index/model.ts';
import type { SeoAuditFilterInput } from '../../seo.generated.ts';
import { auditShop } from './fixture/auditShop.ts';

const world = product();
const { shop, boss, jobs } = auditShop(world);

const unknownPages = (count: number) =>
  Array.from({ length: count }, () => ({ type: 'PAGE' as const, id: newId('page') }));
const start = async (count = 1, by = boss) =>
  (await by.startSeoAudit({ items: await createPages(boss, count) })).job;
const objectIdsOf = async (jobId: string) => {
  const { nodes } = await boss.seoAuditItems({ jobId });
  return nodes.map(({ objectId }) => objectId);
};

test('a job holds the objects in their stated order and names the items of the next batch', async () => {
  const pages = await createPages(boss, 7);
  const { job, rejected } = await boss.startSeoAudit({ items: pages });
  const counts = { total: 7, queued: 7, processing: 0, succeeded: 0, failed: 0, skipped: 0, cancelled: 0 };
  expect(job).toMatchObject({ state: 'PENDING', round: 1, progress: 0, counts });
  expect(rejected).toEqual([]);
  expect(await objectIdsOf(job.id)).toEqual(pages.map(({ id }) => id));
  const { nodes } = await boss.seoAuditItems({ jobId: job.id, first: 5 });
  expect(job.nextItemIds).toEqual(nodes.map(({ id }) => id));
});

test('objects that cannot be audited are left out of the job and named with the reason', async () => {
  const elsewhere = await createPage(await (await world.neighbour()).staff('installation_admin'));
  const german = await createPage(boss, { languageTag: 'de' });
  const [unknown] = [{ type: 'LISTING' as const, id: 'lst_unknown' }];
  const pages = [elsewhere, await createPage(boss), german, unknown];
  const { job, rejected } = await boss.startSeoAudit({ items: pages, locale: 'en' });
  expect(job.counts.total).toBe(1);
  expect(rejected).toEqual([
    { type: 'PAGE', objectId: elsewhere.id, code: 'not_found' },
    { type: 'PAGE', objectId: german.id, code: 'seo_no_content_in_language' },
    { type: 'LISTING', objectId: unknown?.id, code: 'not_found' },
  ]);
});

test('a job without any object that can be audited is refused with the reasons', async () => {
  const [gone] = unknownPages(1);
  expect(await boss.startSeoAudit({ items: [gone!] })).toBeRefused(422, 'seo_job_empty', {
    rejected: [{ type: 'page', id: gone?.id, code: 'not_found' }],
  });
});

const twice = unknownPages(1);
test.each<[string, Parameters<SeededUser['startSeoAudit']>[0], string]>([
  ['neither items nor a filter', {}, '#/items'],
  ['items and a filter', { items: unknownPages(1), filter: { types: ['PAGE'] } }, '#/items'],
  ['no items', { items: [] }, '#/items'],
  ['an object named twice', { items: [...twice, ...unknownPages(1), ...twice] }, '#/items/2'],
  ['a filter of no types', { filter: { types: [] } }, '#/filter/types'],
])('an audit of %s is refused with the place', async (_, input, pointer) => {
  expect(await boss.startSeoAudit(input)).toBeRefused(422, 'validation_failed', { errors: [{ pointer }] });
});

test('of concurrent starts by one administrator one begins and the others name its job', async () => {
  const pages = await createPages(boss, 1);
  const answers = await Promise.all(Array.from({ length: 4 }, () => boss.startSeoAudit({ items: pages })));
  const [started, ...others] = answers.toSorted((a, b) => Number(isRefused(a)) - Number(isRefused(b)));
  const jobId = started?.job.id;
  for (const answer of others) expect(answer).toBeRefused(409, 'seo_job_already_active', { jobId });
  expect(await jobs().count({})).toBe(1);
});

test('an installation has at most five open jobs, also if more are started concurrently', async () => {
  const pages = await createPages(boss, 1);
  const people = await Promise.all(Array.from({ length: 8 }, () => shop.staff('installation_admin')));
  const answers = await Promise.all(people.map((person) => person.startSeoAudit({ items: pages })));
  const refused = answers.filter(isRefused);
  expect(refused).toHaveLength(3);
  for (const answer of refused) expect(answer).toBeRefused(429, 'seo_job_limit');
  expect(await jobs().count({ active: true })).toBe(5);
});

test('a repeated key answers the same job, even if the first answer was never recorded', async () => {
  const input = { items: await createPages(boss, 1), idempotencyKey: newId('session') };
  const { job } = await boss.startSeoAudit(input);
  const unrecorded = { state: 'running', payload: null, leaseUntil: new Date(0) } as const;
  await scoped(ExecutionModel, shop.installation.id).updateMany({}, { $set: unrecorded });
  expect((await boss.startSeoAudit(input)).job.id).toBe(job.id);
  expect(await jobs().count({ active: true })).toBe(1);
});

test('a start reads and stores objects with the same few commands, however many there are', async () => {
  const pages = await createPages(boss, 20);
  const commands = await commandsOf(() => boss.startSeoAudit({ items: pages }, 'job { id }'));
  const ofJobs = commands.filter((name) => name.endsWith(' seo_audit_jobs'));
  expect(ofJobs).toEqual(['find seo_audit_jobs', 'insert seo_audit_jobs']);
  // The pages, and their texts.
  expect(commands.filter((name) => name === 'find pages')).toHaveLength(2);
});

test('a job states the filter that selected its objects, or the number of listed ones', async () => {
  const [page] = await createPages(boss, 1);
  for (const job of ['identity.relay', 'seo.pages']) await world.stack.runJob(job);
  const filter = { types: ['PAGE'], updatedAfter: '2026-02-01T00:00:00.000Z' as never, limit: 1 } as const;
  const { job } = await boss.startSeoAudit({ filter, locale: 'en' });
  const unstated = { status: null, scoreBelow: null, neverAnalysed: null };
  const found = { items: null, examined: expect.any(Number), locale: 'en' };
  expect(job.selection).toEqual({ ...found, filter: { ...filter, ...unstated } });
  const asStated = { ...filter, types: ['page'], updatedAfter: new Date(filter.updatedAfter) };
  expect(job.selectionAsJson).toEqual({ filter: asStated, examined: expect.any(Number), locale: 'en' });
  await boss.cancelSeoAudit({ jobId: job.id });
  const { job: listed } = await boss.startSeoAudit({ items: [page!] });
  expect(listed.selection).toEqual({ items: 1, filter: null, examined: null, locale: null });
});

test('a filter selects objects by kind, state, time of change and last score', async () => {
  const pages = await createPages(boss, 4);
  const [analysed, never, draft, old] = pages.map(({ id }) => id) as [string, string, string, string];
  for (const id of [analysed, never, old]) await boss.publishPage({ pageId: id });
  for (const job of ['identity.relay', 'seo.pages']) await world.stack.runJob(job);
  await scoped(SeoPageModel, shop.installation.id).updateMany(
    { _id: old },
    { $set: { updatedAt: new Date('2026-01-01') } },
  );
  const { current } = await boss.seoRefresh({ object: { type: 'PAGE', id: analysed } });
  const score = current.scores.seo.value ?? 0;
  const find = async (filter: Partial<Wire<SeoAuditFilterInput>>) => {
    const answer = await boss.startSeoAudit({ filter: { types: ['LISTING', 'PAGE'], ...filter } });
    if (isRefused(answer)) return answer;
    await boss.cancelSeoAudit({ jobId: answer.job.id });
    return (await objectIdsOf(answer.job.id)).sort();
  };
  expect(await find({})).toEqual([analysed, never, draft, old].sort());
  expect(await find({ status: ['PUBLISHED'] })).toEqual([analysed, never, old].sort());
  expect(await find({ status: ['DRAFT'] })).toEqual([draft]);
  const february = '2026-02-01T00:00:00.000Z' as never;
  expect(await find({ updatedAfter: february })).toEqual([analysed, never, draft].sort());
  expect(await find({ neverAnalysed: true })).toEqual([never, draft, old].sort());
  expect(await find({ scoreBelow: score })).toBeRefused(422, 'seo_job_empty');
  expect(await find({ scoreBelow: score + 1 })).toEqual([analysed]);
  expect(await find({ scoreBelow: 100, neverAnalysed: true })).toHaveLength(4);
  expect(await find({ limit: 2 })).toHaveLength(2);
  expect(await find({ types: ['DEALER'] })).toBeRefused(422, 'seo_job_empty');
});

test('a cancellation ends the job and its items once and lets another job start', async () => {
  const { id: jobId } = await start(2);
  const { job } = await boss.cancelSeoAudit({ jobId, reason: 'Enough.' });
  expect(job).toMatchObject({ state: 'CANCELLED', cancelReason: 'Enough.', nextItemIds: [], progress: 1 });
  expect(job.counts).toMatchObject({ total: 2, cancelled: 2, queued: 0 });
  const { items, ...left } = job;
  const again = await boss.cancelSeoAudit({ jobId, reason: 'Again.' });
  expect(again.job).toMatchObject({ ...left, items: { nodes: items.nodes } });
  expect((await start()).state).toBe('PENDING');
});

test.each([
  ['completed', 'seo_job_finished'],
  ['completed_with_errors', 'seo_job_finished'],
  ['expired', 'seo_job_expired'],
] as const)('cancelling a job that is %s is refused', async (state, code) => {
  const { id: jobId } = await start();
  await jobs().updateMany({ _id: jobId }, { $set: { state }, $unset: { active: 1, slot: 1 } });
  expect(await boss.cancelSeoAudit({ jobId })).toBeRefused(409, code);
});

test('an administrator lists their own jobs by state in descending order of creation', async () => {
  const colleague = await shop.staff('installation_admin');
  const other = await start(1, colleague);
  const ids: string[] = [];
  for (let index = 0; index < 3; index += 1) {
    // Two jobs of one millisecond would come in the order of their ids.
    world.stack.advance(1000);
    const { id } = await start();
    ids.unshift(id);
    if (index < 2) await boss.cancelSeoAudit({ jobId: id });
  }
  const list = async (variables: Parameters<SeededUser['seoAuditJobs']>[0], by = boss) =>
    (await by.seoAuditJobs(variables)).nodes.map(({ id }) => id);
  expect(await list({})).toEqual(ids);
  expect(await list({ state: ['PENDING'] })).toEqual(ids.slice(0, 1));
  expect(await list({ state: ['CANCELLED'] })).toEqual(ids.slice(1));
  expect(await list({}, colleague)).toEqual([other.id]);
});

test('a start and a cancellation are published as events', async () => {
  const { id } = await start();
  await boss.cancelSeoAudit({ jobId: id });
  await world.stack.runJob('seo.relay');
  const events = await EventModel.find({ 'object.id': id }).sort({ position: 1 }).lean();
  expect(events.map(({ type, payload }) => [type, payload])).toEqual([
    ['seo.audit_job.started', { initiatorId: boss.id, state: 'pending', round: 1, total: 1 }],
    ['seo.audit_job.cancelled', { initiatorId: boss.id, state: 'cancelled', round: 1, total: 1 }],
  ]);
});
