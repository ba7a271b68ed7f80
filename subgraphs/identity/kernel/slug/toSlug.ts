/** Letters that Unicode decomposition does not reduce to a plain letter. */
const spelled: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  ø: 'o',
  œ: 'oe',
  đ: 'd',
  ł: 'l',
  þ: 'th',
  ð: 'd',
  ı: 'i',
};

/** Returns a text as part of a URL: lower-case Latin letters, digits and single hyphens. Empty if nothing is left. */
export function toSlug(text: string, maxLength: number): string {
  return text
    .toLowerCase()
    .replace(/[ßæøœđłþðı]/g, (letter) => spelled[letter] ?? letter)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, maxLength)
    .replace(/^-+|-+$/g, '');
}
