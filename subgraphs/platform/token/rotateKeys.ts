import { hourMs } from '../time/durations.ts';
import type { SigningKeyRecord } from './SigningKey.ts';

/** Times of the rotation, in milliseconds. */
export interface RotationTimes {
  /** Time from the publication of a key to its first signature, in which every verifier reads it. */
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

/** One change of a key's state. */
export interface KeyChange {
  readonly kid: string;
  /** State the record must still have when the change is written; otherwise another process was faster. */
  readonly from: SigningKeyRecord['state'];
  readonly set: Partial<Omit<SigningKeyRecord, 'kid' | 'publicJwk' | 'createdAt'>>;
}

/** Changes that bring the keys to their target states. */
export interface KeyChanges {
  readonly update: readonly KeyChange[];
  /** Keys to make, by the state they start in. */
  readonly create: readonly ('next' | 'current')[];
}

/**
 * Returns the current changes of the keys. It is a pure function of records and time, may run at any interval, and
 * returns no changes if nothing is due. Run it under a lease, and write `update` before `create`.
 *
 * There is always one `current` key and one `next` key, published long before it is needed. If the current key is
 * compromised, the published one replaces it immediately, regardless of its age; without a signing key, every session
 * would end.
 */
export function rotateKeys(
  records: readonly SigningKeyRecord[],
  now: Date,
  times: RotationTimes = defaultTimes,
): KeyChanges {
  const age = (since: Date | null): number => now.getTime() - (since ?? now).getTime();
  // The latest activation wins, so two processes that both created a first key converge on one.
  const current = inState(records, 'current').sort((a, b) => age(a.activatedAt) - age(b.activatedAt))[0];
  const next = inState(records, 'next').sort((a, b) => age(b.createdAt) - age(a.createdAt))[0];
  const due = current !== undefined && age(current.activatedAt) >= times.signsForMs;
  const activated =
    next && (!current || (due && age(next.createdAt) >= times.publishedBeforeMs)) ? next : null;
  const signer = activated ?? current;

  // The activation comes first: a process that crashes after it leaves two signers, never none.
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
