import { applyOverrides, applyStored } from './applyOverrides.ts';
import { baseRuleset } from './baseRuleset.ts';

const good = { path: '/scoring/rating/good', value: 85 };

test('without overrides it is the base itself', () => {
  expect(applyOverrides(baseRuleset, [], 'any')).toBe(baseRuleset);
});

test('the base stays as it is', () => {
  const before = JSON.stringify(baseRuleset);
  expect(applyOverrides(baseRuleset, [good], 'mine')).toMatchObject({
    id: 'mine',
    scoring: { rating: { good: 85, ok: 50 } },
  });
  expect(JSON.stringify(baseRuleset)).toBe(before);
});

test('stored overrides that a later base does not know are left out, the others hold', () => {
  const gone = { path: '/thresholds/no.more/at.all', value: 1 };
  const reversed = { path: '/thresholds/transitions.share/share/ok', value: 0.9 };
  const { ruleset, dropped } = applyStored(baseRuleset, [gone, good, reversed], '2026.1+4');
  expect(ruleset).toMatchObject({ id: '2026.1+4', scoring: { rating: { good: 85 } } });
  expect(ruleset.thresholds).toEqual(baseRuleset.thresholds);
  expect(dropped).toEqual([gone, reversed]);
});
