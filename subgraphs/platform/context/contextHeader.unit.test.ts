import { createSecretKey } from 'node:crypto';
import { readContext, type SignedContext, signContext } from './contextHeader.ts';

const key = createSecretKey(Buffer.alloc(32, 1));
const now = Date.UTC(2026, 4, 2);
const context: SignedContext = {
  installationId: 'ins_demo',
  clientAddress: '192.0.2.7',
  userAgent: 'test',
  requestId: 'e2b6d9b6-3a4b-4f0e-9d1a-000000000000',
  depth: 0,
};

test('a signed context is read unchanged for 60 seconds', () => {
  expect(readContext(key, signContext(key, context, now), now + 59_000)).toEqual(context);
});

const signed = signContext(key, context, now);
const [body = '', mac = ''] = signed.split('.');
const altered = Buffer.from(
  JSON.stringify({ ...context, installationId: 'ins_other', expiresAt: now + 60_000 }),
).toString('base64url');

test.each([
  ['missing', undefined, now],
  ['sent twice', [signed, signed], now],
  ['older than 60 seconds', signed, now + 60_001],
  ['signed with another key', signContext(createSecretKey(Buffer.alloc(32, 2)), context, now), now],
  ['altered', `${altered}.${mac}`, now],
  ['without its signature', `${body}.`, now],
  ['followed by an additional part', `${signed}.x`, now],
])('a context header that is %s is refused', (_, header, at) => {
  expect(readContext(key, header, at)).toBeNull();
});
