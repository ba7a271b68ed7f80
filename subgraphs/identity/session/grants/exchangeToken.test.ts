import { exportJWK, generateKeyPair, type JWTPayload } from 'jose';
import { OAuth2Server } from 'oauth2-mock-server';
import {
  type ExternalIssuer,
  externalAudience,
  openExternalIssuer,
} from '../../../../test/support/openExternalIssuer.ts';
import { openRestStack, type RestAnswer, type RestStack } from '../../../../test/support/openRestStack.ts';
import { activateFactor } from '../../../../test/support/secondFactor.ts';
import { seed, unique } from '../../../../test/support/seed.ts';
import { AuditEventModel } from '../../../platform/audit/model.ts';
import type { UserState } from '../../../platform/auth/Viewer.ts';
import { InstallationModel } from '../../../platform/installation/Installations.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { addIssuer, type NewIssuer } from '../../issuer/addIssuer.ts';
import { buildIdentity } from '../../server.ts';
import { UserModel } from '../../user/model.ts';
import { SessionModel } from '../model.ts';

const grantType = 'urn:ietf:params:oauth:grant-type:token-exchange';
const idToken = 'urn:ietf:params:oauth:token-type:id_token';
const accessToken = 'urn:ietf:params:oauth:token-type:access_token';

let rest: RestStack;
let issuer: ExternalIssuer;
beforeAll(async () => {
  rest = await openRestStack([buildIdentity], { allowPrivateIssuers: true });
  issuer = await openExternalIssuer({ now: () => rest.stack.platform.now() });
  await configure(issuer.url, { autoProvision: true, roleMap: [{ claim: 'Desk', role: 'support' }] });
});
afterAll(async () => {
  await issuer.close();
  await rest.close();
});

const configure = (url: string, options: Partial<NewIssuer> = {}) =>
  addIssuer(
    { installationId: rest.stack.demo.id, issuer: url, audiences: [externalAudience], ...options },
    { ownIssuer: rest.stack.platform.issuer, allowPrivate: true, now: rest.stack.platform.now },
  );
const exchange = (token: string, members: object = {}): Promise<RestAnswer> =>
  rest.call('POST', '/api/v1/auth/token', {
    body: { grant_type: grantType, subject_token: token, subject_token_type: idToken, ...members },
  });
/** Claims of somebody whom nobody knows yet. */
const stranger = (claims: JWTPayload = {}) => {
  const sub = unique('subject');
  return { sub, email: `${sub}@example.test`, email_verified: true, name: 'Ada Byron', ...claims };
};
const me = async (answer: RestAnswer) =>
  (await rest.call('GET', '/api/v1/me', { token: answer.body.access_token })).body;
const users = () => scoped(UserModel, rest.stack.demo.id);
const usersOf = (subject: string) => users().find({ 'externalIdentities.subject': subject });
const shop = () => seed(rest.stack).in(rest.stack.demo);
const inSeconds = (offset: number) => Math.floor(rest.stack.platform.now() / 1000) + offset;
const words = ({ status, body }: RestAnswer) => `${status} ${body.code} ${body.error}`;

