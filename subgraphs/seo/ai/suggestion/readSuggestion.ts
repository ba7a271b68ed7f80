import { readDocument } from '../../engine/html/readDocument.ts';
import type { SeoAiDiscardReason } from '../../seo.generated.ts';
import { hasPlaceholder } from './redaction/Redactor.ts';
import type { AiValue, SuggestionKind } from './suggestionKinds.ts';

const webAddress =
  /\b(?:https?:\/\/|www\.)[^\s<>"']{1,2000}|\b[\w.-]{1,100}@[\w-]{1,100}(?:\.[\w-]{1,63}){1,5}/giu;

/** Cleaned suggestion, or the reason why it is discarded. */
type ReadSuggestion = { readonly value: AiValue } | { readonly reason: SeoAiDiscardReason };

/**
 * Returns a suggestion as plain text without HTML and URLs.
 *
 * @param images URLs of the page's images, which a model knows by number
 */
export function readSuggestion(
  raw: unknown,
  kind: SuggestionKind,
  images: readonly string[],
): ReadSuggestion {
  const limits = Object.entries(kind.texts);
  const cleaned: Record<string, string | number> = {};
  for (const [name, limit] of limits) {
    const said = name === '' ? raw : memberOf(raw, name);
    if (typeof said !== 'string') return { reason: 'wrong_shape' };
    const plain = toPlainText(said);
    if (plain === '') return { reason: 'empty' };
    if (hasPlaceholder(plain)) return { reason: 'placeholder' };
    if (plain.length > limit) return { reason: 'too_long' };
    cleaned[name] = plain;
  }
  if ('' in cleaned) return { value: String(cleaned['']) };
  return addNumbers(raw, cleaned, kind, images);
}

/** Adds heading levels, and replaces image numbers by URLs. */
function addNumbers(
  raw: unknown,
  cleaned: Readonly<Record<string, string | number>>,
  { schema }: SuggestionKind,
  images: readonly string[],
): ReadSuggestion {
  const { properties } = schema as { properties: object };
  if ('level' in properties) {
    const level = memberOf(raw, 'level');
    return level === 2 || level === 3 ? { value: { level, ...cleaned } } : { reason: 'wrong_shape' };
  }
  if ('image' in properties) {
    const number = memberOf(raw, 'image');
    if (!Number.isSafeInteger(number)) return { reason: 'wrong_shape' };
    const src = images[(number as number) - 1];
    return src === undefined ? { reason: 'unknown_image' } : { value: { src, ...cleaned } };
  }
  return { value: cleaned };
}

function toPlainText(said: string): string {
  // Far beyond any limit; the rest is not needed.
  const { text } = readDocument(said.slice(0, 10_000).toWellFormed());
  return text.replaceAll(webAddress, '').replaceAll(/\s+/gu, ' ').trim();
}

function memberOf(raw: unknown, name: string): unknown {
  return typeof raw === 'object' && raw !== null ? (raw as Record<string, unknown>)[name] : undefined;
}
