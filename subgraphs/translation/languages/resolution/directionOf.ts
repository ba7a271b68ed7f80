import { rightToLeftScripts } from './rightToLeftScripts.ts';
import { toCanonicalTag } from './toCanonicalTag.ts';

/** Direction of text. */
export type TextDirection = 'ltr' | 'rtl';

/** Direction in which a language is written: that of the script the tag states, or of its likely script. */
export function directionOf(tag: string): TextDirection {
  const canonical = toCanonicalTag(tag);
  const script = canonical === null ? undefined : new Intl.Locale(canonical).maximize().script;
  return script !== undefined && rightToLeftScripts.has(script) ? 'rtl' : 'ltr';
}
