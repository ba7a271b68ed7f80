import { unique } from '../../support/seed.ts';
import type { Operation } from '../Operation.ts';
import { knownPassword } from '../openWorld.ts';

/** Accounts: identity.md 3, user. */
export const userOperations: readonly Operation[] = [
  {
    field: 'Query.me',
    source: 'n 1: self, any client; settled 6, 7: suspended, leaving and without a second factor too',
    rule: { kind: 'signed in', alsoIn: ['suspended', 'deletion_scheduled'] },
    scope: '*',
    withoutMfa: true,
    routes: { 'GET /api/v1/me': 200 },
    selection: 'id state installation { id }',
    cases: [{ call: () => ({ variables: {} }) }],
    check: (data, { who, world }) => expect(data.id).toBe(world.ids[who]),
  },
  {
    field: 'Mutation.updateMe',
    source: 'n 2: self; settled 7: nothing but cancelDeletion for those who leave',
    rule: { kind: 'signed in' },
    withoutMfa: true,
    routes: { 'PATCH /api/v1/me': 200 },
    selection: 'me { id }',
    cases: [
      {
        call: ({ who }) => {
          const body = { displayName: `I am ${who}` };
          return { variables: { input: body }, body };
        },
      },
    ],
  },
  {
    field: 'Mutation.register',
    source: 'P1: public, whatever Authorization says',
    rule: { kind: 'public', ignoresToken: true },
    routes: { 'POST /api/v1/auth/register': 201 },
    selection: 'registration { userId }',
    cases: [
      {
        call: () => {
          const body = {
            email: `${unique('new')}@example.test`,
            password: knownPassword,
            displayName: 'New',
          };
          return { variables: { input: body }, body };
        },
      },
    ],
  },
];
