const titleWeight = 10;
const attributesWeight = 5;

/** The short texts of a listing. */
interface ShortTexts {
  title: string;
  attributesText: string;
}

/**
 * How well short texts match words: the weights are those of the text index. An ending more or less is the same word,
 * whatever the language; the index itself knows it better, but takes long where very much matches.
 */
export function toWordScore(q: string): (texts: ShortTexts) => number {
  const stems = [...new Set(toWords(q))].map(toStem);
  const count = (text: string): number => {
    const words = toWords(text);
    return stems.filter((stem) => words.some((word) => isSame(word, stem))).length;
  };
  return ({ title, attributesText }) =>
    1 + titleWeight * count(title) + attributesWeight * count(attributesText);
}

function toWords(text: string): string[] {
  const plain = text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '');
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Without what may be an ending. */
function toStem(word: string): string {
  return word.length > 5 ? word.slice(0, -2) : word;
}

function isSame(word: string, stem: string): boolean {
  return word.startsWith(stem) && word.length - stem.length <= 4;
}
