import { commandsOf } from '../../../test/support/commandsOf.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import { product } from '../../../test/support/product.ts';
import { type SeededInstallation, type SeededUser, seed, unique } from '../../../test/support/seed.ts';
import { AuditEventModel } from '../../platform/audit/model.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { type NewUser } from '../user/createUser.ts';
import { UserModel, type UserRecord } from '../user/model.ts';

const world = product();
const { market } = world;
const hourMs = 3_600_000;
const password = 'plum-tractor-9-violin';

const registration = `mutation ($input: RegisterInput!) {
  register(input: $input) { created registration { userId tokens { accessToken } } } }`;
const resend = `mutation ($input: RequestEmailVerificationInput!) {
  requestEmailVerification(input: $input) { accepted } }`;
const confirmation = `mutation ($input: ConfirmEmailVerificationInput!) {
  confirmEmailVerification(input: $input) { purpose } }`;
const change =
  'mutation ($input: ChangeEmailInput!) { changeEmail(input: $input) { change { email expiresAt } } }';

const call = (source: string, input: object, as: { token: string } | null = null, at = market) =>
  world.stack.execute(source, { input }, { as, installation: at.installation });
const confirm = (token: string, at = market) => call(confirmation, { token }, null, at);
const newAddress = () => `${unique('new')}@example.test`;

async function registered(members: object = {}, at = market) {
  const email = newAddress();
  const { data, errors } = await call(
    registration,
    { email, password, displayName: 'New', ...members },
    null,
    at,
  );
  if (errors) throw errors[0];
  const { userId, tokens } = data?.register.registration ?? {};
  return { id: userId as string, email, token: tokens?.accessToken as string };
}

/** Tokens of the links that an address has got, the oldest first. */
async function tokensTo(address: string): Promise<string[]> {
  await world.stack.runJob('identity.account-requests');
  const mails = await world.stack.mailsTo(address);
  return mails.flatMap(({ link }) => new URL(link ?? 'http://none').hash.split('token=')[1] ?? []);
}
async function tokenTo(address: string): Promise<string> {
  const token = (await tokensTo(address)).at(-1);
  if (token === undefined) throw new Error(`No link was sent to ${address}.`);
  return token;
}
async function stored(id: string, at = market): Promise<UserRecord> {
  const user = await scoped(UserModel, at.installation.id).findOne({ _id: id });
  if (!user) throw new Error('There is no such user.');
  return user;
}

