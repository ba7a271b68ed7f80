import { createHash } from 'node:crypto';
import { collapseWhitespace } from './html/readDocument.ts';
import { parsePhrase } from './keyphrase/parsePhrase.ts';
import { findLanguage } from './language/findLanguage.ts';

const keyLength = 22;

/** Returns 132 bits of SHA-256: short enough for any index, and without content of the text. */
function digest(text: string): string {
  return createHash('sha256').update(text, 'utf8').digest('base64url').slice(0, keyLength);
}

/** Returns the key that equal titles or descriptions share, null for a blank one. */
export function toTextKey(text: string | null | undefined): string | null {
  const plain = collapseWhitespace(text ?? '')
    .normalize('NFKC')
    .toLowerCase();
  return plain === '' ? null : digest(plain);
}

/**
 * Returns the key of a keyphrase, which is equal for the same content words in any form and order. `locale` is a BCP 47
 * tag.
 */
export function toKeyphraseKey(keyphrase: string | null | undefined, locale: string): string | null {
  const code = locale.split(/[-_]/)[0]?.toLowerCase() ?? '';
  const tag = Intl.Segmenter.supportedLocalesOf(code).length > 0 ? code : 'en';
  const phrase = parsePhrase(keyphrase ?? '', findLanguage(code), tag);
  return phrase && digest(phrase.stems.toSorted().join(' '));
}

/** Returns the key of a page's address, as parsed by `toPageAddress`. */
export function toAddressKey({ host, path }: { host: string; path: string }): string {
  return digest(`${host}${path}`);
}
