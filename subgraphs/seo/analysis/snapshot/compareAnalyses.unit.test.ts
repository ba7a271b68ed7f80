import type { CheckResult, Rating, Score } from '../../engine/contract.ts';
import { compareAnalyses } from './compareAnalyses.ts';

function analysis(value: number | null, ratings: Record<string, Rating>) {
  const checks = Object.entries(ratings).map(([id, rating]) => ({ id, rating }) as CheckResult);
  return { scores: { seo: { value } as Score, readability: { value: null } as Score }, checks };
}

test('verdicts that moved are named, in the direction they moved', () => {
  const before = analysis(50, { a: 'bad', b: 'good', c: 'ok', d: 'good' });
  const after = analysis(56, { a: 'ok', b: 'bad', c: 'ok', d: 'good' });
  expect(compareAnalyses(before, after)).toEqual({ scoreDelta: 6, improved: ['a'], regressed: ['b'] });
});

test('a check that does not apply, is new or only informs neither improves nor regresses', () => {
  const before = analysis(50, { a: 'na', b: 'good', c: 'info', gone: 'bad' });
  const after = analysis(50, { a: 'good', b: 'na', c: 'bad', added: 'good' });
  expect(compareAnalyses(before, after)).toMatchObject({ improved: [], regressed: [] });
});

test.each([
  [null, analysis(50, {})],
  [analysis(null, {}), analysis(50, {})],
  [analysis(50, {}), analysis(null, {})],
])('without two scores there is no difference', (before, after) => {
  expect(compareAnalyses(before, after).scoreDelta).toBeNull();
});
