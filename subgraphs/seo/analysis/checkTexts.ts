import type { FieldProblem } from '../../../schema/Problem.ts';
import { analysisLimits } from '../engine/assertLimits.ts';

const { keyphraseCharacters: longestPhrase, synonyms: mostSynonyms } = analysisLimits;

/** What is wrong with a text of limited length; characters are code points. */
export function textProblems(
  pointer: string,
  text: string | null | undefined,
  limit: number,
): FieldProblem[] {
  if (!text || text.length <= limit) return [];
  // Code points are counted only where the cheaper count leaves a doubt.
  const characters = text.length > limit * 2 ? text.length : [...text].length;
  if (characters <= limit) return [];
  return [{ pointer, code: 'too_long', detail: `This text is longer than ${limit} characters.` }];
}

/** What is wrong with the length of a list. */
export function countProblems(
  pointer: string,
  list: readonly unknown[] | null | undefined,
  limit: number,
): FieldProblem[] {
  if (!list || list.length <= limit) return [];
  return [{ pointer, code: 'too_many', detail: `At most ${limit} entries are accepted.` }];
}

/**
 * What is wrong with a keyphrase and its synonyms.
 *
 * @param parent JSON pointer of the object that holds both
 */
export function phraseProblems(
  {
    keyphrase,
    synonyms,
  }: { keyphrase?: string | null | undefined; synonyms?: readonly string[] | null | undefined },
  parent = '#',
): FieldProblem[] {
  const tooMany = countProblems(`${parent}/synonyms`, synonyms, mostSynonyms);
  const each = tooMany.length > 0 ? [] : (synonyms ?? []);
  return [
    ...textProblems(`${parent}/keyphrase`, keyphrase, longestPhrase),
    ...tooMany,
    ...each.flatMap((synonym, index) => textProblems(`${parent}/synonyms/${index}`, synonym, longestPhrase)),
  ];
}
