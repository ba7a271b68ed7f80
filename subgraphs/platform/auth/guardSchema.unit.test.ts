import { buildSubgraphSchema } from '@apollo/subgraph';
import { type ExecutionResult, execute, parse } from 'graphql';
import { assembleSdl } from '../../../schema/compose/assembleSubgraphSdl.ts';
import type { AuditEventRecord } from '../audit/store/model.ts';
import type { Platform } from '../context/Platform.ts';
import { noRateLimits } from '../context/RateLimits.ts';
import { RequestContext } from '../context/RequestContext.ts';
import { AppError } from '../errors/AppError.ts';
import type { Installation } from '../installation/Installation.ts';
import type { Identity } from '../principal/Identity.ts';
import { type Principal, type TokenFacts, Viewer } from '../principal/Viewer.ts';
import { guardSchema } from './guardSchema.ts';
import type { OwnershipPolicies, OwnershipPolicy } from './ownership.ts';

const nowMs = Date.UTC(2026, 4, 2);

const sdl = `
  type Query {
    open: String @guard__public @guard__rateClass(name: READ)
    members: String @guard__authenticated @guard__rateClass(name: READ)
    suspendable: String @guard__authenticated @guard__allowState(states: ["suspended"]) @guard__rateClass(name: READ)
    machines: String @guard__authenticated @guard__clientScope(name: "listings:read") @guard__rateClass(name: READ)
    anyMachine: String @guard__authenticated @guard__clientScope(name: "*") @guard__rateClass(name: READ)
    moderation: String @guard__permission(name: "listings:moderate") @guard__rateClass(name: READ)
    editing: String @guard__permission(name: "seo:edit", breadth: OWN) @guard__rateClass(name: READ)
    editingAll: String @guard__permission(name: "seo:edit") @guard__rateClass(name: READ)
    careful: String @guard__authenticated @guard__stepUp(maxAgeSeconds: 600) @guard__rateClass(name: READ)
    paying: String @guard__authenticated @guard__freshCaller @guard__rateClass(name: MONEY)
    enroll: String @guard__authenticated @guard__allowWithoutMfa @guard__rateClass(name: READ)
    thing(id: ID!): Thing @guard__owner(type: "Thing", id: "id", or: "listings:moderate") @guard__rateClass(name: READ)
    stock(dealerId: ID!): String @guard__dealerRole(atLeast: MANAGER, dealer: "dealerId", or: "dealers:read") @guard__rateClass(name: READ)
    secret: Holder @guard__public @guard__rateClass(name: READ)
    refusing(input: Aim!): String @guard__authenticated @guard__rateClass(name: READ)
  }
  input Aim { userId: ID! }
  type Thing @key(fields: "id") @guard__owner(type: "Thing", id: "id") {
    id: ID!
    price: Int
    readable: Boolean @guard__public
    mine: Boolean @guard__authenticated
  }
  type Post @key(fields: "id") @guard__public {
    id: ID!
    appeal: Boolean @guard__authenticated @guard__allowState(states: ["suspended"])
  }
  type Holder { plain: String  guarded: String @guard__permission(name: "audit:read") }
`;

const listingId = 'lst_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const things: Record<string, { id: string; ownerId: string; price: number }> = {
  t1: { id: 't1', ownerId: 'usr_owner', price: 5 },
  [listingId]: { id: listingId, ownerId: 'usr_owner', price: 7 },
};

const policies: OwnershipPolicies = {
  Thing: {
    load: async (id: string) => things[id] ?? null,
    isOwner: (viewer: Viewer, thing: { ownerId: string }) => thing.ownerId === viewer.id,
  } satisfies OwnershipPolicy<{ ownerId: string }>,
  Dealer: {
    load: async (id: string) => (id.startsWith('dlr') ? { id } : null),
    isOwner: () => false,
  },
};

const answered =
  'open members suspendable machines anyMachine moderation editing editingAll careful paying enroll stock'.split(
    ' ',
  );
const resolvers = {
  Query: {
    ...Object.fromEntries(answered.map((field) => [field, () => 'answered'])),
    thing: (_: unknown, { id }: { id: string }) => things[id],
    refusing: async () => {
      throw new AppError('privilege_escalation', 'Not this one.');
    },
    secret: () => ({ plain: 'plain', guarded: 'guarded' }),
  },
  Thing: {
    __resolveReference: ({ id }: { id: string }) => things[id],
    readable: () => true,
    mine: () => true,
  },
  Post: { __resolveReference: ({ id }: { id: string }) => ({ id, appeal: true }) },
};

