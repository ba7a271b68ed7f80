import { product } from '../../../../test/support/product.ts';
import { externalAudience, openExternalIssuer } from '../../../../test/support/servers/openExternalIssuer.ts';
import { addIssuer } from './addIssuer.ts';
import { IssuerModel } from './model.ts';

const { market, neighbour, stack } = product({ allowPrivateIssuers: true });

test('the providers of an installation are its sign-in methods and its enabled issuers', async () => {
  const read = (headers = {}) => market.visitor.rest('GET', '/api/v1/auth/providers', { headers });
  const password = { type: 'password', grantType: 'password' };
  expect((await read()).body).toMatchObject({ methods: [password], issuers: [] });
  const issuer = await openExternalIssuer();
  const { platform } = stack;
  const { _id } = await addIssuer(
    {
      installationId: market.installation.id,
      issuer: issuer.url,
      audiences: [externalAudience],
      displayName: 'Company login',
      autoProvision: true,
      roleMap: [{ claim: 'Desk', role: 'support' }],
    },
    { ownIssuer: platform.issuer, allowPrivate: true, now: platform.now },
  );
  await issuer.close();
  const { body, headers } = await read({ authorization: 'Bearer nonsense' });
  const exchange = 'urn:ietf:params:oauth:grant-type:token-exchange';
  const shown = { id: _id, name: 'Company login', issuer: issuer.url, audiences: [externalAudience] };
  expect(body.methods).toEqual([password, { type: 'external_issuer', grantType: exchange }]);
  expect(body.issuers).toEqual([{ ...shown, createsAccounts: true }]);
  expect((await (await neighbour()).visitor.authProviders()).issuers).toEqual([]);
  const tag = { 'if-none-match': headers.get('etag') ?? '' };
  expect((await read(tag)).status).toBe(304);
  await IssuerModel.updateOne({ _id }, { $set: { state: 'disabled', updatedAt: new Date() } });
  const changed = await read(tag);
  expect([changed.status, changed.body.issuers]).toEqual([200, []]);
});
