import type { FieldProblem } from '../../../../schema/Problem.ts';
import { analysisProblems } from '../../analysis/analyze/analysisProblems.ts';
import type { SeoAiSuggestionsInput } from '../../seo.generated.ts';

const mostKinds = 3;
const tonePattern = /^[\p{L}\p{M} -]{1,40}$/u;

/**
 * Returns the errors of a request for AI suggestions that the SDL does not check.
 *
 * @throws AppError `payload_too_large`
 */
export function aiSuggestionProblems(input: SeoAiSuggestionsInput): FieldProblem[] {
  const { kinds, tone } = input;
  const problems = analysisProblems(input);
  if (kinds.length === 0 || kinds.length > mostKinds || new Set(kinds).size !== kinds.length) {
    problems.push(invalid('kinds', `Must contain 1 to ${mostKinds} kinds, each once.`));
  }
  if (tone && !tonePattern.test(tone)) {
    problems.push(invalid('tone', 'A tone must have at most 40 letters, spaces and hyphens.'));
  }
  return problems;
}

function invalid(member: string, detail: string): FieldProblem {
  return { pointer: `#/${member}`, code: 'invalid', detail };
}
