import { toCanonicalTag } from '../../../platform/language/toCanonicalTag.ts';
import { rightToLeftScripts } from './rightToLeftScripts.ts';

/** Direction of text. */
export type TextDirection = 'ltr' | 'rtl';

/** Returns the direction of a language: that of the script in the tag, or of its likely script. */
export function directionOf(tag: string): TextDirection {
  const canonical = toCanonicalTag(tag);
  const script = canonical === null ? undefined : new Intl.Locale(canonical).maximize().script;
  return script !== undefined && rightToLeftScripts.has(script) ? 'rtl' : 'ltr';
}