const toSchema = (text: string, resolve: object) =>
  buildSubgraphSchema([
    { typeDefs: parse(assembleSdl([{ file: 'test', text }])), resolvers: resolve as never },
  ]);
const schema = guardSchema(toSchema(sdl, resolvers), policies);

const token: TokenFacts = {
  subject: 'usr_owner',
  subjectType: 'user',
  installationId: 'ins_demo',
  sessionId: 'ses_1',
  scopes: new Set(['user']),
  authTime: nowMs / 1000 - 60,
  amr: ['pwd'],
  expiresAt: nowMs / 1000 + 600,
};
const principal: Principal = { state: 'active', emailVerified: true, roles: ['buyer'], memberships: [] };

/** A caller in an installation whose finance role requires a second factor. */
function viewer(facts: Partial<TokenFacts> = {}, state: Partial<Principal> = {}): Identity {
  const known = new Viewer({ ...token, ...facts }, { ...principal, ...state }, ['finance']);
  return { kind: 'accepted', viewer: known };
}

const inRoles = (...roles: Principal['roles']) => viewer({}, { roles });
const inDealer = (role: 'OWNER' | 'AGENT') => {
  const dealer = { dealerId: 'dlr_1', name: 'D', dealerState: 'active' as const, locationIds: [] };
  return viewer({}, { memberships: [{ ...dealer, role }] });
};
const client = (...scopes: string[]) =>
  viewer({ subject: 'cli_1', subjectType: 'client', scopes: new Set(scopes) });
const owner = viewer();
const other = viewer({ subject: 'usr_other' });
const foreign = viewer({ installationId: 'ins_other' });
const suspended = viewer({}, { state: 'suspended' });
const stale = { authTime: nowMs / 1000 - 601 };
const stranger: Identity = { kind: 'anonymous' };
const rejected: Identity = { kind: 'rejected', error: new AppError('token_expired', 'expired') };

const platform = {
  now: () => nowMs,
  identify: async (_: string, fresh: boolean) => (fresh ? (askedFresh ?? asked) : asked),
  rateLimits: noRateLimits,
  auditBuffer: { add: (event: AuditEventRecord) => void audited.push(event) },
} as unknown as Platform;
let asked: Identity;
/** The current caller, if the cache contains an earlier state. */
let askedFresh: Identity | null = null;
let audited: AuditEventRecord[] = [];

async function call(source: string, identity: Identity): Promise<string> {
  asked = identity;
  audited = [];
  const context = new RequestContext(platform, {
    installation: { id: 'ins_demo' } as Installation,
    clientAddress: '192.0.2.7',
    userAgent: '',
  });
  const { data, errors } = (await execute({
    schema,
    document: parse(source),
    contextValue: context,
  })) as ExecutionResult<Record<string, unknown>>;
  const problem = errors?.[0]?.extensions.problem as { code: string } | undefined;
  return problem?.code ?? (errors ? errors[0]?.message : JSON.stringify(Object.values(data ?? {})[0])) ?? '';
}

const thing = '{ thing(id: "t1") { price } }';
const stock = '{ stock(dealerId: "dlr_1") }';
const byId = (fields: string, id = 't1', type = 'Thing') =>
  `{ _entities(representations: [{__typename: "${type}", id: "${id}"}]) { ... on ${type} { ${fields} } } }`;

/** Rows for `test.each`: calls by their title, and the answer that they have in common. */
const toRows = (answer: string, calls: Record<string, readonly [source: string, identity: Identity]>) =>
  Object.entries(calls).map(([title, [source, identity]]) => [title, source, identity, answer] as const);

