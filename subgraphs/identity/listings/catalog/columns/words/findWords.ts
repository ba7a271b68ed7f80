import type { ListingColumns } from '../ListingColumns.ts';
import type { IndexQuery } from '../query.ts';
import type { Slices } from '../Slices.ts';
import { toStems } from './toStems.ts';
import type { WordMatches } from './WordIndex.ts';

/**
 * Finds rows by the words of a query, in the owners' texts and in the translations that the reader sees instead. The
 * score of a listing is that of its better matching text. Returns null if the query has no words, so that every row is
 * a candidate.
 *
 * @param isShown which translations count, by BCP 47 tag; null for none
 */
export function* findWords(
  columns: ListingColumns,
  { q, locale }: Pick<IndexQuery, 'q' | 'locale'>,
  isShown: ((languageTag: string) => boolean) | null,
): Slices<WordMatches | null> {
  if (q === null) return null;
  const found = yield* columns.words.find(toStems(q, locale), columns.size);
  if (isShown === null) return found;
  for (const [languageTag, words] of columns.translated) {
    if (!isShown(languageTag)) continue;
    // A text is stemmed in its own language, because a reader may see a text in the default language.
    const more = yield* words.find(toStems(q, languageTag), columns.size, 'translated');
    merge(found, more);
  }
  return found;
}

/** Adds further matches in place. */
function merge({ rows: found, scores }: WordMatches, more: WordMatches): void {
  for (let index = 0; index < more.rows.length; index += 1) {
    const row = more.rows.rows[index] as number;
    const score = more.scores[row] as number;
    const before = scores[row] as number;
    if (before === 0) found.rows[found.length++] = row;
    if (score > before) scores[row] = score;
  }
}
