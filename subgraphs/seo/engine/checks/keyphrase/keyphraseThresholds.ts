import type { AnalysisInput } from '../../contract.ts';
import { filler, surroundedBy } from '../judge.ts';
import { at, from, good, numberAt, row, type ThresholdRow, twenty, upTo } from '../thresholdRow.ts';

const keyphrase = 'used car';
const used = (times: number): string => ' Used car.'.repeat(times);

const topics = ['red', 'used', 'cheap', 'fast', 'small', 'family', 'car', 'Munich', 'dealer', 'diesel'];
const phrase = (words: number): string => topics.slice(0, words).join(' ');

function bandRows(
  path: string,
  probe: (value: number) => AnalysisInput,
  codes: { low: string; none?: string } = { low: 'too_short' },
): ThresholdRow[] {
  const goodMin = numberAt(at(`${path}/good/min`));
  const isHidden = numberAt(at(`${path}/ok/min`)) === goodMin;
  const none = codes.none ?? 'na no_keyphrase';
  return [
    upTo(at(`${path}/good/max`), probe, { expected: [good, 'ok too_long'] }),
    upTo(at(`${path}/ok/max`), probe, { expected: ['ok too_long', 'bad too_long'] }),
    from(
      at(`${path}/good/min`),
      probe,
      { expected: [good, isHidden ? none : `ok ${codes.low}`] },
      { unreachable: isHidden },
    ),
    // A lower limit of both bands alike is seen only where the inner one is higher.
    isHidden
      ? from(
          at(`${path}/ok/min`),
          probe,
          { expected: [`ok ${codes.low}`, none], also: { [at(`${path}/good/min`)]: goodMin + 1 } },
          { unreachable: true },
        )
      : from(at(`${path}/ok/min`), probe, { expected: [`ok ${codes.low}`, `bad ${codes.low}`] }),
  ];
}

