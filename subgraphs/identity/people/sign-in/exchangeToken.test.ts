import { exportJWK, generateKeyPair, type JWTPayload } from 'jose';
import { OAuth2Server } from 'oauth2-mock-server';
import { concurrently } from '../../../../test/support/concurrently.ts';
import { activateFactor } from '../../../../test/support/people/secondFactor.ts';
import { perFile, product } from '../../../../test/support/product.ts';
import { unique } from '../../../../test/support/seed.ts';
import { externalAudience, openExternalIssuer } from '../../../../test/support/servers/openExternalIssuer.ts';
import type { RestAnswer } from '../../../../test/support/stack/serveStack.ts';
import type { UserState } from '../../../platform/principal/Viewer.ts';
import { addIssuer, type NewIssuer } from '../issuer/addIssuer.ts';
import { SessionModel } from '../session/model.ts';
import { UserModel } from '../user/model.ts';

const idToken = 'urn:ietf:params:oauth:token-type:id_token';
const accessToken = 'urn:ietf:params:oauth:token-type:access_token';
const desk: Partial<NewIssuer> = { autoProvision: true, roleMap: [{ claim: 'Desk', role: 'support' }] };

const { market, neighbour, stack } = product({ allowPrivateIssuers: true });
const issuer = perFile(() => openExternalIssuer({ now: () => stack.platform.now() }));
beforeAll(async () => {
  await configure(issuer.url, desk);
});
afterAll(() => issuer.close());

const configure = (url: string, options: Partial<NewIssuer> = {}, { installation } = market) =>
  addIssuer(
    { installationId: installation.id, issuer: url, audiences: [externalAudience], ...options },
    { ownIssuer: stack.platform.issuer, allowPrivate: true, now: stack.platform.now },
  );
const post = (body: object, headers = {}, { visitor } = market) =>
  visitor.rest('POST', '/api/v1/auth/token', { body, headers });
const toGrant = (token: string, members: object = {}) => ({
  grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
  subject_token: token,
  subject_token_type: idToken,
  ...members,
});
const exchange = (token: string, members: object = {}, at = market) => post(toGrant(token, members), {}, at);
/** The claims of a person who is unknown to the installation. */
const stranger = (claims: JWTPayload = {}) => {
  const sub = unique('subject');
  return { sub, email: `${sub}@example.test`, email_verified: true, name: 'Ada Byron', ...claims };
};
const exchangeFor = async (claims: JWTPayload, members: object = {}, at = market) =>
  exchange(await issuer.issue(claims), members, at);
const me = async ({ body }: RestAnswer) =>
  (await market.caller(body.access_token).rest('GET', '/api/v1/me')).body;
const users = () => market.records(UserModel);
const usersOf = (subject: string) => users().find({ 'externalIdentities.subject': subject });
const eventsOf = (id: string) => market.audits({ 'target.id': id });
const inSeconds = (offset: number) => Math.floor(stack.platform.now() / 1000) + offset;
const outcomeOf = ({ status, body }: RestAnswer) => `${status} ${body.code} ${body.error}`;

test('a token exchange for an unknown person creates an account and returns the tokens of a session', async () => {
  const claims = stranger();
  const answer = await exchangeFor(claims);
  expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store']);
  expect(answer.body).toEqual({
    access_token: expect.any(String),
    token_type: 'Bearer',
    expires_in: 600,
    refresh_token: expect.any(String),
    refresh_expires_in: expect.any(Number),
    scope: 'user',
    session_id: expect.stringMatching(/^ses_/),
    issued_token_type: accessToken,
  });
  expect(await me(answer)).toMatchObject({
    email: claims.email,
    emailVerified: true,
    state: 'active',
    displayName: 'Ada Byron',
    roles: ['buyer', 'seller'],
    session: { amr: ['ext'] },
  });
  expect(await usersOf(claims.sub)).toMatchObject([{ passwordHash: null, accountType: 'personal' }]);
});

test('a later token exchange finds the account by its subject and does not change it', async () => {
  const claims = stranger();
  const { id } = await me(await exchangeFor(claims));
  const renamed = { ...claims, email: 'new@example.test', name: 'Countess', roles: ['Desk'] };
  const { email } = claims;
  const unchanged = { id, email, displayName: 'Ada Byron', roles: ['buyer', 'seller'] };
  expect(await me(await exchangeFor(renamed))).toMatchObject(unchanged);
});

