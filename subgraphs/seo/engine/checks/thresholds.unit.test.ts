import { contentThresholds } from '../../../../test/support/checks/contentThresholds.ts';
import { keyphraseThresholds } from '../../../../test/support/checks/keyphraseThresholds.ts';
import { readabilityThresholds } from '../../../../test/support/checks/readabilityThresholds.ts';
import { snippetThresholds } from '../../../../test/support/checks/snippetThresholds.ts';
import { technicalThresholds } from '../../../../test/support/checks/technicalThresholds.ts';
import {
  numberAt,
  pathsOf,
  type ThresholdRow,
  withNumbers,
} from '../../../../test/support/checks/thresholdRow.ts';
import { analyze } from '../analyze.ts';
import type { CheckResult } from '../contract.ts';
import type { Ruleset } from '../ruleset/Ruleset.ts';
import { ruleset2026 } from '../ruleset/ruleset2026.ts';
import { toScore } from '../toScore.ts';

/** What a score of so many points of a hundred is. */
function scoreOf(points: number, limits: { noindex?: boolean; hasKeyphrase?: boolean } = {}) {
  return ({ scoring }: Ruleset): string => {
    const result = { applicable: true, points, maxPoints: 100 } as CheckResult;
    const open = { hasContent: true, noindex: false, hasKeyphrase: true };
    const { value, rating, cappedBy } = toScore([result], { ...open, ...limits }, scoring);
    return `${value} ${rating} ${cappedBy}`;
  };
}

const scoreThresholds: ThresholdRow[] = [
  ['rating/good', {}, ['80 good null', '79 ok null'], -1],
  ['rating/ok', {}, ['50 ok null', '49 bad null'], -1],
  ['caps/noindex', { noindex: true }, ['30 bad null', '30 bad noindex'], 1],
  ['caps/no_keyphrase', { hasKeyphrase: false }, ['79 ok null', '79 ok no_keyphrase'], 1],
].map(([name, limits, expected, outwards]) => {
  const path = `/scoring/${name as string}`;
  const limit = numberAt(path);
  const step = outwards as number;
  return {
    path,
    expected: expected as [string, string],
    inside: scoreOf(limit, limits as object),
    outside: scoreOf(limit + step, limits as object),
    tighter: limit - step,
    looser: null,
  };
});

const contentOf = (characters: number) => (ruleset: Ruleset) =>
  analyze({ content: `<p>${'x'.repeat(characters)}</p>`, locale: 'en' }, ruleset).scores.seo.cappedBy ??
  'none';
const limit = numberAt('/scoring/fewestCharacters');
scoreThresholds.push({
  path: '/scoring/fewestCharacters',
  expected: ['none', 'no_content'],
  inside: contentOf(limit),
  outside: contentOf(limit - 1),
  tighter: limit + 1,
  looser: limit - 1,
});

const rows = [
  ...keyphraseThresholds,
  ...snippetThresholds,
  ...contentThresholds,
  ...technicalThresholds,
  ...readabilityThresholds,
  ...scoreThresholds,
];

test('every number of the ruleset that decides a verdict has a row, and only these', () => {
  const numbers = [
    ...pathsOf(ruleset2026.thresholds, '/thresholds'),
    ...pathsOf(ruleset2026.scoring, '/scoring'),
  ];
  expect(rows.map(({ path }) => path).sort()).toEqual(numbers.sort());
});

/** The first word of a verdict; why, a moved number may say in other words. */
const ratingOf = (verdict: string): string => verdict.split(' ')[0] ?? '';

describe('from both sides', () => {
  test.each(rows.map((one) => [one.path, one] as const))('%s', (_, { expected, also, ...both }) => {
    const ruleset = withNumbers({ ...also });
    expect([both.inside(ruleset), both.outside(ruleset)]).toEqual(expected);
    expect(expected[0]).not.toBe(expected[1]);
  });
});

describe('is what decides: moved by a step it takes the one side for the other', () => {
  test.each(rows.map((one) => [one.path, one] as const))('%s', (path, { expected, also, ...both }) => {
    expect(both.inside(withNumbers({ ...also, [path]: both.tighter }))).not.toBe(expected[0]);
    if (both.looser === null) return;
    const moved = both.outside(withNumbers({ ...also, [path]: both.looser }));
    expect(ratingOf(moved)).toBe(ratingOf(expected[0]));
  });
});
