import { buildSubgraphSchema } from '@apollo/subgraph';
import { execute, type GraphQLSchema, parse, subscribe } from 'graphql';
import { assembleSdl } from '../../../schema/compose/assembleSubgraphSdl.ts';
import type { AuditEventRecord } from '../audit/store/model.ts';
import type { Platform } from '../context/Platform.ts';
import type { RateLimits } from '../context/RateLimits.ts';
import { RequestContext } from '../context/RequestContext.ts';
import { AppError } from '../errors/AppError.ts';
import type { Installation } from '../installation/Installation.ts';
import type { Identity } from '../principal/Identity.ts';
import { type Principal, type TokenFacts, Viewer } from '../principal/Viewer.ts';
import { isOperatorUse } from './guardField.ts';
import { guardSchema } from './guardSchema.ts';

const token: TokenFacts = {
  subject: 'usr_1',
  subjectType: 'user',
  installationId: 'ins_demo',
  sessionId: 'ses_1',
  scopes: new Set(),
  authTime: 0,
  amr: ['pwd'],
  expiresAt: 600,
};
const principal: Principal = { state: 'active', emailVerified: true, roles: ['buyer'], memberships: [] };
const accepted = (facts: Partial<TokenFacts> = {}): Identity => ({
  kind: 'accepted',
  viewer: new Viewer({ ...token, ...facts }, principal),
});
const stranger: Identity = { kind: 'anonymous' };

const thingId = 'lst_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const dealerId = 'dlr_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const sdl = `
  type Query {
    plain: String @guard__authenticated @guard__rateClass(name: READ)
    thing(about: ID, input: Aim!): String @guard__owner(type: "Thing", id: "input.thing.id") @guard__rateClass(name: READ)
    stock(about: ID, dealer: ID!): String @guard__dealerRole(atLeast: MANAGER, dealer: "dealer") @guard__rateClass(name: READ)
    refusing(input: Aim): String @guard__authenticated @guard__rateClass(name: READ)
  }
  input Aim { note: String  thing: Which }
  input Which { id: ID! }
  type Subscription {
    ticks: Int @guard__authenticated @guard__rateClass(name: READ)
    silent: Int @guard__authenticated @guard__rateClass(name: READ)
    doubled: Int @guard__authenticated @guard__rateClass(name: READ)
  }
`;

/** The steps of the guards, in order. */
let done: string[] = [];
let charge: () => Promise<void> | null;
let audited: AuditEventRecord[] = [];
beforeEach(() => {
  done = [];
  audited = [];
  charge = () => null;
});

async function* ticks() {
  yield { ticks: 1 };
  yield { ticks: 2 };
}

const schema: GraphQLSchema = guardSchema(
  buildSubgraphSchema([
    {
      typeDefs: parse(assembleSdl([{ file: 'test', text: sdl }])),
      resolvers: {
        Query: {
          stock: () => 'answered',
          thing: () => 'answered',
          refusing: () => {
            throw new AppError('privilege_escalation', 'Not this one.');
          },
        },
        Subscription: {
          ticks: { subscribe: ticks },
          doubled: { subscribe: ticks, resolve: ({ ticks }: { ticks: number }) => 2 * ticks },
        },
      } as never,
    },
  ]),
  {
    Thing: {
      load: async () => {
        done.push('load');
        return {};
      },
      isOwner: () => false,
    },
    Dealer: { load: async () => ({}), isOwner: () => false },
  },
);

function contextOf(identity: Identity): RequestContext {
  const rateLimits = {
    charge: (name: string) => {
      done.push(`charge ${name}`);
      return charge();
    },
  } as unknown as RateLimits;
  const platform = {
    now: () => 0,
    identify: async () => identity,
    rateLimits,
    auditBuffer: { add: (event: AuditEventRecord) => void audited.push(event) },
  } as unknown as Platform;
  const installation = { id: 'ins_demo' } as Installation;
  return new RequestContext(platform, { installation, clientAddress: '192.0.2.7', userAgent: '' });
}

async function call(source: string, identity: Identity, rootValue: object = {}) {
  const { data, errors } = await execute({
    schema,
    document: parse(source),
    rootValue,
    contextValue: contextOf(identity),
  });
  const problem = errors?.[0]?.extensions.problem as { code: string } | undefined;
  return problem?.code ?? { ...(errors ? { error: errors[0]?.message } : data) };
}

test('a field without a resolver returns the member of its name', async () => {
  expect(await call('{ plain }', accepted(), { plain: 'of the root' })).toEqual({ plain: 'of the root' });
});

