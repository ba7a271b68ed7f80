import { hasState, idsIn, isItem, once, onEach, onFresh, reading, writing } from '../matrix/calls.ts';
import type { Case, Cell, Operation } from '../matrix/Operation.ts';
import type { Rule } from '../matrix/rules.ts';
import { namesOf } from '../world/Item.ts';
import { onlyHere } from '../world/meanings.ts';

const holds = (permission: string): Rule => ({ kind: 'holds any', permissions: [permission] });
const persons = namesOf('person');

/** A write for each user. An allowed call uses a new user. */
function aboutPersons(
  body?: object,
  { state, inGraphql }: { state?: 'suspended'; inGraphql?: object } = {},
): Case[] {
  const create = async ({ world }: Cell) => (await world.shop.user({ ...(state && { state }) })).id;
  return onFresh(persons, create, (userId) => writing({ userId }, body, inGraphql), { meaning: onlyHere });
}

/** Administration of users. */
export const adminOperations: readonly Operation[] = [
  {
    field: 'Query.adminUsers',
    rule: holds('users:read'),
    showsPeople: true,
    selection: 'nodes { id }',
    cases: [
      once(() => ({ variables: { first: 100 }, query: { limit: '100' } })),
      once(() => ({ variables: { q: 'user-' }, query: { q: 'user-' } }), { name: 'by name' }),
    ],
    check: (data, { world }) => {
      const ids = idsIn(data);
      expect(ids.length).toBeGreaterThan(0);
      expect(ids).not.toContain(world.items.personElsewhere.id);
      expect(ids).not.toContain(world.ids.foreigner);
    },
  },
  {
    field: 'Query.adminUser',
    rule: holds('users:read'),
    showsPeople: true,
    selection: 'id email sessions { active }',
    cases: onEach(persons, (userId) => reading({ userId }), { meaning: onlyHere }),
    check: isItem,
  },
  {
    field: 'Mutation.suspendUser',
    rule: holds('users:suspend'),
    showsPeople: true,
    selection: 'user { id state }',
    cases: aboutPersons({ reason: 'He is needed elsewhere.' }),
    check: hasState('user', 'suspended'),
  },
  {
    field: 'Mutation.reinstateUser',
    rule: holds('users:suspend'),
    showsPeople: true,
    selection: 'user { id state }',
    cases: aboutPersons({}, { state: 'suspended' }),
    check: hasState('user', 'active'),
  },
  {
    field: 'Mutation.revokeUserSessions',
    rule: holds('users:sessions-revoke'),
    selection: 'revokedSessionIds',
    cases: aboutPersons(),
    check: (data) => expect(data.revokedSessionIds).toHaveLength(1),
  },
  {
    field: 'Query.roles',
    rule: holds('roles:read'),
    selection: 'roles { role }',
    check: (data) => expect(data.roles).toHaveLength(8),
  },
  {
    field: 'Mutation.setUserRoles',
    rule: holds('roles:assign'),
    stepUp: true,
    showsPeople: true,
    selection: 'user { id }',
    cases: aboutPersons({ roles: ['buyer', 'editor'] }, { inGraphql: { roles: ['BUYER', 'EDITOR'] } }),
  },
];
