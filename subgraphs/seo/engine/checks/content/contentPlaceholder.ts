import type { Check } from '../Check.ts';
import { contentPosition, mostPositions } from '../positions.ts';

/**
 * Placeholder texts. Every alternative starts with a fixed character and is bounded, so the search is linear. `TODO` in
 * capitals is ignored in languages where it is a word.
 */
const placeholders =
  /lorem ipsum|dolor sit amet|\{\{[^{}]{0,100}\}\}|\{%[^{}%]{0,100}%\}|%%[a-z_]{1,40}%%|\$\{[^{}]{0,100}\}|\[(?:insert|your|placeholder|einfügen|hier einfügen|insérer|votre|insertar|inserta|inserire|invoegen|inserir)\b[^[\]]{0,60}\]/giu;
const notes = /\b(?:TODO|TBD|FIXME)\b/gu;
const todoIsAWord = new Set(['es', 'pt', 'gl']);

export const contentPlaceholder: Check = {
  id: 'content.placeholder',
  group: 'content',
  title: 'Placeholder text',
  description: 'Filler text, notes and unfilled template braces must not be published.',
  requires: ['content'],
  needs: null,
  forRelated: false,
  evaluate(context) {
    const text = context.document.text;
    const found = [...text.matchAll(placeholders), ...text.matchAll(notes)]
      .filter(([match]) => !(match === 'TODO' && todoIsAWord.has(context.language.code)))
      .sort((a, b) => a.index - b.index);
    const value = { found: found.length };
    if (found.length === 0) {
      return { rating: 'good', code: 'good', value, text: 'The text has no placeholders.' };
    }
    return {
      rating: 'bad',
      code: 'found',
      value,
      params: { found: found.length, first: found[0]?.[0].slice(0, 80) ?? '' },
      positions: found
        .slice(0, mostPositions)
        .map((match) => contentPosition(context, match.index, match.index + match[0].length)),
      text: 'The text contains placeholders. Replace them with real text.',
    };
  },
};
