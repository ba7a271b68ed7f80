import { randomBytes } from 'node:crypto';
import {
  type ExternalIssuer,
  externalAudience,
  openExternalIssuer,
} from '../../../test/support/openExternalIssuer.ts';
import { openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import { buildIdentity } from '../server.ts';
import { addIssuer } from './addIssuer.ts';
import { issuerKeys } from './issuerKeys.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
let stack: TestStack;
let issuer: ExternalIssuer;

beforeEach(async () => {
  stack = await openTestStack({ subgraphs: [buildIdentity], allowPrivateIssuers: true });
  issuer = await openExternalIssuer();
});
afterEach(async () => {
  await issuer.close();
  await stack.close();
});

const source = () => ({ issuer: issuer.url, jwksUri: issuer.jwksUri, algorithms: ['ES256' as const] });
const find = async (kid: string) => (await issuerKeys(stack.platform, source()).find(kid))?.kid ?? null;
const findOrCode = (kid: string) => find(kid).catch((error: { code?: string }) => error.code);

test('a thousand names that nobody has cost the issuer one question', async () => {
  expect(await find('key-1')).toBe('key-1');
  const before = issuer.asked;
  const names = Array.from({ length: 1000 }, () => randomBytes(16).toString('hex'));
  expect(new Set(await Promise.all(names.map(find)))).toEqual(new Set([null]));
  for (const name of names.slice(0, 50)) expect(await find(name)).toBeNull();
  expect(issuer.asked - before).toBe(1);
  // The honest are served all the while.
  expect(await find('key-1')).toBe('key-1');
});

test('many who come first ask once', async () => {
  expect(new Set(await Promise.all(Array.from({ length: 50 }, () => find('key-1'))))).toEqual(
    new Set(['key-1']),
  );
  expect(issuer.asked).toBe(1);
});

test('a new key is found by its name, once the half minute after the last search is over', async () => {
  expect(await find('key-1')).toBe('key-1');
  expect(await find('key-2')).toBeNull();
  await issuer.addKey();
  expect(await find('key-2')).toBeNull();
  stack.advance(30_000);
  expect(await find('key-2')).toBe('key-2');
});

test('a key that the issuer dropped is none after ten minutes', async () => {
  await issuer.addKey();
  expect(await find('key-1')).toBe('key-1');
  issuer.publish(issuer.keys.slice(1));
  stack.advance(10 * minuteMs);
  expect(await find('key-1')).toBeNull();
  expect(await find('key-2')).toBe('key-2');
});

test('while the issuer is down its keys are good for a day, and not longer', async () => {
  expect(await find('key-1')).toBe('key-1');
  issuer.publish(null);
  for (const elapsed of [1, 11, 11]) {
    stack.advance(elapsed * hourMs);
    expect(await find('key-1')).toBe('key-1');
  }
  stack.advance(2 * hourMs);
  expect(await findOrCode('key-1')).toBe('unavailable');
});

test('an issuer whose keys were never read is unavailable, and asked again a second later', async () => {
  const keys = issuer.keys;
  issuer.publish(null);
  expect(await findOrCode('key-1')).toBe('unavailable');
  expect(await findOrCode('key-1')).toBe('unavailable');
  issuer.publish(keys);
  stack.advance(1000);
  expect(await findOrCode('key-1')).toBe('key-1');
});

test.each([
  [
    'more than 50 keys',
    () => Array.from({ length: 51 }, (_, index) => ({ ...issuer.keys[0], kid: `k-${index}` })),
  ],
  ['a symmetric key', () => [...issuer.keys, { kty: 'oct', k: 'c2VjcmV0', kid: 's', alg: 'HS256' }]],
  ['a private key', () => [...issuer.keys, { ...issuer.keys[0], kid: 'p', d: 'AQAB' }]],
  ['two keys of one name', () => [...issuer.keys, ...issuer.keys]],
  ['something that is no key', () => [...issuer.keys, null as never]],
  ['more than 512 KiB', () => [{ ...issuer.keys[0], x5c: ['A'.repeat(600_000)] }]],
])('a set with %s is refused as a whole, and the one before stays', async (_, keys) => {
  expect(await find('key-1')).toBe('key-1');
  issuer.publish(keys());
  stack.advance(10 * minuteMs);
  expect(await find('key-1')).toBe('key-1');
  expect(await find('k-3')).toBeNull();
});

test.each([
  ['for encryption', { use: 'enc' }],
  ['that may only sign', { key_ops: ['sign'] }],
  ['of another algorithm', { alg: 'ES384' }],
  ['without a name', { kid: undefined }],
])('a key %s verifies nothing', async (_, members) => {
  issuer.publish([JSON.parse(JSON.stringify({ ...issuer.keys[0], ...members }))]);
  expect(await find('key-1')).toBeNull();
});

describe('adding an issuer', () => {
  const add = (options: Partial<Parameters<typeof addIssuer>[0]> = {}, allowPrivate = true) =>
    addIssuer(
      { installationId: stack.demo.id, issuer: issuer.url, audiences: [externalAudience], ...options },
      { ownIssuer: stack.platform.issuer, allowPrivate, now: stack.platform.now },
    );

  test('finds out where its keys are, once', async () => {
    expect(await add()).toMatchObject({ jwksUri: issuer.jwksUri, state: 'active', autoProvision: false });
  });

  test('is refused where another installation has the audience, also among others', async () => {
    await add({ audiences: ['a', 'b'] });
    const again = add({ installationId: stack.other.id, audiences: ['c', 'b'] });
    await expect(again).rejects.toThrow(/belongs to an installation already/);
    expect(await add({ installationId: stack.other.id, audiences: ['c'] })).toBeDefined();
  });

  test.each<[string, Parameters<typeof add>[0], RegExp]>([
    ['our own issuer', { issuer: 'http://issuer.test' }, /own issuer/],
    ['no URL', { issuer: 'issuer' }, /no URL/],
    ['a query', { issuer: 'https://issuer.example/?tenant=1' }, /query/],
    ['no audience', { audiences: [] }, /audience/],
    ['HMAC', { algorithms: ['HS256'] }, /no algorithm of an issuer/],
    ['none', { algorithms: ['none'] }, /no algorithm of an issuer/],
    ['no key of the algorithm', { algorithms: ['RS256'] }, /no key for RS256.*--algorithm/],
    ['the role of the platform', { roleMap: [{ claim: 'x', role: 'operator' }] }, /no role/],
    ['tokens of a year', { maxTokenAgeSeconds: 31_536_000 }, /30 to 86400/],
  ])('with %s is refused with the reason', async (_, options, reason) => {
    await expect(add(options)).rejects.toThrow(reason);
  });

  test('of a private address is refused outside of development', async () => {
    await expect(add({}, false)).rejects.toThrow(/no(t an)? https/);
    await expect(add({ issuer: 'https://127.0.0.1:9/' }, false)).rejects.toThrow(/not public/);
  });

  test('whose discovery speaks of another issuer is refused', async () => {
    await expect(add({ issuer: `${issuer.url}/` })).rejects.toThrow(/describes the issuer/);
  });
});
