import fc from 'fast-check';
import { itemIdOf } from './itemIds.ts';
import { type AuditItem, type AuditItemState, type AuditJobState, type StoredAuditJob } from './model.ts';
import { type AuditAction, countItems, expiryOf, isOpen, type Result, reduce } from './reduce.ts';

const jobId = 'job_01J9ZC3V6N8QW4R2T5Y7A0B1CE';
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const start = Date.UTC(2026, 4, 2);
const clocks = (elapsedMs = 0) => ({
  now: new Date(start + elapsedMs),
  database: new Date(start + elapsedMs),
});
const idsOf = (...positions: number[]) => positions.map((position) => itemIdOf(jobId, position));

/** A job of items in these states. */
function jobOf(states: readonly AuditItemState[], changes: Partial<StoredAuditJob> = {}): StoredAuditJob {
  const items = states.map(
    (state): AuditItem => ({
      objectType: 'page',
      objectId: 'page_1',
      locale: 'en',
      contentVersionAtStart: 1,
      state,
      attempts: state === 'queued' ? 0 : 1,
      lostLeases: 0,
      retryable: state === 'failed',
      ...(state === 'processing' && { leaseToken: 'other', leaseUntil: new Date(start + minuteMs) }),
    }),
  );
  return {
    _id: jobId,
    installationId: 'ins_a',
    initiatorId: 'usr_1',
    state: 'running',
    active: true,
    slot: 0,
    selection: { locale: null },
    visibilities: null,
    checks: null,
    ruleset: '2026.1',
    round: 1,
    total: items.length,
    counts: countItems(items),
    items,
    createdAt: new Date(start),
    startedAt: null,
    finishedAt: null,
    lastActivityAt: new Date(start),
    cancelReason: null,
    version: 1,
    ...changes,
  };
}

const ended = (states: readonly AuditItemState[], state: AuditJobState) =>
  jobOf(states, { state, active: undefined, slot: undefined, finishedAt: new Date(start) });
const statesOf = ({ items }: StoredAuditJob) => items.map(({ state }) => state);
const claim = (itemIds: readonly string[], token = 'mine'): AuditAction => ({
  type: 'claim',
  itemIds,
  token,
});
const succeeded: Result = {
  state: 'succeeded',
  reason: null,
  retryable: false,
  snapshotId: 'snap_1',
  score: 70,
  rating: 'ok',
  issues: { bad: [], ok: [] },
  contentVersionAnalysed: 1,
  textId: null,
};
const failed: Result = { ...succeeded, state: 'failed', reason: 'engine_error', retryable: true };
const finish = (results: [number, Result | null][], token = 'mine'): AuditAction => ({
  type: 'finish',
  token,
  results: new Map(results),
});
const cancel: AuditAction = { type: 'end', state: 'cancelled', cancelReason: null };
const expire: AuditAction = { type: 'end', state: 'expired', cancelReason: null };
const retry = (scope: 'failed' | 'failed_and_cancelled' | 'items', itemIds: string[] | null = null) =>
  ({ type: 'retry', scope, itemIds, slot: 3 }) as const;

test('a claim takes queued items, starts the job and leaves items that another batch holds', () => {
  const job = reduce(
    jobOf(['queued', 'processing', 'queued'], { state: 'pending' }),
    claim(idsOf(1, 2)),
    clocks(),
  );
  expect(job).toMatchObject({ state: 'running', startedAt: clocks().now });
  expect(job.items).toMatchObject([
    {
      state: 'processing',
      leaseToken: 'mine',
      attempts: 1,
      lostLeases: 0,
      leaseUntil: new Date(start + minuteMs),
    },
    { state: 'processing', leaseToken: 'other' },
    { state: 'queued', attempts: 0 },
  ]);
});

test('a later claim keeps the time when the job started', () => {
  const startedAt = clocks(minuteMs).now;
  const job = reduce(jobOf(['queued'], { startedAt }), claim(idsOf(1)), clocks(2 * minuteMs));
  expect(job).toMatchObject({ startedAt, lastActivityAt: clocks(2 * minuteMs).now });
});

