import { hkdfSync, type KeyObject } from 'node:crypto';

/**
 * Purpose of a derived secret. Each purpose has its own secret, so a key that leaks in one place is useless in another.
 * A new use needs a new purpose.
 */
export type SecretPurpose =
  /** Authentication code of refresh tokens. */
  | 'refresh'
  /** Encryption of page cursors. */
  | 'cursor'
  /** Sealing of the private signing keys in the database. */
  | 'keyEncryption'
  /** Code of the context that the router hands to subgraphs. */
  | 'routerContext'
  /** Encryption of TOTP secrets. */
  | 'mfaSecret'
  /** Hashing of recovery codes. */
  | 'recoveryCode'
  /** Code of the token between password and second factor. */
  | 'mfaToken'
  /** Code of signed upload targets. */
  | 'upload'
  /** Code of signed file links. */
  | 'file'
  /** Encryption of the data of queued mails, whose links contain single-use tokens. */
  | 'mail'
  /** Sealing of an API client's secret in the answer that a repetition under the same key gets. */
  | 'clientSecret'
  /** Sealing of the key that an installation pays a model's provider with. */
  | 'aiProviderKey'
  /** Keyed hashes of an acknowledging client, which can be compared but not read. */
  | 'aiAcknowledgement'
  /** Encryption of a requested account that is not created yet. */
  | 'registration'
  /** Authentication code of events of the payment sandbox. */
  | 'paymentSandbox'
  /** Encryption of the data with which a payer's browser continues a payment. */
  | 'paymentSecret'
  /** Secret parameter of argon2, besides the salt. */
  | 'passwordPepper';

/** Secrets of this deployment, one per purpose. */
export interface Secrets {
  /**
   * Returns the secret of a purpose, which is always the same for one root secret.
   *
   * @param length bytes, at most 8,160 (RFC 5869, 2.3)
   */
  derive(purpose: SecretPurpose, length?: number): Buffer;
  /**
   * Private signing keys that this process was configured with, by `kid`; empty if the database stores them encrypted.
   */
  readonly signingKeys: ReadonlyMap<string, KeyObject>;
}

const minimumBytes = 32;
/** Remedy for a secret that is missing or too short. */
export const secretRemedy =
  'Set it to at least 32 random bytes, for example the output of: openssl rand -base64 32';

/**
 * Derives every secret of a deployment from one root secret by HKDF-SHA-256 (RFC 5869).
 *
 * @param signingKeys result of `readSigningKeys`
 * @throws Error if the root secret is shorter than 32 bytes; the message never contains it
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
      // A copy, because a caller that clears or changes its buffer must not affect other callers.
      return Buffer.from(secret);
    },
  };
}

/**
 * Returns the secret if it is long enough.
 *
 * @throws Error for a secret of fewer than 32 bytes; the message names it without its value
 */
export function assertLongEnough(secret: Buffer, name: string): Buffer {
  if (secret.length >= minimumBytes) return secret;
  throw new Error(`${name} has ${secret.length} bytes, fewer than ${minimumBytes}. ${secretRemedy}`);
}
