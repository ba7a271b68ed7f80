import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '../../../test/support/tempFolder.ts';
import { readSigningKeys } from './readSigningKeys.ts';
import { toPublicJwk } from './SigningKey.ts';

const folder = tempFolder();

const read = (text: string) => {
  const path = join(folder, 'keys.pem');
  writeFileSync(path, text);
  return readSigningKeys(path);
};
const newPair = (namedCurve = 'P-256') => generateKeyPairSync('ec', { namedCurve });
const newKey = () => newPair().privateKey;
const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
const pemOf = (key: KeyObject, type: 'pkcs8' | 'sec1' = 'pkcs8') =>
  key.export({ type, format: 'pem' }).toString();

test('the keys of a file are read with their thumbprints, in the order of the file', () => {
  const [first, second] = [newKey(), newKey()];
  const keys = read(`# signs\n${pemOf(first)}\n# signs later\n${pemOf(second, 'sec1')}`);
  expect([...keys.keys()]).toEqual([toPublicJwk(first).kid, toPublicJwk(second).kid]);
  expect([...keys.values()].every((key) => key.type === 'private')).toBe(true);
});

test('EC parameters that openssl writes before a key are ignored', () => {
  const parameters = '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n';
  expect(read(parameters + pemOf(newKey(), 'sec1')).size).toBe(1);
});

test.each([
  ['no key', 'secret'],
  ['a public key', newPair().publicKey.export({ type: 'spki', format: 'pem' })],
  ['a key of another curve', pemOf(newPair('P-384').privateKey)],
  ['an RSA key', pemOf(rsa)],
  ['a broken key', '-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----'],
])('a key file with %s is refused with the remedy and without its content', (_, text) => {
  expect(() => read(String(text))).toThrow(/^SIGNING_KEY_FILE: .*openssl ecparam -name prime256v1/);
  expect(() => read(String(text))).not.toThrow(/MIGH|secret$/);
});

test('no keys are read without a key file, and a missing file is refused with the remedy', () => {
  expect(readSigningKeys(undefined).size).toBe(0);
  expect(() => readSigningKeys(join(folder, 'none'))).toThrow(/cannot be read.*openssl/);
});
