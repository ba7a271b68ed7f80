import type { IndexQuery } from '../../columns/query.ts';
import { toStems } from '../../columns/words/toStems.ts';
import { weights } from '../../columns/words/WordIndex.ts';
import type { Clause } from '../engine/indexOf.ts';

/** Below the limit of conditions in a query of the engine. */
const mostScored = 900;

/**
 * Returns the condition on words, whose score is the relevance of a listing: that of its best matching text. Both
 * engines search the stems that the product computes, so they find and rank the same listings. Null without words.
 *
 * @param tags BCP 47 tags of the translations that the reader sees
 */
export function toWordsClause(
  { q, locale }: Pick<IndexQuery, 'q' | 'locale'>,
  tags: readonly string[],
): Clause | null {
  if (q === null) return null;
  const own = toScores(toStems(q, locale), [
    ['words.title', weights.title],
    ['words.attributes', weights.attributesText],
    ['words.description', weights.description],
  ]);
  // A text is stemmed in its own language, because a reader may see a text in the default language.
  const translated = tags.map((tag) =>
    toScores(toStems(q, tag), [
      [`translated.title_${tag}`, weights.title],
      [`translated.description_${tag}`, weights.description],
    ]),
  );
  const queries = limited([own, ...translated]).filter((scores) => scores.length > 0);
  if (queries.length === 0) return { match_none: {} };
  return { dis_max: { queries: queries.map((should) => ({ bool: { should } })) } };
}

/** Returns a condition for each stem and field, whose score is the weight of the field. */
function toScores(stems: ReadonlySet<string>, fields: readonly [field: string, weight: number][]): Clause[] {
  return [...stems].flatMap((stem) =>
    fields.map(([field, weight]) => ({
      constant_score: { boost: weight, filter: { term: { [field]: { value: stem } } } },
    })),
  );
}

/** Leaves out the last words of a very long query in many languages. */
function limited(texts: readonly Clause[][]): readonly Clause[][] {
  if (texts.flat().length <= mostScored) return texts;
  return texts.map((scores) => scores.slice(0, Math.floor(mostScored / texts.length)));
}
