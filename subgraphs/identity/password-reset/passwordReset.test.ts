import { commandsOf } from '../../../test/support/commandsOf.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import { product } from '../../../test/support/product.ts';
import { type SeededInstallation, unique } from '../../../test/support/seed.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { UserModel } from '../user/model.ts';

const world = product();
const { market } = world;
const minuteMs = 60_000;
const [oldPassword, newPassword] = ['plum-tractor-9-violin', 'grey-walnut-4-harbour'];

const request =
  'mutation ($input: RequestPasswordResetInput!) { requestPasswordReset(input: $input) { accepted } }';
const confirmation =
  'mutation ($input: ConfirmPasswordResetInput!) { confirmPasswordReset(input: $input) { reset } }';
const issue = 'mutation ($input: IssueTokenInput!) { issueToken(input: $input) { tokens { accessToken } } }';
const change = 'mutation ($input: ChangeEmailInput!) { changeEmail(input: $input) { change { email } } }';

const confirmEmail =
  'mutation ($input: ConfirmEmailVerificationInput!) { confirmEmailVerification(input: $input) { purpose } }';

const call = (source: string, input: object, as: { token: string } | null = null, at = market) =>
  world.stack.execute(source, { input }, { as, installation: at.installation });
const reset = (token: string, password = newPassword, at = market) =>
  call(confirmation, { token, password }, null, at);
const signIn = (username: string, password: string) =>
  call(issue, { grantType: 'password', username, password });

async function tokensTo(address: string): Promise<string[]> {
  await world.stack.runJob('identity.account-requests');
  const mails = await world.stack.mailsTo(address);
  return mails.flatMap(({ link }) => new URL(link ?? 'http://none').hash.split('token=')[1] ?? []);
}
async function asked(options: Parameters<SeededInstallation['user']>[0] = {}) {
  const user = await market.user({ password: oldPassword, ...options });
  await call(request, { email: user.email });
  const token = (await tokensTo(user.email)).at(-1) ?? '';
  expect(token).toMatch(/^[\w-]{43}$/);
  return { user, token };
}

test('a forgotten password is replaced by whoever reads the mail, and every session ends', async () => {
  const { user, token } = await asked();
  const second = (await signIn(user.email, oldPassword)).data?.issueToken.tokens.accessToken;
  expect((await reset(token)).data?.confirmPasswordReset).toEqual({ reset: true });
  for (const access of [user.token, second]) {
    const me = await world.stack.execute(
      '{ me { id } }',
      {},
      { as: access, installation: market.installation },
    );
    expect(problemOf(me)).toMatchObject({ code: 'session_revoked' });
  }
  expect(problemOf(await signIn(user.email, oldPassword))).toMatchObject({ code: 'invalid_credentials' });
  expect((await signIn(user.email, newPassword)).errors).toBeUndefined();
  expect((await world.stack.mailsTo(user.email)).map(({ kind }) => kind)).toEqual([
    'resetPassword',
    'passwordChanged',
  ]);
});

test('a link is good once, whoever else has it', async () => {
  const { user, token } = await asked();
  const passwords = Array.from({ length: 20 }, (_, index) => `grey-walnut-${index}-harbour`);
  const answers = await Promise.all(passwords.map((password) => reset(token, password)));
  const refused = answers.filter(({ errors }) => errors).map((answer) => problemOf(answer).code);
  expect(refused).toHaveLength(19);
  expect(new Set(refused)).toEqual(new Set(['token_consumed']));
  const winner = passwords[answers.findIndex(({ errors }) => !errors)] ?? '';
  expect((await signIn(user.email, winner)).errors).toBeUndefined();
  expect(problemOf(await reset(token))).toMatchObject({ code: 'token_consumed', status: 410 });
});

test('whoever has tried too often may sign in with the new password at once', async () => {
  const { user, token } = await asked();
  for (let attempt = 0; attempt < 6; attempt += 1) await signIn(user.email, 'not-his-password');
  expect(problemOf(await signIn(user.email, oldPassword))).toMatchObject({ code: 'too_many_attempts' });
  expect((await reset(token)).errors).toBeUndefined();
  expect((await signIn(user.email, newPassword)).errors).toBeUndefined();
});

