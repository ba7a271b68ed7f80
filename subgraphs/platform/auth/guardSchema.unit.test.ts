import { buildSubgraphSchema } from '@apollo/subgraph';
import { type ExecutionResult, execute, type GraphQLSchema, parse } from 'graphql';
import { assembleSdl } from '../../../schema/compose/assembleSubgraphSdl.ts';
import type { AuditEventRecord } from '../audit/model.ts';
import type { Platform } from '../context/Platform.ts';
import { RequestContext } from '../context/RequestContext.ts';
import { AppError } from '../errors/AppError.ts';
import type { Installation } from '../installation/Installation.ts';
import { noRateLimits } from '../rate/RateLimits.ts';
import { guardSchema } from './guardSchema.ts';
import type { Identity } from './Identity.ts';
import type { OwnershipPolicies, OwnershipPolicy } from './ownership.ts';
import { type Principal, type TokenFacts, Viewer } from './Viewer.ts';

const nowMs = Date.UTC(2026, 4, 2);

const sdl = `
  type Query {
    open: String @public @rateClass(name: READ)
    members: String @authenticated @rateClass(name: READ)
    suspendable: String @authenticated @allowState(states: ["suspended"]) @rateClass(name: READ)
    machines: String @authenticated @clientScope(name: "listings:read") @rateClass(name: READ)
    anyMachine: String @authenticated @clientScope(name: "*") @rateClass(name: READ)
    moderation: String @permission(name: "listings:moderate") @rateClass(name: READ)
    editing: String @permission(name: "seo:edit", breadth: OWN) @rateClass(name: READ)
    editingAll: String @permission(name: "seo:edit") @rateClass(name: READ)
    careful: String @authenticated @stepUp(maxAgeSeconds: 600) @rateClass(name: READ)
    enroll: String @authenticated @allowWithoutMfa @rateClass(name: READ)
    thing(id: ID!): Thing @owner(type: "Thing", id: "id", or: "listings:moderate") @rateClass(name: READ)
    stock(dealerId: ID!): String @dealerRole(atLeast: MANAGER, dealer: "dealerId", or: "dealers:read") @rateClass(name: READ)
    secret: Holder @public @rateClass(name: READ)
    refusing(input: Aim!): String @authenticated @rateClass(name: READ)
  }
  input Aim { userId: ID! }
  type Thing @key(fields: "id") @owner(type: "Thing", id: "id") {
    id: ID!
    price: Int
    readable: Boolean @public
    mine: Boolean @authenticated
  }
  type Holder { plain: String  guarded: String @permission(name: "audit:read") }
`;

