import { concurrently } from '../../../../test/support/concurrently.ts';
import { product } from '../../../../test/support/product.ts';
import { unique } from '../../../../test/support/seed.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { UserModel } from '../user/model.ts';

const { market, neighbour, stack } = product();
const newcomer = (members: object = {}) => ({
  email: `${unique('new')}@example.test`,
  password: 'plum-tractor-9-violin',
  displayName: 'New',
  ...members,
});

test('a registration creates an account that is signed in and not verified', async () => {
  const facts = { email: 'Some.One@Example.TEST', locale: 'de', timeZone: 'Europe/Berlin' };
  const { created, registration } = await market.visitor.register(newcomer(facts));
  expect(created).toBe(true);
  expect(registration).toMatchObject({ email: facts.email, tokens: { tokenType: 'Bearer', expiresIn: 600 } });
  expect(registration.passwordScore).toBeGreaterThanOrEqual(3);
  const me = await market.caller(registration.tokens?.accessToken ?? '').me();
  const state = { state: 'UNVERIFIED', emailVerified: false, roles: ['BUYER', 'SELLER'] };
  expect(me).toMatchObject({ ...facts, ...state });
  const stored = await market.records(UserModel).findOne({ _id: registration.userId ?? '' });
  expect(stored?.emailNormalized).toBe('some.one@example.test');
  expect(stored?.passwordHash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});

test('an address in any spelling can be registered once in an installation', async () => {
  const input = newcomer();
  expect(await concurrently(8, () => market.visitor.register(input))).toBeRefusedTimes(7, 409, 'email_taken');
  const again = { ...input, email: input.email.toUpperCase() };
  expect(await market.visitor.register(again)).toBeRefused(409, 'email_taken');
  const { visitor } = await neighbour();
  expect((await visitor.register(input)).created).toBe(true);
});

test('in an installation that conceals its accounts, known and new addresses have the same response', async () => {
  const settings = { revealExistingAccounts: false };
  const { visitor, installation } = await neighbour({ settings });
  const input = newcomer();
  const first = await visitor.register(input);
  expect(await visitor.register(input)).toEqual(first);
  expect(first).toMatchObject({ created: false, registration: { userId: null, tokens: null } });
  await stack.runJob('identity.account-requests');
  expect(await scoped(UserModel, installation.id).count({})).toBe(1);
});

test('a registration with an invalid address is refused', async () => {
  const refused = await market.visitor.register(newcomer({ email: 'a..b@example.test' }));
  expect(refused).toBeInvalid('#/email');
});

test.each([
  ['is too short', () => 'a1b2c3d'],
  ['is too long', () => 'x'.repeat(129)],
  ['is common', () => 'Password1'],
  ['contains the address', () => 'my-Newcomer.Address-9'],
  ['contains the name', () => 'xx-Marlene-xx'],
  ['contains the name of the installation', () => `99${market.installation.name}99`],
])('a registration with a password that %s is refused', async (_, password) => {
  const person = { email: 'newcomer.address@example.test', displayName: 'Marlene', password: password() };
  const errors = [{ pointer: '#/password', code: 'weak_password' }];
  expect(await market.visitor.register(newcomer(person))).toBeRefused(422, 'weak_password', { errors });
});

test('a password can contain any characters', async () => {
  const input = newcomer({ password: ' пароль 🔑 ключ ' });
  expect(await market.visitor.register(input)).not.toBeRefused();
});
