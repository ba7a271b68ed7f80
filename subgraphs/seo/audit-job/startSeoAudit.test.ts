import { indexesOf } from '../../../test/support/indexesOf.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import { EventModel } from '../../platform/events/model.ts';
import { headIdOf } from '../../platform/events/objectHeads.ts';
import { ExecutionModel } from '../../platform/idempotency/model.ts';
import { newId } from '../../platform/ids/newId.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { countCommands } from '../../platform/mongo/countCommands.ts';
import { SeoHeadModel } from '../object/heads.ts';
import { type Audits, openAudits } from './fixture/openAudits.ts';

let audits: Audits;
beforeAll(async () => {
  audits = await openAudits();
});
afterAll(() => audits.stack.close());
beforeEach(async () => {
  await audits.jobs.updateMany(
    { active: true },
    { $set: { state: 'cancelled', finishedAt: new Date() }, $unset: { active: 1, slot: 1 } },
  );
});

/** What this subgraph was told of an object. */
function tell(id: string, changes: { visibility?: 'PUBLIC' | 'PRIVATE'; updatedAt?: Date } = {}) {
  return scoped(SeoHeadModel, audits.stack.demo.id).insert({
    _id: headIdOf('listing', id),
    objectType: 'listing',
    objectId: id,
    ownerId: null,
    languageTag: 'en',
    visibility: 'PUBLIC',
    url: null,
    slug: null,
    title: '',
    contentDigest: null,
    contentVersion: 1,
    deleted: false,
    updatedAt: new Date(),
    ...changes,
  });
}

test('a job holds the objects in the order in which they were named, and says which ones the next batch takes', async () => {
  const objects = Array.from({ length: 7 }, () => audits.put());
  const { data } = await audits.start({ items: objects });
  const { job, rejected } = data!.startSeoAudit;
  expect(rejected).toEqual([]);
  expect(job).toMatchObject({
    state: 'PENDING',
    round: 1,
    progress: 0,
    counts: { total: 7, queued: 7, processing: 0, succeeded: 0, failed: 0, skipped: 0, cancelled: 0 },
  });
  const { nodes } = (await audits.items(job.id)).data!.seoAuditItems;
  expect(nodes.map(({ objectId }: { objectId: string }) => objectId)).toEqual(objects.map(({ id }) => id));
  expect(job.nextItemIds).toEqual(nodes.slice(0, 5).map(({ id }: { id: string }) => id));
});

test('what cannot be read is no part of the job, and said', async () => {
  const elsewhere = audits.put({ installationId: audits.stack.other.id });
  const german = audits.put({ languageTag: 'de' });
  const unknown = { type: 'LISTING', id: 'lst_unknown' };
  const items = [elsewhere, audits.put(), german, unknown];
  const { data } = await audits.start({ items, locale: 'en' });
  expect(data?.startSeoAudit.job.counts.total).toBe(1);
  expect(data?.startSeoAudit.rejected).toEqual([
    { ...elsewhere, code: 'not_found' },
    { ...german, code: 'seo_no_content_in_language' },
    { ...unknown, code: 'not_found' },
  ]);
});

test('a job of nothing is refused with the reasons', async () => {
  const gone = { type: 'LISTING', id: newId('listing') };
  expect(problemOf(await audits.start({ items: [gone] }))).toMatchObject({
    status: 422,
    code: 'seo_job_empty',
    rejected: [{ type: 'listing', id: gone.id, code: 'not_found' }],
  });
});

