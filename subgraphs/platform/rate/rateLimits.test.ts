import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';
import mongoose from 'mongoose';
import pino from 'pino';
import { assembleSdl } from '../../../schema/compose/assembleSubgraphSdl.ts';
import { rateClasses } from '../../../schema/guards/readRateClass.ts';
import type { SignedIn } from '../../../test/support/people/signIn.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import { changesHeard } from '../../../test/support/stack/changesHeard.ts';
import { commandsOf } from '../../../test/support/stack/commandsOf.ts';
import { perFile } from '../../../test/support/stack/lazily.ts';
import { type CallOptions, openTestStack } from '../../../test/support/stack/openTestStack.ts';
import { guardSchema } from '../auth/guardSchema.ts';
import type { RateLimits } from '../context/RateLimits.ts';
import type { RequestContext } from '../context/RequestContext.ts';
import { encodeRefreshToken } from '../credentials/refreshToken.ts';
import { type Principal, type TokenFacts, Viewer } from '../principal/Viewer.ts';
import type { Subgraph } from '../subgraph/buildSubgraph.ts';
import { classRules } from './classRules.ts';
import { openRateLimits } from './openRateLimits.ts';

/** A field of each rate class, and a field that is refused for its record. */
const sdl = `
  type Query {
    ${rateClasses.map((name) => `${name.toLowerCase()}(input: Named): Boolean @guard__public @guard__rateClass(name: ${name})`).join(' ')}
    members: Boolean @guard__authenticated @guard__rateClass(name: READ)
    thing(id: ID!): Boolean @guard__owner(type: "Thing", id: "id") @guard__rateClass(name: READ)
  }
  input Named { email: String  grantType: String  refreshToken: String  dealerId: String }
`;

function buildSubject(): Subgraph {
  const typeDefs = parse(assembleSdl([{ file: 'test', text: sdl }]));
  const names = [...rateClasses.map((name) => name.toLowerCase()), 'members', 'thing'];
  const resolvers = { Query: Object.fromEntries(names.map((name) => [name, () => true])) };
  const policies = { Thing: { load: async () => ({}), isOwner: () => false } };
  const schema = guardSchema(buildSubgraphSchema([{ typeDefs, resolvers }]), policies);
  return { name: 'subject', schema, models: [], jobs: [] };
}

let person: SignedIn;
let addresses = 0;

const stack = perFile(() => openTestStack({ subgraphs: [buildSubject], rateLimits: true }));
afterAll(() => stack.close());
beforeEach(async () => {
  person = await stack.signIn();
  // Windows that are counted in memory begin with the minute.
  stack.advance(60_000 - (stack.platform.now() % 60_000));
});

/** An address without calls. */
const newAddress = () => `10.${(addresses += 1) >> 8}.${addresses & 255}.1`;

async function call(source: string, options: CallOptions = { as: person, from: newAddress() }) {
  const result = await stack.execute(`{ ${source} }`, {}, options);
  return result.errors ? problemOf(result) : null;
}

/** The number of calls that succeed before one is refused. */
async function countAnswered(source: string, options: CallOptions, most = 1000): Promise<number> {
  for (let count = 0; count < most; count += 1) if (await call(source, options)) return count;
  return most;
}

const byPerson = (): CallOptions => ({ as: person, from: newAddress() });
const byAddress = (): CallOptions => ({ from: newAddress() });
/** An anonymous request from a new address. */
const newContext = () => stack.contextFor(byAddress());
const limited = { code: 'rate_limited', status: 429 };

test.each<[string, () => CallOptions, number, number]>([
  ['auth_token', byAddress, 10, 60],
  ['auth_register', byAddress, 3, 60],
  ['auth_reset', byAddress, 3, 60],
  ['auth', byPerson, 10, 60],
  ['read', byPerson, 300, 60],
  ['write', byPerson, 60, 60],
  ['message', byPerson, 20, 60],
  ['upload', byPerson, 60, 60],
  ['import', byAddress, 10, 3600],
  ['money', byPerson, 20, 60],
  ['report', byAddress, 20, 86_400],
  ['export', byPerson, 60, 60],
  ['stream', byPerson, 300, 60],
  ['public_read', byAddress, 300, 60],
  ['public_search', byAddress, 60, 60],
  ['webhook', byAddress, 600, 60],
])(
  'the field %s is refused beyond its budget until the window ends',
  async (field, caller, limit, seconds) => {
    const options = caller();
    expect(await countAnswered(field, options)).toBe(limit);
    const refused = await call(field, options);
    expect(refused).toMatchObject(limited);
    expect(refused?.retryAfter).toBeGreaterThan(0);
    expect(refused?.retryAfter).toBeLessThanOrEqual(seconds);
    stack.advance(Number(refused?.retryAfter) * 1000);
    expect(await call(field, options)).toBeNull();
  },
);

