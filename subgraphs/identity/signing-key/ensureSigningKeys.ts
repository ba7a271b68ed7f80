import { isDuplicateKey } from '../../platform/installation/scoped.ts';
import type { Secrets } from '../../platform/secrets/deriveSecret.ts';
import { rotateKeys } from '../../platform/token/rotateKeys.ts';
import { createSigningKey } from '../../platform/token/SigningKey.ts';
import { SigningKeyModel, type StoredSigningKey } from './model.ts';

/** Processes that start at once may each make a key; the next round settles on one. */
const mostRounds = 3;

/**
 * Brings the deployment's signing keys to where they should be: one that signs, one that is published for later. Run
 * at start, and by the rotation job; running it when all is well changes nothing.
 *
 * @returns whether anything changed; then every key set in memory is to be dropped
 */
export async function ensureSigningKeys(secrets: Secrets, now: Date): Promise<boolean> {
  let changed = false;
  for (let round = 0; round < mostRounds; round += 1) {
    const records = await SigningKeyModel.find({}).sort({ _id: 1 }).lean<StoredSigningKey[]>().exec();
    const { update, create } = rotateKeys(records, now);
    if (update.length === 0 && create.length === 0) return changed;
    changed = true;
    // What is found current is conditional on the state that was read: somebody else may have been faster.
    for (const { kid, from, set } of update)
      await SigningKeyModel.updateOne({ _id: kid, state: from }, { $set: set });
    for (const state of create) {
      const key = createSigningKey(secrets, now, state);
      await SigningKeyModel.create({ _id: key.kid, ...key }).catch((error: unknown) => {
        if (!isDuplicateKey(error)) throw error;
      });
    }
  }
  return changed;
}
