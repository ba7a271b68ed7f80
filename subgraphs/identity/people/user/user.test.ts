import { product } from '../../../../test/support/product.ts';

const { market } = product();

test('the own profile contains the data, roles and permissions of the caller', async () => {
  const { id: dealerId, owner } = await market.dealer();
  const { id, name } = market.installation;
  expect(await owner.me()).toMatchObject({
    id: owner.id,
    type: 'USER',
    email: owner.email,
    emailVerified: true,
    accountType: 'PERSONAL',
    state: 'ACTIVE',
    installation: { id, name, defaultCurrency: 'EUR', locales: ['en', 'de'] },
    roles: ['BUYER', 'SELLER'],
    permissions: [],
    scopes: ['user'],
    dealerMemberships: [{ dealerId, dealerState: 'ACTIVE', role: 'OWNER', locationIds: [] }],
    mfa: { enabled: false, factors: [], recoveryCodesLeft: 0 },
    notificationPreferences: {
      security: { email: true, inApp: true },
      message: { email: true, inApp: true },
    },
    counts: { unreadMessages: 0 },
    session: { id: owner.sessionId, amr: ['pwd'] },
    version: 1,
  });
  const editor = await (await market.staff('editor')).me();
  expect(editor).toMatchObject({ accountType: 'STAFF', roles: ['EDITOR'] });
  const permissions = ['seo:edit', 'translations:read', 'pages:manage'];
  expect(editor.permissions).toEqual(expect.arrayContaining(permissions));
});

test('an API client reads its dealer and scopes, and no profile or permissions', async () => {
  const { id: dealerId, owner } = await market.dealer();
  const { apiClient, clientSecret } = await owner.createDealerApiClient({
    dealerId,
    name: 'Stock',
    scopes: ['listings:write', 'dealer:read'],
  });
  const credentials = { grantType: 'client_credentials', clientId: apiClient.id, clientSecret };
  const { tokens } = await market.visitor.issueToken(credentials);
  expect(await market.caller(tokens.accessToken).me()).toMatchObject({
    id: apiClient.id,
    type: 'CLIENT',
    email: null,
    displayName: null,
    notificationPreferences: null,
    roles: [],
    permissions: [],
    scopes: ['dealer:read', 'listings:write'],
    dealerMemberships: [{ dealerId, role: 'MANAGER' }],
    mfa: { enabled: false, factors: [] },
    version: null,
  });
});

test('an update of the profile changes the stated members and keeps the others', async () => {
  const user = await market.user();
  const stated = {
    givenName: 'Anna',
    phone: '+4930123456',
    locale: 'de',
    timeZone: 'Europe/Berlin',
    notificationPreferences: { message: { email: false } },
  };
  const { me } = await user.updateMe({ ...stated, displayName: '  Anna  ', cancelDeletion: true });
  const message = { email: false, inApp: true };
  const notificationPreferences = { message, security: { email: true } };
  expect(me).toMatchObject({ ...stated, displayName: 'Anna', notificationPreferences, version: 2 });
  const cleared = await user.updateMe({ phone: null });
  expect(cleared.me).toMatchObject({ phone: null, givenName: 'Anna', version: 3 });
  const unchanged = await user.updateMe({});
  expect(unchanged.me.version).toBe(3);
});

test.each(['UTC', 'Europe/Kyiv', 'Asia/Kolkata', 'America/Argentina/Buenos_Aires', 'Etc/GMT+5'])(
  'a profile accepts the time zone %s',
  async (timeZone) => {
    const user = await market.user();
    expect((await user.updateMe({ timeZone })).me.timeZone).toBe(timeZone);
  },
);

test.each<[string[], object]>([
  [['#/displayName'], { displayName: '   ' }],
  [['#/displayName'], { displayName: 'x'.repeat(61) }],
  [['#/displayName'], { displayName: null }],
  [['#/displayName'], { displayName: 'anna\u202egro' }],
  [['#/displayName'], { displayName: 'a\u0000b' }],
  [['#/displayName'], { displayName: 'a\ud800b' }],
  [['#/givenName'], { givenName: 'x'.repeat(101) }],
  [['#/phone'], { phone: '030 123456' }],
  [['#/avatarMediaId'], { avatarMediaId: 'med_1' }],
  [['#/locale'], { locale: 'fr' }],
  [['#/locale'], { locale: null }],
  [['#/timeZone'], { timeZone: 'Mars/Olympus' }],
  [['#/timeZone'], { timeZone: 'europe/berlin' }],
  [['#/timeZone'], { timeZone: '+01:00' }],
  [['#/timeZone'], { timeZone: `Europe/${'x'.repeat(100_000)}` }],
  [['#/notificationPreferences'], { notificationPreferences: null }],
  [['#/notificationPreferences/listing'], { notificationPreferences: { listing: null } }],
  [['#/notificationPreferences/listing/email'], { notificationPreferences: { listing: { email: null } } }],
  [['#/notificationPreferences/security/email'], { notificationPreferences: { security: { email: false } } }],
  [['#/displayName', '#/phone'], { displayName: '', phone: 'x' }],
])('a profile with invalid values is refused with the pointers %j (row %#)', async (pointers, input) => {
  const user = await market.user();
  expect(await user.updateMe(input)).toBeInvalid(...pointers);
  expect((await user.me()).version).toBe(1);
});

test.each([
  { email: 'new@example.test' },
  { state: 'closed' },
  { roles: ['installation_admin'] },
  { emailVerified: false },
  { version: 7 },
  { permissions: ['users:read'] },
  { deletion: { scheduledFor: '2030-01-01T00:00:00Z' } },
  { consents: [{ purpose: 'marketing' }] },
])('the read-only member %j of a profile is refused', async (input) => {
  const errors = [{ pointer: `#/${Object.keys(input)[0]}` }];
  const user = await market.user();
  const answer = await user.rest('PATCH', '/api/v1/me', { body: input });
  expect(answer).toBeRefused(422, 'read_only_field', { errors });
});
