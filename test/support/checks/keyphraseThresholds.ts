import type { AnalysisInput } from '../../../subgraphs/seo/engine/contract.ts';
import { filler, surroundedBy } from './runCheck.ts';
import { at, bands, from, good, numberAt, row, type ThresholdRow, twenty, upTo } from './thresholdRow.ts';

const keyphrase = 'used car';
const used = (times: number): string => ' Used car.'.repeat(times);
/** A text of a number of sentences without the keyphrase, and a number of keyphrases. */
const using = (times: number, fillers: number): AnalysisInput => ({
  keyphrase,
  content: `<p>${filler(fillers)}${used(times)}</p>`,
});

const topics = ['red', 'used', 'cheap', 'fast', 'small', 'family', 'car', 'Munich', 'dealer', 'diesel'];
const phrase = (words: number): string => topics.slice(0, words).join(' ');
const described = (share: number) => ({ keyphrase, content: twenty(share, '<img alt="used car">', '<img>') });
const headed = (share: number) => ({
  keyphrase,
  content: twenty(share, '<h2>Used cars</h2>', '<h2>Prices</h2>'),
});
const sentences = (count: number) => ({ keyphrase, metaDescription: `Hello.${used(count)}` });

const stuffed = (count: number) => ({
  keyphrase,
  metaDescription: `Buy${' used cars,'.repeat(count)} here.`,
});
const stuffedTitle = (count: number) => ({ keyphrase, title: 'used car '.repeat(count) });

function lengthRows(name: string, probe: (value: number) => AnalysisInput): ThresholdRow[] {
  const path = `keyphrase.length/${name}`;
  const goodMin = numberAt(at(`${path}/good/min`));
  const upper = [
    upTo(`${path}/good/max`, probe, [good, 'ok too_long']),
    upTo(`${path}/ok/max`, probe, ['ok too_long', 'bad too_long']),
  ];
  if (numberAt(at(`${path}/ok/min`)) !== goodMin)
    return [
      ...upper,
      from(`${path}/good/min`, probe, [good, 'ok too_short']),
      from(`${path}/ok/min`, probe, ['ok too_short', 'bad too_short']),
    ];
  // Equal lower limits of both bands cannot be distinguished, so the inner one is higher.
  const also = { [at(`${path}/good/min`)]: goodMin + 1 };
  return [
    ...upper,
    from(`${path}/good/min`, probe, [good, 'na no_keyphrase'], { unreachable: true }),
    from(`${path}/ok/min`, probe, ['ok too_short', 'na no_keyphrase'], { also, unreachable: true }),
  ];
}

/** Both sides of every threshold of the keyphrase checks. */
export const keyphraseThresholds = [
  ...lengthRows('contentWords', (count) => ({ keyphrase: phrase(count) })),
  ...lengthRows('allWords', (count) => ({ keyphrase: phrase(count), locale: 'xx' })),
  ...lengthRows('characters', (count) => ({ keyphrase: '車'.repeat(count), locale: 'ja' })),
  ...lengthRows('productWords', (count) => ({ keyphrase: phrase(count), profile: 'product' })),
  // 998 and 1,001 words need ceil(0.5 * 998 / 136.67) = 4 matches of two content words.
  row('keyphrase.density/percent/min', [using(4, 198), using(3, 199)], [0.7, 0.4], [good, 'bad too_low']),
  // 200 and 202 words allow floor(3.5 * 200 / 136.67) = 5.
  row('keyphrase.density/percent/max', [using(5, 38), using(6, 38)], [2.9, 4.2], [good, 'bad too_high']),
  row(
    'keyphrase.density/maxPercentWithoutStems',
    [
      { ...using(4, 38), locale: 'xx' },
      { ...using(5, 38), locale: 'xx' },
    ],
    [2.5, 3.5],
    [good, 'bad too_high'],
  ),
  from('keyphrase.density/fewestMatches', (times) => using(times, 20), [good, 'bad too_low']),
  // 99 words and 100 words, with one match.
  row(
    'keyphrase.density/shortTextWords',
    [
      { keyphrase, content: `<p>${filler(19)} Go now.${used(1)}</p>` },
      { keyphrase, content: `<p>${filler(19)} Go right now.${used(1)}</p>` },
    ],
    [99, 101],
    [good, 'bad too_low'],
  ),
  from('keyphrase.density/shortTextMatches/min', (times) => using(times, 3), [good, 'bad missing'], {
    unreachable: true,
  }),
  upTo('keyphrase.density/shortTextMatches/max', (times) => using(times, 3), [good, 'bad too_high']),
  from('keyphrase.distribution/fewestSentences', (count) => using(0, count), [
    'bad missing',
    'na text_too_short',
  ]),
  ...bands(
    'keyphrase.distribution/gapShare',
    (share) => using(20 - Math.round(20 * share), Math.round(20 * share)),
    [good, 'ok uneven', 'bad uneven'],
    { unit: 0.05 },
  ),
  from('keyphrase.in_meta_description/sentences/min', sentences, [good, 'bad missing']),
  upTo('keyphrase.in_meta_description/sentences/max', sentences, [good, 'bad too_often'], {
    also: { [at('keyphrase.in_meta_description/uses')]: 9 },
  }),
  upTo('keyphrase.in_meta_description/uses', stuffed, [good, 'bad too_often']),
  upTo('keyphrase.in_seo_title/uses', stuffedTitle, [good, 'bad too_often']),
  from('keyphrase.in_subheadings/share/min', headed, [good, 'bad too_few'], { unit: 0.05 }),
  upTo('keyphrase.in_subheadings/share/max', headed, [good, 'bad too_many'], { unit: 0.05 }),
  // Two words of a phrase of three words suffice, but both words of a phrase of two words are needed.
  row(
    'keyphrase.in_slug/shortPhraseWords',
    [
      { keyphrase: 'used family car', slug: 'used-car' },
      { keyphrase, slug: 'buy-cars' },
    ],
    [3, null],
    [good, 'ok missing'],
  ),
  row(
    'keyphrase.in_image_alt/fewImages',
    [
      { keyphrase, content: '<img alt="used car"><img><img><img>' },
      { keyphrase, content: '<img alt="used car"><img><img><img><img>' },
    ],
    [4, 6],
    [good, 'ok too_few'],
  ),
  from('keyphrase.in_image_alt/share/min', described, [good, 'ok too_few'], { unit: 0.05 }),
  upTo('keyphrase.in_image_alt/share/max', described, [good, 'ok too_many'], { unit: 0.05 }),
  ...bands(
    'keyphrase.unique/uses',
    (keyphraseUses) => ({ keyphrase, surroundings: surroundedBy({ keyphraseUses }) }),
    [good, 'ok used_once', 'bad used_often'],
  ),
];