test('a claim that finds nothing free changes nothing', () => {
  const job = jobOf(['processing', 'succeeded']);
  expect(reduce(job, claim(idsOf(1, 2)), clocks())).toBe(job);
});

test('a claim takes an item whose lease is over by the clock of the database, not by that of the process', () => {
  const job = jobOf(['processing']);
  const [early, late] = [clocks(minuteMs), clocks(minuteMs + 1)];
  expect(reduce(job, claim(idsOf(1)), { ...late, database: early.database })).toBe(job);
  const taken = reduce(job, claim(idsOf(1)), { ...early, database: late.database });
  expect(taken.items).toMatchObject([{ leaseToken: 'mine', attempts: 2, lostLeases: 1 }]);
});

test('an item fails when its third lease is over, and ends the job if it was the last one', () => {
  const job = jobOf(['processing']);
  const lost = { ...job, items: job.items.map((item) => ({ ...item, lostLeases: 2 })) };
  expect(reduce(lost, claim(idsOf(1)), clocks(2 * minuteMs))).toMatchObject({
    state: 'completed_with_errors',
    counts: { failed: 1 },
    items: [
      {
        state: 'failed',
        reason: 'worker_lost',
        retryable: true,
        attempts: 1,
        leaseToken: null,
        finishedAt: clocks(minuteMs).database,
      },
    ],
  });
});

test.each([
  [4, true],
  [5, false],
])('an item that fails for its leases after %i attempts is retryable: %s', (attempts, retryable) => {
  const job = jobOf(['processing']);
  const lost = { ...job, items: job.items.map((item) => ({ ...item, attempts, lostLeases: 2 })) };
  const { items } = reduce(lost, claim(idsOf(1)), clocks(2 * minuteMs));
  expect(items).toMatchObject([{ state: 'failed', retryable }]);
});

test('a batch writes results of items that it holds, and gives back those that it did not reach', () => {
  const claimed = reduce(jobOf(['queued', 'queued', 'processing']), claim(idsOf(1, 2)), clocks());
  const job = reduce(
    claimed,
    finish([
      [1, succeeded],
      [2, null],
      [3, succeeded],
    ]),
    clocks(),
  );
  expect(job.items).toMatchObject([
    { state: 'succeeded', score: 70, leaseToken: null, leaseUntil: null, finishedAt: clocks().now },
    { state: 'queued', attempts: 0, leaseToken: null },
    { state: 'processing', leaseToken: 'other' },
  ]);
  expect(job.state).toBe('running');
  // A finished item is not claimed again.
  expect(reduce(job, claim(idsOf(1), 'later'), clocks())).toBe(job);
});

test('a batch keeps an item that its results do not name', () => {
  const claimed = reduce(jobOf(['queued', 'queued']), claim(idsOf(1, 2)), clocks());
  const job = reduce(claimed, finish([[1, succeeded]]), clocks());
  expect(job.items[1]).toBe(claimed.items[1]);
});

test.each([
  ['completed', succeeded],
  ['completed_with_errors', failed],
] as const)('the last result ends the job as %s and frees its slot', (state, result) => {
  const claimed = reduce(jobOf(['queued', 'skipped']), claim(idsOf(1)), clocks());
  const job = reduce(claimed, finish([[1, result]]), clocks());
  expect(job).toMatchObject({ state, finishedAt: clocks().now, active: undefined, slot: undefined });
});

test('a result that comes after a cancellation is dropped', () => {
  const claimed = reduce(jobOf(['queued']), claim(idsOf(1)), clocks());
  const cancelled = reduce(claimed, cancel, clocks());
  expect(cancelled).toMatchObject({ state: 'cancelled', items: [{ state: 'cancelled', leaseToken: null }] });
  expect(reduce(cancelled, finish([[1, succeeded]]), clocks())).toBe(cancelled);
  expect(reduce(cancelled, cancel, clocks())).toBe(cancelled);
});

test('a job expires after 24 hours without activity, not before', () => {
  const job = jobOf(['queued', 'succeeded']);
  expect(reduce(job, expire, clocks(24 * hourMs - 1))).toBe(job);
  const expired = reduce(job, expire, clocks(24 * hourMs));
  expect(expired).toMatchObject({
    state: 'expired',
    active: undefined,
    counts: { cancelled: 1, succeeded: 1 },
  });
});

