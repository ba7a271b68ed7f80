import { firstSuggestions } from './firstSuggestions.ts';
import type { PageKind } from './golden/GoldenCase.ts';
import { goldenCases } from './golden/goldenCases.ts';
import { type JudgedKind, judge, judgedKinds } from './judge.ts';

const cases = Object.entries(goldenCases).flatMap(([kind, list]) =>
  list.map((golden) => ({ pageKind: kind as PageKind, golden })),
);

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

test.each([
  ['seo_title', 'skoda octavia-combi 2019, Cork', ['lacks Skoda Octavia Combi', 'the stored value "skoda"']],
  ['seo_title', 'Skoda Octavia Combi 2019, diesel and', ['ends with "and"']],
  ['seo_title', 'Skoda Octavia Combi (2019, diesel', ['has an open bracket']],
  ['seo_title', 'Skoda Octavia Combi: Skoda Octavia 2019, diesel', ['repeats skoda, octavia']],
  ['meta_description', 'Skoda Octavia Combi with a towbar.', ['is too short']],
  [
    'meta_description',
    `Skoda Octavia Combi ${'with a towbar '.repeat(6)}in…`,
    ['does not end with a sentence', 'is cut'],
  ],
  ['slug', 'used-skoda-octavia-combi', ['contains used']],
  ['slug', 'skoda-octavia', ['lacks combi']],
  ['keyphrase', 'full service', ['is no keyphrase']],
] as const)('the rubric refuses as a %s: %s', (kind, text, reasons) => {
  const [, golden] = goldenCases.listing;
  const problems = golden ? judge(kind, text, { pageKind: 'listing', golden }) : [];
  for (const reason of reasons) expect(problems.join('; ')).toContain(reason);
});

/** Pages whose first suggestion the editor would not take, by kind. */
const refused: Readonly<Record<JudgedKind, readonly string[]>> = {
  keyphrase: [
    // The page has the editor's keyphrase, which is not suggested again, and repeats no other phrase.
    'fr: a page that has a keyphrase already',
    'de: a category with a generic title, keyphrase given',
  ],
  seo_title: [],
  meta_description: [],
  // It continues with the second half of a coordination ("et de qualité équivalente").
  slug: ['fr: a long category title'],
  schema: [],
};

test.each(judgedKinds)('at least 95 %% of the first suggestions are acceptable: %s', (kind) => {
  const found = cases.filter(({ pageKind, golden }) => {
    const value = firstSuggestions(pageKind, golden, [kind]).get(kind);
    return value === undefined || judge(kind, value, { pageKind, golden }).length > 0;
  });
  expect(found.map(({ golden }) => golden.name)).toEqual(refused[kind]);
  expect(1 - found.length / cases.length).toBeGreaterThanOrEqual(0.95);
});