describe('a new account', () => {
  test('is sent a link that makes it active, once', async () => {
    const user = await registered({ locale: 'de' });
    const [mail] = await world.stack.mailsTo(user.email);
    expect(mail).toMatchObject({ kind: 'verifyEmail', language: 'de' });
    const token = await tokenTo(user.email);
    expect(token).toMatch(/^[\w-]{43}$/);
    const me = () =>
      world.stack.execute(
        '{ me { state emailVerified } }',
        {},
        { as: user, installation: market.installation },
      );
    expect((await me()).data?.me).toEqual({ state: 'UNVERIFIED', emailVerified: false });
    expect((await confirm(token)).data?.confirmEmailVerification).toEqual({ purpose: 'REGISTRATION' });
    expect((await me()).data?.me).toEqual({ state: 'ACTIVE', emailVerified: true });
    expect(problemOf(await confirm(token))).toMatchObject({ code: 'token_consumed', status: 410 });
  });

  test('is not made without its mail, nor the mail without it: a taken address is told nothing', async () => {
    const user = await registered();
    const again = await call(registration, { email: user.email, password, displayName: 'Two' });
    expect(problemOf(again)).toMatchObject({ code: 'email_taken' });
    expect(await world.stack.mailsTo(user.email)).toHaveLength(1);
  });

  test('of 50 confirmations with one token one has an effect', async () => {
    const user = await registered();
    const token = await tokenTo(user.email);
    const answers = await Promise.all(Array.from({ length: 50 }, () => confirm(token)));
    const refused = answers.filter(({ errors }) => errors).map((answer) => problemOf(answer).code);
    expect(refused).toHaveLength(49);
    expect(new Set(refused)).toEqual(new Set(['token_consumed']));
    const { stateHistory, version } = await stored(user.id);
    expect([stateHistory.map(({ by }) => by), version]).toEqual([
      ['register', 'confirmEmailVerification'],
      2,
    ]);
  });

  test('may be confirmed for 24 hours', async () => {
    const [one, other] = [await registered(), await registered()];
    const [early, late] = [await tokenTo(one.email), await tokenTo(other.email)];
    world.stack.advance(24 * hourMs - 60_000);
    expect((await confirm(early)).errors).toBeUndefined();
    world.stack.advance(60_000);
    expect(problemOf(await confirm(late))).toMatchObject({ code: 'not_found', status: 404 });
    await call(resend, { email: other.email });
    expect((await confirm(await tokenTo(other.email))).errors).toBeUndefined();
  });

  test.each(['', 'x', 'a'.repeat(43), 'ä'.repeat(5000), '{"$gt":""}'])(
    'is confirmed by nothing made up: %j',
    async (token) => {
      expect(problemOf(await confirm(token))).toMatchObject({ code: 'not_found', status: 404 });
    },
  );

  test('is confirmed in its own installation only', async () => {
    const user = await registered();
    const token = await tokenTo(user.email);
    const other = await world.neighbour();
    expect(problemOf(await confirm(token, other))).toMatchObject({ code: 'not_found' });
    expect((await confirm(token)).errors).toBeUndefined();
  });

  test('that is suspended, or leaves, stays so when its address is confirmed', async () => {
    for (const state of ['suspended', 'deletion_scheduled'] as const) {
      const user = await market.user({ state, emailVerified: false });
      await call(resend, { email: user.email });
      expect((await confirm(await tokenTo(user.email))).errors).toBeUndefined();
      expect(await stored(user.id)).toMatchObject({ state, emailVerified: true, version: 2 });
    }
  });

  test('leaves no token in the database', async () => {
    const user = await registered();
    const token = await tokenTo(user.email);
    expect(await everythingStored()).not.toContain(token);
  });
});

describe('asking again for the link', () => {
  test('answers alike for an account, a confirmed one and none, and only the first gets a mail', async () => {
    const [waiting, confirmed, nobody] = [await registered(), await market.user(), newAddress()];
    await world.stack.mailsTo(waiting.email);
    const ask = (email: string) => commandsOf(() => call(resend, { email }));
    const answers = await Promise.all(
      [waiting.email, confirmed.email, nobody].map((email) => call(resend, { email })),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer)))).toEqual(
      new Set(['{"data":{"requestEmailVerification":{"accepted":true}}}']),
    );
    await world.stack.runJob('identity.account-requests');
    expect((await world.stack.mailsTo(waiting.email)).map(({ kind }) => kind)).toEqual([
      'verifyEmail',
      'verifyEmail',
    ]);
    expect(await world.stack.mailsTo(confirmed.email)).toEqual([]);
    expect(await world.stack.mailsTo(nobody)).toEqual([]);
    // What an answer costs the database is all that its time could tell.
    expect(await ask(waiting.email)).toEqual(['insert account_requests']);
    expect(await ask(confirmed.email)).toEqual(['insert account_requests']);
    expect(await ask(nobody)).toEqual(['insert account_requests']);
  });

  test('finds the account whatever the spelling, and every link that was sent is good', async () => {
    const user = await registered();
    await call(resend, { email: ` ${user.email.toUpperCase()} ` });
    const [first, second] = await tokensTo(user.email);
    expect(first).not.toBe(second);
    expect((await confirm(first ?? '')).errors).toBeUndefined();
    expect((await confirm(second ?? '')).errors).toBeUndefined();
    expect(await stored(user.id)).toMatchObject({ state: 'active' });
  });

  test('at once is one request', async () => {
    const user = await registered();
    await Promise.all(Array.from({ length: 10 }, () => call(resend, { email: user.email })));
    await Promise.all([1, 2, 3].map(() => world.stack.runJob('identity.account-requests')));
    expect(await tokensTo(user.email)).toHaveLength(2);
  });

  test('needs an address', async () => {
    expect(problemOf(await call(resend, { email: 'nobody' }))).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '#/email' }],
    });
  });
});

