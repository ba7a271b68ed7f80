import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { toPublicJwk } from './SigningKey.ts';

const blocks = /-----BEGIN (?:EC )?PRIVATE KEY-----[\s\S]+?-----END (?:EC )?PRIVATE KEY-----/g;
const remedy = 'Create one with: openssl ecparam -name prime256v1 -genkey -noout';

/**
 * Reads private signing keys that this process was given as a secret: the PEM blocks of the file, by the `kid` of their
 * public halves. Empty without a file: then keys are created here and sealed in the database.
 *
 * @param path what `SIGNING_KEY_FILE` names
 * @throws Error with the remedy when the file cannot be read, or holds anything but P-256 keys
 */
export function readSigningKeys(path: string | undefined): ReadonlyMap<string, KeyObject> {
  if (!path) return new Map();
  const keys = readText(path).match(blocks) ?? [];
  if (keys.length === 0) throw new Error(`SIGNING_KEY_FILE: ${path} contains no private key. ${remedy}`);
  return new Map(keys.map((pem) => toKey(pem, path)));
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new Error(`SIGNING_KEY_FILE: ${path} cannot be read. ${remedy}`, { cause: error });
  }
}

function toKey(pem: string, path: string): [kid: string, key: KeyObject] {
  let key: KeyObject | undefined;
  try {
    key = createPrivateKey(pem);
  } catch {
    // An encrypted or broken block is reported below, without its content.
  }
  if (key?.asymmetricKeyType !== 'ec' || key.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw new Error(`SIGNING_KEY_FILE: ${path} contains a key that is not for ES256 (P-256). ${remedy}`);
  return [toPublicJwk(key).kid, key];
}
