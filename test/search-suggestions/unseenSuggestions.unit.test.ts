import { firstSuggestions } from './firstSuggestions.ts';
import type { PageKind } from './golden/GoldenCase.ts';
import { unseenCases } from './golden/unseenCases.ts';
import { type JudgedKind, judge, judgedKinds } from './judge.ts';

const cases = Object.entries(unseenCases).flatMap(([kind, list]) =>
  list.map((golden) => ({ pageKind: kind as PageKind, golden })),
);

test('the unseen set has 20 pages, five of each kind and five in each of four languages', () => {
  expect(Object.values(unseenCases).map(({ length }) => length)).toEqual([5, 5, 5, 5]);
  const byLanguage = Map.groupBy(cases, ({ golden }) => golden.page.locale.slice(0, 2));
  expect(Object.fromEntries([...byLanguage].map(([language, list]) => [language, list.length]))).toEqual({
    en: 5,
    de: 5,
    fr: 5,
    es: 5,
  });
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

/** Number of acceptable first suggestions when the pages were first run, before anything was changed for them. */
const firstFigure: Readonly<Record<JudgedKind, number>> = {
  keyphrase: 18,
  seo_title: 20,
  meta_description: 20,
  slug: 18,
  schema: 20,
};

test.each(judgedKinds)('no fewer first suggestions are acceptable than at the first run: %s', (kind) => {
  const accepted = cases.filter(({ pageKind, golden }) => {
    const value = firstSuggestions(pageKind, golden, [kind]).get(kind);
    return value !== undefined && judge(kind, value, { pageKind, golden }).length === 0;
  });
  expect(accepted.length).toBeGreaterThanOrEqual(firstFigure[kind]);
});