test('every rate class has a budget', () => {
  expect(Object.keys(classRules).sort()).toEqual([...rateClasses].sort());
});

test.each([
  ['READ', 600],
  ['WRITE', 300],
] as const)('an API client has its own budget for %s', (rateClass, limit) => {
  const token = { subject: 'cli_1', subjectType: 'client', scopes: new Set() } as unknown as TokenFacts;
  const principal: Principal = { state: 'active', emailVerified: true, roles: [], memberships: [] };
  const context = { viewerOrNull: new Viewer(token, principal) } as RequestContext;
  const rule = classRules[rateClass];
  const budget = rule.store === 'memory' && [rule.windowOf(context).limit, rule.keyOf(context)];
  expect(budget).toEqual([limit, 'cli_1']);
});

test('each alias of a document is charged', async () => {
  const options = byPerson();
  const aliases = Array.from({ length: 15 }, (_, index) => `a${index}: write`).join(' ');
  for (let round = 0; round < 4; round += 1) expect(await call(aliases, options)).toBeNull();
  expect(await call('write', options)).toMatchObject(limited);
});

test('a call is not charged if its caller is refused, and is charged if its record is refused', async () => {
  const options = byPerson();
  for (let index = 0; index < 400; index += 1) await call('members', { from: options.from ?? '' });
  expect(await countAnswered('members', options)).toBe(300);
  const other = await stack.signIn();
  for (let index = 0; index < 300; index += 1) await call('thing(id: "x")', { as: other });
  expect(await call('members', { as: other })).toMatchObject(limited);
});

test('each installation has its own budgets', async () => {
  const from = newAddress();
  for (const [field, limit] of [['auth_token', 10] as const, ['public_search', 60] as const])
    for (const installation of [stack.demo, stack.other])
      expect(await countAnswered(field, { from, installation })).toBe(limit);
});

test('the seed of the demonstration is not charged', async () => {
  const seeding = Object.assign(Object.create(newContext()) as RequestContext, { skipsRateLimits: true });
  for (let index = 0; index < 50; index += 1)
    await stack.platform.rateLimits.charge('AUTH_REGISTER', seeding, {});
  expect(seeding.answer.rates).toBeUndefined();
});

test.each([
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['192.0.2.77', '::ffff:192.0.2.77', true],
  ['192.0.2.78', '192.0.2.79', false],
])('the addresses %s and %s share a budget: %s', async (first, second, isOne) => {
  stack.advance(3_600_000);
  expect(await countAnswered('auth_token', { from: first })).toBe(10);
  expect(await countAnswered('auth_token', { from: second })).toBe(isOne ? 0 : 10);
});

test('token refreshes are charged to their session, and forged refresh tokens to the address', async () => {
  const key = stack.platform.secrets.derive('refresh');
  const refresh = (refreshToken: string) =>
    `auth_token(input: {grantType: "refresh_token", refreshToken: "${refreshToken}"})`;
  const from = newAddress();
  for (const { sessionId } of [person, await stack.signIn()]) {
    const token = encodeRefreshToken(key, { sessionId, counter: 3 });
    expect(await countAnswered(refresh(token), { from })).toBe(30);
  }
  expect(await countAnswered('auth_token', { from })).toBe(10);
  expect(await countAnswered(refresh('AAAA'), byAddress())).toBe(10);
});

test('a call that is refused by the shorter window of a budget is not counted in the longer one', async () => {
  const options = byAddress();
  let answered = 0;
  for (let minute = 0; minute < 10; minute += 1) {
    answered += await countAnswered('message', options);
    for (let index = 0; index < 5; index += 1) await call('message', options);
    stack.advance(60_001);
  }
  expect(answered).toBe(200);
  expect((await call('message', options))?.retryAfter).toBeGreaterThan(60);
});

