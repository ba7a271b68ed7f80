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

/** Where the root secret may stand. */
export interface RootSecretSource {
  /** `TRIGATE_SECRET`. */
  rootSecret: string | undefined;
  /** `TRIGATE_SECRET_FILE`. */
  rootSecretFile: string | undefined;
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

/** Editors and shells end a text with a line feed that is no part of the secret; random bytes are left alone. */
function withoutLineEnd(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  return /^[\x20-\x7e]+\r?\n$/.test(text) ? Buffer.from(text.trimEnd(), 'latin1') : bytes;
}

/**
 * Writes a whole file beside the target and links it there: the target never exists in part, and a second process
 * keeps what the first one wrote.
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

/** System errors may come from another realm, so their class says nothing. */
function codeOf(error: unknown): string {
  return String((error as { code?: unknown } | null)?.code);
}
