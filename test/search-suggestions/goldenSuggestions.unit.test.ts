import { vehicleSchema } from '../../subgraphs/identity/listings/category/vehicleAttributes.ts';
import type { AnalysisInput, JsonValue, Profile } from '../../subgraphs/seo/engine/contract.ts';
import { suggest } from '../../subgraphs/seo/engine/suggestions/suggest.ts';
import { baseRuleset } from '../../subgraphs/seo/pages/ruleset/baseRuleset.ts';
import type { GoldenCase, PageKind } from './golden/GoldenCase.ts';
import { goldenCases } from './golden/goldenCases.ts';
import { type JudgedKind, judge, judgedKinds } from './judge.ts';

const profiles: Readonly<Record<PageKind, Profile>> = {
  listing: 'product',
  article: 'article',
  product: 'product',
  collection: 'collection',
};
const cases = Object.entries(goldenCases).flatMap(([kind, list]) =>
  list.map((golden) => ({ pageKind: kind as PageKind, golden })),
);

function firstSuggestions(pageKind: PageKind, golden: GoldenCase): Map<JudgedKind, JsonValue> {
  const page: AnalysisInput = {
    ...golden.page,
    profile: profiles[pageKind],
  };
  const neighbours = { siteName: golden.site, usedKeyphrases: [], usedSlugs: [], targets: [] };
  const task = { page, ruleset: baseRuleset, kinds: judgedKinds, perKind: 1, exclude: [], neighbours };
  return new Map(suggest(task).items.map(({ kind, value }) => [kind as JudgedKind, value]));
}

test('the golden set has 60 pages, 15 of each kind, in four languages', () => {
  expect(cases).toHaveLength(60);
  for (const list of Object.values(goldenCases)) expect(list).toHaveLength(15);
  const languages = new Set(cases.map(({ golden }) => golden.page.locale.slice(0, 2)));
  expect([...languages].sort()).toEqual(['de', 'en', 'es', 'fr']);
});

test.each(cases)('the rubric accepts the texts of the editor: $golden.name', ({ pageKind, golden }) => {
  const { editor } = golden;
  const written: [JudgedKind, string][] = [
    ['keyphrase', editor.keyphrases[0] ?? ''],
    ['seo_title', editor.title],
    ['meta_description', editor.description],
    ['slug', editor.slug],
  ];
  const refused = written.map(([kind, text]) => [kind, judge(kind, text, { pageKind, golden })]);
  expect(refused).toEqual(written.map(([kind]) => [kind, []]));
});

test('share', () => {
  const out: string[] = [];
  const tally: Record<string, number> = {};
  for (const { pageKind, golden } of cases) {
    const found = firstSuggestions(pageKind, golden);
    for (const kind of judgedKinds) {
      const value = found.get(kind);
      const problems = value === undefined ? ['none'] : judge(kind, value, { pageKind, golden });
      if (problems.length === 0) tally[`${kind}`] = (tally[`${kind}`] ?? 0) + 1;
      else out.push(`${pageKind} ${golden.name}: ${kind} ${JSON.stringify(value)} :: ${problems.join('; ')}`);
    }
  }
  process.stderr.write(`${out.join('\n')}\n${JSON.stringify(tally)}\n`);
  expect(tally).toEqual({});
});
