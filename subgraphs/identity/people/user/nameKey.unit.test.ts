import { cpuMsOf } from '../../../../test/support/cpuMsOf.ts';
import { toNameKey } from './nameKey.ts';

test.each([
  ['Ångström  MÜLLER', 'angstrom muller'],
  ['  Dora\u00a0Dealer ', 'dora dealer'],
  ['ﬁne №1', 'fine no1'],
  ['Зоя Ёлкина', 'зоя елкина'],
  ['a\u0000b\u202ec\ud800', 'abc\ufffd'],
  ['', ''],
])('the search key of the name %j is %j', (name, key) => {
  expect(toNameKey(name)).toBe(key);
});

test('the search key of a name of 200,000 characters is computed within 1 s', () => {
  for (const text of [' '.repeat(200_000), `a${' '.repeat(200_000)}b`, '\u0301'.repeat(200_000)])
    expect(cpuMsOf(() => toNameKey(text))).toBeLessThan(1000);
});
