import type { FieldProblem } from '../../../../schema/Problem.ts';
import { invalidFields } from '../../../platform/errors/AppError.ts';
import { assertAnalysisInput } from '../../analysis/assertAnalysisInput.ts';
import { textProblems } from '../../analysis/checkTexts.ts';
import type { SeoAiSuggestionsInput } from '../../seo.generated.ts';

const mostKinds = 3;
const mostSuggestions = 5;
const tonePattern = /^[\p{L}\p{M} -]{1,40}$/u;

/**
 * Refuses what is wrong with a request by itself, before anything is loaded.
 *
 * @throws AppError `payload_too_large`, `validation_failed`
 */
export function assertAiInput(input: SeoAiSuggestionsInput): void {
  assertAnalysisInput(input);
  const { kinds, count, tone, instructions } = input;
  const problems: FieldProblem[] = [...textProblems('#/instructions', instructions, 300)];
  if (kinds.length === 0 || kinds.length > mostKinds || new Set(kinds).size !== kinds.length) {
    problems.push(invalid('kinds', `1 to ${mostKinds} kinds are asked for, each once.`));
  }
  if (count !== undefined && (count < 1 || count > mostSuggestions)) {
    problems.push(invalid('count', `1 to ${mostSuggestions} suggestions of each kind.`));
  }
  if (tone && !tonePattern.test(tone)) {
    problems.push(invalid('tone', 'A tone is a word or two: at most 40 letters, spaces and hyphens.'));
  }
  if (problems.length > 0) throw invalidFields(problems);
}

function invalid(member: string, detail: string): FieldProblem {
  return { pointer: `#/${member}`, code: 'invalid', detail };
}
