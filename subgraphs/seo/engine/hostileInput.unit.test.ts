import fc from 'fast-check';
import { DomUtils, parseDocument } from 'htmlparser2';
import { analyze } from './analyze.ts';
import type { Analysis, AnalysisInput } from './contract.ts';
import { mergeRuleset } from './ruleset/mergeRuleset.ts';
import { ruleset2026 } from './ruleset/ruleset2026.ts';

/** Texts that made other analysers hang or crash; each is finished well inside the time limit of a test. */
const hostile: [string, string][] = [
  ['300 KB of quotation marks', '"'.repeat(300_000)],
  ['one token of 100 KB', 'a'.repeat(100_000)],
  ['100,000 nested blocks', `${'<div>'.repeat(100_000)}x`],
  ['60,000 nested inline elements', `${'<span>'.repeat(60_000)}x`],
  ['25,000 links with the keyphrase', '<a href="/x">car</a>'.repeat(25_000)],
  ['40,000 nested headings', '<h2><div>x'.repeat(40_000)],
  ['unclosed comments', '<!-- '.repeat(100_000)],
  ['unclosed attributes', '<a href="'.repeat(50_000)],
  ['unclosed template braces', '{{'.repeat(200_000)],
  ['a keyphrase in every sentence', 'used car. '.repeat(29_000)],
  ['a word that repeats in an exact keyphrase', 'car '.repeat(59_000)],
  ['abbreviations without end', 'dr. '.repeat(59_000)],
  ['full stops', '. '.repeat(250_000)],
  ['combining marks', `a${'\u0301'.repeat(250_000)}`],
  ['lone surrogates', '\ud800'.repeat(170_000)],
  ['a style that nearly matches', `<p style="${'; '.repeat(200_000)}text-align">x`],
  ['line breaks', 'a<br>'.repeat(59_000)],
  ['deep structured data', `<script type="application/ld+json">${'['.repeat(400_000)}</script>`],
  ['auxiliaries without a participle', 'was '.repeat(59_000)],
  ['ideographs', '车'.repeat(50_000)],
];

const hostilePage = (content: string, locale: string): AnalysisInput => ({
  content,
  locale,
  keyphrase: '"car car car car car car car car car car car car"',
  synonyms: ['used car', 'a'],
  relatedKeyphrases: [{ keyphrase: 'car' }, { keyphrase: 'x' }],
});

describe('hostile content', () => {
  test.each(hostile)('%s is analysed', (_title, content) => {
    for (const locale of ['en', 'de', 'ja']) {
      const { metrics, checks } = analyze(hostilePage(content, locale));
      expect(metrics.words).toBeGreaterThanOrEqual(0);
      expect(checks.every((check) => check.positions.length <= 100)).toBe(true);
    }
  });
});

const texts = 'used |car |cars. |was sold. |However, |the |TODO |中古車。|😀 '.split('|');
const blocks = '<p> </p> <h2> </h2> <h4> <li> <b> </b> <br> </div> <wbr> <pre> </pre> <br><br>'.split(' ');
const links = [
  '<a href="/x">',
  '<a>',
  '</a>',
  '<img>',
  '<img alt="used car">',
  '<!-- x -->',
  '<p align=center>',
];
const entities = '&amp; &nbsp; &#128512; &shy; & < > " {{x}} here &nvlt;'.split(' ');
const broken = ['</a', '<!', '</', '<3', '</>', '<![CDATA[ car ]]>', '\n'];
const markup = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...texts) },
  ...[blocks, links, entities, broken].map((parts) => fc.constantFrom(...parts)),
);
const fragment = fc.oneof(
  { weight: 5, arbitrary: markup },
  fc.constantFrom('<svg><title>x</title></svg>', '<template>', '<script>', '</script>', '<textarea>'),
  fc.string({ unit: 'binary', maxLength: 5 }),
);

/** Texts of values that a message was formed with by mistake. */
const leaked = /undefined|NaN|null|Infinity/;
/** Texts that a message can quote. */
const quotable = fc.string({ maxLength: 20 }).filter((text) => !leaked.test(text));

