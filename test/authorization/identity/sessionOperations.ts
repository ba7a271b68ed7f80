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
    routes: { 'GET /api/v1/auth/jwks': 200, 'GET /.well-known/jwks.json': 200 },
    selection: 'keys { kid }',
  },
  {
    ...forEverybody,
    field: 'Query.authProviders',
    routes: { 'GET /api/v1/auth/providers': 200 },
    selection: 'methods { grantType }',
  },
  {
    ...forEverybody,
    field: 'Mutation.issueToken',
    routes: { 'POST /api/v1/auth/token': 200 },
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
    routes: { 'POST /api/v1/auth/revoke': 200 },
    selection: 'revoked',
    cases: [once(() => writing({}, { token: newId('session') }))],
  },
  {
    ...openToAll,
    field: 'Query.mySessions',
    routes: { 'GET /api/v1/me/sessions': 200 },
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
    routes: { 'DELETE /api/v1/me/sessions': 200 },
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
    routes: { 'DELETE /api/v1/me/sessions/{sessionId}': 204 },
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
