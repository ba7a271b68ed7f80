import { hourMs } from '../time/durations.ts';
import type { SigningKeyRecord } from './SigningKey.ts';

/** Times of the rotation, in milliseconds. */
export interface RotationTimes {
  /** A key is published this long before it signs, so that every verifier has read it by then. */
  readonly publishedBeforeMs: number;
  /** A key signs this long. */
  readonly signsForMs: number;
  /** A key verifies this long after its last signature; longer than any token lives. */
  readonly verifiesForMs: number;
}

const defaultTimes: RotationTimes = {
  publishedBeforeMs: 24 * hourMs,
  signsForMs: 90 * 24 * hourMs,
  verifiesForMs: hourMs,
};

/** One step of a key. */
export interface KeyChange {
  readonly kid: string;
  /** State the record must still have when the change is written; otherwise another process was faster. */
  readonly from: SigningKeyRecord['state'];
  readonly set: Partial<Omit<SigningKeyRecord, 'kid' | 'publicJwk' | 'createdAt'>>;
}

/** What brings the keys to where they should be. */
export interface KeyChanges {
  readonly update: readonly KeyChange[];
  /** Keys to make, by the state they start in. */
  readonly create: readonly ('next' | 'current')[];
}

/**
 * Says what must change in the keys now. It is a pure function of the records and the time, may run as often as one
 * likes, and proposes nothing when all is well. Run it under a lease, write `update` before `create`.
 *
 * There is always one `current` to sign and one `next`, published long before it is needed. Should the current key be
 * compromised, the published one takes over at once, however young: a refusal to sign would end every session.
 */
export function rotateKeys(
  records: readonly SigningKeyRecord[],
  now: Date,
  times: RotationTimes = defaultTimes,
): KeyChanges {
  const age = (since: Date | null): number => now.getTime() - (since ?? now).getTime();
  // The newest activation wins: two processes that both made a first key settle on one.
  const current = inState(records, 'current').sort((a, b) => age(a.activatedAt) - age(b.activatedAt))[0];
  const next = inState(records, 'next').sort((a, b) => age(b.createdAt) - age(a.createdAt))[0];
  const due = current !== undefined && age(current.activatedAt) >= times.signsForMs;
  const activated =
    next && (!current || (due && age(next.createdAt) >= times.publishedBeforeMs)) ? next : null;
  const signer = activated ?? current;

  // The activation comes first: a process that dies after it leaves two signers, never none.
  const update: KeyChange[] = activated
    ? [{ kid: activated.kid, from: 'next', set: { state: 'current', activatedAt: now } }]
    : [];
  for (const record of records) {
    const { kid, state: from } = record;
    if (from === 'current' && record !== signer) {
      update.push({ kid, from, set: { state: 'previous', replacedAt: now, sealedPrivateKey: null } });
    } else if (from === 'next' && record !== next) {
      update.push({ kid, from, set: { ...unusable(now), state: 'retired' } });
    } else if (from === 'previous' && age(record.replacedAt) >= times.verifiesForMs) {
      update.push({ kid, from, set: { ...unusable(now), state: 'retired' } });
    } else if (from === 'compromised' && record.sealedPrivateKey !== null) {
      update.push({ kid, from, set: unusable(now) });
    }
  }
  const create: ('next' | 'current')[] = [];
  if (!signer) create.push('current');
  if (!next || activated) create.push('next');
  return { update, create };
}

function inState(records: readonly SigningKeyRecord[], state: SigningKeyRecord['state']): SigningKeyRecord[] {
  return records.filter((record) => record.state === state);
}

function unusable(now: Date): Pick<SigningKeyRecord, 'retiredAt' | 'sealedPrivateKey'> {
  return { retiredAt: now, sealedPrivateKey: null };
}