test('the link that confirms an address outlives a reset: it goes to the same mailbox', async () => {
  const user = await market.user({ emailVerified: false });
  const resend =
    'mutation ($input: RequestEmailVerificationInput!) { requestEmailVerification(input: $input) { accepted } }';
  await call(resend, { email: user.email });
  const [first = ''] = await tokensTo(user.email);
  await call(request, { email: user.email });
  const [, second = ''] = await tokensTo(user.email);
  expect((await reset(second)).errors).toBeUndefined();
  expect((await call(confirmEmail, { token: first })).errors).toBeUndefined();
});

test('a link is good for 30 minutes', async () => {
  const { user, token } = await asked();
  world.stack.advance(30 * minuteMs);
  expect(problemOf(await reset(token))).toMatchObject({ code: 'not_found', status: 404 });
  expect((await signIn(user.email, oldPassword)).errors).toBeUndefined();
});

test('every link that was sent is good until one is used, or the password changes otherwise', async () => {
  const { user, token: first } = await asked();
  await call(request, { email: user.email });
  const second = (await tokensTo(user.email)).at(-1) ?? '';
  expect((await reset(second)).errors).toBeUndefined();
  expect(problemOf(await reset(first))).toMatchObject({ code: 'not_found' });
  const { user: other, token } = await asked();
  await scoped(UserModel, market.installation.id).findOneAndUpdate(
    { _id: other.id },
    { $set: { passwordHash: 'changed by himself' } },
  );
  expect(problemOf(await reset(token))).toMatchObject({ code: 'not_found' });
});

test('a change of address that an intruder has begun dies with the reset', async () => {
  const { user, token } = await asked();
  const email = `${unique('intruder')}@example.test`;
  await call(change, { email }, user);
  const [stolen = ''] = await tokensTo(email);
  expect((await reset(token)).errors).toBeUndefined();
  expect(problemOf(await call(confirmEmail, { token: stolen }))).toMatchObject({ code: 'not_found' });
});

test.each([
  ['too short', 'a1b2c3d'],
  ['common', 'Password1'],
  ['the name', 'xx-Marlene-xx'],
])('a weak password is refused and the link stays good: %s', async (_, password) => {
  const { token } = await asked({ displayName: 'Marlene' });
  expect(problemOf(await reset(token, password))).toMatchObject({
    code: 'weak_password',
    status: 422,
    errors: [{ pointer: '#/password' }],
  });
  expect((await reset(token)).errors).toBeUndefined();
});

test.each(['', 'x', 'a'.repeat(43), '{"$gt":""}'])('nothing made up resets anything: %j', async (token) => {
  expect(problemOf(await reset(token))).toMatchObject({ code: 'not_found' });
});

test('a link is worth nothing in another installation, nor to confirm an address', async () => {
  const { token } = await asked();
  const other = await world.neighbour();
  expect(problemOf(await reset(token, newPassword, other))).toMatchObject({ code: 'not_found' });
  expect(problemOf(await call(confirmEmail, { token }))).toMatchObject({ code: 'not_found' });
  expect((await reset(token)).errors).toBeUndefined();
});

test('asking answers alike for everybody, at the same cost, and only accounts get a mail', async () => {
  const user = await market.user({ password: oldPassword });
  const erased = await market.user({ state: 'deleted' });
  const nobody = `${unique('nobody')}@example.test`;
  const costs: string[][] = [];
  for (const email of [user.email, erased.email, nobody]) {
    costs.push(
      await commandsOf(async () => {
        expect(await call(request, { email })).toEqual({
          data: { requestPasswordReset: { accepted: true } },
        });
      }),
    );
  }
  expect(costs).toEqual(Array.from({ length: 3 }, () => ['insert account_requests']));
  expect(await tokensTo(user.email)).toHaveLength(1);
  expect(await tokensTo(erased.email)).toEqual([]);
  expect(await tokensTo(nobody)).toEqual([]);
  expect(problemOf(await call(request, { email: 'nobody' }))).toMatchObject({
    errors: [{ pointer: '#/email' }],
  });
});

test.each(['suspended', 'deletion_scheduled', 'unverified'] as const)(
  'an account that is %s may get a new password and stays what it is',
  async (state) => {
    const { user, token } = await asked({ state });
    expect((await reset(token)).errors).toBeUndefined();
    const stored = await scoped(UserModel, market.installation.id).findOne({ _id: user.id });
    expect(stored?.state).toBe(state);
  },
);

test('an account without a password gets one', async () => {
  const user = await market.user();
  await call(request, { email: user.email });
  const [token = ''] = await tokensTo(user.email);
  expect((await reset(token)).errors).toBeUndefined();
  expect((await signIn(user.email, newPassword)).errors).toBeUndefined();
});
