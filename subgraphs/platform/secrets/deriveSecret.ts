import { hkdfSync, randomBytes } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';

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
  /** Code of the token between password and second factor. */
  | 'mfaToken'
  /** Code of signed upload targets. */
  | 'upload'
  /** Code of signed file links. */
  | 'file'
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
}

const minimumBytes = 32;
const remedy = 'Set it to at least 32 random bytes, for example the output of: openssl rand -base64 32';

/**
 * Derives every secret of a deployment from one root secret by HKDF-SHA-256 (RFC 5869).
 *
 * @throws Error when the root secret is shorter than 32 bytes; the message never shows it
 */
export function createSecrets(rootSecret: Buffer | string): Secrets {
  const root = Buffer.from(assertLongEnough(Buffer.from(rootSecret as string), 'The root secret'));
  const derived = new Map<string, Buffer>();
  return {
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

/** Where the root secret may stand. */
export interface RootSecretSource {
  env: Readonly<Record<string, string | undefined>>;
  /** Folder of this deployment's own data. */
  dataDir: string;
  /** Only a demonstration may make up its own secret; elsewhere every process must be given the same one. */
  demonstration: boolean;
}

/**
 * Reads the root secret: `TRIGATE_SECRET`, else the file that `TRIGATE_SECRET_FILE` names, else, for a demonstration,
 * `<dataDir>/secret`, which is created with mode 0600 when it does not exist. Processes that start at the same time
 * agree on one.
 *
 * @throws Error with the remedy when there is none, when it cannot be read, or when it is too short
 */
export function readRootSecret({ env, dataDir, demonstration }: RootSecretSource): Buffer {
  if (env['TRIGATE_SECRET']) return assertLongEnough(Buffer.from(env['TRIGATE_SECRET']), 'TRIGATE_SECRET');
  if (env['TRIGATE_SECRET_FILE']) return readSecretFile(env['TRIGATE_SECRET_FILE'], 'TRIGATE_SECRET_FILE');
  if (!demonstration) throw new Error(`Neither TRIGATE_SECRET nor TRIGATE_SECRET_FILE is set. ${remedy}`);
  const path = join(dataDir, 'secret');
  mkdirSync(dataDir, { recursive: true });
  if (!existsSync(path)) createSecretFile(path);
  return readSecretFile(path, 'The demonstration secret');
}

function readSecretFile(path: string, name: string): Buffer {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    throw new Error(`${name}: ${path} cannot be read (${codeOf(error)}). ${remedy}`, { cause: error });
  }
  return assertLongEnough(withoutLineEnd(bytes), name);
}

/** Editors and shells end a text with a line feed that is no part of the secret; random bytes are left alone. */
function withoutLineEnd(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  return /^[\x20-\x7e]+\r?\n$/.test(text) ? Buffer.from(text.trimEnd(), 'latin1') : bytes;
}

/**
 * Writes a whole file beside the target and links it there: the target never exists half written, and whoever comes
 * second keeps what the first one made.
 */
function createSecretFile(path: string): void {
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeSync(file, `${randomBytes(minimumBytes).toString('base64url')}\n`);
    fsyncSync(file);
    linkSync(draft, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    closeSync(file);
    unlinkSync(draft);
  }
}

function assertLongEnough(secret: Buffer, name: string): Buffer {
  if (secret.length >= minimumBytes) return secret;
  throw new Error(`${name} has ${secret.length} bytes, fewer than ${minimumBytes}. ${remedy}`);
}

/** System errors may come from another realm, so their class says nothing. */
function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code);
}
