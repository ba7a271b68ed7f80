import { unique } from '../../support/seed.ts';
import { once, writing } from '../matrix/calls.ts';
import type { Case, Cell, Operation } from '../matrix/Operation.ts';

const accepted: Operation['check'] = (data) => expect(data).toEqual({ accepted: true });
const newAddress = (prefix: string) => `${unique(prefix)}@example.test`;

/** Requests for a mail to a known and to an unknown address. */
const toAddresses: readonly Case[] = [
  once(({ world }) => writing({}, { email: world.buyerEmail }), { name: 'an account' }),
  once(() => writing({}, { email: newAddress('nobody') }), { name: 'nobody' }),
];

/** Changes of email addresses and passwords by mail. */
export const accountOperations: readonly Operation[] = [
  {
    field: 'Mutation.requestPasswordReset',
    rule: { kind: 'public', ignoresToken: true },
    selection: 'accepted',
    cases: toAddresses,
    check: accepted,
  },
  {
    field: 'Mutation.confirmPasswordReset',
    rule: { kind: 'public', ignoresToken: true },
    selection: 'reset',
    cases: [
      once(async (cell) => {
        const token = await tokenOf(cell, 'password-resets');
        return writing({}, { token, password: 'grey-walnut-4-harbour' });
      }),
    ],
  },
  {
    field: 'Mutation.requestEmailVerification',
    rule: { kind: 'public', ignoresToken: true },
    selection: 'accepted',
    cases: toAddresses,
    check: accepted,
  },
  {
    field: 'Mutation.confirmEmailVerification',
    rule: { kind: 'public', ignoresToken: true },
    selection: 'purpose',
    cases: [once(async (cell) => writing({}, { token: await tokenOf(cell, 'email-verifications') }))],
  },
  {
    field: 'Mutation.changeEmail',
    rule: { kind: 'signed in' },
    stepUp: true,
    selection: 'change { email }',
    cases: [
      once(() => writing({}, { email: newAddress('new') })),
      once(({ world }) => writing({}, { email: world.buyerEmail }), {
        name: 'to an address that is taken',
        meaning: ({ who }) =>
          who === 'buyer' ? { status: 422, code: 'validation_failed' } : { status: 409, code: 'email_taken' },
      }),
    ],
  },
];

/** The token in the mail of a new account. For a caller that will be refused, an invalid token. */
async function tokenOf({ world, isAnswered }: Cell, kind: string): Promise<string> {
  if (!isAnswered) return 'a'.repeat(43);
  const { stack, send } = world.app;
  const { email } = await world.shop.user({ emailVerified: false });
  await send({ method: 'POST', path: `/api/v1/auth/${kind}`, body: { email } });
  await stack.runJob('identity.account-requests');
  const [mail] = await stack.mailsTo(email);
  return new URL(mail?.link ?? '').hash.replace('#token=', '');
}
