const run = /[\p{L}\p{M}\p{N}]+/gu;
/** Characters between the parts of a name. */
const joins = /^[\s\u00ad\u2010\u2011\u2013/.-]?$/u;
const shouted = /^\P{Ll}*\p{Lu}{4}\P{Ll}*$/u;
const reference = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/;
const mostRuns = 5000;

/** Returns whether a text is a stored reference, such as `alfa-romeo`, rather than what readers see. */
export function isReference(text: string): boolean {
  return reference.test(text);
}

/**
 * Returns how texts write a reference: `Mégane E-Tech` for `megane-e-tech`. Texts in capitals do not count. Null if no
 * text contains it.
 */
export function findWrittenForm(name: string, texts: readonly string[]): string | null {
  const wanted = name.split(/[-_]/).map(fold);
  for (const text of texts) {
    const runs = [...text.matchAll(run)].slice(0, mostRuns);
    const found = runs.findIndex(
      (_, at) => isHere(text, runs, at, wanted) && isWellWritten(text, runs, at, wanted),
    );
    if (found >= 0) return spanOf(text, runs, found, wanted.length);
  }
  return null;
}

/** Returns a reference as a name: words with capitals. Digits with a few letters are a designation: `X5`, `CX-5`. */
export function toName(name: string): string {
  return name
    .split(/[-_]/)
    .map((part) => (/\d/.test(part) && /^[a-z]/.test(part) ? part.toUpperCase() : capitalise(part)))
    .join(' ');
}

function isHere(
  text: string,
  runs: readonly RegExpExecArray[],
  at: number,
  wanted: readonly string[],
): boolean {
  return wanted.every((part, offset) => {
    const match = runs[at + offset];
    if (!match || fold(match[0]) !== part) return false;
    const before = runs[at + offset - 1];
    return offset === 0 || !before || joins.test(text.slice(before.index + before[0].length, match.index));
  });
}

function isWellWritten(
  text: string,
  runs: readonly RegExpExecArray[],
  at: number,
  wanted: readonly string[],
): boolean {
  const written = spanOf(text, runs, at, wanted.length);
  return /[\p{Lu}\p{N}]/u.test(written) && !shouted.test(written);
}

function spanOf(text: string, runs: readonly RegExpExecArray[], at: number, length: number): string {
  const last = runs[at + length - 1];
  return text.slice(runs[at]?.index, last ? last.index + last[0].length : undefined);
}

/** Returns a word in lower case without accents. */
function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
}

function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
