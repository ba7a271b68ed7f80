import { type Limited, withinLimits } from '../analysis/analyzeSafely.ts';
import { type Suggestions, type SuggestionTask, suggest } from './suggest.ts';

/** Suggests here and now; what exceeds a limit comes back as data. */
export function suggestSafely(task: SuggestionTask): Limited<{ readonly suggestions: Suggestions }> {
  return withinLimits(() => ({ suggestions: suggest(task) }));
}