test.each([
  ['neither items nor a filter', () => ({}), '#/items'],
  ['both', () => ({ items: [audits.put()], filter: { types: ['LISTING'] } }), '#/items'],
  ['no items', () => ({ items: [] }), '#/items'],
  ['too many items', () => ({ items: Array.from({ length: 501 }, () => audits.put()) }), '#/items'],
  ['a filter of no types', () => ({ filter: { types: [] } }), '#/filter/types'],
  ['a limit of nothing', () => ({ filter: { types: ['PAGE'], limit: 0 } }), '#/filter/limit'],
  ['a limit above 500', () => ({ filter: { types: ['PAGE'], limit: 501 } }), '#/filter/limit'],
  ['a score of nothing', () => ({ filter: { types: ['PAGE'], scoreBelow: 0 } }), '#/filter/scoreBelow'],
])('%s: refused before anybody is asked', async (_, input, pointer) => {
  const before = audits.neighbour.questions;
  const problem = problemOf(await audits.start(input()));
  expect(problem).toMatchObject({ status: 422, code: 'validation_failed' });
  expect(problem.errors.map((error) => error.pointer)).toContain(pointer);
  expect(audits.neighbour.questions).toBe(before);
});

test('an object that is named twice is refused where it stands the second time', async () => {
  const object = audits.put();
  const { errors } = problemOf(await audits.start({ items: [object, audits.put(), object] }));
  expect(errors).toEqual([expect.objectContaining({ pointer: '#/items/2', code: 'duplicate' })]);
});

test('of starts at once one begins, and the others learn which', async () => {
  const object = audits.put();
  const outcomes = await Promise.all(Array.from({ length: 4 }, () => audits.start({ items: [object] })));
  const started = outcomes.filter(({ errors }) => !errors);
  expect(started).toHaveLength(1);
  const refused = outcomes.filter(({ errors }) => errors).map(problemOf);
  const jobId = started[0]?.data?.startSeoAudit.job.id;
  for (const problem of refused)
    expect(problem).toMatchObject({ status: 409, code: 'seo_job_already_active', jobId });
  expect(await audits.stored.count({ objectId: object.id })).toBe(1);
});

test('an installation has five unfinished jobs, however many are started at once', async () => {
  const administrators = await Promise.all(Array.from({ length: 8 }, () => audits.administrator()));
  const outcomes = await Promise.all(administrators.map((as) => audits.start({ items: [audits.put()] }, as)));
  const refused = outcomes.filter(({ errors }) => errors).map(problemOf);
  expect(refused.map(({ status, code }) => [status, code])).toEqual(
    Array.from({ length: 3 }, () => [429, 'seo_job_limit']),
  );
  expect(await audits.jobs.count({ active: true })).toBe(5);
});

test('a repeated key answers the same job, also where the first answer was lost before it was kept', async () => {
  const input = { items: [audits.put()], idempotencyKey: newId('session') };
  const first = (await audits.start(input)).data?.startSeoAudit.job;
  expect((await audits.start(input)).data?.startSeoAudit.job.id).toBe(first.id);
  await scoped(ExecutionModel, audits.stack.demo.id).deleteMany({});
  expect((await audits.start(input)).data?.startSeoAudit.job.id).toBe(first.id);
  expect(await audits.jobs.count({ active: true })).toBe(1);
  const other = { ...input, items: [audits.put()] };
  expect(problemOf(await audits.start(other)).code).toBe('idempotency_key_reused');
});

test('500 objects are one question to their owner and one insertion', async () => {
  const items = Array.from({ length: 500 }, () => audits.put());
  const before = audits.neighbour.questions;
  const { result, commands } = await countCommands(() => audits.start({ items }));
  expect(result.data?.startSeoAudit.job.counts.total).toBe(500);
  expect(audits.neighbour.questions).toBe(before + 1);
  expect(commands.filter((name) => name.endsWith(' seo_audit_items'))).toEqual([
    'insert seo_audit_items',
    'aggregate seo_audit_items',
    'aggregate seo_audit_items',
  ]);
});