describe('where nobody is told who has an account', () => {
  let discreet: SeededInstallation;
  beforeAll(async () => {
    discreet = await seed(world.stack).installation({ settings: { revealExistingAccounts: false } });
  });
  const join = (email: string, displayName = 'New') =>
    call(registration, { email, password, displayName }, null, discreet);
  const accountsOf = (email: string) =>
    scoped(UserModel, discreet.installation.id).find({ emailNormalized: email.toLowerCase() });

  test('a new address gets an account and a link, and may sign in then', async () => {
    const email = newAddress();
    expect((await join(email)).data?.register).toMatchObject({
      created: false,
      registration: { userId: null },
    });
    expect((await confirm(await tokenTo(email), discreet)).errors).toBeUndefined();
    const [account, ...more] = await accountsOf(email);
    expect([account?.state, more]).toEqual(['active', []]);
    const { data } = await call(
      'mutation ($input: IssueTokenInput!) { issueToken(input: $input) { tokens { scope } } }',
      { grantType: 'password', username: email, password },
      null,
      discreet,
    );
    expect(data?.issueToken.tokens).toEqual({ scope: 'user' });
  });

  test('a known address is answered alike, at the same cost, and its owner is told that he has one', async () => {
    const owner = await discreet.user({ displayName: 'Owner' });
    const nobody = newAddress();
    const [known, unknown] = [
      await commandsOf(() => join(owner.email, 'Intruder')),
      await commandsOf(() => join(nobody)),
    ];
    expect(known).toEqual(unknown);
    await world.stack.runJob('identity.account-requests');
    expect(
      (await world.stack.mailsTo(owner.email)).map(({ kind, text }) => [kind, text.includes('Intruder')]),
    ).toEqual([['accountExists', false]]);
    expect((await accountsOf(owner.email)).map(({ displayName }) => displayName)).toEqual(['Owner']);
  });

  test('of many registrations of one address at once comes one account, and no password stands anywhere', async () => {
    const email = newAddress();
    await Promise.all(Array.from({ length: 8 }, () => join(email)));
    expect(await everythingStored()).not.toContain(password);
    await Promise.all([1, 2, 3].map(() => world.stack.runJob('identity.account-requests')));
    expect(await accountsOf(email)).toHaveLength(1);
    expect(await tokensTo(email)).toHaveLength(1);
  });

  test('an address that is taken can be asked for by a change, and is refused to whoever reads it', async () => {
    const [anna, berta] = [await discreet.user(), await discreet.user()];
    expect((await call(change, { email: berta.email }, anna, discreet)).errors).toBeUndefined();
    expect(problemOf(await confirm(await tokenTo(berta.email), discreet))).toMatchObject({
      code: 'email_taken',
    });
    expect((await accountsOf(anna.email)).length).toBe(1);
  });
});

