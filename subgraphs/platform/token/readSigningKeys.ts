import { createPrivateKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { toPublicJwk } from './SigningKey.ts';

const blocks = /-----BEGIN (?:EC )?PRIVATE KEY-----[\s\S]+?-----END (?:EC )?PRIVATE KEY-----/g;
const remedy = 'Create one with: openssl ecparam -name prime256v1 -genkey -noout';

/**
 * Reads private signing keys from a file: its PEM blocks, by the `kid` of their public halves. Empty without a file;
 * keys are then created here and stored encrypted in the database.
 *
 * @param path value of `SIGNING_KEY_FILE`
 * @throws Error with the remedy if the file cannot be read, or contains anything but P-256 keys
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
