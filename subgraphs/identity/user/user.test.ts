import { setTimeout } from 'node:timers/promises';
import { commandsOf } from '../../../test/support/commandsOf.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import { product } from '../../../test/support/product.ts';
import { seed, unique } from '../../../test/support/seed.ts';
import { scoped } from '../../platform/installation/scoped.ts';
import { UserModel } from './model.ts';

const world = product();
const { market } = world;
const meQuery = `{ me {
  id type email emailVerified givenName familyName displayName phone locale timeZone accountType state stateReason
  installation { id name defaultCurrency locales } roles permissions scopes
  dealerMemberships { dealerId name dealerState role locationIds }
  mfa { enabled factors { id label active } recoveryCodesLeft } consents { purpose }
  notificationPreferences { security { email inApp } message { email inApp } }
  counts { unreadMessages } session { id authTime amr accessExpiresAt } deletion { effectiveAt } version createdAt
} }`;
const update = `mutation ($input: UpdateMeInput!) { updateMe(input: $input) { me {
  displayName givenName phone locale timeZone version notificationPreferences { message { email inApp } security { email } }
} } }`;
const registration = `mutation ($input: RegisterInput!) { register(input: $input) { created registration {
  userId email displayName passwordScore tokens { accessToken refreshToken expiresIn tokenType sessionId }
} } }`;

const call = (source: string, variables: object = {}, token?: string | null, at = market) =>
  world.stack.execute(source, variables as Record<string, unknown>, {
    as: token ?? null,
    installation: at.installation,
  });

describe('the view of oneself', () => {
  test('shows everything the caller is and may do, from the database', async () => {
    const dealer = await market.dealer();
    const { data, errors } = await call(meQuery, {}, dealer.owner.token);
    expect(errors).toBeUndefined();
    expect(data?.me).toMatchObject({
      id: dealer.owner.id,
      type: 'USER',
      email: dealer.owner.email,
      emailVerified: true,
      accountType: 'PERSONAL',
      state: 'ACTIVE',
      installation: {
        id: market.installation.id,
        name: market.installation.name,
        defaultCurrency: 'EUR',
        locales: ['en', 'de'],
      },
      roles: ['BUYER', 'SELLER'],
      permissions: [],
      scopes: ['user'],
      dealerMemberships: [{ dealerId: dealer.id, dealerState: 'ACTIVE', role: 'OWNER', locationIds: [] }],
      mfa: { enabled: false, factors: [], recoveryCodesLeft: 0 },
      notificationPreferences: {
        security: { email: true, inApp: true },
        message: { email: true, inApp: true },
      },
      counts: { unreadMessages: 0 },
      session: { id: dealer.owner.sessionId, amr: ['pwd'] },
      version: 1,
    });
  });

  test('names the permissions that the roles hold', async () => {
    const editor = await market.staff('editor');
    const { data } = await call(meQuery, {}, editor.token);
    expect(data?.me).toMatchObject({ accountType: 'STAFF', roles: ['EDITOR'] });
    expect(data?.me.permissions).toEqual(
      expect.arrayContaining(['seo:edit', 'translations:read', 'pages:manage']),
    );
  });

  test('costs three commands for a caller who is new, and one for a known one', async () => {
    const dealer = await market.dealer();
    const cost = () => commandsOf(() => call(meQuery, {}, dealer.owner.token));
    expect(await cost()).toEqual(['aggregate sessions', 'aggregate users', 'find dealers']);
    // News of the records that were just made may make the caller new again, at most once each.
    const costs = [await cost(), await cost(), await cost(), await cost(), await cost()];
    expect(costs).toContainEqual(['aggregate users']);
    expect(Math.max(...costs.map((commands) => commands.length))).toBeLessThanOrEqual(3);
  });

  test('shows an API client its dealer and scopes, no profile and no permissions, for one command', async () => {
    const dealer = await market.dealer();
    const made = await call(
      `mutation ($input: CreateDealerApiClientInput!) { createDealerApiClient(input: $input) {
        clientSecret apiClient { id } } }`,
      { input: { dealerId: dealer.id, name: 'Stock', scopes: ['listings:write', 'dealer:read'] } },
      dealer.owner.token,
    );
    const { clientSecret, apiClient } = made.data?.createDealerApiClient ?? {};
    const issued = await call(
      'mutation ($input: IssueTokenInput!) { issueToken(input: $input) { tokens { accessToken } } }',
      { input: { grantType: 'client_credentials', clientId: apiClient.id, clientSecret } },
    );
    const view = () => call(meQuery, {}, issued.data?.issueToken.tokens.accessToken);
    expect((await view()).data?.me).toMatchObject({
      id: apiClient.id,
      type: 'CLIENT',
      email: null,
      displayName: null,
      notificationPreferences: null,
      roles: [],
      permissions: [],
      scopes: ['dealer:read', 'listings:write'],
      dealerMemberships: [{ dealerId: dealer.id, role: 'MANAGER' }],
      mfa: { enabled: false, factors: [] },
      version: null,
    });
    // The feed of changes may tell of the new client only now: whoever was read meanwhile is read once more.
    let commands = await commandsOf(view);
    for (let tries = 0; tries < 50 && commands.length > 1; tries++) {
      await setTimeout(100);
      commands = await commandsOf(view);
    }
    expect(commands).toEqual(['find conversations']);
  });

  test('refuses a stranger, and a token of another installation', async () => {
    const other = await world.neighbour();
    const user = await market.user();
    expect(problemOf(await call(meQuery))).toMatchObject({ code: 'token_missing', status: 401 });
    expect(problemOf(await call(meQuery, {}, user.token, other))).toMatchObject({
      code: 'installation_mismatch',
      status: 403,
    });
    expect(problemOf(await call(meQuery, {}, `${user.token}x`))).toMatchObject({ status: 401 });
  });

  test('is open to the suspended and to those who leave, a change of it is not', async () => {
    const cases = [
      ['suspended', 'account_suspended'],
      ['deletion_scheduled', 'account_deletion_scheduled'],
    ] as const;
    for (const [state, code] of cases) {
      const user = await market.user({ state });
      expect((await call(meQuery, {}, user.token)).data?.me.state).toBe(state.toUpperCase());
      expect(problemOf(await call(update, { input: { displayName: 'x' } }, user.token))).toMatchObject({
        code,
      });
    }
  });
});

