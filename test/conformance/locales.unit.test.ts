import { readFileSync } from 'node:fs';
import path from 'node:path';
import { toCanonicalTag } from '../../subgraphs/platform/language/toCanonicalTag.ts';
import { findBestFit } from '../../subgraphs/translation/languages/resolution/findBestFit.ts';

const read = (file: string): string => readFileSync(path.join(import.meta.dirname, 'data', file), 'utf8');

function linesOf(text: string): string[] {
  return text.split('\n').flatMap((line) => line.replace(/#.*/, '').trim() || []);
}

interface MatcherCase {
  readonly wanted: readonly string[];
  readonly supported: readonly string[];
  /** The result without a match. ICU uses the first supported language unless another one is given. */
  readonly standard: string | null;
  readonly expected: string;
}

/** Cases of ICU's matcher without settings: those with `favor` or `threshold` test settings that the product lacks. */
function readMatcherCases(text: string): MatcherCase[] {
  const cases: MatcherCase[] = [];
  let settings = new Map<string, string>();
  for (const line of linesOf(text)) {
    if (line.startsWith('**')) settings = new Map();
    else if (line.startsWith('@')) {
      const [name = '', value = ''] = line.slice(1).split('=');
      settings.set(name, value.trim());
    } else if (!settings.get('favor') && !settings.get('threshold')) {
      const [wanted = '', answer = ''] = line.split('>>');
      cases.push({
        wanted: toTags(wanted),
        supported: toTags(settings.get('supported') ?? ''),
        standard: settings.get('default') || null,
        expected: answer.split('|')[0]?.trim() ?? '',
      });
    }
  }
  return cases;
}

function toTags(text: string): string[] {
  return text.split(',').flatMap((tag) => tag.trim() || []);
}

function matches({ wanted, supported, standard, expected }: MatcherCase): boolean {
  const canonical = (tags: readonly string[]) => tags.flatMap((tag) => toCanonicalTag(tag) ?? []);
  const available = canonical(supported);
  const answer = findBestFit(canonical(wanted), available) ?? standard ?? available[0] ?? 'null';
  return answer === (expected === 'null' ? expected : toCanonicalTag(expected));
}

test('languages are matched as in ICU in 487 of 498 cases', () => {
  const cases = readMatcherCases(read('localeMatcherTest.txt'));
  expect(cases).toHaveLength(498);
  expect(cases.filter(matches).length).toBeGreaterThanOrEqual(487);
});

test('tags are canonicalized as in CLDR in 1,606 of 1,613 cases', () => {
  const cases = linesOf(read('localeCanonicalization.txt')).map((line) =>
    line.split(';').map((part) => part.trim()),
  );
  const passed = cases.filter(
    ([tag = '', expected = '']) => toCanonicalTag(tag) === expected.replaceAll('_', '-'),
  );
  expect(cases).toHaveLength(1613);
  expect(passed.length).toBeGreaterThanOrEqual(1606);
});
