import { randomBytes } from 'node:crypto';
import { concurrently } from '../../../../test/support/concurrently.ts';
import { perTest, product } from '../../../../test/support/product.ts';
import { externalAudience, openExternalIssuer } from '../../../../test/support/servers/openExternalIssuer.ts';
import { addIssuer } from './addIssuer.ts';
import { issuerKeys } from './issuerKeys.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const { market, neighbour, stack } = product({ allowPrivateIssuers: true });

const issuer = perTest(() => openExternalIssuer());
afterEach(() => issuer.close());

const source = () => ({ issuer: issuer.url, jwksUri: issuer.jwksUri, algorithms: ['ES256' as const] });
const find = async (kid: string) => (await issuerKeys(stack.platform, source()).find(kid))?.kid ?? null;
const findOrCode = (kid: string) => find(kid).catch((error: { code?: string }) => error.code);

test('a thousand unknown key names cause one request to the issuer', async () => {
  expect(await find('key-1')).toBe('key-1');
  const before = issuer.asked;
  const names = Array.from({ length: 1000 }, () => randomBytes(16).toString('hex'));
  expect(new Set(await Promise.all(names.map(find)))).toEqual(new Set([null]));
  for (const name of names.slice(0, 50)) expect(await find(name)).toBeNull();
  expect(issuer.asked - before).toBe(1);
  expect(await find('key-1')).toBe('key-1');
});

test('concurrent first lookups of a key cause one request to the issuer', async () => {
  expect(new Set(await concurrently(50, () => find('key-1')))).toEqual(new Set(['key-1']));
  expect(issuer.asked).toBe(1);
});

test('a new key of an issuer is found 30 seconds after the last load', async () => {
  expect(await find('key-1')).toBe('key-1');
  expect(await find('key-2')).toBeNull();
  await issuer.addKey();
  expect(await find('key-2')).toBeNull();
  stack.advance(30_000);
  expect(await find('key-2')).toBe('key-2');
});

test('a key that an issuer removed is unknown after 10 minutes', async () => {
  await issuer.addKey();
  expect(await find('key-1')).toBe('key-1');
  issuer.publish(issuer.keys.slice(1));
  stack.advance(10 * minuteMs);
  expect(await find('key-1')).toBeNull();
  expect(await find('key-2')).toBe('key-2');
});

test('the keys of an unreachable issuer are valid for a day', async () => {
  expect(await find('key-1')).toBe('key-1');
  issuer.publish(null);
  for (const elapsed of [1, 11, 11]) {
    stack.advance(elapsed * hourMs);
    expect(await find('key-1')).toBe('key-1');
  }
  stack.advance(2 * hourMs);
  expect(await findOrCode('key-1')).toBe('unavailable');
});

test('an issuer whose keys were never loaded is unavailable, and is requested again after one second', async () => {
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
  ['two keys with the same name', () => [...issuer.keys, ...issuer.keys]],
  ['an entry that is not a key', () => [...issuer.keys, null as never]],
  ['more than 512 KiB', () => [{ ...issuer.keys[0], x5c: ['A'.repeat(600_000)] }]],
])('a key set of an issuer with %s is refused, and the previous one is kept', async (_, keys) => {
  expect(await find('key-1')).toBe('key-1');
  issuer.publish(keys());
  stack.advance(10 * minuteMs);
  expect(await find('key-1')).toBe('key-1');
  expect(await find('k-3')).toBeNull();
});

test.each([
  ['for encryption', { use: 'enc' }],
  ['that is only for signing', { key_ops: ['sign'] }],
  ['of another algorithm', { alg: 'ES384' }],
  ['without a name', { kid: undefined }],
])('a key of an issuer %s is ignored', async (_, members) => {
  issuer.publish([JSON.parse(JSON.stringify({ ...issuer.keys[0], ...members }))]);
  expect(await find('key-1')).toBeNull();
});

const add = (options: Partial<Parameters<typeof addIssuer>[0]> = {}, allowPrivate = true) =>
  addIssuer(
    {
      installationId: market.installation.id,
      issuer: issuer.url,
      audiences: [externalAudience],
      ...options,
    },
    { ownIssuer: stack.platform.issuer, allowPrivate, now: stack.platform.now },
  );

test('adding an issuer reads the URL of its keys', async () => {
  expect(await add()).toMatchObject({ jwksUri: issuer.jwksUri, state: 'active', autoProvision: false });
});

test('adding an issuer is refused if another installation has one of its audiences', async () => {
  await add({ audiences: ['a', 'b'] });
  const { id: installationId } = (await neighbour()).installation;
  const again = add({ installationId, audiences: ['c', 'b'] });
  await expect(again).rejects.toThrow(/already belongs to an installation/);
  expect(await add({ installationId, audiences: ['c'] })).toBeDefined();
});

test.each<[string, Parameters<typeof add>[0], RegExp]>([
  ['our own issuer', { issuer: 'http://issuer.test' }, /own issuer/],
  ['a name that is not a URL', { issuer: 'issuer' }, /not a URL/],
  ['a query', { issuer: 'https://issuer.example/?tenant=1' }, /query/],
  ['no audience', { audiences: [] }, /audience/],
  ['HMAC', { algorithms: ['HS256'] }, /not an algorithm of issuers/],
  ['the algorithm none', { algorithms: ['none'] }, /not an algorithm of issuers/],
  ['no key for the algorithm', { algorithms: ['RS256'] }, /no key for RS256.*--algorithm/],
  ['the role operator', { roleMap: [{ claim: 'x', role: 'operator' }] }, /not a role/],
  ['a maximum token age of one year', { maxTokenAgeSeconds: 31_536_000 }, /30 to 86400/],
])('adding an issuer with %s is refused with the reason', async (_, options, reason) => {
  await expect(add(options)).rejects.toThrow(reason);
});

test('adding an issuer with a private address is refused outside of development', async () => {
  await expect(add({}, false)).rejects.toThrow(/no(t an)? https/);
  await expect(add({ issuer: 'https://127.0.0.1:9/' }, false)).rejects.toThrow(/not public/);
});

test('adding an issuer whose discovery describes another one is refused', async () => {
  await expect(add({ issuer: `${issuer.url}/` })).rejects.toThrow(/describes the issuer/);
});