describe('somebody whom nobody knows', () => {
  test('gets an account, and tokens of a session like everybody’s', async () => {
    const claims = stranger();
    const answer = await exchange(await issuer.issue(claims));
    expect([answer.status, answer.body]).toEqual([
      200,
      {
        access_token: expect.any(String),
        token_type: 'Bearer',
        expires_in: 600,
        refresh_token: expect.any(String),
        refresh_expires_in: expect.any(Number),
        scope: 'user',
        session_id: expect.stringMatching(/^ses_/),
        issued_token_type: accessToken,
      },
    ]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await me(answer)).toMatchObject({
      email: claims.email,
      emailVerified: true,
      state: 'active',
      displayName: 'Ada Byron',
      roles: ['buyer', 'seller'],
      session: { amr: ['ext'] },
    });
    const [user] = await usersOf(claims.sub);
    expect(user).toMatchObject({ passwordHash: null, accountType: 'personal' });
  });

  test('is the same person the next time, whatever the issuer says of him by then', async () => {
    const claims = stranger();
    const first = await me(await exchange(await issuer.issue(claims)));
    const renamed = { ...claims, email: 'new@example.test', name: 'Countess', roles: ['Desk'] };
    const second = await me(await exchange(await issuer.issue(renamed)));
    expect([second.id, second.email, second.displayName, second.roles]).toEqual([
      first.id,
      claims.email,
      'Ada Byron',
      ['buyer', 'seller'],
    ]);
  });

  test('has an address that counts as confirmed only if the issuer says so', async () => {
    const answer = await exchange(await issuer.issue(stranger({ email_verified: undefined })));
    expect(await me(answer)).toMatchObject({ emailVerified: false, state: 'unverified' });
  });

  test('gets the roles of the role map with the account, and the auditor a line', async () => {
    const claims = stranger({ roles: ['Desk', 'installation_admin', 'operator'] });
    const { id, roles } = await me(await exchange(await issuer.issue(claims)));
    expect(roles).toEqual(['buyer', 'seller', 'support']);
    const [event] = await scoped(AuditEventModel, rest.stack.demo.id).find({ 'target.id': id });
    expect(event).toMatchObject({
      action: 'provisionUser',
      actor: { type: 'system', id: expect.stringMatching(/^iss_/) },
      reason: 'roles: buyer, seller, support',
    });
  });

  test('is called by his address where his name could pass for another text', async () => {
    const claims = stranger({ name: 'Ada\u202enimda' });
    expect((await me(await exchange(await issuer.issue(claims)))).displayName).toBe(claims.sub);
  });

  test('makes one account, however many of his tokens come at once', async () => {
    const claims = stranger();
    const tokens = await Promise.all(Array.from({ length: 10 }, () => issuer.issue(claims)));
    const answers = await Promise.all(tokens.map((token) => exchange(token)));
    expect(answers.map(({ status }) => status)).toEqual(tokens.map(() => 200));
    expect(await usersOf(claims.sub)).toHaveLength(1);
  });

  test.each<[string, JWTPayload]>([
    ['without an address', { email: undefined }],
    ['with an address that is none', { email: 'ada' }],
  ])('%s gets no account', async (_, claims) => {
    const given = stranger(claims);
    expect(words(await exchange(await issuer.issue(given)))).toBe('422 validation_failed invalid_request');
    expect(await usersOf(given.sub)).toEqual([]);
  });

  test('gets no account from an issuer that makes none', async () => {
    const strict = await openExternalIssuer();
    await configure(strict.url);
    const answer = await exchange(await strict.issue(stranger()));
    expect(words(answer)).toBe('401 subject_unknown invalid_request');
    expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="ins_demo", error="invalid_token"/);
    await strict.close();
  });

  test('does not learn whose address is known where that is not revealed', async () => {
    const { email } = await (await shop()).user();
    const set = (revealExistingAccounts: boolean) =>
      InstallationModel.updateOne(
        { _id: rest.stack.demo.id },
        { $set: { settings: { revealExistingAccounts } } },
      );
    await set(false);
    await rest.stack.platform.installations.refresh();
    const unverified = { email_verified: false };
    const outcomes = [
      words(await exchange(await issuer.issue(stranger({ ...unverified, email })))),
      words(await exchange(await issuer.issue(stranger(unverified)))),
    ];
    await set(true);
    await rest.stack.platform.installations.refresh();
    expect(outcomes).toEqual(Array(2).fill('403 email_unverified invalid_request'));
  });
});

/** What keeps an account from another way to sign in. */
interface Hindrance {
  /** Age of the sign-in, in seconds. */
  authTime?: number;
  state?: UserState;
  factor?: true;
  identities?: number;
}

