import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { idsIn, once, onEach, writing } from '../matrix/calls.ts';
import type { Operation } from '../matrix/Operation.ts';
import { namesOf } from '../world/Item.ts';
import { notOwn } from '../world/meanings.ts';
import { knownPassword } from '../world/openWorld.ts';

/** Rows that ignore `Authorization`. */
const forEverybody = { rule: { kind: 'public', ignoresToken: true } } as const satisfies Partial<Operation>;
/** Rows for all users, including suspended and leaving users and those without a required second factor. */
const openToAll = {
  rule: { kind: 'signed in', alsoIn: ['suspended', 'deletion_scheduled'] },
  withoutMfa: true,
} as const satisfies Partial<Operation>;

/** Sign-in, sessions and keys. */
export const sessionOperations: readonly Operation[] = [
  {
    ...forEverybody,
    field: 'Query.signingKeys',
    selection: 'keys { kid }',
  },
  {
    ...forEverybody,
    field: 'Query.authProviders',
    selection: 'methods { grantType }',
  },
  {
    ...forEverybody,
    field: 'Mutation.issueToken',
    selection: 'tokens { sessionId }',
    cases: [
      once(({ world }) => {
        const credentials = { username: world.buyerEmail, password: knownPassword };
        return {
          variables: { input: { grantType: 'password', ...credentials } },
          body: { grant_type: 'password', ...credentials },
        };
      }),
    ],
  },
  {
    ...forEverybody,
    field: 'Mutation.revokeToken',
    selection: 'revoked',
    cases: [once(() => writing({}, { token: newId('session') }))],
  },
  {
    ...openToAll,
    field: 'Query.mySessions',
    selection: 'nodes { id current }',
    check: (data, { world }) => {
      const sessions: { current: boolean }[] = data.nodes ?? data.data;
      expect(sessions.filter(({ current }) => current)).toHaveLength(1);
      expect(idsIn(data)).not.toContain(world.items.session.id);
    },
  },
  {
    ...openToAll,
    field: 'Mutation.revokeMyOtherSessions',
    selection: 'revokedSessionIds',
    cases: [
      // An allowed call ends the other sessions of an account, so it uses an account that no other cell needs.
      once(async ({ world, who, isAnswered }) => ({
        variables: { input: {} },
        ...(isAnswered ? { token: (await world.twin(who)).token } : {}),
      })),
    ],
    check: (data) => expect(data.revokedSessionIds).toEqual([]),
  },
  {
    ...openToAll,
    field: 'Mutation.revokeMySession',
    selection: 'revoked',
    cases: [
      once(
        async ({ world, who, isAnswered }) =>
          writing({ sessionId: isAnswered ? await world.signInAgain(who) : newId('session') }),
        { name: 'own' },
      ),
      ...onEach(namesOf('session'), (sessionId) => writing({ sessionId }), { meaning: notOwn }),
    ],
  },
];
