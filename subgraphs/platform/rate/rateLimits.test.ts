import { buildSubgraphSchema } from '@apollo/subgraph';
import { parse } from 'graphql';
import mongoose from 'mongoose';
import pino from 'pino';
import { assembleSdl } from '../../../schema/compose/assembleSubgraphSdl.ts';
import { rateClasses } from '../../../schema/guards/readRateClass.ts';
import { type CallOptions, openTestStack, type TestStack } from '../../../test/support/openTestStack.ts';
import { problemOf } from '../../../test/support/problemOf.ts';
import type { SignedIn } from '../../../test/support/signIn.ts';
import { guardSchema } from '../auth/guardSchema.ts';
import { type Principal, type TokenFacts, Viewer } from '../auth/Viewer.ts';
import type { RequestContext } from '../context/RequestContext.ts';
import { countCommands } from '../mongo/countCommands.ts';
import type { Subgraph } from '../subgraph/buildSubgraph.ts';
import { encodeRefreshToken } from '../token/refreshToken.ts';
import { classRules } from './classRules.ts';
import { openRateLimits, type RateLimits } from './RateLimits.ts';

/** A field of each class; `things` belong to nobody. */
const sdl = `
  type Query {
    ${rateClasses.map((name) => `${name.toLowerCase()}(input: Named): Boolean @public @rateClass(name: ${name})`).join('\n    ')}
    members: Boolean @authenticated @rateClass(name: READ)
    thing(id: ID!): Boolean @owner(type: "Thing", id: "id") @rateClass(name: READ)
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

let stack: TestStack;
let person: SignedIn;
let addresses = 0;

beforeAll(async () => {
  stack = await openTestStack({ subgraphs: [buildSubject], rateLimits: true });
});
afterAll(() => stack.close());
beforeEach(async () => {
  person = await stack.signIn();
  // Windows that are counted in memory begin with the minute.
  stack.advance(60_000 - (stack.platform.now() % 60_000));
});

/** An address that nobody has called from. */
const newAddress = () => `10.${(addresses += 1) >> 8}.${addresses & 255}.1`;

async function call(source: string, options: CallOptions = { as: person, from: newAddress() }) {
  const result = await stack.execute(`{ ${source} }`, {}, options);
  return result.errors ? problemOf(result) : null;
}

/** How many of these calls are answered before one is refused. */
async function countAnswered(source: string, options: CallOptions, most = 1000): Promise<number> {
  for (let count = 0; count < most; count += 1) if (await call(source, options)) return count;
  return most;
}

const byPerson = (): CallOptions => ({ as: person, from: newAddress() });
const byAddress = (): CallOptions => ({ from: newAddress() });

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
])('%s answers its budget and no more, until the window is over', async (field, caller, limit, seconds) => {
  const options = caller();
  expect(await countAnswered(field, options)).toBe(limit);
  const refused = await call(field, options);
  expect(refused).toMatchObject({ code: 'rate_limited', status: 429 });
  expect(refused?.retryAfter).toBeGreaterThan(0);
  expect(refused?.retryAfter).toBeLessThanOrEqual(seconds);
  stack.advance(Number(refused?.retryAfter) * 1000);
  expect(await call(field, options)).toBeNull();
});

test('every class has a budget', () => {
  expect(Object.keys(classRules).sort()).toEqual([...rateClasses].sort());
});

test.each([
  ['READ', 600],
  ['WRITE', 300],
] as const)('an API client has a budget of its own for %s', (rateClass, limit) => {
  const token = { subject: 'cli_1', subjectType: 'client', scopes: new Set() } as unknown as TokenFacts;
  const principal: Principal = { state: 'active', emailVerified: true, roles: [], memberships: [] };
  const context = { viewerOrNull: new Viewer(token, principal) } as RequestContext;
  const rule = classRules[rateClass];
  expect(rule.store === 'memory' && [rule.windowOf(context).limit, rule.keyOf(context)]).toEqual([
    limit,
    'cli_1',
  ]);
});

describe('an execution', () => {
  test('is charged for each alias', async () => {
    const options = byPerson();
    const aliases = Array.from({ length: 15 }, (_, index) => `a${index}: write`).join(' ');
    for (let round = 0; round < 4; round += 1) expect(await call(aliases, options)).toBeNull();
    expect(await call('write', options)).toMatchObject({ code: 'rate_limited' });
  });

  test('that the guard refuses for the caller is not charged, one that it refuses for the record is', async () => {
    const options = byPerson();
    for (let index = 0; index < 400; index += 1) await call('members', { from: options.from ?? '' });
    expect(await countAnswered('members', options)).toBe(300);
    const other = await stack.signIn();
    for (let index = 0; index < 300; index += 1) await call('thing(id: "x")', { as: other });
    expect(await call('members', { as: other })).toMatchObject({ code: 'rate_limited' });
  });

  test('of one installation takes nothing from another one', async () => {
    const from = newAddress();
    expect(await countAnswered('auth_token', { from })).toBe(10);
    expect(await countAnswered('auth_token', { from, installation: stack.other })).toBe(10);
    expect(await countAnswered('public_search', { from })).toBe(60);
    expect(await countAnswered('public_search', { from, installation: stack.other })).toBe(60);
  });

  test('of the demonstration’s seed is not charged', async () => {
    const context = stack.contextFor({ from: newAddress() });
    const seeding = Object.assign(Object.create(context) as RequestContext, { skipsRateLimits: true });
    for (let index = 0; index < 50; index += 1)
      await stack.platform.rateLimits.charge('AUTH_REGISTER', seeding, {});
    expect(context.answer.rates).toBeUndefined();
  });
});

describe('an address', () => {
  test.each([
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::9', true],
    ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
    ['192.0.2.77', '::ffff:192.0.2.77', true],
    ['192.0.2.78', '192.0.2.79', false],
  ])('%s and %s are one client: %s', async (first, second, isOne) => {
    stack.advance(3_600_000);
    expect(await countAnswered('auth_token', { from: first })).toBe(10);
    expect(await countAnswered('auth_token', { from: second })).toBe(isOne ? 0 : 10);
  });
});

describe('the token endpoint', () => {
  const refreshOf = (sessionId: string) => {
    const key = stack.platform.secrets.derive('refresh');
    return `auth_token(input: {grantType: "refresh_token", refreshToken: "${encodeRefreshToken(key, { sessionId, counter: 3 })}"})`;
  };

  test('counts refreshes by session, so that many may share an address', async () => {
    const from = newAddress();
    expect(await countAnswered(refreshOf(person.sessionId), { from })).toBe(30);
    const other = await stack.signIn();
    expect(await countAnswered(refreshOf(other.sessionId), { from })).toBe(30);
    expect(await countAnswered('auth_token', { from })).toBe(10);
  });

  test('counts what is no refresh token of ours as a sign-in', async () => {
    const forged = 'auth_token(input: {grantType: "refresh_token", refreshToken: "AAAA"})';
    expect(await countAnswered(forged, byAddress())).toBe(10);
  });
});

describe('several windows', () => {
  test('of one budget hold together, and what one of them refuses takes nothing from the other', async () => {
    const options = byAddress();
    let answered = 0;
    for (let minute = 0; minute < 10; minute += 1) {
      answered += await countAnswered('message', options);
      for (let index = 0; index < 5; index += 1) await call('message', options);
      stack.advance(60_001);
    }
    expect(answered).toBe(200);
    const refused = await call('message', options);
    expect(refused?.retryAfter).toBeGreaterThan(60);
  });

  test('of a reset count its address five times a day, wherever the calls come from', async () => {
    const reset = (address: string) => `auth_reset(input: {email: "${address}"})`;
    for (const address of ['a@example.test', ' A@Example.test ', 'a@EXAMPLE.TEST'])
      expect(await call(reset(address), byAddress())).toBeNull();
    // One client's calls beyond its own budget take nothing from the address.
    const greedy = byAddress();
    for (let index = 0; index < 3; index += 1) await call('auth_reset', greedy);
    expect(await call(reset('a@example.test'), greedy)).toMatchObject({ code: 'rate_limited' });
    for (let index = 0; index < 2; index += 1)
      expect(await call(reset('a@example.test'), byAddress())).toBeNull();
    const refused = await call(reset('a@example.test'), byAddress());
    expect(refused).toMatchObject({ code: 'rate_limited' });
    expect(refused?.retryAfter).toBeGreaterThan(3600);
    expect(await call(reset('b@example.test'), byAddress())).toBeNull();
  });
});

describe('counting', () => {
  test('exactly costs one command, and lets exactly the budget through however many come at once', async () => {
    const options = byPerson();
    await call('money', options);
    const { commands } = await countCommands(() => call('money', options));
    expect(commands.filter((command) => !command.startsWith('getMore'))).toEqual([
      'findAndModify rate_counts',
    ]);
    const fresh = { ...byPerson(), as: await stack.signIn() };
    await call('members', fresh);
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => call('money', fresh)));
    expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(20);
  });

  test('in memory costs none', async () => {
    const options = byPerson();
    await call('read', options);
    const { commands } = await countCommands(async () => {
      for (const field of ['read', 'write', 'public_read', 'public_search', 'webhook'])
        await call(field, options);
    });
    expect(commands.filter((command) => !command.startsWith('getMore'))).toEqual([]);
  });

  test('in memory goes on while the database is away', async () => {
    const context = contextOf(stack);
    const [alone] = openProcesses(1) as [RateLimits];
    const { name } = mongoose.connection;
    await mongoose.disconnect();
    for (let index = 0; index < 60; index += 1) await alone.charge('WRITE', context, {});
    await alone.share();
    expect(() => alone.charge('WRITE', context, {})).toThrow('Too many requests');
    await mongoose.connect(process.env.MONGODB_URI ?? '', { dbName: name, monitorCommands: true });
    await alone.close();
  });

  test('agrees between processes after they have told each other', async () => {
    const [first, second] = openProcesses(2) as [RateLimits, RateLimits];
    const from = newAddress();
    const [here, there] = [stack.contextFor({ from }), stack.contextFor({ from })];
    for (let index = 0; index < 30; index += 1) await first.charge('WRITE', here, {});
    for (let index = 0; index < 20; index += 1) await second.charge('WRITE', there, {});
    for (const process of [first, second]) await process.share();
    expect(countCharges(second, there)).toBe(10);
    await second.share();
    // Whoever tells of a call learns of the others'.
    await first.charge('WRITE', here, {});
    await first.share();
    expect(countCharges(first, here)).toBe(0);
    stack.advance(60_000);
    expect(countCharges(first, here)).toBe(60);
    for (const process of [first, second]) await process.close();
  });

  test('tells nothing of callers who are far from their limit', async () => {
    const [quiet] = openProcesses(1) as [RateLimits];
    const context = contextOf(stack);
    for (let index = 0; index < 14; index += 1) await quiet.charge('READ', context, {});
    const { commands } = await countCommands(() => quiet.share());
    expect(commands.filter((command) => !command.startsWith('getMore'))).toEqual([]);
    await quiet.close();
  });

  test('forgets the oldest of very many addresses, not the newest', async () => {
    const [crowded] = openProcesses(1) as [RateLimits];
    const from = (index: number) => ({
      ...byAddress(),
      from: `10.${index >> 16}.${(index >> 8) & 255}.${index & 255}`,
    });
    const last = stack.contextFor(from(100_000));
    for (let index = 0; index <= 100_000; index += 1)
      await crowded.charge('PUBLIC_SEARCH', stack.contextFor(from(index)), {});
    expect(countCharges(crowded, last, 'PUBLIC_SEARCH')).toBe(59);
    expect(countCharges(crowded, stack.contextFor(from(0)), 'PUBLIC_SEARCH')).toBe(60);
    await crowded.close();
  });
});

/** A stranger at a new address. */
function contextOf({ contextFor }: TestStack): RequestContext {
  return contextFor(byAddress());
}

/** The budgets of several processes on one database. */
function openProcesses(count: number): RateLimits[] {
  const log = pino({ level: 'silent' });
  return Array.from({ length: count }, () => openRateLimits({ log, now: stack.platform.now }));
}

/** How many executions are charged before one is refused. */
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
