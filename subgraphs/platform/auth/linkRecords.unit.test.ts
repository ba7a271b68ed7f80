import { buildSubgraphSchema } from '@apollo/subgraph';
import { execute, parse } from 'graphql';
import { assembleSdl } from '../../../schema/compose/assembleSubgraphSdl.ts';
import type { Platform } from '../context/Platform.ts';
import { noRateLimits } from '../context/RateLimits.ts';
import { RequestContext } from '../context/RequestContext.ts';
import { newId } from '../ids/newId.ts';
import type { Installation } from '../installation/Installation.ts';
import { Viewer } from '../principal/Viewer.ts';
import { guardSchema } from './guardSchema.ts';
import { linkRecords } from './linkRecords.ts';
import type { OwnershipPolicies } from './ownership.ts';
import type { RecordReaders } from './readRecord.ts';

const sdl = `
  type Query { letters: [Letter!]! @guard__authenticated @guard__rateClass(name: READ) }
  type Letter {
    carId: ID
    car: Car @guard__record(id: "carId")
    postId: ID
    post: Post @guard__record(id: "postId")
    carIds: [ID!]!
    cars: [Car!]! @guard__record(id: "carIds")
    hiddenId: ID
    hidden: Post @guard__record(id: "hiddenId")
    sealedId: ID @guard__permission(name: "audit:read")
    sealed: Post @guard__record(id: "sealedId")
  }
  type Car @guard__owner(type: "Car", or: "listings:moderate") { id: ID! }
  type Post @guard__public { id: ID! }
`;

const [own, other, none] = [newId('listing'), newId('listing'), newId('listing')];
const post = newId('page');
const cars: Record<string, { _id: string; ownerId: string }> = {
  [own]: { _id: own, ownerId: 'usr_me' },
  [other]: { _id: other, ownerId: 'usr_other' },
};
const load = async (id: string) => cars[id] ?? null;
const policies: OwnershipPolicies = {
  Car: { load, isOwner: (viewer: Viewer, car) => (car as { ownerId: string }).ownerId === viewer.id },
};
const car = { idType: 'listing', read: load } as const;
const readers: RecordReaders = { Car: car, Post: { idType: 'page', read: async (_id) => ({ _id }) } };

const open = (text: string, given: RecordReaders = readers, letters: object[] = []) => {
  const record = { id: ({ _id }: { _id: string }) => _id };
  const resolvers = {
    Query: { letters: () => letters },
    Letter: { hiddenId: () => null },
    Car: record,
    Post: record,
  };
  const schema = buildSubgraphSchema([
    { typeDefs: parse(assembleSdl([{ file: 'test', text }])), resolvers: resolvers as never },
  ]);
  return guardSchema(linkRecords(schema, given, policies), policies);
};

const platform = {
  now: Date.now,
  rateLimits: noRateLimits,
  auditBuffer: { add: () => undefined },
  identify: () => ({
    kind: 'accepted',
    viewer: new Viewer(
      {
        subject: 'usr_me',
        subjectType: 'user',
        installationId: 'demo',
        sessionId: 'ses_1',
        scopes: new Set(['user']),
        authTime: 0,
        amr: ['pwd'],
        expiresAt: 1,
      },
      { state: 'active', emailVerified: true, roles: ['buyer'], memberships: [] },
      [],
    ),
  }),
} as unknown as Platform;

/** Runs a query of one letter. */
async function ask(selection: string, letter: object, given?: RecordReaders) {
  const schema = open(sdl, given, [{ carIds: [], ...letter }]);
  const contextValue = new RequestContext(platform, {
    installation: { id: 'demo' } as Installation,
    clientAddress: '127.0.0.1',
    userAgent: 'test',
  });
  const document = parse(`{ letters { ${selection} } }`);
  const { data, errors = [] } = await execute({ schema, document, contextValue });
  return { letter: (data?.letters as object[] | undefined)?.[0], errors };
}

test('a link leads to a record that the guard of its type shows to the caller', async () => {
  const { letter, errors } = await ask('car { id } post { id }', { carId: own, postId: post });
  expect(errors).toEqual([]);
  expect(letter).toEqual({ car: { id: own }, post: { id: post } });
});

test.each([
  ['of another owner', other],
  ['that does not exist', none],
  ['of another type', post],
  ['without an id', null],
])('a link to a record %s is null without an error', async (_, carId) => {
  const { letter, errors } = await ask('car { id }', { carId });
  expect(errors).toEqual([]);
  expect(letter).toEqual({ car: null });
});

test('a list of links contains only the records that the caller may read', async () => {
  const { letter } = await ask('cars { id }', { carIds: [other, own, none] });
  expect(letter).toEqual({ cars: [{ id: own }] });
});

test('a link with an id that the caller does not see leads to no record', async () => {
  const { letter } = await ask('hidden { id }', { hiddenId: post });
  expect(letter).toEqual({ hidden: null });
});

test('a link with an id that has its own guard is refused like the id', async () => {
  const { letter, errors } = await ask('sealed { id }', { sealedId: post });
  expect(letter).toEqual({ sealed: null });
  expect(errors[0]?.extensions.problem).toMatchObject({ code: 'permission_required' });
});

test('a failure of the database is an error and not a missing record', async () => {
  const failing: RecordReaders = {
    ...readers,
    Post: { idType: 'page', read: () => Promise.reject(new Error('no primary')) },
  };
  const { letter, errors } = await ask('post { id }', { postId: post }, failing);
  expect(letter).toEqual({ post: null });
  expect(errors).toHaveLength(1);
});

test.each([
  ['a type without a guard', sdl.replace(' @guard__public {', ' {'), readers, /type Post states no guard/],
  ['a type that no resource reads', sdl, { Car: car }, /no resource reads Post by id/],
  ['a missing member', sdl.replace('    carId: ID\n', ''), readers, /there is no member carId/],
])('a subgraph with a link to %s does not start', (_, text, given, message) => {
  expect(() => open(text, given as RecordReaders)).toThrow(message);
});
