import { cpuMsOf } from '../../../../test/support/cpuMsOf.ts';
import { toNameKey } from './nameKey.ts';

test.each([
  ['Ångström  MÜLLER', 'angstrom muller'],
  ['  Dora\u00a0Dealer ', 'dora dealer'],
  ['ﬁne №1', 'fine no1'],
  ['Зоя Ёлкина', 'зоя елкина'],
  ['a\u0000b\u202ec\ud800', 'abc\ufffd'],
  ['', ''],
])('the name %j is searched as %j', (name, key) => {
  expect(toNameKey(name)).toBe(key);
});

test('the search key of a long name takes linear time', () => {
  for (const text of [' '.repeat(200_000), `a${' '.repeat(200_000)}b`, '\u0301'.repeat(200_000)])
    expect(cpuMsOf(() => toNameKey(text))).toBeLessThan(1000);
});