/** Both sides of every number of the checks of the keyphrase. */
export const keyphraseThresholds: ThresholdRow[] = [
  ...bandRows('keyphrase.length/contentWords', (count) => ({ keyphrase: phrase(count) })),
  ...bandRows('keyphrase.length/allWords', (count) => ({ keyphrase: phrase(count), locale: 'xx' })),
  ...bandRows('keyphrase.length/characters', (count) => ({ keyphrase: '車'.repeat(count), locale: 'ja' })),
  ...bandRows('keyphrase.length/productWords', (count) => ({ keyphrase: phrase(count), profile: 'product' })),
  row(
    at('keyphrase.density/percent/min'),
    // 998 words want ceil(0.5 * 998 / 136.67) = 4 matches of two content words, 1,001 words as well.
    [
      { keyphrase, content: `<p>${filler(198)}${used(4)}</p>` },
      { keyphrase, content: `<p>${filler(199)}${used(3)}</p>` },
    ],
    [0.7, 0.4],
    { expected: [good, 'bad too_low'] },
  ),
  row(
    at('keyphrase.density/percent/max'),
    // 200 and 202 words allow floor(3.5 * 200 / 136.67) = 5.
    [
      { keyphrase, content: `<p>${filler(38)}${used(5)}</p>` },
      { keyphrase, content: `<p>${filler(38)}${used(6)}</p>` },
    ],
    [2.9, 4.2],
    { expected: [good, 'bad too_high'] },
  ),
  row(
    at('keyphrase.density/maxPercentWithoutStems'),
    [
      { keyphrase, locale: 'xx', content: `<p>${filler(38)}${used(4)}</p>` },
      { keyphrase, locale: 'xx', content: `<p>${filler(38)}${used(5)}</p>` },
    ],
    [2.5, 3.5],
    { expected: [good, 'bad too_high'] },
  ),
  from(
    at('keyphrase.density/fewestMatches'),
    (times) => ({ keyphrase, content: `<p>${filler(20)}${used(times)}</p>` }),
    { expected: [good, 'bad too_low'] },
  ),
  row(
    at('keyphrase.density/shortTextWords'),
    // 99 words and 100 words, with one match.
    [
      { keyphrase, content: `<p>${filler(19)} Go now.${used(1)}</p>` },
      { keyphrase, content: `<p>${filler(19)} Go right now.${used(1)}</p>` },
    ],
    [99, 101],
    { expected: [good, 'bad too_low'] },
  ),
  from(
    at('keyphrase.density/shortTextMatches/min'),
    (times) => ({ keyphrase, content: `<p>${filler(3)}${used(times)}</p>` }),
    { expected: [good, 'bad missing'] },
    { unreachable: true },
  ),
  upTo(
    at('keyphrase.density/shortTextMatches/max'),
    (times) => ({ keyphrase, content: `<p>${filler(3)}${used(times)}</p>` }),
    { expected: [good, 'bad too_high'] },
  ),
  from(
    at('keyphrase.distribution/fewestSentences'),
    (count) => ({ keyphrase, content: `<p>${filler(count)}</p>` }),
    { expected: ['bad missing', 'na text_too_short'] },
  ),
  ...(['good', 'ok'] as const).map((band) =>
    upTo(
      at(`keyphrase.distribution/gapShare/${band}`),
      (share) => ({
        keyphrase,
        content: `<p>${filler(Math.round(20 * share))}${used(20 - Math.round(20 * share))}</p>`,
      }),
      { expected: band === 'good' ? [good, 'ok uneven'] : ['ok uneven', 'bad uneven'] },
      0.05,
    ),
  ),
  from(
    at('keyphrase.in_meta_description/sentences/min'),
    (count) => ({ keyphrase, metaDescription: `Hello.${used(count)}` }),
    { expected: [good, 'bad missing'] },
  ),
  upTo(
    at('keyphrase.in_meta_description/sentences/max'),
    (count) => ({ keyphrase, metaDescription: `Hello.${used(count)}` }),
    { expected: [good, 'bad too_often'] },
  ),
  from(
    at('keyphrase.in_subheadings/share/min'),
    (share) => ({ keyphrase, content: twenty(share, '<h2>Used cars</h2>', '<h2>Prices</h2>') }),
    { expected: [good, 'bad too_few'] },
    { unit: 0.05 },
  ),
  upTo(
    at('keyphrase.in_subheadings/share/max'),
    (share) => ({ keyphrase, content: twenty(share, '<h2>Used cars</h2>', '<h2>Prices</h2>') }),
    { expected: [good, 'bad too_many'] },
    0.05,
  ),
  row(
    at('keyphrase.in_slug/shortPhraseWords'),
    // Of a phrase of three words two are enough, of one of two words all are needed.
    [
      { keyphrase: 'used family car', slug: 'used-car' },
      { keyphrase, slug: 'buy-cars' },
    ],
    [3, null],
    { expected: [good, 'ok missing'] },
  ),
  row(
    at('keyphrase.in_image_alt/fewImages'),
    [
      { keyphrase, content: '<img alt="used car"><img><img><img>' },
      { keyphrase, content: '<img alt="used car"><img><img><img><img>' },
    ],
    [4, 6],
    { expected: [good, 'ok too_few'] },
  ),
  from(
    at('keyphrase.in_image_alt/share/min'),
    (share) => ({ keyphrase, content: twenty(share, '<img alt="used car">', '<img>') }),
    { expected: [good, 'ok too_few'] },
    { unit: 0.05 },
  ),
  upTo(
    at('keyphrase.in_image_alt/share/max'),
    (share) => ({ keyphrase, content: twenty(share, '<img alt="used car">', '<img>') }),
    { expected: [good, 'ok too_many'] },
    0.05,
  ),
  upTo(
    at('keyphrase.unique/uses/good'),
    (keyphraseUses) => ({ keyphrase, surroundings: surroundedBy({ keyphraseUses }) }),
    { expected: [good, 'ok used_once'] },
  ),
  upTo(
    at('keyphrase.unique/uses/ok'),
    (keyphraseUses) => ({ keyphrase, surroundings: surroundedBy({ keyphraseUses }) }),
    { expected: ['ok used_once', 'bad used_often'] },
  ),
];
