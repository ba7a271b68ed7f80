import { findTimeStep, newTotpSecret } from './totp.ts';

/** The secret of RFC 6238, appendix B, which is twenty digits in ASCII. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.each([
  [59, '287082', 1],
  [1_111_111_109, '081804', 37_037_036],
  [1_111_111_111, '050471', 37_037_037],
  [1_234_567_890, '005924', 41_152_263],
  [2_000_000_000, '279037', 66_666_666],
  [20_000_000_000, '353130', 666_666_666],
])('at %i s the code of RFC 6238 is %s, of step %i', (seconds, otp, step) => {
  expect(findTimeStep(secret, otp, seconds * 1000)).toBe(step);
});

test('a code is valid in the step before its own and in the step after, and not a millisecond longer', () => {
  const step = 37_037_036;
  const at = (ms: number) => findTimeStep(secret, '081804', step * 30_000 + ms);
  expect([at(-30_000), at(0), at(30_000), at(59_999)]).toEqual([step, step, step, step]);
  expect([at(-30_001), at(60_000)]).toEqual([null, null]);
});

test.each(['', '28708', '2870820', ' 287082', '287082\n', '２８７０８２', '28708x', '+87082'])(
  'the text %j is not a valid code',
  (text) => {
    expect(findTimeStep(secret, text, 59_000)).toBeNull();
  },
);

test('a TOTP secret has 160 bits and is unique', () => {
  const secrets = new Set(Array.from({ length: 100 }, newTotpSecret));
  expect(secrets.size).toBe(100);
  for (const one of secrets) expect(one).toMatch(/^[A-Z2-7]{32}$/);
});
