import type { FieldProblem } from '../../../../schema/Problem.ts';
import { problem } from '../../../platform/errors/AppError.ts';

/** Matches control characters and marks that change the text direction. Both can disguise a text as another one. */
const deceptive = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u;

/** Returns whether a text can look like another text, or cannot be encoded as UTF-8. */
export function isDeceptive(text: string): boolean {
  return deceptive.test(text) || !text.isWellFormed();
}

/** Yields the errors in a single-line text. Its length is counted in Unicode code points. */
export function* checkLine(
  text: string,
  pointer: string,
  { minimum = 1, maximum }: { minimum?: number; maximum: number },
): Generator<FieldProblem> {
  const length = [...text].length;
  if (length < minimum || length > maximum)
    yield problem(pointer, `Must have ${minimum} to ${maximum} characters.`);
  else if (isDeceptive(text))
    yield problem(pointer, 'Must not contain control or text-direction characters.');
}

/** Matches non-printing characters, except line ends and tabs. */
const unprintable = /[^\P{Cc}\n\r\t]/u;

/** Yields the errors in a multi-line text. Its length is counted in Unicode code points. */
export function* checkText(
  text: string,
  pointer: string,
  { maximum }: { maximum: number },
): Generator<FieldProblem> {
  if ([...text].length > maximum) yield problem(pointer, `Must have at most ${maximum} characters.`);
  else if (unprintable.test(text) || !text.isWellFormed())
    yield problem(pointer, 'Must not contain control characters.');
}
