import { hkdfSync, type KeyObject } from 'node:crypto';

/**
 * What a derived secret is for. One purpose has one secret: a key that leaks or is misused in one place opens nothing
 * in another. A new use is a new word here, never a second use of an old one.
 */
export type SecretPurpose =
  /** Code of refresh tokens. */
  | 'refresh'
  /** Sealing of page cursors. */
  | 'cursor'
  /** Sealing of the private signing keys in the database. */
  | 'keyEncryption'
  /** Code of the context that the router hands to subgraphs. */
  | 'routerContext'
  /** Sealing of TOTP secrets. */
  | 'mfaSecret'
  /** Hashing of recovery codes. */
  | 'recoveryCode'
  /** Code of the token between password and second factor. */
  | 'mfaToken'
  /** Code of signed upload targets. */
  | 'upload'
  /** Code of signed file links. */
  | 'file'
  /** Sealing of what a queued mail says: its links hold single-use tokens. */
  | 'mail'
  /** Sealing of an API client's secret in the answer that a repetition under the same key gets. */
  | 'clientSecret'
  /** Sealing of the key that an installation pays a model's provider with. */
  | 'aiProviderKey'
  /** Code of what is kept of an acknowledging client: to compare, not to read. */
  | 'aiAcknowledgement'
  /** Sealing of an account that was asked for and is not made yet. */
  | 'registration'
  /** Code over events of the payment sandbox. */
  | 'paymentSandbox'
  /** Sealing of what lets a payer's browser go on with a payment. */
  | 'paymentSecret'
  /** Secret parameter of argon2, besides the salt. */
  | 'passwordPepper';

/** Secrets of this deployment, one per purpose. */
export interface Secrets {
  /**
   * The secret of a purpose, always the same for the same root secret.
   *
   * @param length bytes, at most 8,160 (RFC 5869, 2.3)
   */
  derive(purpose: SecretPurpose, length?: number): Buffer;
  /** Private signing keys that were given to this process, by `kid`; empty where the database holds them, sealed. */
  readonly signingKeys: ReadonlyMap<string, KeyObject>;
}

const minimumBytes = 32;
/** What to do about a secret that is missing or too short. */
export const secretRemedy =
  'Set it to at least 32 random bytes, for example the output of: openssl rand -base64 32';

/**
 * Derives every secret of a deployment from one root secret by HKDF-SHA-256 (RFC 5869).
 *
 * @param signingKeys what `readSigningKeys` found
 * @throws Error when the root secret is shorter than 32 bytes; the message never shows it
 */
export function createSecrets(
  rootSecret: Buffer | string,
  signingKeys: ReadonlyMap<string, KeyObject> = new Map(),
): Secrets {
  const root = Buffer.from(assertLongEnough(Buffer.from(rootSecret as string), 'The root secret'));
  const derived = new Map<string, Buffer>();
  return {
    signingKeys,
    derive(purpose, length = 32) {
      const info = `trigate/1/${purpose}`;
      const name = `${info}/${length}`;
      let secret = derived.get(name);
      if (!secret) {
        secret = Buffer.from(hkdfSync('sha256', root, '', info, length));
        derived.set(name, secret);
      }
      // A copy: a caller that wipes or changes its buffer must not change everybody's secret.
      return Buffer.from(secret);
    },
  };
}

/** @throws Error for a secret of fewer than 32 bytes; the message names it and never shows it */
export function assertLongEnough(secret: Buffer, name: string): Buffer {
  if (secret.length >= minimumBytes) return secret;
  throw new Error(`${name} has ${secret.length} bytes, fewer than ${minimumBytes}. ${secretRemedy}`);
}