test.each([
  ...toRows('"answered"', {
    'an anonymous caller may call a public field': ['{ open }', stranger],
    'an authenticated user may call a field that requires authentication': ['{ members }', owner],
    'a suspended account may call a field that allows its state': ['{ suspendable }', suspended],
    'an API client with the scope of the field may call it': ['{ machines }', client('listings:read')],
    'any API client may call a field that is open to all of them': ['{ anyMachine }', client()],
    'a user needs no scope for a field with a client scope': ['{ machines }', owner],
    'a user whose role has the permission may call the field': ['{ moderation }', inRoles('moderator')],
    'a private seller may call a field with a permission for own objects': ['{ editing }', inRoles('seller')],
    'a user in a role that requires a second factor may call with one': [
      '{ moderation }',
      viewer({ amr: ['pwd', 'otp'] }, { roles: ['moderator', 'finance'] }),
    ],
    'enrolling a second factor does not require one': ['{ enroll }', inRoles('finance')],
    'a public field does not require a second factor': ['{ open }', inRoles('finance')],
    'a user who signed in recently may call a field that requires it': ['{ careful }', owner],
    'a dealer member with the required role may call the field': [stock, inDealer('OWNER')],
  }),
  ...toRows('{"price":5}', {
    'the owner may read their record': [thing, owner],
    'the alternative permission of an owner guard replaces ownership': [
      thing,
      viewer({ subject: 'usr_m' }, { roles: ['moderator'] }),
    ],
  }),
  ...toRows('[{"price":5}]', { 'the owner may read their record by representation': [byId('price'), owner] }),
  ...toRows('[{"readable":true}]', {
    'the guard of an entity field replaces the guard of its type': [byId('readable'), stranger],
  }),
  ...toRows('[{"appeal":true}]', {
    'a suspended account may read a field of a public entity that allows its state': [
      byId('appeal', 'p1', 'Post'),
      suspended,
    ],
  }),
  ...toRows('{"plain":"plain"}', {
    'an unguarded nested field is returned': ['{ secret { plain } }', stranger],
  }),
  ...toRows('token_expired', {
    'a rejected token is refused even on a public field': ['{ open }', rejected],
    'a rejected token is refused even on a public field of an entity': [byId('readable'), rejected],
  }),
  ...toRows('installation_mismatch', {
    'a token of another installation is refused even on a public field': ['{ open }', foreign],
  }),
  ...toRows('token_missing', {
    'an anonymous caller is refused a field that requires authentication': ['{ members }', stranger],
    'an anonymous caller is refused a record by representation': [byId('price'), stranger],
    'an anonymous caller is refused a guarded field of an entity': [byId('mine'), stranger],
    'an anonymous caller is refused a missing record in the same way as an existing one': [
      byId('mine', 't9'),
      stranger,
    ],
    'an anonymous caller is refused the type name of an entity': [byId('__typename', 't9'), stranger],
    'a guarded field that is selected beside a public one keeps its guard': [
      byId('readable price'),
      stranger,
    ],
  }),
  ...toRows('account_suspended', {
    'a suspended account is refused a field that does not allow its state': ['{ members }', suspended],
  }),
  ...toRows('account_deletion_scheduled', {
    'an account that is scheduled for deletion is refused': [
      '{ members }',
      viewer({}, { state: 'deletion_scheduled' }),
    ],
  }),
  ...toRows('user_token_required', {
    'an API client is refused a field without a client scope': ['{ members }', client('listings:read')],
    'an API client is refused an entity field without a client scope': [byId('mine'), client()],
    'an API client is refused a field that requires a permission': [
      '{ moderation }',
      client('listings:write'),
    ],
  }),
  ...toRows('insufficient_scope', {
    'an API client without the scope of the field is refused': ['{ machines }', client('dealer:read')],
  }),
  ...toRows('permission_required', {
    'a user without the permission is refused': ['{ moderation }', owner],
    'a permission for own objects does not suffice for all objects': ['{ editingAll }', inRoles('seller')],
    'a missing permission is reported before a missing second factor': ['{ moderation }', inRoles('finance')],
    'a nested field is refused by its own guard': ['{ secret { guarded } }', owner],
  }),
  ...toRows('mfa_required', {
    'a user in a role that requires a second factor is refused without one': [
      '{ members }',
      inRoles('buyer', 'finance'),
    ],
    'a missing second factor is reported if the roles of the caller include the permission': [
      '{ moderation }',
      inRoles('moderator', 'finance'),
    ],
    'a missing second factor is reported before the age of the sign-in': [
      '{ careful }',
      viewer(stale, { roles: ['finance'] }),
    ],
  }),
  ...toRows('reauthentication_required', {
    'a user whose sign-in is too old is refused a field that requires a recent one': [
      '{ careful }',
      viewer(stale),
    ],
  }),
  ...toRows('ownership_required', {
    'a record of another owner is refused': [thing, other],
    'a record of another owner is refused by representation': [byId('price'), other],
    'a record of another owner is refused by representation even if only its id is selected': [
      byId('id'),
      other,
    ],
    'a user who is not a member of the dealer is refused': [stock, owner],
  }),
  ...toRows('dealer_role_required', {
    'a dealer member with a lower role is refused': [stock, inDealer('AGENT')],
  }),
  ...toRows('not_found', {
    'a missing record is refused with not_found': ['{ thing(id: "t9") { price } }', owner],
    'a missing dealer is refused with not_found': ['{ stock(dealerId: "x") }', owner],
  }),
])('%s', async (_, source, identity, answer) => {
  expect(await call(source, identity)).toBe(answer);
});

