import { createHmac, createPublicKey } from 'node:crypto';
import { currentSigningKey } from '../../subgraphs/identity/signing-key/currentSigningKey.ts';
import type { HttpRequest } from '../support/openHttpClient.ts';
import { type Forgery, strangeKey, takeApart, toSegment } from './forgeries.ts';
import { openRefusals, restRoot } from './openRefusals.ts';
import type { World } from './openWorld.ts';

const refusals = openRefusals();
const translation = `${restRoot}/translation/v1`;

/** One of each: a private, a public and a GraphQL way in. */
const channels: readonly HttpRequest[] = [
  { path: '/api/v1/me' },
  { path: '/api/v1/catalog/listings' },
  { path: '/api/v1/openapi.json' },
  { method: 'POST', path: `${restRoot}/seo-tools/v1/analysis`, body: { content: 'x' } },
  { path: `${translation}/languages` },
  { method: 'POST', path: '/graphql', body: { query: '{ defaultLanguage { code } }' } },
];

describe('a token', () => {
  let forgery: Forgery;
  let forged: Record<string, string>;
  beforeAll(async () => {
    forgery = await takeApart(refusals.world.tokenOf('administrator') ?? '', refusals.world.app.stack);
    forged = await forge(forgery, refusals.world);
  });

  test('is refused on every channel, whatever is wrong with it', async () => {
    const accepted: string[] = [];
    for (const [what, token] of Object.entries(forged)) {
      for (const channel of channels) {
        const { status, answer } = await refusals.watch.refuse({ ...channel, token });
        const isChallenged = /error="invalid_token"/.test(String(answer.headers['www-authenticate']));
        if (status !== 401 || !isChallenged) accepted.push(`${what} at ${channel.path}: ${status}`);
      }
    }
    expect(accepted).toEqual([]);
    expect(Object.keys(forged).length).toBeGreaterThan(25);
  });

  test('that is genuine is taken, so that it is the forgery that is refused', async () => {
    const genuine = [forgery.genuine, forgery.token({})];
    for (const token of genuine)
      for (const channel of channels)
        expect((await refusals.world.app.send({ ...channel, token })).status).toBe(200);
  });

  test('of another installation is 403 here, and good there', async () => {
    const token = refusals.world.tokenOf('foreigner') ?? '';
    for (const channel of channels) {
      expect(await refusals.watch.words({ ...channel, token })).toBe('403 installation_mismatch');
      expect((await refusals.world.app.send({ ...channel, token, host: 'other.localhost' })).status).toBe(
        200,
      );
    }
  });

  test('gives no right that the database does not: roles in it are a hint', async () => {
    const buyer = await takeApart(refusals.world.tokenOf('buyer') ?? '', refusals.world.app.stack);
    const promoted = buyer.token({
      payload: {
        ...buyer.payload,
        roles: ['installation_admin'],
        scope: 'user seo:admin translations:manage',
      },
    });
    const all = { path: `${translation}/languages?scope=all`, token: promoted };
    expect(await refusals.watch.words(all)).toBe('403 permission_required');
    const me = await refusals.world.app.send({ path: '/api/v1/me', token: promoted });
    expect(me.json).toMatchObject({ roles: ['buyer'], permissions: [] });
  });

  test('is read from one Authorization header and from nowhere else', async () => {
    const token = forgery.genuine;
    for (const channel of channels) {
      const twice = [`Bearer ${token}`, `Bearer ${token}`].map((value) => ['authorization', value] as const);
      expect(await refusals.watch.words({ ...channel, headers: twice })).toBe('400 ambiguous_credentials');
    }
    const elsewhere: HttpRequest[] = [
      { path: `/api/v1/me?access_token=${token}` },
      { path: '/api/v1/me', headers: [['cookie', `access_token=${token}; token=${token}`]] },
      { path: '/api/v1/me', headers: [['x-access-token', token]] },
      { path: '/api/v1/me', headers: [['proxy-authorization', `Bearer ${token}`]] },
      { path: '/api/v1/me', headers: [['authorization', `Basic ${btoa(`x:${token}`)}`]] },
      { path: '/api/v1/me', headers: [['authorization', token]] },
      { method: 'PATCH', path: '/api/v1/me', body: { access_token: token, displayName: 'x' } },
      { method: 'POST', path: '/graphql', body: { query: '{ me { id } }', token, access_token: token } },
    ];
    for (const request of elsewhere) expect(await refusals.watch.words(request)).toBe('401 token_missing');
    for (const value of [
      `Bearer ${token} ${token}`,
      `Bearer ${token},${token}`,
      'Bearer',
      'Bearer  ',
      'Bearer x',
    ])
      expect(
        (await refusals.watch.refuse({ path: '/api/v1/me', headers: [['authorization', value]] })).status,
      ).toBe(401);
  });

  test('counts for nothing where the path proves itself in another way', async () => {
    for (const token of [forged['no signature'], forged.expired, refusals.world.tokenOf('foreigner')])
      for (const path of ['/api/v1/auth/jwks', '/.well-known/jwks.json', '/api/v1/health', '/health/live'])
        expect((await refusals.world.app.send({ path, token })).status).toBe(200);
  });

  test('and the signed context of a router from outside changes nothing', async () => {
    const headers = [
      ['trigate-context', `${toSegment({ installationId: 'ins_other', depth: 0 })}.x`],
      ['x-forwarded-host', 'other.localhost'],
      ['x-installation-id', 'ins_other'],
      ['forwarded', 'host=other.localhost'],
    ] as const;
    const { json } = await refusals.world.app.send({ path: '/api/v1/me', token: forgery.genuine, headers });
    expect(json.installation.id).toBe('ins_demo');
  });
});

