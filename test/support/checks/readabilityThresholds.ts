import type { AnalysisInput, Profile } from '../../../subgraphs/seo/engine/contract.ts';
import { ruleset2026 } from '../../../subgraphs/seo/engine/ruleset/ruleset2026.ts';
import { filler, runCheck } from './runCheck.ts';
import {
  at,
  bands,
  from,
  good,
  numberAt,
  row,
  type ThresholdRow,
  twenty,
  upTo,
  words,
} from './thresholdRow.ts';

const profiles: readonly Profile[] = ['article', 'product', 'collection', 'page'];
const tooLong = [good, 'ok too_long', 'bad too_long'] as const;
const localeOf = (language: string) => (language === 'default' ? 'en' : language);
const sentence = (count: number, first: string): string => `${first}${' word'.repeat(count - 1)}. `;
const sentences = (long: number, longWords: number): string =>
  `<p>${Array.from({ length: 20 }, (_, index) => sentence(index < long ? longWords : 5, `S${index}`)).join('')}</p>`;
const japanese = (text: string, heading = '') => ({ locale: 'ja', content: `${heading}<p>${text}</p>` });
const passives = (share: number) => ({
  content: `<p>${twenty(share, 'It was sold. ', 'It drives well. ')}</p>`,
});
const connected = (share: number) => ({
  content: `<p>${filler(Math.round(40 * (1 - share)))}${' However, it works there now.'.repeat(Math.round(40 * share))}</p>`,
});
const alike = (count: number) => ({ content: `<p>${'We go there. '.repeat(count)}You go.</p>` });
const shortSentences = (count: number) =>
  `<p>${'The dog. '.repeat(Math.floor(count / 2))}${count % 2 === 0 ? '' : 'Go.'}</p>`;

/** Forty sentences, of which a number is hard to read. */
const mixed = (hard: number): AnalysisInput => ({
  content: `<p>${'Organisational responsibilities necessitate documentation. '.repeat(hard)}${'The dog ran to the red car. '.repeat(40 - hard)}</p>`,
});
const easeOf = (hard: number): number =>
  (runCheck('reading.ease', mixed(hard)).value as { score: number }).score;

/** The hardest text that is easy enough, and the easiest one that is not. */
function easeRow(band: 'good' | 'ok', expected: [string, string]): ThresholdRow {
  const path = `reading.ease/score/${band}`;
  const limit = numberAt(at(path));
  const outside = Array.from({ length: 41 }, (_, hard) => hard).find((hard) => easeOf(hard) < limit);
  if (outside === undefined || outside === 0) throw new Error('No text lies beside the limit.');
  const [within, beyond] = [easeOf(outside - 1), easeOf(outside)];
  return row(path, [mixed(outside - 1), mixed(outside)], [within + 0.1, beyond - 0.1], expected);
}

/** Both sides of every threshold of the readability checks. */
export const readabilityThresholds = [
  ...Object.keys(ruleset2026.thresholds['sentences.length'].words).map((language) =>
    upTo(
      `sentences.length/words/${language}`,
      (count) => ({ locale: localeOf(language), content: sentences(20, count) }),
      [good, 'bad too_long'],
    ),
  ),
  upTo('sentences.length/characters/ja', (count) => japanese(`${'車'.repeat(count - 1)}。`.repeat(5)), [
    good,
    'bad too_long',
  ]),
  ...Object.keys(ruleset2026.thresholds['sentences.length'].longShare).flatMap((language) =>
    bands(
      `sentences.length/longShare/${language}`,
      (share) => ({ locale: localeOf(language), content: sentences(Math.round(20 * share), 26) }),
      tooLong,
      { unit: 0.05 },
    ),
  ),
  ...bands('subheadings.distribution/words', (count) => ({ content: `<h2>x</h2>${words(count)}` }), tooLong),
  row(
    'subheadings.distribution/charactersPerWord',
    [japanese('車'.repeat(600), '<h2>車</h2>'), japanese('車'.repeat(601), '<h2>車</h2>')],
    [1.99, 2.01],
    [good, 'ok too_long'],
  ),
  ...profiles.flatMap((profile) =>
    bands(`paragraphs.length/words/${profile}`, (count) => ({ profile, content: words(count) }), tooLong),
  ),
  ...bands('paragraphs.length/characters', (count) => japanese('車'.repeat(count)), tooLong),
  row(
    'transitions.share/fewestWords',
    [{ content: `<p>${filler(40)}</p>` }, { content: `<p>${filler(39)} We go there now.</p>` }],
    [201, 199],
    ['bad too_few', 'na text_too_short'],
  ),
  from('transitions.share/share/good', connected, [good, 'ok too_few'], { unit: 0.025 }),
  from('transitions.share/share/ok', connected, ['ok too_few', 'bad too_few'], { unit: 0.025 }),
  from(
    'sentences.length/fewestSentences',
    (count) => ({ content: `<p>${sentence(5, 'We').repeat(count)}</p>` }),
    [good, 'na text_too_short'],
  ),
  from('passive.share/fewestSentences', (count) => ({ content: `<p>${'We go there. '.repeat(count)}</p>` }), [
    good,
    'na text_too_short',
  ]),
  ...bands('passive.share/share', passives, [good, 'ok too_many', 'bad too_many'], { unit: 0.05 }),
  upTo('sentences.beginnings/longestRun', alike, [good, 'bad repeated']),
  from('reading.ease/fewestWords', (count) => ({ content: shortSentences(count) }), [
    good,
    'na text_too_short',
  ]),
  easeRow('good', [good, 'ok difficult']),
  easeRow('ok', ['ok difficult', 'bad difficult']),
  upTo('text.alignment/characters', (count) => ({ content: `<p align=center>${'x'.repeat(count)}</p>` }), [
    good,
    'info centred',
  ]),
];
