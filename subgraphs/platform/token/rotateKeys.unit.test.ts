import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { createSecrets } from '../secrets/deriveSecret.ts';
import { rotateKeys } from './rotateKeys.ts';
import { createSigningKey, type KeyState, type SigningKeyRecord } from './SigningKey.ts';

const secrets = createSecrets(randomBytes(32));
const hourMs = 3600 * 1000;
const dayMs = 24 * hourMs;
const start = new Date('2026-01-01T00:00:00Z');
const after = (ms: number): Date => new Date(start.getTime() + ms);

/** Applies the proposed changes to the records. */
function apply(records: readonly SigningKeyRecord[], now: Date): SigningKeyRecord[] {
  const { update, create } = rotateKeys(records, now);
  const kept = records.map((record) => {
    const change = update.find(({ kid, from }) => kid === record.kid && from === record.state);
    return change ? { ...record, ...change.set } : record;
  });
  return [...kept, ...create.map((state) => createSigningKey(secrets, now, state))];
}

const statesOf = (records: readonly SigningKeyRecord[]): KeyState[] => records.map(({ state }) => state);
const mark = (records: SigningKeyRecord[], state: KeyState, as: KeyState): SigningKeyRecord[] =>
  records.map((record) => (record.state === state ? { ...record, state: as } : record));

const unchanged = { update: [], create: [] };
const inService = ['previous', 'current', 'next'];

test('a new deployment has a current and a next key, which remain unchanged for 90 days', () => {
  const records = apply([], start);
  expect(statesOf(records)).toEqual(['current', 'next']);
  for (const days of [0, 89, -10]) expect(rotateKeys(records, after(days * dayMs))).toEqual(unchanged);
});

test('after 90 days the next key becomes current and another key is published', () => {
  const before = apply([], start);
  const records = apply(before, after(90 * dayMs));
  expect(statesOf(records)).toEqual(inService);
  expect(records[0]).toMatchObject({ replacedAt: after(90 * dayMs), sealedPrivateKey: null });
  expect(records[1]).toMatchObject({ kid: before[1]?.kid, activatedAt: after(90 * dayMs) });
});

test('a key does not become current before it has been published for 24 hours', () => {
  const [current] = apply([], start) as [SigningKeyRecord];
  const records = apply([current], after(90 * dayMs));
  expect(statesOf(records)).toEqual(['current', 'next']);
  expect(statesOf(apply(records, after(91 * dayMs - 1)))).toEqual(['current', 'next']);
  expect(statesOf(apply(records, after(91 * dayMs)))).toEqual(inService);
});

test('a replaced key stays published for one hour and is then retired', () => {
  const replacedAt = 90 * dayMs;
  const records = apply(apply([], start), after(replacedAt));
  expect(statesOf(apply(records, after(replacedAt + hourMs - 1)))).toEqual(inService);
  const retiredAt = after(replacedAt + hourMs);
  const [retired] = apply(records, retiredAt);
  expect(retired).toMatchObject({ state: 'retired', retiredAt, sealedPrivateKey: null });
});

test('a compromised key is replaced by the next key immediately and its private key is deleted', () => {
  const records = apply(mark(apply([], start), 'current', 'compromised'), after(1000));
  expect(statesOf(records)).toEqual(['compromised', 'current', 'next']);
  expect(records[0]).toMatchObject({ sealedPrivateKey: null, retiredAt: after(1000) });
});

test('new keys are created if all keys are compromised', () => {
  const stolen = mark(mark(apply([], start), 'current', 'compromised'), 'next', 'compromised');
  expect(statesOf(apply(stolen, after(1)))).toEqual(['compromised', 'compromised', 'current', 'next']);
});

test('two processes that both create first keys select the same pair', () => {
  const [first, second] = [apply([], start), apply([], after(5))];
  const agreed = { [`${second[0]?.kid}`]: 'current', [`${first[1]?.kid}`]: 'next' };
  for (const order of [first.concat(second), second.concat(first)]) {
    const live = apply(order, after(10)).filter(({ state }) => state === 'current' || state === 'next');
    expect(Object.fromEntries(live.map(({ kid, state }) => [kid, state]))).toEqual(agreed);
  }
});

test('a rotation activates the next key before it replaces the current one', () => {
  const { update } = rotateKeys(apply([], start), after(90 * dayMs));
  expect(update.map(({ set }) => set.state)).toEqual(['current', 'previous']);
});

test('after any sequence one key signs, and keys are published a day before and an hour after they sign', () => {
  const event = fc.record({
    afterMs: fc.constantFrom(1, hourMs, 23 * hourMs, dayMs, 89 * dayMs, 90 * dayMs, 200 * dayMs),
    compromised: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 12 }), (events) => {
      let [now, records] = [0, apply([], start)];
      for (const { afterMs, compromised } of events) {
        now += afterMs;
        const before = compromised ? mark(records, 'current', 'compromised') : records;
        records = apply(before, after(now));
        for (const one of ['current', 'next'] as const)
          expect(statesOf(records).filter((state) => state === one)).toHaveLength(1);
        expect(rotateKeys(records, after(now))).toEqual(unchanged);
        for (const { state, createdAt, activatedAt, replacedAt, retiredAt } of records) {
          const takesOver = state === 'current' && activatedAt?.getTime() === after(now).getTime();
          if (takesOver && !compromised) {
            expect(after(now).getTime() - createdAt.getTime()).toBeGreaterThanOrEqual(dayMs);
          }
          if (state === 'retired' && retiredAt && replacedAt) {
            expect(retiredAt.getTime() - replacedAt.getTime()).toBeGreaterThanOrEqual(hourMs);
          }
        }
      }
    }),
    { numRuns: 50 },
  );
});
