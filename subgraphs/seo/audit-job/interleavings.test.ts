import { type Audits, openAudits } from './fixture/openAudits.ts';
import { openItemStates } from './model.ts';

let audits: Audits;
beforeAll(async () => {
  audits = await openAudits();
});
afterAll(() => audits.stack.close());

const rounds = 25;
const patienceMs = 240_000;

/** The same row of numbers for the same seed, so that a failure can be run again. */
function createRandom(seed: number) {
  let state = seed;
  return (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** What every moment of every history must be. */
async function assertSound(jobId: string): Promise<void> {
  const { seoAuditJob: job } = (await audits.read(jobId)).data as any;
  const { total, ...each } = job.counts;
  expect(Object.values<number>(each).reduce((sum, count) => sum + count)).toBe(total);
  if (job.state.startsWith('COMPLETED')) {
    expect(await audits.stored.count({ jobId, state: { $in: [...openItemStates] } })).toBe(0);
    expect(job.state === 'COMPLETED').toBe(job.counts.failed === 0);
  }
}

test(
  'batches, cancellations, retries and lost leases in any order break no rule of the protocol',
  async () => {
    for (let seed = 1; seed <= rounds; seed += 1) {
      const random = createRandom(seed);
      const objects = Array.from({ length: 3 + random(6) }, () => audits.put());
      const { id: jobId } = await audits.startFresh(objects);
      const ids = (await audits.stored.find({ jobId }, { sort: { seq: 1 } })).map(({ _id }) => _id);
      const results = new Set<string>();
      const batch = async (): Promise<void> => {
        const itemIds = ids.filter(() => random(2) === 0).slice(0, 5);
        const { data, errors } = await audits.batch({
          jobId,
          itemIds: itemIds.length > 0 ? itemIds : [ids[0]],
        });
        for (const error of errors ?? []) expect(error.extensions.http).toMatchObject({ status: 409 });
        for (const { id, attempts } of data?.runSeoAuditBatch.processed ?? []) {
          // One result for each time that it was begun.
          expect(results.has(`${id} ${attempts}`)).toBe(false);
          results.add(`${id} ${attempts}`);
        }
      };
      const cancel = async (): Promise<void> => {
        const { errors } = await audits.cancel({ jobId });
        for (const error of errors ?? []) expect(error.extensions.http).toMatchObject({ status: 409 });
      };
      const retry = async (): Promise<void> => {
        const { errors } = await audits.retry({ jobId, scope: 'FAILED_AND_CANCELLED' });
        for (const error of errors ?? []) expect(error.extensions.http).toMatchObject({ status: 409 });
      };
      const loseLeases = async (): Promise<void> => {
        await audits.stored.updateMany({ jobId, state: 'processing' }, { $set: { leaseUntil: new Date(0) } });
      };
      const acts = [batch, batch, batch, batch, cancel, retry, retry, loseLeases];
      for (let wave = 0; wave < 4; wave += 1) {
        audits.setDown(random(4) === 0);
        await Promise.all(Array.from({ length: 5 }, () => (acts[random(acts.length)] ?? batch)()));
        await assertSound(jobId);
      }
      audits.setDown(false);
      // Whatever has happened, the job can be brought to its end.
      await audits.retry({ jobId, scope: 'FAILED_AND_CANCELLED' });
      for (let left = 20; left > 0; left -= 1) {
        await loseLeases();
        const { nextItemIds } = (await audits.read(jobId)).data!.seoAuditJob;
        if (nextItemIds.length === 0) break;
        await audits.ran(jobId, nextItemIds);
      }
      await audits.stack.runJob('seo.audit-jobs');
      await assertSound(jobId);
      const { state } = (await audits.read(jobId)).data!.seoAuditJob;
      expect({ seed, state }).toEqual({ seed, state: expect.stringMatching(/^(COMPLETED|CANCELLED)/) });
      const open = await audits.stored.count({ jobId, state: { $in: [...openItemStates] } });
      expect({ seed, open }).toEqual({ seed, open: 0 });
    }
  },
  patienceMs,
);

test(
  'nothing changes any more once a cancellation was answered, whatever is still under way',
  async () => {
    for (let seed = 1; seed <= rounds; seed += 1) {
      const objects = Array.from({ length: 6 }, () => audits.put());
      const job = await audits.startFresh(objects);
      const ids = (await audits.stored.find({ jobId: job.id }, { sort: { seq: 1 } })).map(({ _id }) => _id);
      const batches = [ids.slice(0, 2), ids.slice(2, 4), ids.slice(4)].map((itemIds) =>
        audits.batch({ jobId: job.id, itemIds }),
      );
      if (seed % 2 === 0) await batches[0];
      await audits.cancel({ jobId: job.id });
      const answered = await audits.stored.find({ jobId: job.id }, { sort: { seq: 1 } });
      await Promise.all(batches);
      const later = await audits.stored.find({ jobId: job.id }, { sort: { seq: 1 } });
      expect(later.map(({ state, score }) => [state, score])).toEqual(
        answered.map(({ state, score }) => [state, score]),
      );
    }
  },
  patienceMs,
);