test('the address of an exchanged token is verified only if the issuer states so', async () => {
  const answer = await exchangeFor(stranger({ email_verified: undefined }));
  expect(await me(answer)).toMatchObject({ emailVerified: false, state: 'unverified' });
});

test('an account of a token exchange has the roles of the role map, which an audit event records', async () => {
  const claims = stranger({ roles: ['Desk', 'installation_admin', 'operator'] });
  const { id, roles } = await me(await exchangeFor(claims));
  expect(roles).toEqual(['buyer', 'seller', 'support']);
  expect((await eventsOf(id))[0]).toMatchObject({
    action: 'provisionUser',
    actor: { type: 'system', id: expect.stringMatching(/^iss_/) },
    reason: 'roles: buyer, seller, support',
  });
});

test('a name with a direction character is replaced by the local part of the address', async () => {
  const claims = stranger({ name: 'Ada\u202enimda' });
  expect((await me(await exchangeFor(claims))).displayName).toBe(claims.sub);
});

test('concurrent exchanges of tokens of the same subject create one account', async () => {
  const claims = stranger();
  const answers = await concurrently(10, () => exchangeFor(claims));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  expect(await usersOf(claims.sub)).toHaveLength(1);
});

test.each<[string, JWTPayload]>([
  ['without an address', { email: undefined }],
  ['with an invalid address', { email: 'ada' }],
])('a token exchange for a person %s is refused', async (_, claims) => {
  const given = stranger(claims);
  const refused = await exchangeFor(given);
  expect(refused).toBeRefused(422, 'validation_failed', { error: 'invalid_request' });
  expect(await usersOf(given.sub)).toEqual([]);
});

test('a token exchange for an unknown person is refused if the issuer does not create accounts', async () => {
  const strict = await openExternalIssuer();
  await configure(strict.url);
  const answer = await exchange(await strict.issue(stranger()));
  expect(answer).toBeRefused(401, 'subject_unknown', { error: 'invalid_request' });
  expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="ins_\w+", error="invalid_token"/);
  await strict.close();
});

test('in an installation that conceals its accounts, known and unknown unverified addresses have the same refusal', async () => {
  const discreet = await neighbour({ settings: { revealExistingAccounts: false } });
  await configure(issuer.url, { ...desk, audiences: ['discreet'] }, discreet);
  const { email } = await discreet.user();
  for (const claims of [{ email }, {}]) {
    const refused = await exchangeFor(
      stranger({ aud: 'discreet', email_verified: false, ...claims }),
      {},
      discreet,
    );
    expect(refused).toBeRefused(403, 'email_unverified', { error: 'invalid_request' });
  }
});

test('an identity with the address of an account is refused and not linked, verified or not', async () => {
  const { email, id } = await market.user();
  for (const email_verified of [true, false]) {
    const refused = await exchangeFor(stranger({ email: email.toUpperCase(), email_verified }));
    expect(refused).toBeRefused(409, 'email_taken', { error: 'invalid_request' });
  }
  expect(await users().findOne({ _id: id })).toMatchObject({ externalIdentities: [] });
});

test('a token exchange with link_session adds the identity to the account and keeps the session', async () => {
  const user = await market.user();
  const claims = stranger({ email: user.email });
  const linked = await exchangeFor(claims, { link_session: user.refreshToken });
  expect([linked.status, linked.body.session_id]).toEqual([200, user.sessionId]);
  expect(linked.body.refresh_token).not.toBe(user.refreshToken);
  expect(await me(linked)).toMatchObject({ id: user.id, session: { amr: ['pwd'] } });
  const later = await exchangeFor(claims);
  expect((await me(later)).id).toBe(user.id);
  expect(later.body.session_id).not.toBe(user.sessionId);
  const actor = expect.objectContaining({ type: 'user', id: user.id });
  const event = { action: 'linkIdentity', actor, reason: issuer.url };
  expect(await eventsOf(user.id)).toContainEqual(expect.objectContaining(event));
  const [mail] = await stack.mailsTo(user.email);
  expect(mail?.subject).toMatch(/way to sign in was added/);
});

