import { problemOf } from '../../../test/support/problemOf.ts';
import { product } from '../../../test/support/product.ts';
import { type SeededUser, unique } from '../../../test/support/seed.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { UserModel } from './model.ts';

const world = product();
const { market } = world;
const password = 'plum-tractor-9-violin';
const newPassword = 'new-plum-tractor-8-cello';
const minute = 60_000;

const run = (source: string, input: object, token?: string) =>
  world.stack.execute(source, { input }, { as: token ?? null, installation: market.installation });
const change = ({ token }: { token: string }, input: object = {}) =>
  run(
    'mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { revokedSessionIds } }',
    { currentPassword: password, newPassword, ...input },
    token,
  );
const signIn = (username: string, secret: string) =>
  run(
    'mutation ($input: IssueTokenInput!) { issueToken(input: $input) { tokens { accessToken sessionId } } }',
    { grantType: 'password', username, password: secret },
  );
const isSignedIn = async (token: string) =>
  !(await world.stack.execute('{ me { id } }', {}, { as: token, installation: market.installation })).errors;
const newUser = () => market.user({ password });

test('the new password is good from then on, the old one is not, and a mail says so', async () => {
  const user = await newUser();
  expect((await change(user)).errors).toBeUndefined();
  expect(problemOf(await signIn(user.email, password))).toMatchObject({ code: 'invalid_credentials' });
  expect((await signIn(user.email, newPassword)).errors).toBeUndefined();
  expect(await world.stack.mailsTo(user.email)).toHaveLength(1);
});

test('every other session ends at once, the one that asked goes on', async () => {
  const user = await newUser();
  const other = (await signIn(user.email, password)).data?.issueToken.tokens;
  expect(await isSignedIn(other.accessToken)).toBe(true);
  const { data } = await change(user);
  expect(data?.changePassword.revokedSessionIds).toEqual([other.sessionId]);
  expect(await isSignedIn(other.accessToken)).toBe(false);
  expect(await isSignedIn(user.token)).toBe(true);
});

test('a change of address that somebody with the old password has begun ends with it', async () => {
  const user = await newUser();
  const email = `${unique('intruder')}@example.test`;
  const begin = 'mutation ($input: ChangeEmailInput!) { changeEmail(input: $input) { change { email } } }';
  expect((await run(begin, { email }, user.token)).errors).toBeUndefined();
  const [mail] = await world.stack.mailsTo(email);
  const token = new URL(mail?.link ?? '').hash.replace('#token=', '');
  expect((await change(user)).errors).toBeUndefined();
  const confirm =
    'mutation ($input: ConfirmEmailVerificationInput!) { confirmEmailVerification(input: $input) { purpose } }';
  expect(problemOf(await run(confirm, { token }))).toMatchObject({ code: 'not_found' });
});

test.each([
  ['wrong', { currentPassword: 'not-it-at-all' }],
  ['left out', { currentPassword: undefined }],
  ['null', { currentPassword: null }],
  ['empty', { currentPassword: '' }],
])('a present password that is %s changes nothing', async (_, input) => {
  const user = await newUser();
  expect(problemOf(await change(user, input))).toMatchObject({
    code: 'invalid_current_password',
    status: 422,
    errors: [{ pointer: '#/currentPassword', code: 'invalid_current_password' }],
  });
  expect((await signIn(user.email, password)).errors).toBeUndefined();
});

test.each([
  ['weak_password', 'short'],
  ['weak_password', 'Password1'],
  ['same_password', password],
])('%s is refused and says where', async (code, secret) => {
  const user = await newUser();
  expect(problemOf(await change(user, { newPassword: secret }))).toMatchObject({
    code,
    status: 422,
    errors: [{ pointer: '#/newPassword', code }],
  });
});

test('wrong present passwords count as failed sign-ins, and the other way round', async () => {
  const user = await newUser();
  for (let attempt = 0; attempt < 3; attempt += 1) await change(user, { currentPassword: 'guess' });
  for (let attempt = 0; attempt < 2; attempt += 1) await signIn(user.email, 'guess');
  const problem = problemOf(await change(user));
  expect(problem).toMatchObject({ code: 'too_many_attempts', status: 429 });
  expect(problem.retryAfter).toBeGreaterThan(0);
  expect(problemOf(await signIn(user.email, password))).toMatchObject({ code: 'too_many_attempts' });
});

test('an account without a password gets one after a recent sign-in, and by no other means', async () => {
  const user = await market.user();
  const input = { currentPassword: undefined };
  world.stack.advance(11 * minute);
  const old = await refreshed(user);
  expect(problemOf(await change(old, input))).toMatchObject({
    code: 'reauthentication_required',
    status: 401,
  });
  const recent = await market.user();
  expect((await change(recent, input)).errors).toBeUndefined();
  expect((await signIn(recent.email, newPassword)).errors).toBeUndefined();
});

async function refreshed({ refreshToken }: SeededUser): Promise<{ token: string }> {
  const { data } = await run(
    'mutation ($input: IssueTokenInput!) { issueToken(input: $input) { tokens { accessToken } } }',
    { grantType: 'refresh_token', refreshToken },
  );
  return { token: data?.issueToken.tokens.accessToken };
}

test.each([
  ['suspended', 'account_suspended'],
  ['deletion_scheduled', 'account_deletion_scheduled'],
] as const)('nobody who is %s changes it', async (state, code) => {
  const user = await market.user({ state, password });
  expect(problemOf(await change(user))).toMatchObject({ code, status: 403 });
});

test('twenty changes at once leave one password, one mail and one session', async () => {
  const user = await newUser();
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, index) => change(user, { newPassword: `${newPassword}-${index}` })),
  );
  const done = results.flatMap(({ errors }, index) => (errors ? [] : [index]));
  expect(done).toHaveLength(1);
  expect((await signIn(user.email, `${newPassword}-${done[0]}`)).errors).toBeUndefined();
  expect(await world.stack.mailsTo(user.email)).toHaveLength(1);
  expect((await scoped(UserModel, market.installation.id).findOne({ _id: user.id }))?.version).toBe(2);
});
