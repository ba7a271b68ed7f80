import type { Secrets } from '../../../platform/secrets/deriveSecret.ts';
import { dayMs, hourMs } from '../../../platform/time/durations.ts';
import { createSigningKey } from '../../../platform/token/SigningKey.ts';
import { applyChanges, ensureSigningKeys, findNextKey, readKeys, storeKeys } from './ensureSigningKeys.ts';
import { SigningKeyModel, type StoredSigningKey } from './model.ts';
import { isAllowed, sourcesOf } from './states.ts';

const publishedBeforeMs = dayMs;

/** Result of a rotation. */
export interface Rotation {
  readonly signs: string;
  /** Former key, which verifies for one more hour; null if there was none. */
  readonly before: string | null;
}

/**
 * Makes the published key the signing key. The former one verifies until its tokens have expired, so no user is signed
 * out.
 *
 * @param options `force` uses a key that was published less than 24 hours ago; clients that cache the key set for too
 *   long may temporarily refuse its tokens
 * @throws Error with the remedy if there is no such key, or it is too recent
 */
export async function activateNextKey(
  secrets: Secrets,
  now: Date,
  { force = false }: { force?: boolean } = {},
): Promise<Rotation> {
  const records = await readKeys();
  const next = findNextKey(secrets, records);
  if (!next) {
    await ensureSigningKeys(secrets, now);
    throw new Error(
      secrets.signingKeys.size > 0
        ? 'every key of SIGNING_KEY_FILE is or was in use. Add a new key to the file of every process.'
        : 'no key was published yet. One was published now. Repeat this command in 24 hours, or with --now.',
    );
  }
  const ageMs = now.getTime() - next.createdAt.getTime();
  if (ageMs < publishedBeforeMs && !force) {
    const hours = Math.ceil((publishedBeforeMs - ageMs) / hourMs);
    throw new Error(
      `key ${next.kid} was published less than 24 hours ago. Repeat this command in ${hours} hours, or with --now.`,
    );
  }
  const before = records.find(({ state }) => state === 'current')?.kid ?? null;
  await applyChanges([{ kid: next.kid, from: 'next', set: { state: 'current', activatedAt: now } }]);
  await ensureSigningKeys(secrets, now);
  return { signs: next.kid, before };
}

/**
 * Removes a key that may have leaked from the set immediately, which invalidates every token that it signed. Every
 * process drops it when the change stream reports it. If it is the signing key, another one is activated first.
 *
 * @returns the current signing key
 * @throws Error if there is no such key, or it is already removed
 */
export async function revokeSigningKey(secrets: Secrets, now: Date, kid: string): Promise<string> {
  const records = await readKeys();
  const record = records.find((one) => one.kid === kid);
  if (!record) throw new Error(`the key ${kid} does not exist. List all keys with: npm run keys -- list`);
  const { state } = record;
  if (!isAllowed(state, 'compromised', 'revocation'))
    throw new Error(`key ${kid} is ${state}, so its tokens are already refused.`);
  const isOnlySigner =
    state === 'current' && records.every((one) => one === record || one.state !== 'current');
  if (isOnlySigner) await replaceSigner(secrets, records, now);
  // Another process may have changed it to `previous` meanwhile.
  await SigningKeyModel.updateOne(
    { _id: kid, state: { $in: sourcesOf('compromised', 'revocation') } },
    { $set: { state: 'compromised', retiredAt: now, sealedPrivateKey: null } },
  );
  await ensureSigningKeys(secrets, now);
  const signer = (await readKeys()).find((one) => one.state === 'current');
  if (!signer)
    throw new Error(
      `key ${kid} is revoked, and no key can sign. Add a new key to SIGNING_KEY_FILE and restart.`,
    );
  return signer.kid;
}

/** Replaces the signing key. The latest activation signs: after this write, the former key signs no token. */
async function replaceSigner(
  secrets: Secrets,
  records: readonly StoredSigningKey[],
  now: Date,
): Promise<void> {
  const next = findNextKey(secrets, records);
  if (next)
    return applyChanges([{ kid: next.kid, from: 'next', set: { state: 'current', activatedAt: now } }]);
  if (secrets.signingKeys.size > 0) return;
  await storeKeys([createSigningKey(secrets, now, 'current')], records);
}
