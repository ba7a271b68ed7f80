import type { AnalysisInput } from '../../contract.ts';
import { at, from, good, row, type ThresholdRow, upTo } from '../thresholdRow.ts';

/** A zero is 11.12 pixels wide. */
const zeros = (count: number): AnalysisInput => ({ title: '0'.repeat(count) });
const description = (locale: string) => (count: number) => ({ locale, metaDescription: '가'.repeat(count) });
const slugDefects = ['used-bmw', 'Used-bmw', 'Used_bmw'];

/** Both sides of every number of the checks of the search result. */
export const snippetThresholds: ThresholdRow[] = [
  row(at('title.width/pixels/good/min'), [zeros(18), zeros(17)], [201, 189], {
    expected: [good, 'ok too_short'],
  }),
  row(at('title.width/pixels/good/max'), [zeros(52), zeros(53)], [577, 590], {
    expected: [good, 'ok too_long'],
  }),
  row(at('title.width/pixels/ok/max'), [zeros(53), zeros(54)], [589, 601], {
    expected: ['ok too_long', 'bad too_long'],
  }),
  row(at('title.width/pixels/ok/min'), [{ title: 'i' }, { title: '\u200b' }], [10, 0], {
    expected: ['ok too_short', 'bad too_short'],
  }),
  ...(['characters', 'charactersEastAsian'] as const).flatMap((name) => {
    const probe = description(name === 'characters' ? 'en' : 'ko');
    return [
      from(at(`meta.length/${name}/min`), probe, { expected: [good, 'ok too_short'] }),
      upTo(at(`meta.length/${name}/max`), probe, { expected: [good, 'ok too_long'] }),
    ];
  }),
  upTo(at('slug.format/characters'), (count) => ({ slug: 'x'.repeat(count) }), {
    expected: [good, 'ok defects'],
  }),
  upTo(at('slug.format/words'), (count) => ({ slug: Array.from({ length: count }, () => 'a').join('-') }), {
    expected: [good, 'ok defects'],
  }),
  upTo(at('slug.format/defects/good'), (count) => ({ slug: slugDefects[count] ?? '' }), {
    expected: [good, 'ok defects'],
  }),
  upTo(at('slug.format/defects/ok'), (count) => ({ slug: slugDefects[count] ?? '' }), {
    expected: ['ok defects', 'bad defects'],
  }),
];
