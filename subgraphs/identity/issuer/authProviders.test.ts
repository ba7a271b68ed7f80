import {
  type ExternalIssuer,
  externalAudience,
  openExternalIssuer,
} from '../../../test/support/openExternalIssuer.ts';
import { openRestStack, type RestStack } from '../../../test/support/openRestStack.ts';
import { buildIdentity } from '../server.ts';
import { addIssuer } from './addIssuer.ts';
import { IssuerModel } from './model.ts';

let rest: RestStack;
let issuer: ExternalIssuer;
beforeAll(async () => {
  rest = await openRestStack([buildIdentity], { allowPrivateIssuers: true });
  issuer = await openExternalIssuer();
});
afterAll(async () => {
  await issuer.close();
  await rest.close();
});

const read = (headers: Record<string, string> = {}) =>
  rest.call('GET', '/api/v1/auth/providers', { headers });

test('whoever wants to sign in learns how, and no secret', async () => {
  expect((await read()).body).toEqual({
    version: expect.any(String),
    methods: [{ type: 'password', grantType: 'password' }],
    issuers: [],
  });
  const { _id } = await addIssuer(
    {
      installationId: rest.stack.demo.id,
      issuer: issuer.url,
      audiences: [externalAudience],
      displayName: 'Company login',
      autoProvision: true,
      roleMap: [{ claim: 'Desk', role: 'support' }],
    },
    { ownIssuer: rest.stack.platform.issuer, allowPrivate: true, now: rest.stack.platform.now },
  );
  const { body } = await read();
  expect(body.methods).toEqual([
    { type: 'password', grantType: 'password' },
    { type: 'external_issuer', grantType: 'urn:ietf:params:oauth:grant-type:token-exchange' },
  ]);
  expect(body.issuers).toEqual([
    {
      id: _id,
      name: 'Company login',
      issuer: issuer.url,
      audiences: [externalAudience],
      createsAccounts: true,
    },
  ]);
});

test('the answer may be kept, and says when it has changed', async () => {
  const first = await read();
  expect(first.headers.get('cache-control')).toBe('public, max-age=60');
  const etag = first.headers.get('etag') ?? '';
  expect((await read({ 'if-none-match': etag })).status).toBe(304);
  await IssuerModel.updateOne({}, { $set: { state: 'disabled', updatedAt: new Date() } });
  const changed = await read({ 'if-none-match': etag });
  expect([changed.status, changed.body.issuers]).toEqual([200, []]);
});

test('an installation shows its own issuers only', async () => {
  await IssuerModel.updateOne({}, { $set: { state: 'active' } });
  expect((await read()).body.issuers).toHaveLength(1);
  const { stack } = rest;
  const query = '{ authProviders { issuers { id } } }';
  const elsewhere = await stack.execute(query, {}, { installation: stack.other });
  expect(elsewhere.data?.authProviders.issuers).toEqual([]);
});

test('no token is looked at', async () => {
  expect((await read({ authorization: 'Bearer nonsense' })).status).toBe(200);
});
