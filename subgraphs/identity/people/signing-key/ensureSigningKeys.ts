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
 * Ensures that the deployment has a signing key and a published successor. Runs at start and in the rotation job, and
 * is idempotent.
 *
 * A process with configured keys generates none. It publishes the configured keys, and removes the keys of the database
 * when the first of them takes over. Keys whose private half only other processes have are not changed.
 *
 * @returns whether anything changed; if so, every cached key set must be dropped
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
 * Stores new keys after those that were read. Of processes that read the same keys, one stores its key: an encrypted
 * key takes the next ordinal, which is unique. A key of a file is unique by its `kid`.
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

/** Returns all keys of the deployment, including retired ones, in ascending order. */
export function readKeys(): Promise<StoredSigningKey[]> {
  return SigningKeyModel.find({}).sort({ _id: 1 }).lean<StoredSigningKey[]>().exec();
}

/**
 * Applies changes. Each write is conditional on the state that was read, because another process may have changed it.
 */
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
  // They are published first; the next round chooses the signing key.
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
 * Returns the published key that signs next: the first one of the key file if keys are configured, otherwise the oldest
 * that can be decrypted. Keys that only other processes can use are ignored.
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

/** Retires generated successors, which are not needed if keys are configured. */
function retireSealed(records: readonly StoredSigningKey[], now: Date): KeyChange[] {
  return records
    .filter((record) => record.state === 'next' && record.sealedPrivateKey !== null)
    .map(({ kid }) => ({
      kid,
      from: 'next',
      set: { state: 'retired', retiredAt: now, sealedPrivateKey: null },
    }));
}
