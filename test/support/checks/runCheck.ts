import { analyze } from '../../../subgraphs/seo/engine/analyze.ts';
import type { AnalysisInput, CheckResult, Surroundings } from '../../../subgraphs/seo/engine/contract.ts';
import type { CheckId } from '../../../subgraphs/seo/engine/ruleset/Ruleset.ts';

/** One row of a test table: the name of the case, the input, and `rating case` or `na reason`. */
type CheckCase = [title: string, input: AnalysisInput, expected: string];

/** Runs one check through the whole engine, in English unless the input states another language. */
export function runCheck(id: CheckId, input: AnalysisInput): CheckResult {
  const [result] = analyze({ locale: 'en', ...input, checks: [id] }).checks;
  if (!result) throw new Error(`${id} is not in the registry`);
  return result;
}

/** `good good`, `bad too_low`, `na no_keyphrase`: the rating with the case of the message or the reason. */
export function verdictOf(result: CheckResult): string {
  const last = result.message.code.slice(result.id.length + 1);
  return `${result.rating} ${result.notApplicableReason ?? last}`;
}

/** Declares a test for each row of each check. */
export function testChecks(tables: Partial<Record<CheckId, CheckCase[]>>): void {
  const rows = Object.entries(tables).flatMap(([id, cases]) => cases.map((one) => [id, ...one] as const));
  test.each(rows)('%s: %s', (id, _title, input, expected) => {
    expect(verdictOf(runCheck(id as CheckId, input))).toBe(expected);
  });
}

/** `count` sentences of five words that name no topic. */
export function filler(count: number): string {
  return Array.from({ length: count }, (_, index) => `Thing ${index} stays over there.`).join(' ');
}

/** Facts about other pages. By default, they cause no findings. */
export function surroundedBy(known: Partial<Surroundings> = {}): Surroundings {
  return {
    keyphraseUses: 0,
    titleUses: 0,
    descriptionUses: 0,
    nearestCopy: null,
    publishedLinks: [],
    goneLinks: [],
    ...known,
  };
}
