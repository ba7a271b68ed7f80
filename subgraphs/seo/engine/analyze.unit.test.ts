import { AnalysisLimitError } from './AnalysisLimitError.ts';
import { analyze } from './analyze.ts';
import { checks } from './checks/registry.ts';
import type { AnalysisInput } from './contract.ts';
import { mergeRuleset } from './ruleset/mergeRuleset.ts';
import { ruleset2026 } from './ruleset/ruleset2026.ts';

const content = `<p>A used car of this kind is a good choice. However, it was not cheap when it was new.</p>
<h2>Why a used car?</h2><p>It drives well &amp; <a href="/cars">all our cars</a> are tested.</p><img src="a.jpg" alt="used car">`;

const page: AnalysisInput = {
  content,
  title: 'Used car in Munich, tested and with a warranty',
  metaDescription: 'Used car',
  slug: 'used-car',
  permalink: 'https://auto.example/used-car',
  locale: 'en-GB',
  keyphrase: 'used car',
  relatedKeyphrases: [{ keyphrase: 'warranty' }],
};

describe('an analysis', () => {
  test('answers every check once, in the order of the registry', () => {
    expect(analyze(page).checks.map(({ id }) => id)).toEqual(checks.map(({ id }) => id));
  });

  test('counts what it saw', () => {
    expect(analyze(page).metrics).toEqual({
      words: 31,
      characters: 142,
      sentences: 4,
      paragraphs: 2,
      headings: [{ level: 2, count: 1 }],
      internalLinks: 1,
      outboundLinks: 0,
      images: 1,
      readingTimeSeconds: 10,
      titlePixels: 416,
      metaDescriptionLength: 8,
    });
  });

  test('an analysis gives the outline with offsets in the submitted HTML', () => {
    const { outline } = analyze(page);
    expect(outline).toEqual([{ level: 2, text: 'Why a used car?', start: content.indexOf('<h2>') }]);
  });

  test('sums its points over the applicable checks', () => {
    const { checks: results, scores } = analyze(page);
    const search = results.filter((result) => result.applicable && result.group !== 'readability');
    const sum = (key: 'points' | 'maxPoints') => search.reduce((total, result) => total + result[key], 0);
    expect(scores.seo.earned).toBeCloseTo(sum('points'), 6);
    expect(scores.seo.possible).toBeCloseTo(sum('maxPoints'), 6);
    expect(scores.seo.applicable).toBe(search.length);
    expect(scores.seo.value).toBe(Math.round((100 * sum('points')) / sum('maxPoints')));
  });

  test('runs only the checks asked for and warns of unknown ones', () => {
    const { checks: results, warnings } = analyze({ ...page, checks: ['title.width', 'title.length'] });
    expect(results.map(({ id }) => id)).toEqual(['title.width']);
    expect(warnings).toEqual([expect.objectContaining({ code: 'check.unknown', pointer: '/checks/1' })]);
  });

  test('judges related keyphrases with the checks that fit them', () => {
    const [related] = analyze(page).related;
    expect(related).toMatchObject({ keyphrase: 'warranty', score: { cappedBy: null } });
    expect(related?.checks.every((result) => result.keyphrase === 'warranty')).toBe(true);
    expect(related?.checks.map(({ id }) => id)).not.toContain('keyphrase.in_slug');
  });

  test('an analysis of nothing is an answer without scores', () => {
    const { scores, language, metrics } = analyze({});
    expect(scores.seo).toMatchObject({ value: null, rating: 'na', cappedBy: 'no_content' });
    expect(scores.readability).toMatchObject({ value: null, rating: 'na', cappedBy: 'no_content' });
    const unknown = { declared: null, used: 'und', detected: null, level: 'segmentation_only' };
    expect(language).toMatchObject(unknown);
    expect(metrics.words).toBe(0);
  });

  test('treats null like an absent field', () => {
    const names = ['content', 'title', 'keyphrase', 'synonyms', 'images', 'product'];
    const blank = Object.fromEntries(names.map((name) => [name, null]));
    expect(analyze(blank).scores).toEqual(analyze({}).scores);
  });
});

describe('caps', () => {
  const long = { ...page, content: `${content}<p>${'It drives well there. '.repeat(80)}</p>` };

  test('noindex holds the search score at 30 and leaves readability alone', () => {
    const { scores } = analyze({ ...long, noindex: true });
    expect(scores.seo).toMatchObject({ value: 30, rating: 'bad', cappedBy: 'noindex' });
    expect(scores.readability).toEqual(analyze(long).scores.readability);
  });

  test('without a keyphrase its group does not count', () => {
    const { checks: results } = analyze({ ...long, keyphrase: '' });
    const group = results.filter((result) => result.group === 'keyphrase');
    expect(group.every((result) => !result.applicable && result.points === 0)).toBe(true);
    expect(group.find(({ id }) => id === 'keyphrase.density')?.notApplicableReason).toBe('no_keyphrase');
  });

  test('a text of fewer than 50 characters counts as no content', () => {
    expect(analyze({ content: `<p>${'x'.repeat(49)}</p>` }).scores.seo.cappedBy).toBe('no_content');
    expect(analyze({ content: `<p>${'x'.repeat(50)}</p>` }).scores.seo.value).not.toBeNull();
  });
});