const things: Record<string, { id: string; ownerId: string; price: number }> = {
  t1: { id: 't1', ownerId: 'usr_owner', price: 5 },
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

const answers = () => 'answered';
const resolvers = {
  Query: {
    ...Object.fromEntries(
      [
        'open',
        'members',
        'suspendable',
        'machines',
        'anyMachine',
        'moderation',
        'editing',
        'editingAll',
        'careful',
        'enroll',
        'stock',
      ].map((field) => [field, answers]),
    ),
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
};

function build(text: string, withPolicies = policies): GraphQLSchema {
  const typeDefs = parse(assembleSdl([{ file: 'test', text }]));
  return guardSchema(buildSubgraphSchema([{ typeDefs, resolvers }]), withPolicies);
}

const schema = build(sdl);

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

/** In an installation whose finance people must have shown a second factor. */
function viewer(facts: Partial<TokenFacts> = {}, state: Partial<Principal> = {}): Identity {
  const known = new Viewer({ ...token, ...facts }, { ...principal, ...state }, ['finance']);
  return { kind: 'accepted', viewer: known };
}

const stranger: Identity = { kind: 'anonymous' };
const rejected: Identity = { kind: 'rejected', error: new AppError('token_expired', 'expired') };
const member = { dealerId: 'dlr_1', name: 'D', dealerState: 'active', locationIds: [] };
const client = (scopes: string[]) =>
  viewer({ subject: 'cli_1', subjectType: 'client', scopes: new Set(scopes) });

const platform = {
  now: () => nowMs,
  identify: async () => asked,
  rateLimits: noRateLimits,
  auditBuffer: { add: (event: AuditEventRecord) => void audited.push(event) },
} as unknown as Platform;
let asked: Identity;
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

const byId = (fields: string, id = 't1') =>
  `{ _entities(representations: [{__typename: "Thing", id: "${id}"}]) { ... on Thing { ${fields} } } }`;

test.each<[string, string, Identity, string]>([
  ['a stranger may call a public field', '{ open }', stranger, '"answered"'],
  ['a rejected token is refused even on a public field', '{ open }', rejected, 'token_expired'],
  [
    'a token of another installation is refused even on a public field',
    '{ open }',
    viewer({ installationId: 'ins_other' }),
    'installation_mismatch',
  ],
  ['a stranger is refused where identity is demanded', '{ members }', stranger, 'token_missing'],
  ['a viewer may call what demands identity', '{ members }', viewer(), '"answered"'],
  ['a suspended account is refused', '{ members }', viewer({}, { state: 'suspended' }), 'account_suspended'],
  [
    'a suspended account may call what names its state',
    '{ suspendable }',
    viewer({}, { state: 'suspended' }),
    '"answered"',
  ],
  [
    'an account about to be deleted is refused by its own code',
    '{ members }',
    viewer({}, { state: 'deletion_scheduled' }),
    'account_deletion_scheduled',
  ],
  [
    'an API client is refused on a personal field',
    '{ members }',
    client(['listings:read']),
    'user_token_required',
  ],
  [
    'an API client needs the scope of the field',
    '{ machines }',
    client(['dealer:read']),
    'insufficient_scope',
  ],
  ['an API client with the scope may call', '{ machines }', client(['listings:read']), '"answered"'],
  ['any API client may call a field that is open to all of them', '{ anyMachine }', client([]), '"answered"'],
  ['a person is not asked for a scope', '{ machines }', viewer(), '"answered"'],
  ['a permission is demanded', '{ moderation }', viewer(), 'permission_required'],
  [
    'a role that holds the permission suffices',
    '{ moderation }',
    viewer({}, { roles: ['moderator'] }),
    '"answered"',
  ],
  [
    'a private seller holds seo:edit for own objects',
    '{ editing }',
    viewer({}, { roles: ['seller'] }),
    '"answered"',
  ],
  [
    'holding it for own objects is not holding it for all',
    '{ editingAll }',
    viewer({}, { roles: ['seller'] }),
    'permission_required',
  ],
  [
    'an API client holds no permission through a role',
    '{ moderation }',
    client(['listings:write']),
    'user_token_required',
  ],
  [
    'an old sign-in is refused where a recent one is demanded',
    '{ careful }',
    viewer({ authTime: nowMs / 1000 - 601 }),
    'reauthentication_required',
  ],
  [
    'a role that demands a second factor is refused without one',
    '{ members }',
    viewer({}, { roles: ['buyer', 'finance'] }),
    'mfa_required',
  ],
  [
    'a lack of permission is told before the lack of a second factor',
    '{ moderation }',
    viewer({}, { roles: ['finance'] }),
    'permission_required',
  ],
  [
    'a permission that the role would hold is not told to be missing',
    '{ moderation }',
    viewer({}, { roles: ['moderator', 'finance'] }),
    'mfa_required',
  ],
  [
    'the lack of a second factor is told before the age of the sign-in',
    '{ careful }',
    viewer({ authTime: nowMs / 1000 - 601 }, { roles: ['finance'] }),
    'mfa_required',
  ],
  [
    'a role that demands a second factor is content with one',
    '{ moderation }',
    viewer({ amr: ['pwd', 'otp'] }, { roles: ['moderator', 'finance'] }),
    '"answered"',
  ],
  [
    'what a second factor is enrolled with does not demand one',
    '{ enroll }',
    viewer({}, { roles: ['finance'] }),
    '"answered"',
  ],
  [
    'what is public is public without a second factor, too',
    '{ open }',
    viewer({}, { roles: ['finance'] }),
    '"answered"',
  ],
  ['a recent sign-in suffices', '{ careful }', viewer(), '"answered"'],
  ['the owner may read his record', '{ thing(id: "t1") { price } }', viewer(), '{"price":5}'],
  [
    "another owner's record is refused",
    '{ thing(id: "t1") { price } }',
    viewer({ subject: 'usr_other' }),
    'ownership_required',
  ],
  ['a missing record is not found', '{ thing(id: "t9") { price } }', viewer(), 'not_found'],
  [
    'the alternative permission stands for ownership',
    '{ thing(id: "t1") { price } }',
    viewer({ subject: 'usr_m' }, { roles: ['moderator'] }),
    '{"price":5}',
  ],
  ['a record by representation is refused to a stranger', byId('price'), stranger, 'token_missing'],
  [
    "another owner's record by representation is refused",
    byId('price'),
    viewer({ subject: 'usr_other' }),
    'ownership_required',
  ],
  [
    "another owner's record is refused when only its id is asked for",
    byId('id'),
    viewer({ subject: 'usr_other' }),
    'ownership_required',
  ],
  ['the owner may read his record by representation', byId('price'), viewer(), '[{"price":5}]'],
  ['a field with its own guard is judged by that one', byId('readable'), stranger, '[{"readable":true}]'],
  ['a field with its own guard is refused to a stranger', byId('mine'), stranger, 'token_missing'],
  ['that a record is missing is not told to a stranger', byId('mine', 't9'), stranger, 'token_missing'],
  ['a bare type name tells a stranger nothing', byId('__typename', 't9'), stranger, 'token_missing'],
  ['a rejected token is refused a reference that strangers get', byId('readable'), rejected, 'token_expired'],
  ['a guarded field beside a public one keeps its guard', byId('readable price'), stranger, 'token_missing'],
  ['a nested field holds its own guard', '{ secret { guarded } }', viewer(), 'permission_required'],
  ['its unguarded neighbour is answered', '{ secret { plain } }', stranger, '{"plain":"plain"}'],
  [
    'a dealer member with the role may call',
    '{ stock(dealerId: "dlr_1") }',
    viewer({}, { memberships: [{ ...member, role: 'OWNER' }] }),
    '"answered"',
  ],
  [
    'a lower role is refused by its own code',
    '{ stock(dealerId: "dlr_1") }',
    viewer({}, { memberships: [{ ...member, role: 'AGENT' }] }),
    'dealer_role_required',
  ],
  ['a stranger to the dealer is refused', '{ stock(dealerId: "dlr_1") }', viewer(), 'ownership_required'],
  ['a dealer that does not exist is not found', '{ stock(dealerId: "x") }', viewer(), 'not_found'],
])('%s', async (_, source, identity, expected) => {
  expect(await call(source, identity)).toBe(expected);
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

test.each<[string, string, Identity, object[]]>([
  ['by the guard of a root field', '{ moderation }', viewer(), [audit('moderation', 'permission_required')]],
  [
    'by a resolver',
    '{ refusing(input: {userId: "usr_01ARZ3NDEKTSV4RRFFQ69G5FAV"}) }',
    viewer(),
    [
      {
        ...audit('refusing', 'privilege_escalation'),
        target: { type: 'user', id: 'usr_01ARZ3NDEKTSV4RRFFQ69G5FAV' },
      },
    ],
  ],
  ['as a client', '{ members }', client([]), [audit('members', 'user_token_required', 'cli_1')]],
  [
    'for want of ownership',
    '{ thing(id: "t1") { price } }',
    viewer({ subject: 'usr_other' }),
    [{ ...audit('thing', 'ownership_required', 'usr_other'), target: null }],
  ],
  [
    'by representation',
    byId('price'),
    viewer({ subject: 'usr_other' }),
    [audit('Thing', 'ownership_required', 'usr_other')],
  ],
  ['by a nested field', '{ secret { guarded } }', viewer(), [audit('Holder.guarded', 'permission_required')]],
  [
    'many times in one request, once per field',
    '{ a: moderation b: moderation c: moderation d: editingAll }',
    viewer(),
    [audit('moderation', 'permission_required'), audit('editingAll', 'permission_required')],
  ],
  [
    'in the wrong installation, to his own',
    '{ open }',
    viewer({ installationId: 'ins_other' }),
    [{ ...audit('open', 'installation_mismatch'), installationId: 'ins_other' }],
  ],
  ['as a stranger, not at all', '{ members moderation }', stranger, []],
  ['with a rejected token, not at all', '{ members moderation }', rejected, []],
  ['for an old sign-in, which is a 401, not at all', '{ careful }', viewer({ authTime: 0 }), []],
  ['for a record that does not exist, not at all', '{ thing(id: "t9") { price } }', viewer(), []],
])('a refusal is remembered %s', async (_, source, identity, expected) => {
  await call(source, identity);
  expect(audited).toHaveLength(expected.length);
  expect(audited).toMatchObject(expected);
});

test.each([
  [
    'a root field without a guard',
    'type Query { naked: String  open: String @public }',
    'Query.naked states no guard',
  ],
  [
    'a mutation without a guard',
    'type Query { open: String @public } type Mutation { naked: String }',
    'Mutation.naked states no guard',
  ],
  [
    'a root field without a rate class',
    'type Query { unbounded: String @public }',
    'Query.unbounded states no budget: add @rateClass',
  ],
  [
    'a field that only narrows',
    'type Query { open: String @public  narrow: String @stepUp }',
    'Query.narrow states no guard',
  ],
  [
    'an entity type without a guard',
    'type Query { open: String @public } type Thing @key(fields: "id") { id: ID! }',
    'type Thing is reachable through _entities',
  ],
  [
    'an owner without a policy',
    'type Query { open: String @owner(type: "Nobody", id: "id") @rateClass(name: READ) }',
    'no ownership policy for Nobody',
  ],
  [
    'an entity field that leads to an owned type past its guard',
    'type Query { open: String @public } type Thing @key(fields: "id") @owner(type: "Thing") { id: ID!  sibling: Thing }',
    'Thing.sibling leads to an owned type',
  ],
])('%s stops the start', (_, text, message) => {
  const typeDefs = parse(assembleSdl([{ file: 'test', text }]));
  const bare = buildSubgraphSchema([{ typeDefs, resolvers: {} }]);
  expect(() => guardSchema(bare, policies)).toThrow(message);
});
