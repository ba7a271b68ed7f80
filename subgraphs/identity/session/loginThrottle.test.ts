import { commandsOf } from '../../../test/support/commandsOf.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import { product } from '../../../test/support/product.ts';
import { type SeededUser } from '../../../test/support/seed.ts';
import { createLoginThrottle } from './loginThrottle.ts';

const world = product();
const { market } = world;
const minute = 60_000;
const hour = 60 * minute;
const password = 'plum-tractor-9-violin';
const home = '198.51.100.7';

let user: SeededUser;
let networks = 0;

beforeEach(async () => {
  user = await market.user({ password });
});

/** An address in a network that nobody has tried from. */
const elsewhere = () => `10.${(networks += 1) >> 8}.${networks & 255}.1`;

const issue = 'mutation ($input: IssueTokenInput!) { issueToken(input: $input) { tokens { scope } } }';

async function signIn(from: string, secret = password, username = user.email) {
  const input = { grantType: 'password', username, password: secret };
  const result = await world.stack.execute(issue, { input }, { installation: market.installation, from });
  return result.errors ? problemOf(result) : null;
}

/** The throttle alone: what a guess costs besides is its own hash. */
const throttleOf = (from: string, account = user.email.toLowerCase()) =>
  createLoginThrottle(world.stack.contextFor({ installation: market.installation, from }), account);

async function failFromManyNetworks(times: number): Promise<void> {
  for (let index = 0; index < times; index += 1) await throttleOf(elsewhere()).recordFailure();
}

describe('an attacker', () => {
  test('in one network closes the account to that network alone', async () => {
    for (let attempt = 0; attempt < 5; attempt += 1) await signIn('203.0.113.5', 'wrong');
    expect(await signIn('203.0.113.200')).toMatchObject({ code: 'too_many_attempts' });
    expect(await signIn(home)).toBeNull();
  });

  test('in very many networks has fifty guesses a day, then one after ever longer pauses', async () => {
    await failFromManyNetworks(50);
    const waits: number[] = [];
    for (let round = 0; round < 8; round += 1) {
      const slowed = await signIn(elsewhere(), 'wrong');
      expect(slowed).toMatchObject({ code: 'too_many_attempts', status: 429 });
      waits.push(Math.round(Number(slowed?.retryAfter) / 60));
      world.stack.advance(Number(slowed?.retryAfter) * 1000);
      expect(await signIn(elsewhere(), 'wrong')).toMatchObject({ code: 'invalid_credentials' });
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60]);
  });

  test('who sends many guesses at the end of a pause has one of them looked at', async () => {
    await failFromManyNetworks(50);
    world.stack.advance(2 * minute);
    const guesses = Array.from({ length: 20 }, () => throttleOf(elsewhere()).assertOpen());
    const outcomes = await Promise.allSettled(guesses);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('never keeps the owner out of a network that he signed in from', async () => {
    expect(await signIn(home)).toBeNull();
    await failFromManyNetworks(80);
    expect(await signIn(elsewhere())).toMatchObject({ code: 'too_many_attempts' });
    expect(await signIn('198.51.100.99')).toBeNull();
    world.stack.advance(20 * 24 * hour);
    await failFromManyNetworks(80);
    expect(await signIn(home)).toBeNull();
  });

  test('who guesses inside such a network is slowed down there like everywhere', async () => {
    expect(await signIn(home)).toBeNull();
    for (let attempt = 0; attempt < 5; attempt += 1) await signIn(home, 'wrong');
    expect(await signIn(home)).toMatchObject({ code: 'too_many_attempts' });
    world.stack.advance(15 * minute + 1000);
    expect(await signIn(home)).toBeNull();
  });

  test('learns nothing from an account that does not exist', async () => {
    const ghost = 'ghost@example.test';
    for (let index = 0; index < 50; index += 1) await throttleOf(elsewhere(), ghost).recordFailure();
    expect(await signIn(elsewhere(), 'x', ghost)).toMatchObject({ code: 'too_many_attempts' });
  });
});

describe('an owner', () => {
  test('gets in from a new network after the pause, and next time at once', async () => {
    await failFromManyNetworks(50);
    const hotel = elsewhere();
    const slowed = await signIn(hotel);
    world.stack.advance(Number(slowed?.retryAfter) * 1000);
    expect(await signIn(hotel)).toBeNull();
    await failFromManyNetworks(3);
    expect(await signIn(hotel)).toBeNull();
  });

  test('who signs in often writes that he is known once a day', async () => {
    expect(await signIn(home)).toBeNull();
    const writes = async () =>
      (await commandsOf(() => signIn(home))).filter((command) => command === 'findAndModify login_attempts');
    expect(await writes()).toEqual([]);
    world.stack.advance(24 * hour + minute);
    expect(await writes()).toHaveLength(1);
    expect(await writes()).toEqual([]);
    await signIn(home, 'wrong');
    expect(await writes()).toHaveLength(1);
  });

  test('is free again after a day', async () => {
    await failFromManyNetworks(60);
    world.stack.advance(24 * hour + minute);
    expect(await signIn(elsewhere())).toBeNull();
  });

  test('of another installation with the same address is another one', async () => {
    const there = await world.neighbour();
    await there.user({ email: user.email, password });
    await failFromManyNetworks(60);
    const input = { grantType: 'password', username: user.email, password };
    const result = await world.stack.execute(
      issue,
      { input },
      { installation: there.installation, from: elsewhere() },
    );
    expect(result.errors).toBeUndefined();
  });
});

test('failures at the same time are all counted, also the first ones', async () => {
  const from = elsewhere();
  await Promise.all(Array.from({ length: 5 }, () => throttleOf(from).recordFailure()));
  await expect(throttleOf(from).assertOpen()).rejects.toMatchObject({ code: 'too_many_attempts' });
});
