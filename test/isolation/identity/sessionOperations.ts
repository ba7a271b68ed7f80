import { newId } from '../../../subgraphs/platform/ids/newId.ts';
import type { Operation } from '../Operation.ts';
import { knownPassword } from '../openWorld.ts';

/** Sign-in, sessions and keys: identity.md 3, P2, P3, P9 and user. */
export const sessionOperations: readonly Operation[] = [
  {
    field: 'Query.signingKeys',
    source: 'P9, P21: public, whatever Authorization says',
    rule: { kind: 'public', ignoresToken: true },
    routes: { 'GET /api/v1/auth/jwks': 200, 'GET /.well-known/jwks.json': 200 },
    selection: 'keys { kid }',
    cases: [{ call: () => ({ variables: {} }) }],
  },
  {
    field: 'Mutation.issueToken',
    source: 'P2: public, whatever Authorization says',
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
    source: 'P3: public, whatever Authorization says',
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
];
