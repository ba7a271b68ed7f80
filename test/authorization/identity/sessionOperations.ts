import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import { namesOf } from '../Item.ts';
import type { Call, Cell, Operation } from '../Operation.ts';
import { knownPassword } from '../openWorld.ts';
import type { Rule } from '../rules.ts';

/** also to those who are suspended or leave. */
const openToAll: Rule = { kind: 'signed in', alsoIn: ['suspended', 'deletion_scheduled'] };

/** Sign-in, sessions and keys. */
export const sessionOperations: readonly Operation[] = [
  {
    field: 'Query.signingKeys',
    source: 'public, whatever Authorization says',
    rule: { kind: 'public', ignoresToken: true },
    routes: { 'GET /api/v1/auth/jwks': 200, 'GET /.well-known/jwks.json': 200 },
    selection: 'keys { kid }',
    cases: [{ call: () => ({ variables: {} }) }],
  },
  {
    field: 'Query.authProviders',
    source: 'public, whatever Authorization says',
    rule: { kind: 'public', ignoresToken: true },
    routes: { 'GET /api/v1/auth/providers': 200 },
    selection: 'methods { grantType }',
    cases: [{ call: () => ({ variables: {} }) }],
  },
  {
    field: 'Mutation.issueToken',
    source: 'public, whatever Authorization says',
    rule: { kind: 'public', ignoresToken: true },
    routes: { 'POST /api/v1/auth/token': 200 },
    selection: 'tokens { sessionId }',
    cases: [
      {
        call: ({ world }) => ({
          variables: {
            input: { grantType: 'password', username: world.buyerEmail, password: knownPassword },
          },
          body: { grant_type: 'password', username: world.buyerEmail, password: knownPassword },
        }),
      },
    ],
  },
  {
    field: 'Mutation.revokeToken',
    source: 'public, whatever Authorization says',
    rule: { kind: 'public', ignoresToken: true },
    routes: { 'POST /api/v1/auth/revoke': 200 },
    selection: 'revoked',
    cases: [
      {
        call: () => {
          const body = { token: newId('session') };
          return { variables: { input: body }, body };
        },
      },
    ],
  },
  {
    field: 'Query.mySessions',
    source: 'self; suspended, leaving and without a second factor too',
    rule: openToAll,
    withoutMfa: true,
    routes: { 'GET /api/v1/me/sessions': 200 },
    selection: 'nodes { id current }',
    cases: [{ call: () => ({ variables: {} }) }],
    check: (data, { world }) => {
      const sessions: { id: string; current: boolean }[] = data.nodes ?? data.data;
      expect(sessions.filter(({ current }) => current)).toHaveLength(1);
      expect(sessions.map(({ id }) => id)).not.toContain(world.items.session.id);
    },
  },
  {
    field: 'Mutation.revokeMyOtherSessions',
    source: 'self',
    rule: openToAll,
    withoutMfa: true,
    routes: { 'DELETE /api/v1/me/sessions': 200 },
    selection: 'revokedSessionIds',
    cases: [
      {
        // Tried with everything, it ends the session that asks: not that of somebody who is needed.
        call: async ({ world, who, isAnswered }) => ({
          variables: { input: {} },
          ...(isAnswered ? { token: (await world.twin(who)).token } : {}),
        }),
      },
    ],
    check: (data) => expect(data.revokedSessionIds).toEqual([]),
  },
  {
    field: 'Mutation.revokeMySession',
    source: 'owner',
    rule: openToAll,
    withoutMfa: true,
    routes: { 'DELETE /api/v1/me/sessions/{sessionId}': 204 },
    selection: 'revoked',
    cases: [
      {
        name: 'own',
        call: async ({ world, who, isAnswered }) =>
          namingSession(isAnswered ? await world.signInAgain(who) : newId('session')),
      },
      ...namesOf('session').map((item) => ({
        item,
        call: ({ item }: Cell) => namingSession(item?.id ?? ''),
        meaning: ({ item }: Cell) =>
          item?.where === 'here'
            ? { status: 403, code: 'ownership_required' }
            : { status: 404, code: 'not_found' },
      })),
    ],
  },
];

function namingSession(sessionId: string): Call {
  return { variables: { input: { sessionId } }, path: { sessionId } };
}