test('a caller is charged after the static guard and before a record is loaded', async () => {
  await call('{ thing(input: {}) }', stranger);
  expect(done).toEqual([]);
  expect(await call('{ thing(input: {}) }', accepted())).toBe('ownership_required');
  expect(done).toEqual(['charge READ', 'load']);
});

test('a caller whose budget is spent is refused, and no record is loaded', async () => {
  charge = () => Promise.reject(new AppError('rate_limited', 'Too many.'));
  expect(await call('{ thing(input: {}) }', accepted())).toBe('rate_limited');
  expect(done).toEqual(['charge READ']);
});

test('a field is resolved after the budget of its caller was read from the database', async () => {
  charge = () => Promise.resolve();
  expect(await call('{ plain }', accepted(), { plain: 'answered' })).toEqual({ plain: 'answered' });
});

test.each([
  [
    'that the guard names',
    `{ thing(about: "${dealerId}", input: { thing: { id: "${thingId}" } }) }`,
    thingId,
  ],
  ['that the guard names as a dealer', `{ stock(about: "${thingId}", dealer: "${dealerId}") }`, dealerId],
  [
    "that an argument names, if the guard's path is missing",
    `{ thing(about: "${dealerId}", input: {}) }`,
    dealerId,
  ],
])('the target of a refusal in the audit log is the record %s', async (_, source, id) => {
  await call(source, accepted());
  expect(audited.map(({ target }) => target?.id)).toEqual([id]);
});

test.each(['{ refusing }', '{ refusing(input: null) }', '{ refusing(input: {}) }'])(
  'a refusal of %s is recorded without a target',
  async (source) => {
    expect(await call(source, accepted())).toBe('privilege_escalation');
    expect(audited).toMatchObject([{ action: 'refusing', target: null }]);
  },
);

test('a refusal that depends only on the caller is recorded without a target', async () => {
  const client = accepted({ subjectType: 'client', subject: 'cli_1' });
  expect(await call(`{ stock(dealer: "${dealerId}") }`, client)).toBe('user_token_required');
  expect(audited).toMatchObject([{ action: 'stock', target: null }]);
});

const open = (source: string, identity: Identity) =>
  subscribe({ schema, document: parse(source), contextValue: contextOf(identity) });

test('a subscription is charged once, not for every event', async () => {
  const stream = await open('subscription { ticks }', accepted());
  const events: unknown[] = [];
  for await (const { data } of stream as AsyncIterable<{ data: { ticks: number } }>) events.push(data.ticks);
  expect(events).toEqual([1, 2]);
  expect(done).toEqual(['charge READ']);
});

test('a subscription returns the result of its resolver for each event', async () => {
  const stream = await open('subscription { doubled }', accepted());
  const events: unknown[] = [];
  for await (const { data } of stream as AsyncIterable<{ data: { doubled: number } }>)
    events.push(data.doubled);
  expect(events).toEqual([2, 4]);
});

test('a subscription of an anonymous caller is refused without a charge', async () => {
  const refused = await open('subscription { ticks }', stranger);
  expect(refused).toMatchObject({ errors: [{ extensions: { problem: { code: 'token_missing' } } }] });
  expect(done).toEqual([]);
});

test('an event of a subscription whose caller is no longer accepted is refused', async () => {
  const field = schema.getSubscriptionType()?.getFields().ticks;
  const resolve = async () =>
    field?.resolve?.({ ticks: 1 }, {}, contextOf(stranger), { fieldName: 'ticks' } as never);
  await expect(resolve()).rejects.toMatchObject({ code: 'token_missing' });
});

test('a subscription without a subscribe resolver fails with an error', async () => {
  const refused = await open('subscription { silent }', accepted());
  expect(refused).toMatchObject({
    errors: [{ message: expect.stringContaining('has no subscribe resolver') }],
  });
});

test.each([
  ['the use of a guarded field by an operator is recorded', {}, accepted({ subjectType: 'operator' }), true],
  [
    'the use of a public field by an operator is not recorded',
    { public: true as const },
    accepted({ subjectType: 'operator' }),
    false,
  ],
  ['the use of a guarded field by a user is not recorded', {}, accepted(), false],
  ['the use of a field by an anonymous caller is not recorded', {}, stranger, false],
])('%s in the audit log', (_, guard, identity, expected) => {
  expect(isOperatorUse(guard, identity)).toBe(expected);
});