const moderator = viewer({ subject: 'usr_m' }, { roles: ['moderator'] });
const supporter = viewer({ subject: 'usr_m' }, { roles: ['support'] });
const former = viewer({ subject: 'usr_m' });
const ended: Identity = { kind: 'rejected', error: new AppError('session_revoked', 'ended') };

test.each<[string, string, Identity, Identity, string]>([
  ['with a permission is read without the cache', '{ moderation }', moderator, former, 'permission_required'],
  [
    'that requires a recent sign-in is read without the cache',
    '{ careful }',
    owner,
    ended,
    'session_revoked',
  ],
  ['with @guard__freshCaller is read without the cache', '{ paying }', owner, ended, 'session_revoked'],
  [
    'with a permission in place of ownership is read without the cache',
    thing,
    moderator,
    former,
    'ownership_required',
  ],
  [
    'with a permission in place of ownership is refused after the session was revoked',
    thing,
    moderator,
    ended,
    'session_revoked',
  ],
  [
    'with a permission in place of a role is read without the cache',
    stock,
    supporter,
    former,
    'ownership_required',
  ],
  [
    'with a permission in place of a role is refused after a suspension',
    stock,
    supporter,
    suspended,
    'account_suspended',
  ],
  ['that requires only authentication may be read from the cache', '{ members }', owner, ended, '"answered"'],
  ['that requires ownership may be read from the cache', thing, owner, ended, '{"price":5}'],
  [
    'of another owner may be read from the cache if the caller lacks the alternative permission',
    thing,
    other,
    ended,
    'ownership_required',
  ],
])('the caller of a field %s', async (_, source, remembered, now, answer) => {
  askedFresh = now;
  const got = await call(source, remembered);
  askedFresh = null;
  expect(got).toBe(answer);
});

const audit = (action: string, reason: string, actor = 'usr_owner') => ({
  action,
  reason,
  actor: { type: actor.startsWith('cli') ? 'client' : 'user', id: actor },
  result: 'denied',
  installationId: 'ins_demo',
  ipPrefix: '192.0.2.0/24',
  count: 1,
});

const mismatch = { ...audit('open', 'installation_mismatch'), installationId: 'ins_other' };
const escalation = {
  ...audit('refusing', 'privilege_escalation'),
  target: { type: 'user', id: 'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV' },
};

test.each<[string, string, Identity, object[]]>([
  ['by the guard of a root field', '{ moderation }', owner, [audit('moderation', 'permission_required')]],
  ['by a resolver', `{ refusing(input: {userId: "${escalation.target.id}"}) }`, owner, [escalation]],
  ['of an API client', '{ members }', client(), [audit('members', 'user_token_required', 'cli_1')]],
  [
    'by an owner guard',
    thing,
    other,
    [{ ...audit('thing', 'ownership_required', 'usr_other'), target: null }],
  ],
  [
    'by the guard of a reference',
    byId('price', listingId),
    other,
    [{ ...audit('Thing', 'ownership_required', 'usr_other'), target: { type: 'listing', id: listingId } }],
  ],
  [
    'by the guard of a nested field',
    '{ secret { guarded } }',
    owner,
    [audit('Holder.guarded', 'permission_required')],
  ],
  [
    'of a field that one request repeats',
    '{ a: moderation b: moderation c: moderation d: editingAll }',
    owner,
    [audit('moderation', 'permission_required'), audit('editingAll', 'permission_required')],
  ],
  ['of a token of another installation', '{ open }', foreign, [mismatch]],
])('a refusal %s is recorded in the audit log', async (_, source, identity, expected) => {
  await call(source, identity);
  expect(audited).toHaveLength(expected.length);
  expect(audited).toMatchObject(expected);
});

test.each([
  ['an anonymous caller', '{ members moderation }', stranger],
  ['a rejected token', '{ members moderation }', rejected],
  ['an old sign-in', '{ careful }', viewer({ authTime: 0 })],
  ['a request for a missing record', '{ thing(id: "t9") { price } }', owner],
])('a refusal of %s is not recorded in the audit log', async (_, source, identity) => {
  await call(source, identity);
  expect(audited).toEqual([]);
});