describe('a change of the address', () => {
  const asked = async (options: Partial<NewUser> = {}) => {
    const user = await market.user(options);
    const email = newAddress();
    const answer = await call(change, { email }, user);
    return { user, email, answer };
  };
  const emailOf = async (user: SeededUser) => (await stored(user.id)).email;

  test('takes effect when the new address is confirmed, and ends no session', async () => {
    const { user, email, answer } = await asked();
    expect(answer.data?.changeEmail.change).toEqual({ email, expiresAt: expect.any(String) });
    expect(await emailOf(user)).toBe(user.email);
    expect((await world.stack.mailsTo(user.email)).map(({ kind }) => kind)).toEqual(['emailChangeRequested']);
    expect((await confirm(await tokenTo(email))).data?.confirmEmailVerification).toEqual({
      purpose: 'CHANGE',
    });
    const me = await world.stack.execute(
      '{ me { email state } }',
      {},
      { as: user, installation: market.installation },
    );
    expect(me.data?.me).toEqual({ email, state: 'ACTIVE' });
    const [, told] = await world.stack.mailsTo(user.email);
    expect(told).toMatchObject({ kind: 'emailChanged' });
    expect(told?.text).not.toContain(email);
    const actions = await scoped(AuditEventModel, market.installation.id).find(
      { 'target.id': user.id },
      { sort: { at: 1, _id: 1 } },
    );
    expect(actions.map(({ action, actor }) => [action, actor.id])).toEqual([
      ['changeEmail', user.id],
      ['confirmEmailVerification', user.id],
    ]);
  });

  test('makes an account active that never confirmed its first address, whose link dies', async () => {
    const user = await registered();
    const first = await tokenTo(user.email);
    const email = newAddress();
    await call(change, { email }, user);
    expect((await confirm(await tokenTo(email))).errors).toBeUndefined();
    expect(await stored(user.id)).toMatchObject({ email, state: 'active', emailVerified: true });
    expect(problemOf(await confirm(first))).toMatchObject({ code: 'not_found' });
  });

  test('makes links to the old mailbox worthless', async () => {
    const { user, email } = await asked({ password });
    const reset =
      'mutation ($input: RequestPasswordResetInput!) { requestPasswordReset(input: $input) { accepted } }';
    await call(reset, { email: user.email });
    const [token = ''] = await tokensTo(user.email);
    expect((await confirm(await tokenTo(email))).errors).toBeUndefined();
    const confirmReset =
      'mutation ($input: ConfirmPasswordResetInput!) { confirmPasswordReset(input: $input) { reset } }';
    expect(problemOf(await call(confirmReset, { token, password: 'grey-walnut-4-harbour' }))).toMatchObject({
      code: 'not_found',
    });
  });

  test('is replaced by a later one', async () => {
    const { user, email } = await asked();
    const first = await tokenTo(email);
    const later = newAddress();
    await call(change, { email: later }, user);
    expect(problemOf(await confirm(first))).toMatchObject({ code: 'not_found' });
    expect((await confirm(await tokenTo(later))).errors).toBeUndefined();
    expect(await emailOf(user)).toBe(later);
  });

  test('to an address that somebody has is refused, at once or at the confirmation', async () => {
    const other = await market.user();
    const { user, email } = await asked();
    expect(problemOf(await call(change, { email: other.email.toUpperCase() }, user))).toMatchObject({
      code: 'email_taken',
      status: 409,
    });
    const token = await tokenTo(email);
    await market.user({ email });
    expect(problemOf(await confirm(token))).toMatchObject({ code: 'email_taken', status: 409 });
    expect(await emailOf(user)).toBe(user.email);
  });

  test('to one address by two people goes to the first who confirms it', async () => {
    const [anna, berta] = [await market.user(), await market.user()];
    const email = newAddress();
    await call(change, { email }, anna);
    await call(change, { email }, berta);
    const tokens = await tokensTo(email);
    const answers = await Promise.all(tokens.map((token) => confirm(token)));
    const refused = answers.filter(({ errors }) => errors).map((answer) => problemOf(answer).code);
    expect(refused).toEqual(['email_taken']);
    expect([await emailOf(anna), await emailOf(berta)].filter((one) => one === email)).toHaveLength(1);
  });

  test.each([
    ['no address', () => 'nobody'],
    ['a line break', () => 'a@exa\nmple.test'],
    ['the same address', (user: SeededUser) => user.email.toUpperCase()],
  ])('needs another address: %s', async (_, email) => {
    const user = await market.user();
    expect(problemOf(await call(change, { email: email(user) }, user))).toMatchObject({
      code: 'validation_failed',
      errors: [{ pointer: '#/email' }],
    });
  });

  test('is undone by nobody: the mail to the old address names no token', async () => {
    const { user, email } = await asked();
    const token = await tokenTo(email);
    expect(await tokensTo(user.email)).toEqual([]);
    expect(JSON.stringify(await world.stack.mailsTo(user.email))).not.toContain(token);
  });
});

async function everythingStored(): Promise<string> {
  const { default: mongoose } = await import('mongoose');
  const collections = (await mongoose.connection.db?.collections()) ?? [];
  const documents = await Promise.all(collections.map((collection) => collection.find().toArray()));
  return JSON.stringify(documents);
}