test.each([
  ['cancelled', 'seo_job_cancelled'],
  ['expired', 'seo_job_expired'],
  ['completed', 'seo_job_finished'],
  ['completed_with_errors', 'seo_job_finished'],
] as const)('a job that is %s refuses a claim', (state, code) => {
  const job = ended(['failed'], state);
  expect(() => reduce(job, claim(idsOf(1)), clocks())).toThrow(expect.objectContaining({ code }));
});

test.each([
  ['failed', 'completed_with_errors', ['queued', 'cancelled', 'succeeded']],
  ['failed_and_cancelled', 'cancelled', ['queued', 'queued', 'succeeded']],
] as const)('a retry of %s puts these items of a job that is %s back', (scope, state, states) => {
  const job = reduce(ended(['failed', 'cancelled', 'succeeded'], state), retry(scope), clocks());
  expect(statesOf(job)).toEqual(states);
  expect(job).toMatchObject({ state: 'running', round: 2, active: true, slot: 3, finishedAt: null });
});

test('an item that is put back is counted as new, and one that cannot be retried stays failed', () => {
  const job = ended(['failed', 'failed'], 'completed_with_errors');
  const items = job.items.map((item, index) => ({ ...item, lostLeases: 2, retryable: index === 0 }));
  const { items: next } = reduce({ ...job, items }, retry('failed'), clocks());
  expect(next).toMatchObject([
    { state: 'queued', lostLeases: 0, retryable: false, finishedAt: null },
    { state: 'failed', lostLeases: 2 },
  ]);
});

test('a job can be retried for 30 days after its end, and a job without activity expires after 24 hours', () => {
  const job = ended(['failed'], 'completed_with_errors');
  const end = 30 * 24 * hourMs;
  expect(expiryOf(job)).toEqual(new Date(start + end));
  expect(expiryOf(jobOf(['queued']))).toEqual(new Date(start + 24 * hourMs));
  expect(reduce(job, retry('failed'), clocks(end)).state).toBe('running');
  expect(() => reduce(job, retry('failed'), clocks(end + 1))).toThrow(
    expect.objectContaining({ code: 'seo_nothing_to_retry' }),
  );
});

test('a retry of named items puts these back, whatever their state', () => {
  const job = ended(['succeeded', 'skipped', 'failed'], 'completed_with_errors');
  expect(statesOf(reduce(job, retry('items', idsOf(1, 3)), clocks()))).toEqual([
    'queued',
    'skipped',
    'queued',
  ]);
});

test.each([
  ['open', jobOf(['failed']), 'seo_job_already_active'],
  ['cancelled, in the scope FAILED', ended(['failed'], 'cancelled'), 'seo_nothing_to_retry'],
  ['without failed items', ended(['succeeded'], 'completed_with_errors'), 'seo_nothing_to_retry'],
] as const)('a retry of a job that is %s is refused', (_, job, code) => {
  expect(() => reduce(job, retry('failed'), clocks())).toThrow(expect.objectContaining({ code }));
});

test.each([
  ['position 0', itemIdOf(jobId, 0)],
  ['a position behind the last one', itemIdOf(jobId, 3)],
  ['another job', itemIdOf('job_01J9ZC3V6N8QW4R2T5Y7A1B1CE', 1)],
  ['no job', 'x'],
])('an item id of %s is refused', (_, id) => {
  const refusal = expect.objectContaining({ code: 'seo_item_not_in_job' });
  expect(() => reduce(jobOf(['queued', 'queued']), claim([id]), clocks())).toThrow(refusal);
});

/** One step of a history: who acts, and what a random number chooses. */
const step = fc.record({ actor: fc.nat(3), act: fc.nat(9), pick: fc.nat(31), waitMs: fc.nat(40_000) });

test('batches, cancellations, retries, crashes and lost leases in any order keep a job sound', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.array(step, { maxLength: 60 }), (size, steps) => {
      const history = new History(size);
      for (const one of steps) history.perform(one);
      history.complete();
      expect(history.isOpen).toBe(false);
    }),
    { numRuns: 300 },
  );
});

