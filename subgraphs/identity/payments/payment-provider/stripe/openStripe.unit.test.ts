import { createRequire } from 'node:module';
import type StripeClient from 'stripe';
import { ask } from './openStripe.ts';

// The classes of the module that the product loads.
const Stripe = createRequire(import.meta.url)('stripe') as typeof StripeClient;

/** The failure of a call that Stripe answers with an error. */
const failureOf = (code: string, statusCode = 400) =>
  ask(async () => {
    throw Stripe.errors.StripeError.generate({
      type: 'invalid_request_error',
      code,
      statusCode,
      message: 'no',
    });
  }).catch((error: unknown) => error);

test.each(['charge_disputed', 'refund_disputed_payment'])(
  'Stripe refuses the refund of a disputed payment with the code %s, which has one name here',
  async (code) => {
    expect(await failureOf(code)).toMatchObject({ kind: 'refused', code: 'charge_disputed', isFinal: true });
  },
);

test.each([
  ['resource_missing', 'missing'],
  ['balance_insufficient', 'later'],
  ['amount_too_small', 'refused'],
])('the code %s of Stripe is the failure "%s"', async (code, kind) => {
  expect(await failureOf(code)).toMatchObject({ kind, code });
});
