import type { AnalysisInput, Profile } from '../../contract.ts';
import { ruleset2026 } from '../../ruleset/ruleset2026.ts';
import { filler, judge } from '../judge.ts';
import { at, from, good, numberAt, row, type ThresholdRow, twenty, upTo, words } from '../thresholdRow.ts';

const profiles: readonly Profile[] = ['article', 'product', 'collection', 'page'];
const sentence = (count: number, first: string): string => `${first}${' word'.repeat(count - 1)}. `;
const sentences = (long: number, longWords: number): string =>
  `<p>${Array.from({ length: 20 }, (_, index) => sentence(index < long ? longWords : 5, `S${index}`)).join('')}</p>`;

const passives = (share: number) => ({
  content: `<p>${twenty(share, 'It was sold. ', 'It drives well. ')}</p>`,
});
const connected = (share: number) => ({
  content: `<p>${filler(Math.round(40 * (1 - share)))}${' However, it works there now.'.repeat(Math.round(40 * share))}</p>`,
});
const alike = (count: number) => ({ content: `<p>${'We go there. '.repeat(count)}You go.</p>` });

/** Of forty sentences so many that are hard to read. */
const mixed = (hard: number): AnalysisInput => ({
  content: `<p>${'Organisational responsibilities necessitate documentation. '.repeat(hard)}${'The dog ran to the red car. '.repeat(40 - hard)}</p>`,
});
const easeOf = (hard: number): number =>
  (judge('reading.ease', mixed(hard)).value as { score: number }).score;

/** The last text that is still easy enough, and the first one that is not. */
function easeRow(band: 'good' | 'ok', expected: [string, string]): ThresholdRow {
  const path = at(`reading.ease/score/${band}`);
  const outside = Array.from({ length: 41 }, (_, hard) => hard).find((hard) => easeOf(hard) < numberAt(path));
  if (outside === undefined || outside === 0) throw new Error('No text lies beside the limit.');
  const [within, beyond] = [easeOf(outside - 1), easeOf(outside)];
  return row(path, [mixed(outside - 1), mixed(outside)], [within + 0.1, beyond - 0.1], { expected });
}

/** Both sides of every number of the checks of how a text reads. */
export const readabilityThresholds: ThresholdRow[] = [
  ...Object.keys(ruleset2026.thresholds['sentences.length'].words).map((language) =>
    upTo(
      at(`sentences.length/words/${language}`),
      (count) => ({ locale: language === 'default' ? 'en' : language, content: sentences(20, count) }),
      { expected: [good, 'bad too_long'] },
    ),
  ),
  upTo(
    at('sentences.length/characters/ja'),
    (count) => ({ locale: 'ja', content: `<p>${`${'車'.repeat(count - 1)}。`.repeat(3)}</p>` }),
    { expected: [good, 'bad too_long'] },
  ),
  ...Object.keys(ruleset2026.thresholds['sentences.length'].longShare).flatMap((language) => {
    const locale = language === 'default' ? 'en' : language;
    const probe = (share: number) => ({ locale, content: sentences(Math.round(20 * share), 26) });
    return [
      upTo(
        at(`sentences.length/longShare/${language}/good`),
        probe,
        { expected: [good, 'ok too_long'] },
        0.05,
      ),
      upTo(
        at(`sentences.length/longShare/${language}/ok`),
        probe,
        { expected: ['ok too_long', 'bad too_long'] },
        0.05,
      ),
    ];
  }),
  upTo(at('subheadings.distribution/words/good'), (count) => ({ content: `<h2>x</h2>${words(count)}` }), {
    expected: [good, 'ok too_long'],
  }),
  upTo(at('subheadings.distribution/words/ok'), (count) => ({ content: `<h2>x</h2>${words(count)}` }), {
    expected: ['ok too_long', 'bad too_long'],
  }),
  row(
    at('subheadings.distribution/charactersPerWord'),
    [
      { locale: 'ja', content: `<h2>車</h2><p>${'車'.repeat(600)}</p>` },
      { locale: 'ja', content: `<h2>車</h2><p>${'車'.repeat(601)}</p>` },
    ],
    [1.99, 2.01],
    { expected: [good, 'ok too_long'] },
  ),
  ...profiles.flatMap((profile) => {
    const probe = (count: number) => ({ profile, content: words(count) });
    return [
      upTo(at(`paragraphs.length/words/${profile}/good`), probe, { expected: [good, 'ok too_long'] }),
      upTo(at(`paragraphs.length/words/${profile}/ok`), probe, { expected: ['ok too_long', 'bad too_long'] }),
    ];
  }),
  ...(['good', 'ok'] as const).map((band) =>
    upTo(
      at(`paragraphs.length/characters/${band}`),
      (count) => ({ locale: 'ja', content: `<p>${'車'.repeat(count)}</p>` }),
      { expected: band === 'good' ? [good, 'ok too_long'] : ['ok too_long', 'bad too_long'] },
    ),
  ),
  row(
    at('transitions.share/fewestWords'),
    [{ content: `<p>${filler(40)}</p>` }, { content: `<p>${filler(39)} We go there now.</p>` }],
    [201, 199],
    { expected: ['bad too_few', 'na text_too_short'] },
  ),
  from(at('transitions.share/share/good'), connected, { expected: [good, 'ok too_few'] }, { unit: 0.025 }),
  from(
    at('transitions.share/share/ok'),
    connected,
    { expected: ['ok too_few', 'bad too_few'] },
    { unit: 0.025 },
  ),
  upTo(at('passive.share/share/good'), passives, { expected: [good, 'ok too_many'] }, 0.05),
  upTo(at('passive.share/share/ok'), passives, { expected: ['ok too_many', 'bad too_many'] }, 0.05),
  upTo(at('sentences.beginnings/longestRun'), alike, { expected: [good, 'bad repeated'] }),
  from(
    at('reading.ease/fewestWords'),
    (count) => ({
      content: `<p>${'The dog. '.repeat(Math.floor(count / 2))}${count % 2 === 0 ? '' : 'Go.'}</p>`,
    }),
    { expected: [good, 'na text_too_short'] },
  ),
  easeRow('good', [good, 'ok difficult']),
  easeRow('ok', ['ok difficult', 'bad difficult']),
  upTo(
    at('text.alignment/characters'),
    (count) => ({ content: `<p align=center>${'x'.repeat(count)}</p>` }),
    { expected: [good, 'info centred'] },
  ),
];