describe('a host', () => {
  test.each(['nowhere.test', '', 'demo.localhost.evil.test', 'demo.localhost@evil.test', '[::1', 'ins_demo'])(
    '"%s" that belongs to no installation is 404 at every way in',
    async (host) => {
      for (const path of ['/api/v1/me', '/api/v1/catalog/listings', '/graphql?query={me{id}}']) {
        const { status, headers, text } = await refusals.world.app.send({ path, host });
        expect([path, status]).toEqual([path, 404]);
        expect(headers['x-request-id']).toBeTruthy();
        expect(text).toContain('not_found');
        expect(text).not.toMatch(/node_modules|\.ts/);
      }
    },
  );
});

describe("a record of somebody else's", () => {
  test('is refused in the same words to be read and to be written', async () => {
    const path = `/api/v1/listings/${refusals.world.items.garage.id}`;
    const token = refusals.world.tokenOf('rival');
    const texts = [];
    for (const request of [
      { path },
      { method: 'PATCH', path, body: { title: 'Mine now' } },
      { method: 'POST', path: `${path}/publish` },
    ]) {
      const { code, answer } = await refusals.watch.refuse({ ...request, token });
      expect(code).toBe('ownership_required');
      texts.push(answer.text.replaceAll(answer.headers['x-request-id'] as string, ''));
    }
    expect(new Set(texts).size).toBe(1);
  });
});

/** Every kind of token that nobody issued. */
async function forge(forgery: Forgery, { app, ids, tokenOf }: World): Promise<Record<string, string>> {
  const { genuine, header, payload, token } = forgery;
  const [head = '', middle = '', signature = ''] = genuine.split('.');
  const now = Math.floor(Date.now() / 1000);
  const { privateKey } = await currentSigningKey(app.stack.platform.secrets);
  const publicPem = createPublicKey(privateKey).export({ type: 'spki', format: 'pem' });
  const hmac = (input: string) => createHmac('sha256', publicPem).update(input).digest();
  const other = await takeApart(tokenOf('buyer') ?? '', app.stack);
  const claims = (members: object) => token({ payload: { ...payload, ...members } });
  const headed = (members: object) => token({ header: { ...header, ...members } });
  const without = (name: string) => token({ payload: omit(payload, name) });
  return {
    'no signature': `${head}.${middle}.`,
    'no algorithm': token({ header: { ...header, alg: 'none' }, signer: () => Buffer.alloc(0) }),
    'a public key as a secret': token({ header: { ...header, alg: 'HS256' }, signer: hmac }),
    'a strange key': token({ signer: (input) => forgery.es256(input, strangeKey()) }),
    'a key that nobody has': headed({ kid: 'nobody' }),
    'zeros for a signature': token({ signer: () => Buffer.alloc(64) }),
    'claims of somebody else': `${head}.${toSegment(other.payload)}.${signature}`,
    'claims with another member': `${head}.${toSegment({ ...payload, x: 1 })}.${signature}`,
    'a key by address': headed({ jku: 'http://127.0.0.1:1/keys' }),
    'a key in the header': headed({ jwk: { kty: 'oct', k: 'x' } }),
    'a critical extension': headed({ crit: ['exp'] }),
    'another type': headed({ typ: 'JWT' }),
    expired: claims({ iat: now - 3600, nbf: now - 3600, exp: now - 3000 }),
    'not yet valid': claims({ iat: now + 3600, nbf: now + 3600, exp: now + 4200 }),
    'valid for a year': claims({ exp: now + 365 * 86_400 }),
    'no end': without('exp'),
    'no session': without('sid'),
    'no installation': without('installation'),
    'another issuer': claims({ iss: 'http://issuer.evil' }),
    'another audience': claims({ aud: 'http://demo.localhost' }),
    'several audiences': claims({ aud: [payload.aud, 'x'] }),
    'another installation than its audience': claims({ installation: 'ins_other' }),
    'an installation that is none': claims({ installation: 'ins_none' }),
    'an operator for a subject': claims({ sub: { $ne: null } }),
    'an operator for a session': claims({ sid: { $gt: '' } }),
    "somebody else's session": claims({ sub: ids.buyer }),
    'a session that never was': claims({ sid: String(payload.sid).replace(/.{6}$/, '000000') }),
    'a text for a time': claims({ exp: String(now + 600) }),
    padding: `${genuine}=`,
    'a space': `${head} .${middle}.${signature}`,
    'five segments': `${genuine}.a.b`,
    'nine kilobytes': `${head}.${middle}${'A'.repeat(9000)}.${signature}`,
  };
}

function omit(members: object, name: string): object {
  return Object.fromEntries(Object.entries(members).filter(([key]) => key !== name));
}
