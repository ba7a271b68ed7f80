import { invalidFields } from '../../../platform/errors/AppError.ts';
import { sanitizeArticle } from '../../../platform/html/sanitizeArticle.ts';
import type { ObjectType } from '../../objects/ObjectRef.ts';
import { checkTexts, type Texts } from '../../objects/translatableFields.ts';
import type { TranslationFieldsInput } from '../../translation.generated.ts';

/**
 * Returns the texts after an edit: omitted ones are unchanged, null removes. Line ends become line feeds, and lone
 * surrogates become U+FFFD, as in UTF-8.
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

/** Sanitizes an article as the owner of pages does, because readers get it as stored. */
function toArticle(html: string): string {
  const article = sanitizeArticle(html);
  if (article !== null) return article;
  const detail = '"html" must have at most 500 levels of nested elements.';
  throw invalidFields([{ pointer: '#/fields/html', code: 'invalid', detail }]);
}
