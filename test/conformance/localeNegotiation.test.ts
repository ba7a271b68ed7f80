import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { findBestFit } from '../../subgraphs/translation/resolution/findBestFit.ts';
import { toCanonicalTag } from '../../subgraphs/translation/resolution/toCanonicalTag.ts';

/** Data of ICU and CLDR (Unicode licence): not copied into the project, read where it stands beside it. */
const project = path.join(import.meta.dirname, '../..');
const folder = process.env.LOCALE_DATA_DIR ?? path.join(project, '..', 'shared', 'conformance');

/** Lines of a data file without comments; the tests of a file that is not there are skipped, and say so. */
function describeData(file: string, title: string, body: (lines: () => string[]) => void): void {
  const location = path.join(folder, file);
  const lines = () =>
    readFileSync(location, 'utf8')
      .split('\n')
      .map((line) => line.replace(/#.*/, '').trim())
      .filter(Boolean);
  const run = existsSync(location) ? describe : describe.skip;
  run(`${title} (${file}, below LOCALE_DATA_DIR or beside the project)`, () => {
    body(lines);
  });
}

interface MatchCase {
  wanted: string[];
  supported: string[];
  standard: string;
  expected: string;
}

const list = (text: string): string[] => text.split(',').map((item) => item.trim());

/** Cases that ask for nothing but the nearest language: no favoured script, no threshold of their own. */
function plainCases(lines: readonly string[]): MatchCase[] {
  let parameters: Record<string, string> = {};
  return lines.flatMap((line) => {
    const [, name, value = ''] = /^@(\w+)=(.*)$/.exec(line) ?? [];
    if (line.startsWith('**')) parameters = {};
    if (name !== undefined) parameters[name] = value.trim();
    const [wanted, answer] = line.split('>>');
    const expected = answer?.split('|')[0]?.trim();
    if (wanted === undefined || !expected || parameters.favor || parameters.threshold) return [];
    const supported = list(parameters.supported ?? '');
    return [
      { wanted: list(wanted), supported, standard: parameters.default || (supported[0] ?? ''), expected },
    ];
  });
}

const canonical = (tags: readonly string[]): string[] => tags.flatMap((tag) => toCanonicalTag(tag) ?? []);

describeData('localeMatcherTest.txt', 'nearest language, by the cases of ICU', (lines) => {
  test('488 of the 498 plain cases get the language that ICU gives', () => {
    const cases = plainCases(lines());
    const passed = cases.filter(({ wanted, supported, standard, expected }) => {
      const found = findBestFit(canonical(wanted), canonical(supported)) ?? toCanonicalTag(standard);
      return found === toCanonicalTag(expected);
    });
    expect([passed.length, cases.length]).toEqual([488, 498]);
  });
});

describeData('localeCanonicalization.txt', 'canonical tags, by the cases of CLDR', (lines) => {
  test('1,606 of the 1,613 identifiers get their canonical form', () => {
    const cases = lines().map((line) => line.split(';').map((part) => part.trim()));
    const passed = cases.filter(
      ([identifier = '', form = '']) => toCanonicalTag(identifier) === form.replaceAll('_', '-'),
    );
    expect([passed.length, cases.length]).toEqual([1606, 1613]);
  });
});
