import type { CheckResult, Rating } from './contract.ts';
import { ruleset2026 } from './ruleset/ruleset2026.ts';
import { type ScoreLimits, toScore } from './toScore.ts';

function result(points: number, maxPoints: number, rating: Rating = 'good'): CheckResult {
  return { applicable: rating !== 'na', rating, points, maxPoints } as CheckResult;
}

const open: ScoreLimits = { hasContent: true, noindex: false, hasKeyphrase: true };
const score = (results: CheckResult[], limits: Partial<ScoreLimits> = {}) =>
  toScore(results, { ...open, ...limits }, ruleset2026.scoring);

describe('a score', () => {
  test.each([
    [[8, 10], 80, 'good'],
    [[79, 100], 79, 'ok'],
    [[1, 2], 50, 'ok'],
    [[49.4, 100], 49, 'bad'],
    [[0, 10], 0, 'bad'],
  ])('a score of %j points is %d and %s', ([points = 0, maxPoints = 0], value, rating) => {
    expect(score([result(points, maxPoints)])).toMatchObject({ value, rating, cappedBy: null });
  });

  test('counts only applicable checks, and shows how many', () => {
    const counted = { value: 50, earned: 3, possible: 6, applicable: 1 };
    expect(score([result(3, 6), result(0, 90, 'na')])).toMatchObject(counted);
  });

  test('carries no binary fractions', () => {
    expect(score([result(0.1, 1), result(0.2, 1)]).earned).toBe(0.3);
  });

  test.each([
    [{ hasKeyphrase: false }, { value: 79, rating: 'ok', cappedBy: 'no_keyphrase' }],
    [{ noindex: true }, { value: 30, rating: 'bad', cappedBy: 'noindex' }],
    [
      { noindex: true, hasKeyphrase: false },
      { value: 30, rating: 'bad', cappedBy: 'noindex' },
    ],
  ])('with %j is capped', (limits, expected) => {
    expect(score([result(10, 10)], limits)).toMatchObject(expected);
  });

  test('below a cap is left alone', () => {
    expect(score([result(2, 10)], { noindex: true })).toMatchObject({ value: 20, cappedBy: null });
  });

  test('a score is absent without content, or without a point to earn', () => {
    const absent = { value: null, rating: 'na' };
    const empty = score([result(9, 9)], { hasContent: false });
    expect(empty).toMatchObject({ ...absent, cappedBy: 'no_content' });
    expect(score([result(0, 0)])).toMatchObject({ ...absent, cappedBy: null });
    expect(score([])).toMatchObject({ ...absent, applicable: 0 });
  });
});
