import { baseRuleset } from '../../pages/ruleset/baseRuleset.ts';
import { analyze } from '../analyze.ts';
import { checkCatalogue } from '../checkCatalogue.ts';
import type { AnalysisInput } from '../contract.ts';
import type { SuggestionKind } from '../suggestions/SuggestionKind.ts';
import { suggest } from '../suggestions/suggest.ts';
import { causeOfCheck, causes } from './causes.ts';
import { kindsToSimulate, simulate } from './simulate.ts';
import { toRecommendations } from './toRecommendations.ts';

const sentence = 'The dealer shows every car in the yard behind the old station. ';
const page: AnalysisInput = {
  locale: 'en',
  content: `<h2>Cars</h2><p>${sentence.repeat(40)}</p>`,
  seoTitle: 'Cars',
  metaDescription: 'Cars for everybody.',
  keyphrase: 'used van',
};

function recommend(input: AnalysisInput, dismissed: readonly string[] = []) {
  const analysis = analyze(input);
  return {
    analysis,
    ...toRecommendations(analysis, baseRuleset, ({ id }) => dismissed.includes(id)),
  };
}

/** As `recommend`, with the results of the checks after suggestions are applied. */
function recommendSimulated(input: AnalysisInput) {
  const before = analyze(input);
  const kinds = kindsToSimulate(before);
  const simulation = simulate({ page: input, ruleset: baseRuleset, kinds, siteName: 'Shop' });
  return { analysis: before, ...toRecommendations(before, baseRuleset, () => false, simulation) };
}

const neighbours = { siteName: 'Shop', usedKeyphrases: [], usedSlugs: [], targets: [] };

/** The page with the best suggestion of a kind; null if there is none. */
function applySuggestion(input: AnalysisInput, kind: SuggestionKind): AnalysisInput | null {
  const task = { page: input, ruleset: baseRuleset, kinds: [kind], perKind: 1, exclude: [], neighbours };
  const [item] = suggest(task).items;
  return item ? { ...input, ...(item.patch as Partial<AnalysisInput>) } : null;
}

function itemOf(input: AnalysisInput, checkId: string, dismissed: readonly string[] = []) {
  const found = recommend(input, dismissed).items.filter(({ checkIds }) => checkIds.includes(checkId));
  expect(found).toHaveLength(1);
  return found[0];
}

test('every check has exactly one cause', () => {
  const ofCauses = Object.values(causes).flatMap(({ checks }) => [...checks]);
  expect(ofCauses.toSorted()).toEqual(
    checkCatalogue()
      .map(({ id }) => id)
      .sort(),
  );
  expect(causeOfCheck.size).toBe(ofCauses.length);
});

test('checks of the two scores never share an entry', () => {
  const groups = new Map(checkCatalogue().map(({ id, group }) => [id as string, group === 'readability']));
  for (const { checks } of Object.values(causes)) {
    expect(new Set(checks.map((id) => groups.get(id))).size).toBe(1);
  }
});

test('without a cap, every finding that costs points is in one entry, and a good check in none', () => {
  const { analysis, items } = recommend(page);
  const listed = items.flatMap(({ checkIds }) => checkIds);
  expect(new Set(listed).size).toBe(listed.length);
  for (const { id, applicable, rating } of analysis.checks) {
    if (applicable) expect([id, listed.includes(id)]).toEqual([id, rating !== 'good']);
  }
});

test('entries come by severity, then by gain for effort, then by id', () => {
  const weights = { low: 1, medium: 2, high: 4 };
  const { items } = recommend({ ...page, noindex: true });
  expect(items[0]).toMatchObject({ severity: 'critical', checkIds: ['robots.indexable'] });
  const ranks = items.map(({ severity, expectedGain, effort, checkIds }) => ({
    severity: ['critical', 'important', 'minor'].indexOf(severity),
    worth: -expectedGain / weights[effort],
    id: checkIds[0] ?? '',
  }));
  const sorted = ranks.toSorted(
    (a, b) => a.severity - b.severity || a.worth - b.worth || (a.id < b.id ? -1 : 1),
  );
  expect(ranks).toEqual(sorted);
});

test('findings about one field are one entry, with the words of each check', () => {
  const item = itemOf(page, 'title.width');
  expect(item).toMatchObject({
    checkIds: ['keyphrase.in_seo_title', 'title.width'],
    effort: 'low',
    score: 'seo',
    target: { field: 'seoTitle', start: 0, end: 4 },
    suggestionKinds: ['seo_title'],
  });
  expect(item?.steps).toHaveLength(2);
});

test('a missing keyphrase is one entry for all the checks that wait for it', () => {
  const { keyphrase: _, ...without } = page;
  const { analysis, items } = recommend(without);
  const [item, ...others] = items.filter(({ checkIds }) =>
    checkIds.some((id) => id.startsWith('keyphrase.')),
  );
  const waiting = analysis.checks.filter(({ notApplicableReason }) => notApplicableReason === 'no_keyphrase');
  expect(waiting.length).toBeGreaterThan(5);
  expect(item?.checkIds).toEqual(waiting.map(({ id }) => id));
  expect(item?.title).toBe('Choose a keyphrase');
  expect(others).toEqual([]);
});

test('a missing title hides the checks of titles behind itself', () => {
  const { seoTitle: _, ...without } = page;
  expect(itemOf(without, 'title.present')?.checkIds).toEqual(
    expect.arrayContaining(['title.present', 'title.width', 'keyphrase.in_seo_title']),
  );
});