describe('language', () => {
  const german =
    'Der Wagen ist gut und die Kosten sind nicht hoch, weil er wenig verbraucht und in der Stadt leise ist. ';

  test('an underscore in the locale is accepted', () => {
    const { language } = analyze({ locale: 'de_at' });
    expect(language).toMatchObject({ declared: 'de-AT', used: 'de', level: 'full' });
  });

  test('a locale that is no tag is ignored with a warning', () => {
    const { language, warnings } = analyze({ locale: 'not a tag' });
    expect(language.declared).toBeNull();
    expect(warnings).toEqual([expect.objectContaining({ code: 'locale.invalid', pointer: '/locale' })]);
  });

  test('undeclared, a recognised language is used', () => {
    const { language } = analyze({ content: `<p>${german.repeat(2)}</p>` });
    expect(language).toMatchObject({ used: 'de', detected: 'de' });
  });

  test('a declared language is kept, a certain mismatch is a warning', () => {
    const { language, warnings } = analyze({ content: `<p>${german.repeat(5)}</p>`, locale: 'fr' });
    expect(language).toMatchObject({ declared: 'fr', used: 'fr', detected: 'de' });
    expect(warnings.map(({ code }) => code)).toEqual(['language.mismatch']);
  });

  test('a permalink that is no address is a warning and is not used', () => {
    expect(analyze({ permalink: '/cars' }).warnings.map(({ code }) => code)).toEqual(['permalink.invalid']);
  });
});

describe('determinism', () => {
  test('the same input gives the same bytes, whatever was analysed in between', () => {
    const first = JSON.stringify(analyze(page));
    for (const locale of ['de', 'fr', 'ja', 'tr', 'ar']) analyze({ ...page, locale });
    expect(JSON.stringify(analyze(page))).toBe(first);
  });

  test('the hash does not depend on the order of members or on absent ones', () => {
    const reversed = Object.fromEntries(Object.entries(page).reverse());
    expect(analyze({ ...reversed, schema: undefined }).inputHash).toBe(analyze(page).inputHash);
    expect(analyze(page).inputHash).toMatch(/^sha256:[0-9a-f]{64}$/);
  });

  test('the hash depends on every field and on the ruleset', () => {
    const ruleset = mergeRuleset(ruleset2026, { scoring: { fewestCharacters: 51 } });
    const hashes = [
      analyze(page).inputHash,
      analyze({ ...page, title: 'x' }).inputHash,
      analyze({ ...page, schema: { a: 1 } }).inputHash,
      analyze({ ...page, checks: [] }).inputHash,
      analyze(page, ruleset).inputHash,
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  test('the input is not changed', () => {
    const frozen = structuredClone(page);
    analyze(page);
    expect(page).toEqual(frozen);
  });
});

describe('limits', () => {
  const limitOf = (input: AnalysisInput): AnalysisLimitError => {
    try {
      analyze(input);
    } catch (error) {
      if (error instanceof AnalysisLimitError) return error;
      throw error;
    }
    throw new Error('the input was accepted');
  };

  test.each([
    ['é'.repeat(524_289), 'content.characters', 524_288, 524_289],
    ['😀'.repeat(524_289), 'content.characters', 524_288, 524_289],
    ['a '.repeat(60_001), 'content.words', 60_000, 60_001],
  ])('content %# beyond a limit is refused with limit and actual size', (content, subject, limit, actual) => {
    expect(limitOf({ content })).toMatchObject({ subject, limit, actual });
  });

  test('JSON nested without end is refused, not followed', () => {
    const schema: unknown = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`);
    expect(limitOf({ schema })).toMatchObject({ subject: 'json.depth' });
  });

  test('exactly the limits are accepted', () => {
    expect(analyze({ content: 'a '.repeat(60_000) }).metrics.words).toBe(60_000);
    expect(analyze({ content: 'x'.repeat(524_288) }).metrics.words).toBe(1);
    expect(analyze({ content: '😀'.repeat(524_288) }).metrics.words).toBe(0);
  });

  test.each([
    ['ru', 'машина '],
    ['ar', 'سيارات '],
    ['el', 'μηχανή '],
  ])('50,000 words of “%s” are analysed, although they have more bytes than characters', (locale, word) => {
    const content = `<p>${word.repeat(50_000)}</p>`;
    expect(analyze({ content, locale }).metrics.words).toBe(50_000);
  });
});