describe('a change of the profile', () => {
  const change = async (input: object) => {
    const user = await market.user();
    return { user, result: await call(update, { input }, user.token) };
  };

  test('changes what is said and nothing else', async () => {
    const { user, result } = await change({
      displayName: '  Anna  ',
      givenName: 'Anna',
      phone: '+4930123456',
      locale: 'de',
      timeZone: 'Europe/Berlin',
      notificationPreferences: { message: { email: false } },
      cancelDeletion: true,
    });
    expect(result.data?.updateMe.me).toEqual({
      displayName: 'Anna',
      givenName: 'Anna',
      phone: '+4930123456',
      locale: 'de',
      timeZone: 'Europe/Berlin',
      version: 2,
      notificationPreferences: { message: { email: false, inApp: true }, security: { email: true } },
    });
    const cleared = await call(update, { input: { phone: null } }, user.token);
    expect(cleared.data?.updateMe.me).toMatchObject({ phone: null, givenName: 'Anna', version: 3 });
  });

  test('without members changes nothing, not even the version', async () => {
    expect((await change({})).result.data?.updateMe.me.version).toBe(1);
  });

  test.each(['UTC', 'Europe/Kyiv', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])(
    'takes the time zone %s, also where the runtime lists it under another name',
    async (timeZone) => {
      expect((await change({ timeZone })).result.data?.updateMe.me.timeZone).toBe(timeZone);
    },
  );

  test.each([
    [{ displayName: '   ' }, '#/displayName'],
    [{ displayName: 'x'.repeat(61) }, '#/displayName'],
    [{ displayName: null }, '#/displayName'],
    [{ displayName: 'anna\u202egro' }, '#/displayName'],
    [{ displayName: 'a\u0000b' }, '#/displayName'],
    [{ displayName: 'a\ud800b' }, '#/displayName'],
    [{ givenName: 'x'.repeat(101) }, '#/givenName'],
    [{ phone: '030 123456' }, '#/phone'],
    [{ locale: 'fr' }, '#/locale'],
    [{ locale: null }, '#/locale'],
    [{ timeZone: 'Mars/Olympus' }, '#/timeZone'],
    [{ timeZone: 'europe/berlin' }, '#/timeZone'],
    [{ timeZone: '+01:00' }, '#/timeZone'],
    [{ timeZone: `Europe/${'x'.repeat(100_000)}` }, '#/timeZone'],
    [{ notificationPreferences: null }, '#/notificationPreferences'],
    [{ notificationPreferences: { listing: null } }, '#/notificationPreferences/listing'],
    [{ notificationPreferences: { listing: { email: null } } }, '#/notificationPreferences/listing/email'],
    [{ notificationPreferences: { security: { email: false } } }, '#/notificationPreferences/security/email'],
  ])('refuses %j and says where', async (input, pointer) => {
    const { user, result } = await change(input);
    expect(problemOf(result)).toMatchObject({
      code: 'validation_failed',
      status: 422,
      errors: [{ pointer }],
    });
    expect((await call(meQuery, {}, user.token)).data?.me.version).toBe(1);
  });

  test.each([
    [{ email: 'new@example.test' }],
    [{ state: 'ACTIVE' }],
    [{ roles: ['INSTALLATION_ADMIN'] }],
    [{ emailVerified: true }],
    [{ version: 7 }],
    [{ permissions: ['users:read'] }],
  ])('refuses the read-only member %j', async (input) => {
    const { result } = await change(input);
    const pointer = `#/${Object.keys(input)[0]}`;
    expect(problemOf(result)).toMatchObject({ code: 'read_only_field', status: 422, errors: [{ pointer }] });
  });

  test('names every fault at once', async () => {
    const { result } = await change({ displayName: '', phone: 'x', roles: [] });
    expect(
      problemOf(result)
        .errors.map(({ pointer }) => pointer)
        .sort(),
    ).toEqual(['#/displayName', '#/phone', '#/roles']);
  });

  test('made for another version is refused', async () => {
    const { user } = await change({ displayName: 'Anna' });
    const late = { displayName: 'Berta', expectedVersion: 1 };
    expect(problemOf(await call(update, { input: late }, user.token))).toMatchObject({
      code: 'precondition_failed',
      status: 412,
    });
    const right = await call(update, { input: { ...late, expectedVersion: 2 } }, user.token);
    expect(right.data?.updateMe.me).toMatchObject({ displayName: 'Berta', version: 3 });
  });
});

