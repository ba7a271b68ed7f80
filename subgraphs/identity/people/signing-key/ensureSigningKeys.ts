import { isDuplicateKey } from '../../../platform/installation/scoped.ts';
import type { Secrets } from '../../../platform/secrets/deriveSecret.ts';
import { type KeyChange, rotateKeys } from '../../../platform/token/rotateKeys.ts';
import {
  canSignWith,
  createSigningKey,
  publishSigningKey,
  type SigningKeyRecord,
} from '../../../platform/token/SigningKey.ts';
import { SigningKeyModel, type StoredSigningKey } from './model.ts';
import { isAllowed } from './states.ts';

/** A process whose key another one forestalled reads the keys again. */
const mostRounds = 3;

/**
 * Brings the deployment's signing keys to where they should be: one that signs, one that is published for later. Run
 * at start, and by the rotation job; running it when all is well changes nothing.
 *
 * A process that was given keys makes none: it publishes what it was given, and what the database held before goes when
 * the first of them takes over. Keys whose private half only other processes have are left to them.
 *
 * @returns whether anything changed; then every key set in memory is to be dropped
 */
export async function ensureSigningKeys(secrets: Secrets, now: Date): Promise<boolean> {
  let changed = false;
  for (let round = 0; round < mostRounds; round += 1) {
    const records = await readKeys();
    const { update, create } = planChanges(secrets, records, now);
    if (update.length === 0 && create.length === 0) return changed;
    changed = true;
    await applyChanges(update);
    await storeKeys(create, records);
  }
  return changed;
}

/**
 * Stores new keys behind those that were read. Of processes that read the same keys, one stores its key: a sealed key
 * takes the next free ordinal, which is unique. A key of a file is unique by its `kid`.
 */
export async function storeKeys(
  keys: readonly SigningKeyRecord[],
  records: readonly StoredSigningKey[],
): Promise<void> {
  let last = Math.max(0, ...records.map(({ ordinal }) => ordinal ?? 0));
  for (const key of keys) {
    const ordinal = key.sealedPrivateKey === null ? null : ++last;
    await SigningKeyModel.create({ _id: key.kid, ordinal, ...key }).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
    });
  }
}

/** All keys that ever were, in one order. */
export function readKeys(): Promise<StoredSigningKey[]> {
  return SigningKeyModel.find({}).sort({ _id: 1 }).lean<StoredSigningKey[]>().exec();
}

/** Each write is conditional on the state that was read: another process may have been faster. */
export async function applyChanges(changes: readonly KeyChange[]): Promise<void> {
  for (const { kid, from, set } of changes) {
    if (set.state !== undefined && !isAllowed(from, set.state, 'rotation'))
      throw new Error(`A key does not become ${set.state} from ${from}.`);
    await SigningKeyModel.updateOne({ _id: kid, state: from }, { $set: set });
  }
}

function planChanges(
  secrets: Secrets,
  records: readonly StoredSigningKey[],
  now: Date,
): { update: KeyChange[]; create: SigningKeyRecord[] } {
  const { signingKeys } = secrets;
  const missing = [...signingKeys].filter(([kid]) => !records.some((record) => record.kid === kid));
  // They are published first; which of them signs is said in the next round.
  if (missing.length > 0)
    return { update: [], create: missing.map(([, key]) => publishSigningKey(key, now)) };
  if (signingKeys.size === 0) {
    const known = records.filter((record) => record.state !== 'next' || canSignWith(secrets, record));
    const { update, create } = rotateKeys(known, now);
    return { update: [...update], create: create.map((state) => createSigningKey(secrets, now, state)) };
  }
  const next = findNextKey(secrets, records);
  const { update } = rotateKeys(
    records.filter((record) => record.state !== 'next' || record === next),
    now,
  );
  return { update: [...update, ...retireSealed(records, now)], create: [] };
}

/**
 * The published key that signs next: the first one of the file in its order where keys are given, else the oldest that
 * can be opened. What only other processes can sign with is not for this one to activate.
 */
export function findNextKey(
  { signingKeys }: Secrets,
  records: readonly StoredSigningKey[],
): StoredSigningKey | undefined {
  const waiting = records.filter(({ state }) => state === 'next');
  if (signingKeys.size > 0) {
    const ofFile = [...signingKeys.keys()].map((kid) => waiting.find((record) => record.kid === kid));
    return ofFile.find((record) => record !== undefined);
  }
  return waiting
    .filter(({ sealedPrivateKey }) => sealedPrivateKey !== null)
    .sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime())[0];
}

/** Keys that were generated for later are not needed if keys are configured. */
function retireSealed(records: readonly StoredSigningKey[], now: Date): KeyChange[] {
  return records
    .filter((record) => record.state === 'next' && record.sealedPrivateKey !== null)
    .map(({ kid }) => ({
      kid,
      from: 'next',
      set: { state: 'retired', retiredAt: now, sealedPrivateKey: null },
    }));
}