const open = 'type Query { open: String @guard__public }';
test.each([
  ['a root field without a guard', 'type Query { naked: String }', 'Query.naked states no guard'],
  ['a mutation without a guard', `${open} type Mutation { naked: String }`, 'Mutation.naked states no guard'],
  ['a root field without a rate class', open, 'Query.open states no budget: add @guard__rateClass'],
  [
    'a root field whose only directive is @guard__stepUp',
    'type Query { narrow: String @guard__stepUp }',
    'Query.narrow states no guard',
  ],
  [
    'an entity type without a guard',
    `${open} type Thing @key(fields: "id") { id: ID! }`,
    'type Thing is reachable through _entities',
  ],
  [
    'an owner without a policy',
    'type Query { open: String @guard__owner(type: "Nobody", id: "id") @guard__rateClass(name: READ) }',
    'no ownership policy for Nobody',
  ],
  [
    'a subscription without a guard',
    `${open} type Subscription { naked: String @guard__rateClass(name: READ) }`,
    'Subscription.naked states no guard',
  ],
  [
    'an unguarded entity type whose key is stated to be resolvable',
    `${open} type Thing @key(fields: "id", resolvable: true) { id: ID! }`,
    'type Thing is reachable through _entities',
  ],
  [
    'an unguarded entity type with one resolvable key of two',
    `${open} type Thing @key(fields: "id", resolvable: false) @key(fields: "no") { id: ID! no: Int }`,
    'type Thing is reachable through _entities',
  ],
  [
    'an unguarded entity field that returns an owned type',
    `${open} type Thing @key(fields: "id") @guard__owner(type: "Thing") { id: ID!  sibling: Thing }`,
    'Thing.sibling leads to an owned type',
  ],
])('%s stops the start', (_, text, message) => {
  expect(() => guardSchema(toSchema(text, {}), policies)).toThrow(message);
});

test.each([
  ['in its definition', 'type Thing @key(fields: "id") { id: ID! }', 'extend type Thing { no: Int }'],
  ['in an extension', 'type Thing { id: ID! }', 'extend type Thing @key(fields: "id")'],
])('an entity type without a guard whose key is stated %s stops the start', (_, definition, extension) => {
  // The extension is added afterwards, because a subgraph's SDL is assembled with one definition of each type.
  const assembled = assembleSdl([{ file: 'test', text: `${open} ${definition}` }]);
  const extended = buildSubgraphSchema([{ typeDefs: parse(`${assembled} ${extension}`) }]);
  expect(() => guardSchema(extended, policies)).toThrow('type Thing is reachable through _entities');
});

/** Valid schemas, each of which is similar to one that is refused. */
test.each([
  [
    'an unguarded type that is not an entity',
    'type Query { open: Plain @guard__public @guard__rateClass(name: READ) } type Plain { id: ID! }',
  ],
  [
    'an unguarded type with a directive other than @key',
    'type Query { open: Plain @guard__public @guard__rateClass(name: READ) } type Plain @shareable { id: ID! }',
  ],
  [
    'an unguarded entity field that returns an owned type without a key',
    `type Query { open: Thing @guard__public @guard__rateClass(name: READ) }
     type Thing @key(fields: "id") @guard__owner(type: "Thing", id: "id") { id: ID! box: Box }
     type Box @guard__owner(type: "Thing", id: "id") { id: ID! }`,
  ],
  [
    'an unguarded type that another subgraph resolves',
    `type Query { open: Away @guard__public @guard__rateClass(name: READ) }
     type Away @key(fields: "id", resolvable: false) { id: ID! }`,
  ],
  [
    'an unguarded field that returns an owned type from a type that is not an entity',
    `type Query { open: Page @guard__public @guard__rateClass(name: READ) }
     type Page { thing: Thing }
     type Thing @key(fields: "id") @guard__owner(type: "Thing", id: "id") { id: ID! }`,
  ],
  [
    'an unguarded entity field that returns a type without an owner guard',
    `type Query { open: Thing @guard__public @guard__rateClass(name: READ) }
     type Thing @key(fields: "id") @guard__owner(type: "Thing", id: "id") { id: ID! note: Note }
     type Note @key(fields: "id") @guard__public { id: ID! }`,
  ],
])('%s does not stop the start', (_, text) => {
  expect(() => guardSchema(toSchema(text, {}), policies)).not.toThrow();
});

test('all errors of a schema are reported together', () => {
  const text = 'type Query { a: String @guard__public b: String @guard__rateClass(name: READ) }';
  expect(() => guardSchema(toSchema(text, {}), policies)).toThrow(
    /Query\.a states no budget: add @guard__rateClass\n {2}Query\.b states no guard/,
  );
});

test('a dealer role without a policy for dealers stops the start, and a public field does not', () => {
  const text =
    'type Query { a(id: ID): String @guard__dealerRole(atLeast: AGENT, dealer: "id") @guard__rateClass(name: READ) }';
  const nobody = {} as OwnershipPolicies;
  expect(() => guardSchema(toSchema(text, {}), nobody)).toThrow('Query.a: no ownership policy for Dealer');
  const plain = 'type Query { a: String @guard__public @guard__rateClass(name: READ) }';
  expect(() => guardSchema(toSchema(plain, {}), nobody)).not.toThrow();
});
