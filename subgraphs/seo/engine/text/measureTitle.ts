import { advanceWidths } from './advanceWidths.ts';

const unitsPerEm = 2048;
const titlePixelsPerEm = 20;
/** A letter the table lacks (Armenian, Thai …) counts as wide as a digit: close, and never zero. */
const unknownWidth = 1139;

const widths = new Map<number, number>();
for (const [first, encoded] of advanceWidths) {
  let codePoint = first;
  for (const entry of encoded.split(' ')) {
    const [width = '0', count = '1'] = entry.split('*');
    for (let index = 0; index < Number(count); index += 1, codePoint += 1) {
      if (width !== '0') widths.set(codePoint, Number(width));
    }
  }
}

// The font draws a soft hyphen, but a browser does so only at a line break; titles are one line.
widths.set(0xad, 0);

const wideCharacter =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Extended_Pictographic}\u3000-\u303f\uff01-\uff60\uffe0-\uffe6]/u;
const zeroWidthCharacter = /[\p{Mark}\p{Cf}\p{Cc}]/u;

function widthOf(codePoint: number): number {
  const known = widths.get(codePoint);
  if (known !== undefined) return known;
  const character = String.fromCodePoint(codePoint);
  if (zeroWidthCharacter.test(character)) return 0;
  if (wideCharacter.test(character)) return unitsPerEm;
  const base = character.normalize('NFD').codePointAt(0);
  return (base !== undefined && base !== codePoint && widths.get(base)) || unknownWidth;
}

/**
 * Returns the width in pixels of a title in a search result: Arial at 20 px, whitespace collapsed as in a browser,
 * full-width characters 20 px each, no kerning. Rounded to whole pixels.
 */
export function measureTitle(title: string): number {
  let units = 0;
  for (const character of title.replace(/\s+/gu, ' ').trim()) {
    const codePoint = character.codePointAt(0) ?? 0;
    let width = widths.get(codePoint);
    if (width === undefined) {
      width = widthOf(codePoint);
      if (widths.size < 20_000) widths.set(codePoint, width);
    }
    units += width;
  }
  return Math.round((units * titlePixelsPerEm) / unitsPerEm);
}