describe('an account that exists', () => {
  test('is never taken over by an equal address, verified or not', async () => {
    const { email, id } = await (await shop()).user();
    for (const email_verified of [true, false]) {
      const claims = stranger({ email: email.toUpperCase(), email_verified });
      expect(words(await exchange(await issuer.issue(claims)))).toBe('409 email_taken invalid_request');
    }
    expect(await users().findOne({ _id: id })).toMatchObject({ externalIdentities: [] });
  });

  test('gets the identity from whoever is signed in to it, and keeps its session', async () => {
    const user = await (await shop()).user();
    const claims = stranger({ email: user.email });
    const linked = await exchange(await issuer.issue(claims), { link_session: user.refreshToken });
    expect([linked.status, linked.body.session_id]).toEqual([200, user.sessionId]);
    expect(linked.body.refresh_token).not.toBe(user.refreshToken);
    expect(await me(linked)).toMatchObject({ id: user.id, session: { amr: ['pwd'] } });
    const later = await exchange(await issuer.issue(claims));
    expect((await me(later)).id).toBe(user.id);
    expect(later.body.session_id).not.toBe(user.sessionId);
    const events = await scoped(AuditEventModel, rest.stack.demo.id).find({ 'target.id': user.id });
    expect(events).toContainEqual(
      expect.objectContaining({
        action: 'linkIdentity',
        actor: { type: 'user', id: user.id },
        reason: issuer.url,
      }),
    );
    const [mail] = await rest.stack.mailsTo(user.email);
    expect(mail?.subject).toMatch(/way to sign in was added/);
  });

  test.each<[string, Hindrance, string]>([
    ['a sign-in of half an hour ago', { authTime: 1800 }, '401 reauthentication_required invalid_grant'],
    ['a suspended account', { state: 'suspended' }, '403 account_suspended access_denied'],
    [
      'an account that is leaving',
      { state: 'deletion_scheduled' },
      '403 account_deletion_scheduled access_denied',
    ],
    ['a second factor that the session lacks', { factor: true }, '401 mfa_required invalid_grant'],
    ['ten identities already', { identities: 10 }, '409 method_limit invalid_request'],
  ])('does not get it with %s', async (_, given, expected) => {
    const user = await (await shop()).user();
    if (given.authTime) {
      const authTime = new Date(rest.stack.platform.now() - given.authTime * 1000);
      await scoped(SessionModel, rest.stack.demo.id).findOneAndUpdate(
        { _id: user.sessionId },
        { $set: { authTime } },
      );
    }
    const at = new Date();
    const set = {
      ...(given.state ? { state: given.state } : {}),
      ...(given.factor
        ? {
            factors: [
              { id: 'mfa_1', label: 'x', state: 'active' as const, sealedSecret: 'x', createdAt: at },
            ],
          }
        : {}),
      ...(given.identities
        ? {
            externalIdentities: Array.from({ length: given.identities }, () => ({
              issuer: 'https://issuer.example',
              subject: unique('s'),
              linkedAt: at,
            })),
          }
        : {}),
    };
    await users().findOneAndUpdate({ _id: user.id }, { $set: { displayName: 'X', ...set } });
    const claims = stranger();
    const token = await issuer.issue(claims);
    expect(words(await exchange(token, { link_session: user.refreshToken }))).toBe(expected);
    expect(await usersOf(claims.sub)).toEqual([]);
    // The token was not used up by the refusal.
    expect((await exchange(token)).status).toBe(200);
  });

  test('does not get it by a refresh token that is none', async () => {
    const claims = stranger();
    const answer = await exchange(await issuer.issue(claims), { link_session: 'nonsense' });
    expect(words(answer)).toBe('401 refresh_token_invalid invalid_grant');
    expect(await usersOf(claims.sub)).toEqual([]);
  });

  test('does not get an identity that is somebody else’s', async () => {
    const claims = stranger();
    await exchange(await issuer.issue(claims));
    const user = await (await shop()).user();
    const answer = await exchange(await issuer.issue(claims), { link_session: user.refreshToken });
    expect(words(answer)).toBe('401 refresh_token_invalid invalid_grant');
    expect(await usersOf(claims.sub)).toHaveLength(1);
  });

  test('of two that ask for one identity at once, one gets it', async () => {
    const claims = stranger();
    const people = [await (await shop()).user(), await (await shop()).user()];
    await Promise.all(
      people.map(async ({ refreshToken }) =>
        exchange(await issuer.issue(claims), { link_session: refreshToken }),
      ),
    );
    expect(await usersOf(claims.sub)).toHaveLength(1);
  });

  test('that was suspended may sign in', async () => {
    const claims = stranger();
    const { id } = await me(await exchange(await issuer.issue(claims)));
    await users().findOneAndUpdate({ _id: id }, { $set: { state: 'suspended' } });
    expect((await exchange(await issuer.issue(claims))).status).toBe(200);
  });
});

describe('a token', () => {
  test('is good once, however often it is shown at once', async () => {
    const token = await issuer.issue(stranger());
    const answers = await Promise.all(Array.from({ length: 20 }, () => exchange(token)));
    const outcomes = Map.groupBy(answers, words);
    expect([...outcomes].map(([name, all]) => [name, all.length])).toEqual(
      expect.arrayContaining([
        ['200 undefined undefined', 1],
        ['401 token_invalid invalid_request', 19],
      ]),
    );
    expect(words(await exchange(token))).toBe('401 token_invalid invalid_request');
  });

  test('is refused with its own words when it is too old or no token', async () => {
    const old = await issuer.issue({ iat: inSeconds(-900), exp: inSeconds(-100) });
    expect(words(await exchange(old))).toBe('401 token_expired invalid_request');
    expect(words(await exchange('x.y.z'))).toBe('401 token_malformed invalid_request');
  });

  test('whose issuer is down is 503, with the time after which to try again', async () => {
    const down = await openExternalIssuer();
    await configure(down.url);
    const token = await down.issue(stranger());
    await down.close();
    const answer = await exchange(token);
    expect([answer.status, answer.body.code, answer.headers.get('retry-after')]).toEqual([
      503,
      'unavailable',
      '5',
    ]);
  });
});

