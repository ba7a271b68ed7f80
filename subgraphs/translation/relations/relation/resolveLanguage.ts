import { AppError } from '../../../platform/errors/AppError.ts';
import type { LanguageSettings } from '../../languages/language/languageSettings.ts';
import { nameLanguage } from '../../languages/resolution/nameLanguage.ts';
import { assumedLanguageOf, ownLanguageOf } from '../../objects/marketplaceObject.ts';
import { knownLanguageOf, type TranslatableObject } from '../../records/TranslatableObject.ts';

/**
 * Returns the code of an object's language in a group. The statements of the caller, an earlier link and its owner must
 * agree. Inactive languages are valid.
 *
 * @param pointer member of the request for errors
 * @throws AppError `language_required`, `language_not_configured`, `language_mismatch`
 */
export function resolveLanguage(
  settings: LanguageSettings,
  object: TranslatableObject,
  given: string | null | undefined,
  pointer: string,
): string {
  const stated = given == null ? null : nameLanguage(settings, given);
  if (given != null && stated === null) throw languageNotConfigured(given, pointer);
  const known = knownLanguageOf(settings, object);
  const own = object.record?.origin === 'created' ? known : ownLanguageOf(settings, object.owned);
  const foreignTag = own === null ? (object.owned.content?.languageTag ?? null) : null;
  const codes = new Set([stated?.code, known, own].filter((code) => code != null));
  if (codes.size > 1 || (foreignTag !== null && stated !== null && known === null)) {
    throw languageMismatch(pointer);
  }
  const [code] = codes;
  if (code !== undefined) return code;
  if (foreignTag !== null) throw languageNotConfigured(foreignTag, pointer);
  const assumed = assumedLanguageOf(settings, object.ref.type);
  if (assumed !== null) return assumed;
  throw refusal('language_required', 'The object has no assigned language. Send its language.', pointer);
}

/** Returns the 422 for a language that the installation does not have. */
export function languageNotConfigured(language: string, pointer: string): AppError {
  const shown = language.slice(0, 35);
  return refusal(
    'language_not_configured',
    `The language "${shown}" is not configured in this installation.`,
    pointer,
  );
}

/** Returns the 422 for a language that contradicts an earlier statement. */
export function languageMismatch(pointer: string): AppError {
  return refusal(
    'language_mismatch',
    'The language of the object differs from the language in the request.',
    pointer,
  );
}

function refusal(
  code: 'language_mismatch' | 'language_not_configured' | 'language_required',
  detail: string,
  pointer: string,
): AppError {
  return new AppError(code, detail, { errors: [{ pointer, code, detail }] });
}
