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

/** Writes the proposed changes as a database would. */
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

test('a fresh deployment gets a key that signs and one that waits, and then nothing more', () => {
  const records = apply([], start);
  expect(statesOf(records)).toEqual(['current', 'next']);
  expect(rotateKeys(records, start)).toEqual({ update: [], create: [] });
  expect(rotateKeys(records, after(89 * dayMs))).toEqual({ update: [], create: [] });
});

test('after 90 days the published key takes over and another one is published', () => {
  const before = apply([], start);
  const records = apply(before, after(90 * dayMs));
  expect(statesOf(records)).toEqual(['previous', 'current', 'next']);
  expect(records[0]).toMatchObject({ replacedAt: after(90 * dayMs), sealedPrivateKey: null });
  expect(records[1]).toMatchObject({ kid: before[1]?.kid, activatedAt: after(90 * dayMs) });
});

test('a key that was published less than 24 hours ago is not used, although the current one is due', () => {
  const [current] = apply([], start) as [SigningKeyRecord];
  const published = after(90 * dayMs);
  const records = apply([current], published);
  expect(statesOf(records)).toEqual(['current', 'next']);
  expect(statesOf(apply(records, new Date(published.getTime() + dayMs - 1)))).toEqual(['current', 'next']);
  expect(statesOf(apply(records, new Date(published.getTime() + dayMs)))).toEqual([
    'previous',
    'current',
    'next',
  ]);
});

test('a replaced key verifies for one more hour and is retired then', () => {
  const replacedAt = 90 * dayMs;
  const records = apply(apply([], start), after(replacedAt));
  expect(statesOf(apply(records, after(replacedAt + hourMs - 1)))).toEqual(['previous', 'current', 'next']);
  const [retired] = apply(records, after(replacedAt + hourMs));
  expect(retired).toMatchObject({
    state: 'retired',
    retiredAt: after(replacedAt + hourMs),
    sealedPrivateKey: null,
  });
});

test('a compromised key is replaced at once by the published one, however young, and loses its private half', () => {
  const records = apply(mark(apply([], start), 'current', 'compromised'), after(1000));
  expect(statesOf(records)).toEqual(['compromised', 'current', 'next']);
  expect(records[0]).toMatchObject({ sealedPrivateKey: null, retiredAt: after(1000) });
});

test('when every key is compromised, new ones are made', () => {
  const stolen = mark(mark(apply([], start), 'current', 'compromised'), 'next', 'compromised');
  expect(statesOf(apply(stolen, after(1)))).toEqual(['compromised', 'compromised', 'current', 'next']);
});

test('two processes that both made first keys settle on one pair', () => {
  const [first, second] = [apply([], start), apply([], after(5))];
  const settled = { [`${second[0]?.kid}`]: 'current', [`${first[1]?.kid}`]: 'next' };
  for (const order of [
    [...first, ...second],
    [...second, ...first],
  ]) {
    const live = apply(order, after(10)).filter(({ state }) => state === 'current' || state === 'next');
    expect(Object.fromEntries(live.map(({ kid, state }) => [kid, state]))).toEqual(settled);
  }
});

test('a process that dies after the first write leaves a key to sign with', () => {
  const { update } = rotateKeys(apply([], start), after(90 * dayMs));
  expect(update.map(({ set }) => set.state)).toEqual(['current', 'previous']);
});

test('a clock that jumps back changes nothing', () => {
  expect(rotateKeys(apply([], start), after(-10 * dayMs))).toEqual({ update: [], create: [] });
});

test('whatever happens, one key signs, a key stays published for a day before and an hour after, and runs settle', () => {
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
        expect(statesOf(records).filter((state) => state === 'current')).toHaveLength(1);
        expect(statesOf(records).filter((state) => state === 'next')).toHaveLength(1);
        expect(rotateKeys(records, after(now))).toEqual({ update: [], create: [] });
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