describe('a step-up', () => {
  test('is what the issuer says of the time of the sign-in', async () => {
    const authTime = inSeconds(-1800);
    const { session } = await me(await exchange(await issuer.issue(stranger({ auth_time: authTime }))));
    expect(session.authTime).toBe(new Date(authTime * 1000).toISOString());
  });

  test('renews the session that it names, without opening another one', async () => {
    const claims = stranger();
    const first = await exchange(await issuer.issue({ ...claims, auth_time: inSeconds(-1800) }));
    const now = inSeconds(-5);
    const renewed = await exchange(await issuer.issue({ ...claims, auth_time: now }), {
      link_session: first.body.refresh_token,
    });
    expect(renewed.body.session_id).toBe(first.body.session_id);
    expect((await me(renewed)).session.authTime).toBe(new Date(now * 1000).toISOString());
  });

  test('is none where the issuer does not say when it saw the person', async () => {
    const answer = await exchange(await issuer.issue(stranger()));
    expect((await me(answer)).session.authTime).toBe('1970-01-01T00:00:00.000Z');
    const enroll = await rest.call('POST', '/api/v1/me/mfa-factors', {
      token: answer.body.access_token,
      body: { label: 'Phone' },
    });
    expect([enroll.status, enroll.body.code]).toEqual([401, 'reauthentication_required']);
  });
});

describe('an account with a second factor', () => {
  test('is asked for it, whoever vouches for the first one, and signs in with both', async () => {
    const claims = stranger({ auth_time: inSeconds(-60) });
    const first = await exchange(await issuer.issue(claims));
    const { app } = await activateFactor({
      stack: rest.stack,
      as: { token: first.body.access_token },
      installation: rest.stack.demo,
    });
    const token = await issuer.issue({ ...claims, auth_time: inSeconds(-30) });
    const asked = await exchange(token);
    expect([words(asked), asked.body.mfaToken]).toEqual([
      '401 mfa_required invalid_grant',
      expect.any(String),
    ]);
    expect(words(await exchange(token))).toBe('401 token_invalid invalid_request');
    const answer = await rest.call('POST', '/api/v1/auth/token', {
      body: {
        grant_type: 'urn:marketplace:mfa-otp',
        mfa_token: asked.body.mfaToken,
        otp: app.code(rest.stack.platform.now()),
      },
    });
    expect((await me(answer)).session.amr).toEqual(['ext', 'otp']);
  });
});

describe('a request', () => {
  test.each<[string, object, string]>([
    ['without a token', { subject_token: undefined }, '422 validation_failed invalid_request'],
    ['without its type', { subject_token_type: undefined }, '422 validation_failed invalid_request'],
    [
      'with a type that is not exchanged',
      { subject_token_type: `${idToken}2` },
      '422 validation_failed invalid_request',
    ],
    ['that wants an ID token', { requested_token_type: idToken }, '422 validation_failed invalid_request'],
    ['for another audience', { audience: 'https://api.example' }, '422 validation_failed invalid_target'],
    ['for another resource', { resource: 'https://api.example' }, '422 validation_failed invalid_target'],
    ['of an API client', { client_id: 'cli_x' }, '401 client_invalid invalid_client'],
    ['with an actor', { actor_token: 'x' }, '422 unknown_field invalid_request'],
  ])('%s is refused', async (_, members, expected) => {
    const token = await issuer.issue(stranger());
    expect(words(await exchange(token, members))).toBe(expected);
    expect((await exchange(token)).status).toBe(200);
  });

  test('may state what it gets anyway, and carry a header that nobody looks at', async () => {
    const { status } = await rest.call('POST', '/api/v1/auth/token', {
      body: {
        grant_type: grantType,
        subject_token: await issuer.issue(stranger({ nonce: 'n-1' })),
        subject_token_type: idToken,
        requested_token_type: accessToken,
        audience: `${rest.stack.demo.baseUrl}/api/v1`,
        nonce: 'n-1',
      },
      headers: { authorization: 'Bearer nonsense' },
    });
    expect(status).toBe(200);
  });
});

test('tokens of an independent server are exchanged, found by its discovery', async () => {
  const server = new OAuth2Server();
  // Its own generator trips over the test runner's two worlds of objects.
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const jwk = await exportJWK(privateKey);
  await server.issuer.keys.add(JSON.parse(JSON.stringify({ ...jwk, kid: 'peer-1', alg: 'RS256' })));
  await server.start(0, 'localhost');
  try {
    const url = server.issuer.url ?? '';
    await configure(url, { audiences: ['peer'], autoProvision: true });
    const claims = stranger();
    server.service.on('beforeTokenSigning', (token: { payload: Record<string, unknown> }) => {
      Object.assign(token.payload, claims, { aud: 'peer' });
    });
    const issued = await fetch(`${url}/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({
        grant_type: 'password',
        username: 'ada',
        client_id: 'peer',
        scope: 'openid',
      }),
    });
    const tokens = (await issued.json()) as { id_token: string; access_token: string };
    const signedIn = await exchange(tokens.id_token);
    expect(await me(signedIn)).toMatchObject({ email: claims.email, displayName: 'Ada Byron' });
    const again = await exchange(tokens.access_token, { subject_token_type: accessToken });
    expect((await me(again)).id).toBe((await me(signedIn)).id);
  } finally {
    await server.stop();
  }
});