const factor = {
  id: 'mfa_1',
  label: 'x',
  state: 'active' as const,
  sealedSecret: 'x',
  createdAt: new Date(),
};
const identities = Array.from({ length: 10 }, (_, index) => ({
  issuer: 'https://issuer.example',
  subject: `subject ${index}`,
  linkedAt: new Date(),
}));
type Hindrance = { state?: UserState; factors?: (typeof factor)[]; externalIdentities?: typeof identities };
test.each<[string, Hindrance, number, string]>([
  ['a sign-in of half an hour ago', {}, 1800, '401 reauthentication_required invalid_grant'],
  ['a suspended account', { state: 'suspended' }, 0, '403 account_suspended access_denied'],
  [
    'an account that is scheduled for deletion',
    { state: 'deletion_scheduled' },
    0,
    '403 account_deletion_scheduled access_denied',
  ],
  ['a second factor that the session lacks', { factors: [factor] }, 0, '401 mfa_required invalid_grant'],
  ['ten identities', { externalIdentities: identities }, 0, '409 method_limit invalid_request'],
])('linking an identity with %s is refused, and the token stays valid', async (_, set, age, expected) => {
  const user = await market.user();
  const authTime = new Date(stack.platform.now() - age * 1000);
  const sessions = market.records(SessionModel);
  await sessions.findOneAndUpdate({ _id: user.sessionId }, { $set: { authTime } });
  await users().findOneAndUpdate({ _id: user.id }, { $set: { displayName: 'X', ...set } });
  const claims = stranger();
  const token = await issuer.issue(claims);
  expect(outcomeOf(await exchange(token, { link_session: user.refreshToken }))).toBe(expected);
  expect(await usersOf(claims.sub)).toEqual([]);
  expect((await exchange(token)).status).toBe(200);
});

test('linking an identity with an invalid refresh token, or that another account has, is refused', async () => {
  const invalid = [401, 'refresh_token_invalid', { error: 'invalid_grant' }] as const;
  const claims = stranger();
  expect(await exchangeFor(claims, { link_session: 'nonsense' })).toBeRefused(...invalid);
  expect(await usersOf(claims.sub)).toEqual([]);
  await exchangeFor(claims);
  const { refreshToken } = await market.user();
  expect(await exchangeFor(claims, { link_session: refreshToken })).toBeRefused(...invalid);
  expect(await usersOf(claims.sub)).toHaveLength(1);
});

test('one of two accounts that concurrently link the same identity succeeds', async () => {
  const claims = stranger();
  const people = [await market.user(), await market.user()];
  await Promise.all(people.map(({ refreshToken }) => exchangeFor(claims, { link_session: refreshToken })));
  expect(await usersOf(claims.sub)).toHaveLength(1);
});

test('a suspended user can sign in by a token exchange', async () => {
  const claims = stranger();
  const { id } = await me(await exchangeFor(claims));
  await users().findOneAndUpdate({ _id: id }, { $set: { state: 'suspended' } });
  expect((await exchangeFor(claims)).status).toBe(200);
});

test('one of twenty concurrent exchanges of the same token succeeds', async () => {
  const token = await issuer.issue(stranger());
  const answers = await concurrently(20, () => exchange(token));
  const spent = '401 token_invalid invalid_request';
  const outcomes = answers.map(outcomeOf).sort();
  expect(outcomes).toEqual(['200 undefined undefined', ...Array(19).fill(spent)]);
  expect(outcomeOf(await exchange(token))).toBe(spent);
});

test('exchanging an expired and a malformed token is refused with different codes', async () => {
  const old = await issuer.issue({ iat: inSeconds(-900), exp: inSeconds(-100) });
  expect(await exchange(old)).toBeRefused(401, 'token_expired', { error: 'invalid_request' });
  expect(await exchange('x.y.z')).toBeRefused(401, 'token_malformed', { error: 'invalid_request' });
});

test('a token exchange is refused with 503 and Retry-After while the issuer is unreachable', async () => {
  const down = await openExternalIssuer();
  await configure(down.url);
  const token = await down.issue(stranger());
  await down.close();
  const answer = await exchange(token);
  expect(answer).toBeRefused(503, 'unavailable');
  expect(answer.headers.get('retry-after')).toBe('5');
});

