import { concurrently } from '../../../../test/support/concurrently.ts';
import { operationsOf } from '../../../../test/support/operations.ts';
import { goodPassword as password } from '../../../../test/support/people/tokenEndpoint.ts';
import { perTest, product } from '../../../../test/support/product.ts';
import type { Refusal } from '../../../../test/support/Refusal.ts';
import { commandsOf } from '../../../../test/support/stack/commandsOf.ts';
import { createLoginThrottle } from './loginThrottle.ts';

const { market, neighbour, stack } = product();
const minute = 60_000;
const hour = 60 * minute;
const home = '198.51.100.7';
let networks = 0;

const user = perTest(() => market.user({ password }));

/** An address in a network without earlier sign-ins. */
const elsewhere = () => `10.${(networks += 1) >> 8}.${networks & 255}.1`;

const signIn = (from: string, secret = password, { installation, username = user.email } = at()) =>
  operationsOf(stack, { installation, from }).issueToken({
    grantType: 'password',
    username,
    password: secret,
  });
const at = (username?: string, { installation } = market) => ({ installation, username });
const retryAfter = (answer: unknown) => (answer as Refusal).problem?.retryAfter ?? 0;

/** The throttle without hashing a password, which is slow. */
const throttleOf = (from: string) =>
  createLoginThrottle(
    stack.contextFor({ installation: market.installation, from }),
    user.email.toLowerCase(),
  );

async function failFromManyNetworks(times: number): Promise<void> {
  for (let index = 0; index < times; index += 1) await throttleOf(elsewhere()).recordFailure();
}

test('five failed sign-ins lock an account for their network only, for 15 minutes', async () => {
  for (let attempt = 0; attempt < 5; attempt += 1)
    expect(await signIn('203.0.113.5', 'wrong')).toBeRefused(401, 'invalid_credentials');
  const slowed = await signIn('203.0.113.200');
  expect(slowed).toBeRefused(429, 'too_many_attempts');
  expect(retryAfter(slowed)).toBeGreaterThan(0);
  expect(retryAfter(slowed)).toBeLessThanOrEqual(900);
  const other = await market.user({ password });
  expect(await signIn('203.0.113.5', password, at(other.email))).not.toBeRefused();
  expect(await signIn(home)).not.toBeRefused();
  stack.advance(16 * minute);
  expect(await signIn('203.0.113.5')).not.toBeRefused();
});

test('a sign-in resets the count of failed sign-ins', async () => {
  for (let round = 0; round < 2; round += 1) {
    for (let attempt = 0; attempt < 4; attempt += 1) await signIn(home, 'wrong');
    expect(await signIn(home)).not.toBeRefused();
  }
});

test('failed sign-ins to a missing account are limited in the same way', async () => {
  const ghost = at('ghost@example.test');
  for (let attempt = 0; attempt < 5; attempt += 1) await signIn(home, 'x', ghost);
  expect(await signIn(home, 'x', ghost)).toBeRefused(429, 'too_many_attempts');
});

test('concurrent failed sign-ins are all counted', async () => {
  await concurrently(12, (index) => signIn(home, `wrong ${index}`));
  expect(await signIn(home)).toBeRefused(429, 'too_many_attempts');
  const from = elsewhere();
  await concurrently(5, () => throttleOf(from).recordFailure());
  await expect(throttleOf(from).assertOpen()).rejects.toMatchObject({ code: 'too_many_attempts' });
});

test('many networks have fifty failed sign-ins a day together, and then one after each growing pause', async () => {
  await failFromManyNetworks(50);
  const waits: number[] = [];
  for (let round = 0; round < 8; round += 1) {
    const slowed = await signIn(elsewhere(), 'wrong');
    expect(slowed).toBeRefused(429, 'too_many_attempts');
    waits.push(Math.round(retryAfter(slowed) / 60));
    stack.advance(retryAfter(slowed) * 1000);
    expect(await signIn(elsewhere(), 'wrong')).toBeRefused(401, 'invalid_credentials');
  }
  expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
});

test('one of several sign-ins at the end of a pause is admitted', async () => {
  await failFromManyNetworks(50);
  stack.advance(2 * minute);
  const guesses = Array.from({ length: 20 }, () => throttleOf(elsewhere()).assertOpen());
  const outcomes = await Promise.allSettled(guesses);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

test('a network from which the owner signed in stays admitted during an attack', async () => {
  expect(await signIn(home)).not.toBeRefused();
  await failFromManyNetworks(80);
  expect(await signIn(elsewhere())).toBeRefused(429, 'too_many_attempts');
  expect(await signIn('198.51.100.99')).not.toBeRefused();
  stack.advance(20 * 24 * hour);
  await failFromManyNetworks(80);
  expect(await signIn(home)).not.toBeRefused();
});

test('failed sign-ins from a known network are limited for 15 minutes', async () => {
  expect(await signIn(home)).not.toBeRefused();
  for (let attempt = 0; attempt < 5; attempt += 1) await signIn(home, 'wrong');
  expect(await signIn(home)).toBeRefused(429, 'too_many_attempts');
  stack.advance(15 * minute + 1000);
  expect(await signIn(home)).not.toBeRefused();
});

test('the owner can sign in from a new network after the pause, and later without a pause', async () => {
  await failFromManyNetworks(50);
  const hotel = elsewhere();
  stack.advance(retryAfter(await signIn(hotel)) * 1000);
  expect(await signIn(hotel)).not.toBeRefused();
  await failFromManyNetworks(3);
  expect(await signIn(hotel)).not.toBeRefused();
});

test('sign-ins from a known network cause one write a day', async () => {
  expect(await signIn(home)).not.toBeRefused();
  const writes = async () =>
    (await commandsOf(() => signIn(home))).filter((command) => command === 'findAndModify login_attempts');
  expect(await writes()).toEqual([]);
  stack.advance(24 * hour + minute);
  expect(await writes()).toHaveLength(1);
  expect(await writes()).toEqual([]);
  await signIn(home, 'wrong');
  expect(await writes()).toHaveLength(1);
});

test('the limits of an attack end after a day, and do not apply in another installation', async () => {
  const there = await neighbour();
  await there.user({ email: user.email, password });
  await failFromManyNetworks(60);
  expect(await signIn(elsewhere(), password, at(user.email, there))).not.toBeRefused();
  stack.advance(24 * hour + minute);
  expect(await signIn(elsewhere())).not.toBeRefused();
});
