import type { CheckResult, Rating } from './contract.ts';
import { ruleset2026 } from './ruleset/ruleset2026.ts';
import { type ScoreLimits, toScore } from './toScore.ts';

function result(points: number, maxPoints: number, rating: Rating = 'good'): CheckResult {
  return {
    id: 'title.width',
    group: 'snippet',
    keyphrase: null,
    applicable: rating !== 'na',
    notApplicableReason: null,
    rating,
    points,
    maxPoints,
    value: null,
    message: { code: '', params: {}, text: '' },
    positions: [],
  };
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
  ])('of %j points is %d and %s', ([points = 0, maxPoints = 0], value, rating) => {
    expect(score([result(points, maxPoints)])).toMatchObject({ value, rating, cappedBy: null });
  });

  test('counts only applicable checks, and shows how many', () => {
    expect(score([result(3, 6), result(0, 90, 'na')])).toMatchObject({
      value: 50,
      earned: 3,
      possible: 6,
      applicable: 1,
    });
  });

  test('carries no binary fractions', () => {
    expect(score([result(0.1, 1), result(0.2, 1)]).earned).toBe(0.3);
  });

  test('is capped by noindex before the missing keyphrase', () => {
    const all = [result(10, 10)];
    expect(score(all, { hasKeyphrase: false })).toMatchObject({
      value: 79,
      rating: 'ok',
      cappedBy: 'no_keyphrase',
    });
    expect(score(all, { noindex: true })).toMatchObject({ value: 30, rating: 'bad', cappedBy: 'noindex' });
    expect(score(all, { noindex: true, hasKeyphrase: false })).toMatchObject({
      value: 30,
      cappedBy: 'noindex',
    });
  });

  test('below a cap is left alone', () => {
    expect(score([result(2, 10)], { noindex: true })).toMatchObject({ value: 20, cappedBy: null });
  });

  test('is absent without content, or without a point to earn', () => {
    expect(score([result(9, 9)], { hasContent: false })).toMatchObject({
      value: null,
      rating: 'na',
      cappedBy: 'no_content',
    });
    expect(score([result(0, 0)])).toMatchObject({ value: null, rating: 'na', cappedBy: null });
    expect(score([])).toMatchObject({ value: null, rating: 'na', applicable: 0 });
  });
});
