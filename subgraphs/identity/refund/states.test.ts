import { isAllowed, refundStates, transitions } from './states.ts';

/** The state machine of a refund as the specification has it. */
const specified = [
  'pending -> succeeded',
  'pending -> failed',
  'pending -> canceled',
  'succeeded -> failed',
  'failed -> pending',
];

test('the transitions are those of the specification, no more and no fewer', () => {
  expect(transitions.map(({ from, to }) => `${from} -> ${to}`).sort()).toEqual([...specified].sort());
});

test('every other way is closed, and nothing leads out of a refund that was called off', () => {
  for (const from of refundStates)
    for (const to of refundStates) expect(isAllowed(from, to)).toBe(specified.includes(`${from} -> ${to}`));
});
