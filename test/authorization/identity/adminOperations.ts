import { namesOf } from '../Item.ts';
import type { Case, Cell, Operation } from '../Operation.ts';
import type { Rule } from '../rules.ts';

const holds = (permission: string): Rule => ({ kind: 'holds any', permissions: [permission] });
const notFound = { status: 404, code: 'not_found' } as const;
const persons = namesOf('person');

/** whom another installation knows is nobody here. */
const isNobody = ({ item }: Cell) => (item?.where === 'here' ? null : notFound);

/** Every person of the matrix, each with what is asked of him. */
function aboutPersons(body: object, userIdOf: (cell: Cell) => Promise<string>): Case[] {
  return persons.map((item) => ({
    item,
    call: async (cell) => {
      const userId = cell.isAnswered ? await userIdOf(cell) : (cell.item?.id ?? '');
      return { variables: { input: { userId, ...body } }, path: { userId }, body };
    },
    meaning: isNobody,
  }));
}

const somebodyNew = async ({ world }: Cell) => (await world.shop.user()).id;
const somebodyBarred = async ({ world }: Cell) => (await world.shop.user({ state: 'suspended' })).id;

/** Administration of users. */
export const adminOperations: readonly Operation[] = [
  {
    field: 'Query.adminUsers',
    source: 'users:read; nobody of another installation',
    rule: holds('users:read'),
    showsPeople: true,
    routes: { 'GET /api/v1/admin/users': 200 },
    selection: 'nodes { id }',
    cases: [
      { call: () => ({ variables: { first: 100 }, query: { limit: '100' } }) },
      {
        name: 'by name',
        call: () => ({ variables: { q: 'user-' }, query: { q: 'user-' } }),
      },
    ],
    check: (data, { world }) => {
      const ids: string[] = (data.nodes ?? data.data).map(({ id }: { id: string }) => id);
      expect(ids.length).toBeGreaterThan(0);
      expect(ids).not.toContain(world.items.personElsewhere.id);
      expect(ids).not.toContain(world.ids.foreigner);
    },
  },
  {
    field: 'Query.adminUser',
    source: 'users:read; 404',
    rule: holds('users:read'),
    showsPeople: true,
    routes: { 'GET /api/v1/admin/users/{userId}': 200 },
    selection: 'id email sessions { active }',
    cases: persons.map((item) => ({
      item,
      call: ({ item }) => ({ variables: { userId: item?.id }, path: { userId: item?.id ?? '' } }),
      meaning: isNobody,
    })),
    check: (data, { item }) => expect(data.id).toBe(item?.id),
  },
  {
    field: 'Mutation.suspendUser',
    source: 'users:suspend; 404',
    rule: holds('users:suspend'),
    showsPeople: true,
    routes: { 'POST /api/v1/admin/users/{userId}/suspend': 200 },
    selection: 'user { id state }',
    cases: aboutPersons({ reason: 'He is needed elsewhere.' }, somebodyNew),
    check: (data) => expect((data.user ?? data).state.toLowerCase()).toBe('suspended'),
  },
  {
    field: 'Mutation.reinstateUser',
    source: 'users:suspend; 404',
    rule: holds('users:suspend'),
    showsPeople: true,
    routes: { 'POST /api/v1/admin/users/{userId}/reinstate': 200 },
    selection: 'user { id state }',
    cases: aboutPersons({}, somebodyBarred),
    check: (data) => expect((data.user ?? data).state.toLowerCase()).toBe('active'),
  },
  {
    field: 'Mutation.revokeUserSessions',
    source: 'users:sessions-revoke; 404',
    rule: holds('users:sessions-revoke'),
    routes: { 'DELETE /api/v1/admin/users/{userId}/sessions': 200 },
    selection: 'revokedSessionIds',
    cases: persons.map((item) => ({
      item,
      call: async (cell) => {
        const userId = cell.isAnswered ? await somebodyNew(cell) : (cell.item?.id ?? '');
        return { variables: { input: { userId } }, path: { userId } };
      },
      meaning: isNobody,
    })),
    check: (data) => expect(data.revokedSessionIds).toHaveLength(1),
  },
  {
    field: 'Query.roles',
    source: 'roles:read',
    rule: holds('roles:read'),
    routes: { 'GET /api/v1/admin/roles': 200 },
    selection: 'roles { role }',
    cases: [{ call: () => ({ variables: {} }) }],
    check: (data) => expect(data.roles).toHaveLength(8),
  },
  {
    field: 'Mutation.setUserRoles',
    source: 'roles:assign, Up; 404',
    rule: holds('roles:assign'),
    stepUp: true,
    showsPeople: true,
    routes: { 'PUT /api/v1/admin/users/{userId}/roles': 200 },
    selection: 'user { id }',
    cases: persons.map((item) => ({
      item,
      call: async (cell) => {
        const userId = cell.isAnswered ? await somebodyNew(cell) : (cell.item?.id ?? '');
        return {
          variables: { input: { userId, roles: ['BUYER', 'EDITOR'] } },
          path: { userId },
          body: { roles: ['buyer', 'editor'] },
        };
      },
      meaning: isNobody,
    })),
  },
];