test('the time of the sign-in is that of the issuer, also for a renewed session', async () => {
  const claims = stranger();
  const authTimeOf = async (answer: RestAnswer) => Date.parse((await me(answer)).session.authTime) / 1000;
  const [before, after] = [inSeconds(-1800), inSeconds(-5)];
  const first = await exchangeFor({ ...claims, auth_time: before });
  expect(await authTimeOf(first)).toBe(before);
  const link_session = first.body.refresh_token;
  const renewed = await exchangeFor({ ...claims, auth_time: after }, { link_session });
  expect(renewed.body.session_id).toBe(first.body.session_id);
  expect(await authTimeOf(renewed)).toBe(after);
});

test('a token exchange without the time of the sign-in does not count as recent', async () => {
  const answer = await exchangeFor(stranger());
  expect((await me(answer)).session.authTime).toBe('1970-01-01T00:00:00.000Z');
  const enrolled = await market.caller(answer.body.access_token).enrollMfaFactor({ label: 'Phone' });
  expect(enrolled).toBeRefused(401, 'reauthentication_required');
});

test('a token exchange for an account with a second factor requires it', async () => {
  const claims = stranger({ auth_time: inSeconds(-60) });
  const { body } = await exchangeFor(claims);
  const as = { token: body.access_token };
  const { app } = await activateFactor({ stack, as, ...market });
  const token = await issuer.issue({ ...claims, auth_time: inSeconds(-30) });
  const refused = await exchange(token);
  const mfaToken = expect.any(String);
  expect(refused).toBeRefused(401, 'mfa_required', { error: 'invalid_grant', mfaToken });
  expect(await exchange(token)).toBeRefused(401, 'token_invalid');
  const answer = await post({
    grant_type: 'urn:marketplace:mfa-otp',
    mfa_token: refused.body.mfaToken,
    otp: app.code(stack.platform.now()),
  });
  expect((await me(answer)).session.amr).toEqual(['ext', 'otp']);
});

const invalid = '422 validation_failed invalid_request';
test.each<[string, object, string]>([
  ['without a token', { subject_token: undefined }, invalid],
  ['without its type', { subject_token_type: undefined }, invalid],
  ['with an unknown type', { subject_token_type: `${idToken}2` }, invalid],
  ['that requests an ID token', { requested_token_type: idToken }, invalid],
  ['for another audience', { audience: 'https://api.example' }, '422 validation_failed invalid_target'],
  ['for another resource', { resource: 'https://api.example' }, '422 validation_failed invalid_target'],
  ['of an API client', { client_id: 'cli_x' }, '401 client_invalid invalid_client'],
])('a token exchange %s is refused, and the token stays valid', async (_, members, expected) => {
  const token = await issuer.issue(stranger());
  expect(outcomeOf(await exchange(token, members))).toBe(expected);
  expect((await exchange(token)).status).toBe(200);
});

test('a token exchange with the default type, audience and nonce is accepted, and its Authorization is ignored', async () => {
  const token = await issuer.issue(stranger({ nonce: 'n-1' }));
  const audience = `${market.installation.baseUrl}/api/v1`;
  const stated = toGrant(token, { requested_token_type: accessToken, audience, nonce: 'n-1' });
  expect((await post(stated, { authorization: 'Bearer nonsense' })).status).toBe(200);
});

test('tokens of an independent OAuth server are exchanged by its discovery document', async () => {
  const server = new OAuth2Server();
  // Its own generator fails on the two sets of globals of the test runner.
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
    const body = new URLSearchParams({
      grant_type: 'password',
      username: 'ada',
      client_id: 'peer',
      scope: 'openid',
    });
    const issued = await fetch(`${url}/token`, { method: 'POST', body });
    const tokens = (await issued.json()) as { id_token: string; access_token: string };
    const signedIn = await exchange(tokens.id_token);
    expect(await me(signedIn)).toMatchObject({ email: claims.email, displayName: 'Ada Byron' });
    const again = await exchange(tokens.access_token, { subject_token_type: accessToken });
    expect((await me(again)).id).toBe((await me(signedIn)).id);
  } finally {
    await server.stop();
  }
});