test('the expected gain is what the score gains when the finding is mended', () => {
  const { analysis } = recommend(page);
  const gain = itemOf(page, 'title.width')?.expectedGain ?? 0;
  const mended = analyze({ ...page, seoTitle: 'Used van offers for families, craftsmen and travellers' });
  expect(mended.checks.find(({ id }) => id === 'title.width')?.rating).toBe('good');
  expect(mended.checks.find(({ id }) => id === 'keyphrase.in_seo_title')?.rating).toBe('good');
  const exact = ({ earned, possible }: { earned: number; possible: number }) => (100 * earned) / possible;
  expect(gain).toBeCloseTo(exact(mended.scores.seo) - exact(analysis.scores.seo), 1);
});

test('what lifts the cap of noindex gains what lies above it', () => {
  const open = recommend(page);
  const shut = recommend({ ...page, noindex: true });
  const above = (100 * open.analysis.scores.seo.earned) / open.analysis.scores.seo.possible;
  expect(shut.items[0]?.expectedGain).toBeCloseTo(Math.max(0, above - 30), 1);
});

test('nothing at all is critical: there is no score to begin with', () => {
  const { items, analysis } = recommend({ locale: 'en', content: '', seoTitle: '', metaDescription: '' });
  expect(analysis.scores.seo.value).toBeNull();
  expect(items[0]).toMatchObject({ severity: 'critical', title: 'Write more about the topic' });
});

const introduction =
  'A used van of this kind is a good choice for families. The dealer shows every van in the yard. ';
const van: AnalysisInput = {
  ...page,
  content: `<p>${introduction}${'The engine was checked in March. '.repeat(12)}</p><p>${sentence.repeat(8)}<a href="/vans">all vans in stock</a></p>`,
  slug: 'x_y',
  permalink: 'https://a.example/x_y',
  canonicalUrl: 'https://b.example/other',
  social: {},
};
const { keyphrase: _keyphrase, ...unnamed } = van;
const { seoTitle: _seoTitle, ...untitled } = van;
const pages: [string, AnalysisInput][] = [
  ['a page with a bad title', van],
  ['a page without a keyphrase', unnamed],
  ['a page without a title', untitled],
  ['a page without a description', { ...van, metaDescription: '' }],
];
const applied: SuggestionKind[] = [
  'keyphrase',
  'seo_title',
  'meta_description',
  'slug',
  'social',
  'canonical',
];

test.each(pages)('%s: the expected gain of an entry is the difference after its suggestion', (_, input) => {
  const { items, analysis } = recommendSimulated(input);
  const gains = items.flatMap(({ suggestionKinds: [kind], expectedGain, score }) => {
    const changed = kind && applied.includes(kind) && score === 'seo' ? applySuggestion(input, kind) : null;
    if (!changed) return [];
    const difference = (analyze(changed).scores.seo.value ?? 0) - (analysis.scores.seo.value ?? 0);
    return [{ kind, expectedGain, difference }];
  });
  expect(gains.length).toBeGreaterThan(2);
  // The scores are rounded, the gain is not. A suggestion that gains nothing does not replace the own remedy.
  for (const { kind, expectedGain, difference } of gains) {
    const isExact = difference > 0 ? Math.abs(expectedGain - difference) <= 1 : expectedGain > 0;
    expect([kind, isExact]).toEqual([kind, true]);
  }
});

test('without a suggestion, the expected gain is the difference after the finding is corrected', () => {
  const noindex = { ...van, noindex: true };
  const open = analyze(van).scores.seo.value ?? 0;
  expect(
    Math.abs((itemOf(noindex, 'robots.indexable')?.expectedGain ?? 0) - (open - 30)),
  ).toBeLessThanOrEqual(1);
  const linked = { ...van, content: `${van.content}<a href="https://other.example/">the source</a>` };
  const gain = (analyze(linked).scores.seo.value ?? 0) - open;
  expect(Math.abs((itemOf(van, 'links.outbound')?.expectedGain ?? 0) - gain)).toBeLessThanOrEqual(1);
});

test('every entry gains points: below a cap only the entry that lifts the cap is listed', () => {
  for (const [, input] of [...pages, ['', { ...van, noindex: true }] as const])
    for (const { expectedGain } of recommendSimulated(input).items) expect(expectedGain).toBeGreaterThan(0);
  const ofSearch = recommend({ ...van, noindex: true }).items.filter(({ score }) => score === 'seo');
  expect(ofSearch.map(({ checkIds }) => checkIds)).toEqual([['robots.indexable']]);
});

test('the projected score is the score after all entries', () => {
  expect(recommend(page).projectedScore).toBe(100);
  expect(recommendSimulated(unnamed).projectedScore).toBeLessThan(100);
  const { projectedScore, analysis, items } = recommendSimulated({ ...van, noindex: true });
  const gain = items.find(({ checkIds }) => checkIds.includes('robots.indexable'))?.expectedGain ?? 0;
  expect(projectedScore).toBe(Math.round((analysis.scores.seo.value ?? 0) + gain));
});

test('what is dismissed keeps its points away from the projection, and stays an entry of its own', () => {
  const dismissed = recommend(page, ['title.width']);
  expect(dismissed.projectedScore).toBeLessThan(100);
  expect(itemOf(page, 'title.width', ['title.width'])).toMatchObject({
    checkIds: ['title.width'],
    dismissed: true,
  });
  expect(itemOf(page, 'keyphrase.in_seo_title', ['title.width'])).toMatchObject({
    checkIds: ['keyphrase.in_seo_title'],
    dismissed: false,
  });
});

test('a dismissed lack of a keyphrase dismisses what waits for it', () => {
  const { keyphrase: _, ...without } = page;
  const [lead] = itemOf(without, 'keyphrase.in_seo_title')?.checkIds ?? [];
  expect(itemOf(without, 'keyphrase.in_seo_title', [lead ?? ''])).toMatchObject({ dismissed: true });
});
