import { randomBytes } from 'node:crypto';
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
import { assertLongEnough, secretRemedy } from './deriveSecret.ts';

/** Possible sources of the root secret. */
export interface RootSecretSource {
  /** `TRIGATE_SECRET`. */
  rootSecret: string | undefined;
  /** `TRIGATE_SECRET_FILE`. */
  rootSecretFile: string | undefined;
  /** Folder of this deployment's own data. */
  dataDir: string;
  /**
   * Whether this is a demonstration, which may generate its own secret; otherwise every process must get the same one.
   */
  demonstration: boolean;
}

/**
 * Reads the root secret from `TRIGATE_SECRET`, or from the file that `TRIGATE_SECRET_FILE` names. For a demonstration,
 * it falls back to `<dataDir>/secret`, which is created with mode 0600. Processes that start concurrently use the same
 * one.
 *
 * @throws Error with the remedy if there is none, it cannot be read, or it is too short
 */
export function readRootSecret({
  rootSecret,
  rootSecretFile,
  dataDir,
  demonstration,
}: RootSecretSource): Buffer {
  if (rootSecret) return assertLongEnough(Buffer.from(rootSecret), 'TRIGATE_SECRET');
  if (rootSecretFile) return readSecretFile(rootSecretFile, 'TRIGATE_SECRET_FILE');
  if (!demonstration)
    throw new Error(`Neither TRIGATE_SECRET nor TRIGATE_SECRET_FILE is set. ${secretRemedy}`);
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
    throw new Error(`${name}: ${path} cannot be read (${codeOf(error)}). ${secretRemedy}`, { cause: error });
  }
  return assertLongEnough(withoutLineEnd(bytes), name);
}

/** Removes a final line feed, which editors and shells add to a text; random bytes are not changed. */
function withoutLineEnd(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  return /^[\x20-\x7e]+\r?\n$/.test(text) ? Buffer.from(text.trimEnd(), 'latin1') : bytes;
}

/**
 * Writes a complete temporary file and links it to the target. The target is therefore never incomplete, and a second
 * process keeps what the first one wrote.
 */
function createSecretFile(path: string): void {
  const draft = `${path}.${randomBytes(8).toString('hex')}`;
  const file = openSync(draft, 'wx', 0o600);
  try {
    writeSync(file, `${randomBytes(32).toString('base64url')}\n`);
    fsyncSync(file);
    linkSync(draft, path);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  } finally {
    closeSync(file);
    unlinkSync(draft);
  }
}

/** Returns the code of an error. System errors may come from another realm, so `instanceof` is unreliable. */
function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code);
}
