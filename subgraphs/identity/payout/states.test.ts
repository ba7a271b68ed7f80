import { invalidTransition, payoutStates, transitions } from './states.ts';

/** The state machine of a payout as the specification has it: from, to. */
const specified = [
  'pending -> on_hold',
  'on_hold -> pending',
  'pending -> in_transit',
  'in_transit -> paid',
  'in_transit -> failed',
  'failed -> pending',
  'pending -> canceled',
  'on_hold -> canceled',
  'failed -> canceled',
];

test('the transitions are those of the specification, no more and no fewer', () => {
  expect([...new Set(transitions.map(({ from, to }) => `${from} -> ${to}`))].sort()).toEqual(
    [...specified].sort(),
  );
});

test('nothing leads out of a payout that arrived or was called off', () => {
  const ends = payoutStates.filter((state) => !transitions.some(({ from }) => from === state));
  expect(ends).toEqual(['paid', 'canceled']);
});

test('a refusal names what is possible', () => {
  expect(invalidTransition('in_transit', 'held')).toMatchObject({
    code: 'invalid_transition',
    details: { allowedFrom: { state: 'in_transit', allowed: ['paid', 'failed'] } },
  });
});