test('password resets of an email address are limited to five a day for all clients together', async () => {
  const reset = (address: string, options = byAddress()) =>
    call(`auth_reset(input: {email: "${address}"})`, options);
  for (const address of ['a@example.test', ' A@Example.test ', 'a@EXAMPLE.TEST'])
    expect(await reset(address)).toBeNull();
  // The calls of a client beyond its own budget are not counted for the address.
  const greedy = byAddress();
  for (let index = 0; index < 3; index += 1) await call('auth_reset', greedy);
  expect(await reset('a@example.test', greedy)).toMatchObject(limited);
  for (let index = 0; index < 2; index += 1) expect(await reset('a@example.test')).toBeNull();
  const refused = await reset('a@example.test');
  expect(refused).toMatchObject(limited);
  expect(refused?.retryAfter).toBeGreaterThan(3600);
  expect(await reset('b@example.test')).toBeNull();
});

test('a budget in the database costs one command and is exact for concurrent calls', async () => {
  const options = byPerson();
  await changesHeard();
  await call('money', options);
  expect(await commandsOf(() => call('money', options))).toEqual(['findAndModify rate_counts']);
  const fresh = { ...byPerson(), as: await stack.signIn() };
  await call('members', fresh);
  const outcomes = await Promise.all(Array.from({ length: 50 }, () => call('money', fresh)));
  expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(20);
});

test('a budget in memory costs no database command', async () => {
  const options = byPerson();
  await changesHeard();
  await call('read', options);
  for (const field of ['read', 'write', 'public_read', 'public_search', 'webhook'])
    expect(await commandsOf(() => call(field, options))).toEqual([]);
});

describe('budgets of several processes', () => {
  const opened: RateLimits[] = [];
  afterEach(async () => {
    for (const limits of opened.splice(0)) await limits.close();
  });
  const log = pino({ level: 'silent' });
  const openProcess = () => {
    const limits = openRateLimits({ log, now: stack.platform.now });
    opened.push(limits);
    return limits;
  };

  test('budgets in memory are enforced while the database is disconnected', async () => {
    const [limits, context] = [openProcess(), newContext()];
    const { name } = mongoose.connection;
    await mongoose.disconnect();
    for (let index = 0; index < 60; index += 1) await limits.charge('WRITE', context, {});
    await limits.share();
    expect(() => limits.charge('WRITE', context, {})).toThrow('Too many requests');
    await mongoose.connect(process.env.MONGODB_URI ?? '', { dbName: name, monitorCommands: true });
  });

  test('budgets of several processes include the shared counts of the other processes', async () => {
    const [first, second] = [openProcess(), openProcess()];
    const from = newAddress();
    const [here, there] = [stack.contextFor({ from }), stack.contextFor({ from })];
    for (let index = 0; index < 30; index += 1) await first.charge('WRITE', here, {});
    for (let index = 0; index < 20; index += 1) await second.charge('WRITE', there, {});
    for (const process of [first, second]) await process.share();
    expect(countCharges(second, there)).toBe(10);
    await second.share();
    // A process that shares a count receives the counts of the others.
    await first.charge('WRITE', here, {});
    await first.share();
    expect(countCharges(first, here)).toBe(0);
    stack.advance(60_000);
    expect(countCharges(first, here)).toBe(60);
  });

  test('a process does not share the counts of callers that are far from their limit', async () => {
    const [quiet, context] = [openProcess(), newContext()];
    for (let index = 0; index < 14; index += 1) await quiet.charge('READ', context, {});
    expect(await commandsOf(() => quiet.share())).toEqual([]);
  });

  test('a process with more than 100,000 addresses forgets the oldest count', async () => {
    const crowded = openProcess();
    const contextAt = (index: number) =>
      stack.contextFor({ from: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}` });
    for (let index = 0; index <= 100_000; index += 1)
      await crowded.charge('PUBLIC_SEARCH', contextAt(index), {});
    expect(countCharges(crowded, contextAt(100_000), 'PUBLIC_SEARCH')).toBe(59);
    expect(countCharges(crowded, contextAt(0), 'PUBLIC_SEARCH')).toBe(60);
  });
});

/** The number of executions that are charged before one is refused. */
function countCharges(
  limits: RateLimits,
  context: RequestContext,
  rateClass: 'WRITE' | 'PUBLIC_SEARCH' = 'WRITE',
): number {
  for (let count = 0; ; count += 1) {
    try {
      void limits.charge(rateClass, context, {});
    } catch {
      return count;
    }
  }
}