const randomInput: fc.Arbitrary<AnalysisInput> = fc.record(
  {
    content: fc.array(fragment, { maxLength: 60 }).map((parts) => parts.join('')),
    title: fc.string({ unit: 'binary', maxLength: 20 }),
    metaDescription: fc.string({ unit: 'grapheme', maxLength: 40 }),
    slug: fc.string({ unit: 'grapheme', maxLength: 20 }),
    permalink: fc.constantFrom('https://a.example/x', '', '/x', 'http://', 'https://a.example'),
    locale: fc.constantFrom('en', 'de-DE', 'ja', 'zz', 'xx_YY', '', 'tr', 'sr-Latn', 'zh-Hant'),
    keyphrase: fc.oneof(fc.constantFrom('used car', '"used car"', '', '中古車', 'the'), quotable),
    synonyms: fc.array(quotable, { maxLength: 3 }),
    profile: fc.constantFrom('article', 'product', 'collection', 'page'),
    canonicalUrl: fc.oneof(fc.constantFrom('https://a.example/x', '//x', ''), fc.string({ maxLength: 10 })),
    schema: fc.jsonValue({ maxDepth: 4 }),
    social: fc.jsonValue({ maxDepth: 2 }),
    isCornerstone: fc.boolean(),
    noindex: fc.boolean(),
  },
  { requiredKeys: [] },
);

function fieldText(input: AnalysisInput, field: string): string {
  const image = /^images\.(\d+)\.alt$/.exec(field);
  if (image) return input.images?.[Number(image[1])]?.alt ?? '';
  return (input[field as keyof AnalysisInput] as string | undefined) ?? '';
}

/** What is wrong with an answer, in words; empty for a sound one. */
function problemsOf(input: AnalysisInput, analysis: Analysis): string[] {
  const problems: string[] = [];
  for (const result of [...analysis.checks, ...analysis.related.flatMap((related) => related.checks)]) {
    const say = (problem: string): unknown => problems.push(`${result.id}: ${problem}`);
    if (!(result.points >= 0 && result.points <= result.maxPoints)) say(`${result.points} points`);
    if (result.applicable !== (result.rating !== 'na')) say('rated although it does not apply');
    if (!/^\S.*\.$/.test(result.message.text)) say(`says “${result.message.text}”`);
    if (leaked.test(result.message.text)) say(`says “${result.message.text}”`);
    for (const { field, start, end } of result.positions) {
      const isInside = start >= 0 && start <= end && end <= fieldText(input, field).length;
      if (!isInside) say(`marks ${field} from ${start} to ${end}`);
    }
  }
  return problems;
}

describe('any input', () => {
  test('any input gives plain JSON with points inside their bounds and positions inside their field', () => {
    fc.assert(
      fc.property(randomInput, (input) => {
        const analysis = analyze(input);
        expect(JSON.parse(JSON.stringify(analysis))).toEqual(analysis);
        expect(problemsOf(input, analysis)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  const withoutSpace = (text: string): string => text.replace(/\s+/gu, '');
  const spokenBy = (slice: string): string => withoutSpace(DomUtils.innerText(parseDocument(slice).children));
  const everySentence = mergeRuleset(ruleset2026, {
    thresholds: {
      'sentences.length': { fewestSentences: 0, words: { default: 0 } },
      'passive.share': { fewestSentences: 0 },
      'paragraphs.length': { words: { article: { good: 0, ok: 0 } } },
    },
  });

  test('marks slices of the HTML that say what the excerpt says', () => {
    fc.assert(
      fc.property(fc.array(markup, { maxLength: 60 }), (parts) => {
        const content = parts.join('');
        const checks = [
          'keyphrase.density',
          'sentences.length',
          'paragraphs.length',
          'passive.share',
          'content.placeholder',
        ];
        const results = analyze(
          { content, locale: 'en', keyphrase: 'used car', checks },
          everySentence,
        ).checks;
        for (const { start, end, excerpt } of results.flatMap((result) => result.positions)) {
          const spoken = spokenBy(content.slice(start, end));
          expect(spoken.slice(0, withoutSpace(excerpt ?? '').length)).toBe(withoutSpace(excerpt ?? ''));
          expect(spoken).not.toBe('');
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