test('a filter finds what this subgraph was told of: by kind, state, time and last score', async () => {
  const [analysed, never, draft, old] = [audits.put(), audits.put(), audits.put(), audits.put()];
  await tell(analysed.id);
  await tell(never.id);
  await tell(draft.id, { visibility: 'PRIVATE' });
  await tell(old.id, { updatedAt: new Date('2026-01-01') });
  const refreshed = await audits.ask(
    'mutation ($input: SeoRefreshInput!) { seoRefresh(input: $input) { current { scores { seo { value } } } } }',
    { input: { object: analysed } },
  );
  const score = refreshed.data?.seoRefresh.current.scores.seo.value;
  const find = async (filter: object) => {
    const { data, errors } = await audits.start({ filter: { types: ['LISTING', 'PAGE'], ...filter } });
    if (errors) return problemOf({ errors }).code;
    const { job } = data!.startSeoAudit;
    await audits.cancel({ jobId: job.id });
    const { nodes } = (await audits.items(job.id)).data!.seoAuditItems;
    return nodes.map(({ objectId }: { objectId: string }) => objectId).sort();
  };
  const ids = (...objects: { id: string }[]) => objects.map(({ id }) => id).sort();
  expect(await find({})).toEqual(ids(analysed, never, draft, old));
  expect(await find({ status: ['PUBLISHED'] })).toEqual(ids(analysed, never, old));
  expect(await find({ status: ['DRAFT'] })).toEqual(ids(draft));
  expect(await find({ updatedAfter: '2026-02-01T00:00:00.000Z' })).toEqual(ids(analysed, never, draft));
  expect(await find({ neverAnalysed: true })).toEqual(ids(never, draft, old));
  expect(await find({ scoreBelow: score })).toBe('seo_job_empty');
  expect(await find({ scoreBelow: Math.min(100, score + 1) })).toEqual(ids(analysed));
  expect(await find({ scoreBelow: 100, neverAnalysed: true })).toEqual(ids(analysed, never, draft, old));
  expect(await find({ limit: 2 })).toHaveLength(2);
  expect(await find({ types: ['DEALER'] })).toBe('seo_job_empty');
});

test('a cancelled job is open no more, its items neither; cancelling again changes nothing', async () => {
  const { id } = await audits.startFresh([audits.put(), audits.put()]);
  const { data } = await audits.cancel({ jobId: id, reason: 'Enough.' });
  const { job } = data!.cancelSeoAudit;
  expect(job).toMatchObject({ state: 'CANCELLED', cancelReason: 'Enough.', nextItemIds: [], progress: 1 });
  expect(job.counts).toMatchObject({ total: 2, cancelled: 2, queued: 0 });
  const again = (await audits.cancel({ jobId: id, reason: 'Again.' })).data?.cancelSeoAudit.job;
  expect(again).toEqual(job);
  expect((await audits.start({ items: [audits.put()] })).errors).toBeUndefined();
});

test('a cancellation that was cut short before the items is completed by the next one', async () => {
  const { id } = await audits.startFresh([audits.put()]);
  await audits.jobs.updateMany({ _id: id }, { $set: { state: 'cancelled' }, $unset: { active: 1, slot: 1 } });
  const { job } = (await audits.cancel({ jobId: id })).data!.cancelSeoAudit;
  expect(job.counts).toMatchObject({ cancelled: 1, queued: 0 });
});

test.each([
  ['completed', 'seo_job_finished'],
  ['completed_with_errors', 'seo_job_finished'],
  ['expired', 'seo_job_expired'],
] as const)('a job that is %s cannot be cancelled: %s', async (state, code) => {
  const { id } = await audits.startFresh([audits.put()]);
  await audits.jobs.updateMany({ _id: id }, { $set: { state }, $unset: { active: 1, slot: 1 } });
  expect(problemOf(await audits.cancel({ jobId: id }))).toMatchObject({ status: 409, code });
});

