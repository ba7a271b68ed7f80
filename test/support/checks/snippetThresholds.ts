import type { AnalysisInput } from '../../../subgraphs/seo/engine/contract.ts';
import { bands, from, good, row, upTo } from './thresholdRow.ts';

/** A zero is 11.12 pixels wide. */
const zeros = (count: number): AnalysisInput => ({ title: '0'.repeat(count) });
const description = (locale: string) => (count: number) => ({ locale, metaDescription: '가'.repeat(count) });
const slugDefects = ['used-bmw', 'Used-bmw', 'Used_bmw'];
const slugOf = (words: number) => ({ slug: Array(words).fill('a').join('-') });

/** Both sides of every threshold of the search result checks. */
export const snippetThresholds = [
  row('title.width/pixels/good/min', [zeros(18), zeros(17)], [201, 189], [good, 'ok too_short']),
  row('title.width/pixels/good/max', [zeros(52), zeros(53)], [577, 590], [good, 'ok too_long']),
  row('title.width/pixels/ok/max', [zeros(53), zeros(54)], [589, 601], ['ok too_long', 'bad too_long']),
  row(
    'title.width/pixels/ok/min',
    [{ title: 'i' }, { title: '\u200b' }],
    [10, 0],
    ['ok too_short', 'bad too_short'],
  ),
  ...(['characters', 'charactersEastAsian'] as const).flatMap((name) => {
    const probe = description(name === 'characters' ? 'en' : 'ko');
    return [
      from(`meta.length/${name}/min`, probe, [good, 'ok too_short']),
      upTo(`meta.length/${name}/max`, probe, [good, 'ok too_long']),
    ];
  }),
  upTo('slug.format/characters', (count) => ({ slug: 'x'.repeat(count) }), [good, 'ok defects']),
  upTo('slug.format/words', slugOf, [good, 'ok defects']),
  ...bands('slug.format/defects', (count) => ({ slug: slugDefects[count] ?? '' }), [
    good,
    'ok defects',
    'bad defects',
  ]),
];