describe('registration', () => {
  const newcomer = (members: object = {}) => ({
    email: `${unique('new')}@example.test`,
    password: 'plum-tractor-9-violin',
    displayName: 'New',
    ...members,
  });

  test('makes an account that is signed in and not verified', async () => {
    const input = newcomer({ email: 'Some.One@Example.TEST', locale: 'de', timeZone: 'Europe/Berlin' });
    const { data, errors } = await call(registration, { input });
    expect(errors).toBeUndefined();
    const { created, registration: made } = data?.register ?? {};
    expect(created).toBe(true);
    expect(made).toMatchObject({
      email: 'Some.One@Example.TEST',
      tokens: { tokenType: 'Bearer', expiresIn: 600 },
    });
    expect(made.passwordScore).toBeGreaterThanOrEqual(3);
    const view = await call(meQuery, {}, made.tokens.accessToken);
    expect(view.data?.me).toMatchObject({
      state: 'UNVERIFIED',
      emailVerified: false,
      locale: 'de',
      roles: ['BUYER', 'SELLER'],
    });
    const stored = await scoped(UserModel, market.installation.id).findOne({ _id: made.userId });
    expect(stored?.emailNormalized).toBe('some.one@example.test');
    expect(stored?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  });

  test('knows an address in any spelling, within the installation only', async () => {
    const input = newcomer();
    await call(registration, { input });
    const again = { ...input, email: input.email.toUpperCase() };
    expect(problemOf(await call(registration, { input: again }))).toMatchObject({
      code: 'email_taken',
      status: 409,
    });
    const other = await world.neighbour();
    expect((await call(registration, { input }, null, other)).data?.register.created).toBe(true);
  });

  test('of one address by many at once makes one account', async () => {
    const input = newcomer();
    const results = await Promise.all(Array.from({ length: 8 }, () => call(registration, { input })));
    expect(results.filter(({ errors }) => !errors)).toHaveLength(1);
    expect(results.filter(({ errors }) => errors).map((result) => problemOf(result).code)).toEqual(
      Array.from({ length: 7 }, () => 'email_taken'),
    );
  });

  test('answers the same for a known and a new address where the installation conceals it', async () => {
    const discreet = await seed(world.stack).installation({ settings: { revealExistingAccounts: false } });
    const input = newcomer();
    const first = await call(registration, { input }, null, discreet);
    const second = await call(registration, { input }, null, discreet);
    expect(first.data).toEqual(second.data);
    expect(first.data?.register).toMatchObject({
      created: false,
      registration: { userId: null, tokens: null },
    });
    await world.stack.runJob('identity.account-requests');
    expect(await scoped(UserModel, discreet.installation.id).count({})).toBe(1);
  });

  test.each([
    ['no-address', 'validation_failed', '#/email'],
    ['a@b', 'validation_failed', '#/email'],
    ['a..b@example.test', 'validation_failed', '#/email'],
    [`${'x'.repeat(65)}@example.test`, 'validation_failed', '#/email'],
    ['a@-example.test', 'validation_failed', '#/email'],
  ])('refuses the address %s', async (email, code, pointer) => {
    expect(problemOf(await call(registration, { input: newcomer({ email }) }))).toMatchObject({
      code,
      errors: [{ pointer }],
    });
  });

  test.each([
    ['too short', 'a1b2c3d'],
    ['too long', 'x'.repeat(129)],
    ['common', 'Password1'],
    ['made of the address', 'my-Newcomer.Address-9'],
    ['made of the name', 'xx-Marlene-xx'],
  ])('refuses a password that is %s', async (_, password) => {
    const input = newcomer({ email: 'newcomer.address@example.test', displayName: 'Marlene', password });
    expect(problemOf(await call(registration, { input }))).toMatchObject({
      code: 'weak_password',
      status: 422,
      errors: [{ pointer: '#/password', code: 'weak_password' }],
    });
  });

  test('refuses a password that holds the name of the installation', async () => {
    const input = newcomer({ password: `99${market.installation.name}99` });
    expect(problemOf(await call(registration, { input }))).toMatchObject({ code: 'weak_password' });
  });

  test('takes any characters, byte for byte', async () => {
    const input = newcomer({ password: ' пароль 🔑 ключ ' });
    expect((await call(registration, { input })).errors).toBeUndefined();
  });
});

describe('a user through references', () => {
  const entities = `query ($representations: [_Any!]!) { _entities(representations: $representations) { ... on User { id displayName } } }`;
  const ask = (id: string, token: string | null, at = market) =>
    call(entities, { representations: [{ __typename: 'User', id }] }, token, at);

  test('is shown to himself and to the staff, and to nobody else', async () => {
    const [anna, berta, support, other] = await Promise.all([
      market.user({ displayName: 'Anna' }),
      market.user(),
      market.staff('support'),
      world.neighbour(),
    ]);
    expect((await ask(anna.id, anna.token)).data?._entities).toEqual([{ id: anna.id, displayName: 'Anna' }]);
    expect((await ask(anna.id, support.token)).data?._entities[0].displayName).toBe('Anna');
    expect(problemOf(await ask(anna.id, berta.token))).toMatchObject({
      code: 'ownership_required',
      status: 403,
    });
    expect(problemOf(await ask(anna.id, null))).toMatchObject({ code: 'token_missing', status: 401 });
    const stranger = await other.staff('support');
    expect(problemOf(await ask(anna.id, stranger.token, other))).toMatchObject({
      code: 'not_found',
      status: 404,
    });
  });
});
