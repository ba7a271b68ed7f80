import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toPublicJwk } from '../token/SigningKey.ts';
import { readSigningKeys } from './readSigningKeys.ts';

const folder = mkdtempSync(join(tmpdir(), 'trigate-keys-'));
afterAll(() => rmSync(folder, { recursive: true }));

const read = (text: string) => {
  const path = join(folder, 'keys.pem');
  writeFileSync(path, text);
  return readSigningKeys({ SIGNING_KEY_FILE: path });
};
const newKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const pemOf = (key: KeyObject, type: 'pkcs8' | 'sec1' = 'pkcs8') =>
  key.export({ type, format: 'pem' }).toString();

test('without a file there are no keys', () => {
  expect(readSigningKeys({}).size).toBe(0);
});

test('every key of the file is known by the thumbprint of its public half, in the order of the file', () => {
  const [first, second] = [newKey(), newKey()];
  const keys = read(`# signs\n${pemOf(first)}\n# signs later\n${pemOf(second, 'sec1')}`);
  expect([...keys.keys()]).toEqual([toPublicJwk(first).kid, toPublicJwk(second).kid]);
  expect([...keys.values()].every((key) => key.type === 'private')).toBe(true);
});

test('the parameters that openssl writes in front of a key are passed over', () => {
  const parameters = '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n';
  expect(read(parameters + pemOf(newKey(), 'sec1')).size).toBe(1);
});

test.each([
  ['no key', 'secret'],
  ['a public key', newKeyPublic()],
  [
    'a key of another curve',
    generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
  ],
  [
    'an RSA key',
    generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ type: 'pkcs8', format: 'pem' }),
  ],
  ['a broken key', '-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----'],
])('%s is refused with the remedy, and without a word of the file', (_, text) => {
  expect(() => read(String(text))).toThrow(/^SIGNING_KEY_FILE: .*openssl ecparam -name prime256v1/);
  expect(() => read(String(text))).not.toThrow(/MIGH|secret$/);
});

test('a file that is not there is refused with the remedy', () => {
  expect(() => readSigningKeys({ SIGNING_KEY_FILE: join(folder, 'none') })).toThrow(
    /cannot be read.*openssl/,
  );
});

function newKeyPublic(): string {
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
    .publicKey.export({ type: 'spki', format: 'pem' })
    .toString();
}
