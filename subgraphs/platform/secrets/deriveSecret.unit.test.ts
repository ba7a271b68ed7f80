import { createHmac } from 'node:crypto';
import { createSecrets } from './deriveSecret.ts';

const root = 'correct horse battery staple and more';

test('a secret is derived by RFC 5869 with the purpose as info', () => {
  const hmac = (key: Buffer, ...parts: (Buffer | string)[]): Buffer => {
    const code = createHmac('sha256', key);
    for (const part of parts) code.update(part);
    return code.digest();
  };
  const extracted = hmac(Buffer.alloc(32), root);
  const first = hmac(extracted, 'trigate/1/cursor', Buffer.of(1));
  const second = hmac(extracted, first, 'trigate/1/cursor', Buffer.of(2));
  expect(createSecrets(root).derive('cursor', 48)).toEqual(Buffer.concat([first, second]).subarray(0, 48));
});

test('each purpose has its own secret, which is equal for equal root secrets', () => {
  const [one, other] = [createSecrets(root), createSecrets(Buffer.from(root))];
  expect(one.derive('refresh')).toEqual(other.derive('refresh'));
  expect(one.derive('refresh')).not.toEqual(one.derive('cursor'));
  expect(one.derive('refresh')).toHaveLength(32);
});

test('overwriting a derived secret or the given buffer does not change later secrets', () => {
  const given = Buffer.from(root);
  const secrets = createSecrets(given);
  const before = secrets.derive('refresh');
  secrets.derive('refresh').fill(0);
  given.fill(0);
  expect(secrets.derive('refresh')).toEqual(before);
  expect(secrets.derive('upload')).toEqual(createSecrets(root).derive('upload'));
});

test.each(['', 'short', 'x'.repeat(31)])('a root secret of fewer than 32 bytes is refused: %j', (secret) => {
  expect(() => createSecrets(secret)).toThrow(/fewer than 32.*openssl/);
  expect(() => createSecrets('hunter2-hunter2')).not.toThrow(/hunter2/);
});
