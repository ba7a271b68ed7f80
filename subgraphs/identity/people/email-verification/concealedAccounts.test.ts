import { concurrently } from '../../../../test/support/concurrently.ts';
import { goodPassword as password } from '../../../../test/support/people/tokenEndpoint.ts';
import { perFile, product } from '../../../../test/support/product.ts';
import { unique } from '../../../../test/support/seed.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import { openMailbox } from '../mail-link/fixture/openMailbox.ts';
import { readEverything } from '../mail-link/fixture/readEverything.ts';
import { UserModel } from '../user/model.ts';

const world = product();
const { tokensTo, tokenTo } = openMailbox(world);
const discreet = perFile(() => world.neighbour({ settings: { revealExistingAccounts: false } }));

const newAddress = () => `${unique('new')}@example.test`;
const join = (email: string, displayName = 'New') =>
  discreet.visitor.register({ email, password, displayName });
const confirm = (token: string) => discreet.visitor.confirmEmailVerification({ token });
const accountsOf = (email: string) =>
  discreet.records(UserModel).find({ emailNormalized: email.toLowerCase() });

test('in a concealing installation, a new address receives a link that creates an account which can sign in', async () => {
  const email = newAddress();
  expect(await join(email)).toMatchObject({ created: false, registration: { userId: null } });
  expect(await confirm(await tokenTo(email))).not.toBeRefused();
  expect(await accountsOf(email)).toMatchObject([{ state: 'active' }]);
  const credentials = { grantType: 'password', username: email, password };
  expect(await discreet.visitor.issueToken(credentials)).not.toBeRefused();
});

test('in a concealing installation, registering a known address has the same cost and informs its owner', async () => {
  const owner = await discreet.user({ displayName: 'Owner' });
  const known = await commandsOf(() => join(owner.email, 'Intruder'));
  expect(await commandsOf(() => join(newAddress()))).toEqual(known);
  await world.stack.runJob('identity.account-requests');
  const [mail, ...others] = await world.stack.mailsTo(owner.email);
  expect([mail?.kind, others]).toEqual(['accountExists', []]);
  expect(mail?.text).not.toContain('Intruder');
  expect(await accountsOf(owner.email)).toMatchObject([{ displayName: 'Owner' }]);
});

test('in a concealing installation, concurrent registrations create one account and store no password', async () => {
  const email = newAddress();
  await concurrently(8, () => join(email));
  expect(await readEverything()).not.toContain(password);
  await Promise.all([1, 2, 3].map(() => world.stack.runJob('identity.account-requests')));
  expect(await accountsOf(email)).toHaveLength(1);
  expect(await tokensTo(email)).toHaveLength(1);
});

test('in a concealing installation, a change to a taken address is refused at its confirmation', async () => {
  const [anna, berta] = [await discreet.user(), await discreet.user()];
  expect(await anna.changeEmail({ email: berta.email })).not.toBeRefused();
  expect(await confirm(await tokenTo(berta.email))).toBeRefused(409, 'email_taken');
  expect(await accountsOf(anna.email)).toHaveLength(1);
});