/** A stored job, and batches that hold what they have read of it, as processes do. */
class History {
  #stored: StoredAuditJob;
  #elapsedMs = 0;
  /** What each batch has claimed: the job as it left it, and its token. */
  readonly #batches = new Map<number, { known: StoredAuditJob; token: string }>();
  #tokens = 0;
  readonly #results = new Set<string>();

  constructor(size: number) {
    this.#stored = jobOf(Array(size).fill('queued'), { state: 'pending' });
  }

  perform({ actor, act, pick, waitMs }: { actor: number; act: number; pick: number; waitMs: number }): void {
    this.#elapsedMs += waitMs;
    if (act === 0) this.#change(cancel);
    else if (act === 1) this.#change(retry('failed_and_cancelled'));
    else if (act === 2) this.#change(retry('failed'));
    else if (act === 3) this.#batches.delete(actor);
    else if (this.#batches.has(actor)) this.#finish(actor, pick);
    else this.#claim(actor, pick);
  }

  get isOpen(): boolean {
    return isOpen(this.#stored);
  }

  /** Whatever happened, a retry and batches complete the job. */
  complete(): void {
    this.#batches.clear();
    this.#elapsedMs += 2 * minuteMs;
    if (!this.isOpen) this.#change(retry('failed_and_cancelled'));
    for (let batch = 0; this.isOpen && batch < 10; batch += 1) {
      this.#claim(0, 31);
      if (this.#batches.has(0)) this.#finish(0, 31);
    }
  }

  #claim(actor: number, pick: number): void {
    const named = this.#stored.items.flatMap((_, index) => (pick & (1 << index) ? [index + 1] : []));
    const token = `token ${(this.#tokens += 1)}`;
    const known = this.#change(claim(idsOf(...(named.length > 0 ? named : [1])), token));
    if (known?.items.some(({ leaseToken }) => leaseToken === token))
      this.#batches.set(actor, { known, token });
  }

  #finish(actor: number, pick: number): void {
    const { known, token } = this.#batches.get(actor)!;
    this.#batches.delete(actor);
    const held = known.items.flatMap(({ leaseToken }, index) => (leaseToken === token ? [index + 1] : []));
    const results = held.map((position): [number, Result | null] => [
      position,
      pick === 0 ? null : pick & (1 << position) ? succeeded : failed,
    ]);
    const before = this.#stored;
    this.#change(finish(results, token), known);
    for (const [position, result] of results) {
      const index = position - 1;
      if (!result || before.items[index] === this.#stored.items[index]) continue;
      expect(before.items[index]?.leaseToken).toBe(token);
      // One result for each attempt.
      const key = `${position} ${this.#stored.items[index]?.attempts}`;
      expect(this.#results.has(key)).toBe(false);
      this.#results.add(key);
    }
  }

  /** Computes the next state from what was read, and writes it onto that version only, else from the stored one. */
  #change(action: AuditAction, known = this.#stored): StoredAuditJob | null {
    const before = known.version === this.#stored.version ? known : this.#stored;
    let next: StoredAuditJob;
    try {
      next = reduce(before, action, clocks(this.#elapsedMs));
    } catch (error) {
      expect(error).toMatchObject({ status: 409 });
      return null;
    }
    if (next === before) return null;
    this.#stored = { ...next, version: before.version + 1 };
    this.#assertSound(before);
    return this.#stored;
  }

  #assertSound(before: StoredAuditJob): void {
    const { state, items, counts, active, slot, total } = this.#stored;
    expect(counts).toEqual(countItems(items));
    expect(items).toHaveLength(total);
    expect([active === true, slot !== undefined]).toEqual([isOpen({ state }), isOpen({ state })]);
    for (const item of items)
      expect(item.state === 'processing').toBe(!!item.leaseToken && !!item.leaseUntil);
    if (!isOpen({ state })) expect(counts.queued + counts.processing).toBe(0);
    else expect(counts.queued + counts.processing).toBeGreaterThan(0);
    if (state.startsWith('completed')) expect(state === 'completed').toBe(counts.failed === 0);
    // Only a retry changes a job that has ended.
    if (!isOpen(before)) expect(this.#stored.round).toBe(before.round + 1);
  }
}
