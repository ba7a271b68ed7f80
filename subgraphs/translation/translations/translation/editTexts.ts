import { invalidFields } from '../../../platform/errors/AppError.ts';
import { sanitizeArticle } from '../../../platform/html/sanitizeArticle.ts';
import type { ObjectType } from '../../objects/ObjectRef.ts';
import { checkTexts, type Texts } from '../../objects/translatableFields.ts';
import type { TranslationFieldsInput } from '../../translation.generated.ts';

/**
 * Texts after an edit: what is left out stays, null goes. Line ends become line feeds, and half characters what
 * every UTF-8 writer makes of them.
 *
 * @throws AppError `unknown_field` or `validation_failed` with every invalid text
 */
export function mergeTexts(type: ObjectType, present: Texts, edit: TranslationFieldsInput): Texts {
  const given = Object.entries(edit).filter(
    (entry): entry is [string, string | null] => entry[1] !== undefined,
  );
  const problems = checkTexts(type, Object.fromEntries(given));
  if (problems.length > 0) throw invalidFields(problems);
  const merged: Record<string, string> = { ...present };
  for (const [name, text] of given) {
    if (text === null) delete merged[name];
    else merged[name] = name === 'html' ? toArticle(text) : text.toWellFormed().replace(/\r\n?/g, '\n');
  }
  return merged;
}

/** As the owner of pages does with theirs: readers get it as it is stored. */
function toArticle(html: string): string {
  const article = sanitizeArticle(html);
  if (article !== null) return article;
  const detail = '"html" must have at most 500 levels of nested elements.';
  throw invalidFields([{ pointer: '#/fields/html', code: 'invalid', detail }]);
}