test('a job is its initiator’s: 403 to another administrator, 404 in another installation, 403 without the permission', async () => {
  const { id } = await audits.startFresh([audits.put()]);
  const colleague = await audits.administrator();
  const editor = await audits.stack.signIn({ roles: ['editor'] });
  for (const call of [
    audits.read,
    audits.items,
    (jobId: string, as: typeof editor) => audits.cancel({ jobId }, as),
  ]) {
    expect(problemOf(await call(id, colleague)).code).toBe('ownership_required');
    expect(problemOf(await call(id, editor)).code).toBe('permission_required');
    expect(problemOf(await call(newId('auditJob'), colleague)).code).toBe('not_found');
    expect(problemOf(await call('job_none', colleague)).code).toBe('not_found');
  }
  const { data } = await audits.ask('{ seoAuditJobs { nodes { id } } }', {}, colleague);
  expect(data?.seoAuditJobs.nodes).toEqual([]);
  const stranger = await audits.stack.signIn({
    roles: ['installation_admin'],
    installation: audits.stack.other,
  });
  const abroad = await audits.stack.execute(
    'query ($jobId: ID!) { seoAuditJob(jobId: $jobId) { id } }',
    { jobId: id },
    { as: stranger, installation: audits.stack.other },
  );
  expect(problemOf(abroad).code).toBe('not_found');
});

test('own jobs are listed newest first, by state, and a list of any length costs the same commands', async () => {
  const ada = await audits.administrator();
  const ids: string[] = [];
  for (let index = 0; index < 4; index += 1) {
    audits.stack.advance(1000);
    const { job } = (await audits.start({ items: [audits.put()] }, ada)).data!.startSeoAudit;
    ids.unshift(job.id);
    if (index < 3) await audits.cancel({ jobId: job.id }, ada);
  }
  const list = (first: number, state?: string[]) =>
    audits.ask(
      `query ($first: Int, $state: [SeoAuditJobState!]) { seoAuditJobs(first: $first, state: $state) {
        nodes { id nextItemIds counts { total } summary { averageScore } } } }`,
      { first, ...(state && { state }) },
      ada,
    );
  const idsOf = async (...args: Parameters<typeof list>) =>
    (await list(...args)).data?.seoAuditJobs.nodes.map(({ id }: { id: string }) => id);
  expect(await idsOf(10)).toEqual(ids);
  expect(await idsOf(10, ['PENDING'])).toEqual(ids.slice(0, 1));
  expect(await idsOf(10, ['CANCELLED'])).toEqual(ids.slice(1));
  const cost = async (first: number) =>
    (await countCommands(() => list(first))).commands.filter((name) => name.includes(' seo_')).sort();
  expect(await cost(4)).toEqual(await cost(1));
});

test('whatever is read of jobs and items is read through an index', async () => {
  const { id } = await audits.startFresh([audits.put()]);
  const plans = await indexesOf(async () => {
    await audits.read(id);
    await audits.items(id);
    await audits.ask('{ seoAuditJobs(state: [PENDING]) { nodes { id } } }');
    await audits.ask(
      `query ($jobId: ID!) { seoAuditReport(jobId: $jobId) { job { summary { averageScore } } items { nodes { stale } } }
        seoAuditItems(jobId: $jobId, state: [QUEUED]) { nodes { id } } }`,
      { jobId: id },
    );
    await audits.start({ items: [audits.put()] });
    await audits.cancel({ jobId: id });
  });
  const own = plans.filter(({ command }) => command.includes('seo_audit'));
  expect(own.length).toBeGreaterThan(8);
  expect(own.filter(({ indexes }) => indexes.length === 0)).toEqual([]);
});

test('others are told that a job was started and cancelled', async () => {
  const { id } = await audits.startFresh([audits.put()]);
  await audits.cancel({ jobId: id });
  await audits.stack.runJob('seo.relay');
  const told = await EventModel.find({ 'object.id': id }).sort({ position: 1 }).lean();
  expect(told.map(({ type, payload }) => [type, payload])).toEqual([
    ['seo.audit_job.started', { initiatorId: audits.boss.id, state: 'pending', round: 1, total: 1 }],
    ['seo.audit_job.cancelled', { initiatorId: audits.boss.id, state: 'cancelled', round: 1, total: 1 }],
  ]);
});
