import { unique } from '../../support/seed.ts';
import type { Cell, Operation } from '../Operation.ts';

/** Addresses and passwords by mail. */
export const accountOperations: readonly Operation[] = [
  {
    field: 'Mutation.requestPasswordReset',
    source: 'public, whatever Authorization says; always 202',
    rule: { kind: 'public', ignoresToken: true },
    routes: { 'POST /api/v1/auth/password-resets': 202 },
    selection: 'accepted',
    cases: ['an account', 'nobody'].map((name) => ({ name, call: (cell: Cell) => addressOf(cell, name) })),
    check: (data) => expect(data).toEqual({ accepted: true }),
  },
  {
    field: 'Mutation.confirmPasswordReset',
    source: 'public, whatever Authorization says; a single-use token',
    rule: { kind: 'public', ignoresToken: true },
    routes: { 'POST /api/v1/auth/password-resets/confirm': 204 },
    selection: 'reset',
    cases: [
      {
        call: async (cell) => {
          const token = await tokenOf(cell, 'password-resets');
          const body = { token, password: 'grey-walnut-4-harbour' };
          return { variables: { input: body }, body };
        },
      },
    ],
  },
  {
    field: 'Mutation.requestEmailVerification',
    source: 'public, whatever Authorization says; always 202',
    rule: { kind: 'public', ignoresToken: true },
    routes: { 'POST /api/v1/auth/email-verifications': 202 },
    selection: 'accepted',
    cases: ['an account', 'nobody'].map((name) => ({ name, call: (cell: Cell) => addressOf(cell, name) })),
    check: (data) => expect(data).toEqual({ accepted: true }),
  },
  {
    field: 'Mutation.confirmEmailVerification',
    source: 'public, whatever Authorization says; a single-use token',
    rule: { kind: 'public', ignoresToken: true },
    routes: { 'POST /api/v1/auth/email-verifications/confirm': 200 },
    selection: 'purpose',
    cases: [
      {
        call: async (cell) => {
          const body = { token: await tokenOf(cell, 'email-verifications') };
          return { variables: { input: body }, body };
        },
      },
    ],
  },
  {
    field: 'Mutation.changeEmail',
    source: 'self, with a recent sign-in',
    rule: { kind: 'signed in' },
    stepUp: true,
    routes: { 'PUT /api/v1/me/email': 202 },
    selection: 'change { email }',
    cases: [
      {
        call: () => {
          const body = { email: `${unique('new')}@example.test` };
          return { variables: { input: body }, body };
        },
      },
      {
        name: 'to an address that is taken',
        call: ({ world }) => {
          const body = { email: world.buyerEmail };
          return { variables: { input: body }, body };
        },
        meaning: ({ who }) =>
          who === 'buyer' ? { status: 422, code: 'validation_failed' } : { status: 409, code: 'email_taken' },
      },
    ],
  },
];

function addressOf({ world }: Cell, name: string) {
  const body = { email: name === 'nobody' ? `${unique('nobody')}@example.test` : world.buyerEmail };
  return { variables: { input: body }, body };
}

/** The token of a mail that a new account has got; something made up for whoever is refused anyway. */
async function tokenOf({ world, isAnswered }: Cell, kind: string): Promise<string> {
  if (!isAnswered) return 'a'.repeat(43);
  const { stack, send } = world.app;
  const { email } = await world.shop.user({ emailVerified: false });
  await send({ method: 'POST', path: `/api/v1/auth/${kind}`, body: { email } });
  await stack.runJob('identity.account-requests');
  const [mail] = await stack.mailsTo(email);
  return new URL(mail?.link ?? '').hash.replace('#token=', '');
}
