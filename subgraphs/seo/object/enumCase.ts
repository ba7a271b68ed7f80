/** A stored or computed word as the schema's enum writes it: `listing` to `LISTING`. */
export function toUpper<Word extends string>(word: Word): Uppercase<Word> {
  return word.toUpperCase() as Uppercase<Word>;
}

/** A word of the schema's enum as it is stored and computed with: `LISTING` to `listing`. */
export function toLower<Word extends string>(word: Word): Lowercase<Word> {
  return word.toLowerCase() as Lowercase<Word>;
}
