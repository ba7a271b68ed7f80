import type { LanguageData } from '../language/LanguageData.ts';

/** Maximum length of an abbreviation with inner stops ("dott.ssa", "i. d. R"). */
const longestAbbreviation = 12;
/** Enough of the following text for the decision. */
const lookahead = 24;
/** Abbreviations that do not end a sentence before a number: "No. 5", "S. 12", "núm. 3", "s. XIX". */
const numberedAbbreviations = new Set(
  (
    'no nos nr nro fig figs abb art abs vol bd kap cap p pp pag pág ch sec sect séc num núm n s sid str t tab tel ext ' +
    'apt approx aprox env mod ref réf rif imm rok περ бл прибл ca cca max máx min mín ong kl č čl § п стр рис гл табл т д ок макс мин'
  ).split(' '),
);
/** Only German writes months with a capital and has a stop after the day; pages in other languages quote its dates. */
const germanMonths = new Set(
  'januar jänner februar märz april mai juni juli august september oktober november dezember'.split(' '),
);
const closing = /[)"'”’»]/;
const abbreviationAtEnd = /(?<![\p{L}\p{M}\p{N}.])(?:\p{L}{1,2}\. ?)*[\p{L}\p{M}\p{N}.§]+$/u;
/** Initials: `U.S`, `p.m`, `ee.uu`, `v.chr`. */
const dottedInitials = /^(?:\p{L}{1,2}\.)+\p{L}{1,3}$/u;
const startsWithAbbreviation = /^(\p{L}{1,4})\./u;
/** Words without a vowel are abbreviations: "Bj. 2019", "kb. 3". Acronyms in capitals are words. */
const vowelless =
  /^[BCDFGHJKLMNPQRSTVWXZБВГДЖЗЙКЛМНПРСТФХЦЧШЩ]?[bcdfghjklmnpqrstvwxzбвгджзйклмнпрстфхцчшщ]{1,3}$/u;
const hasLowerCase = /\p{Ll}/u;
const digits = /^\p{Nd}{1,4}$/u;
const startsWithDigit = /^\p{Nd}/u;
const startsWithNumeral = /^(?:\p{Nd}|(?:[IVX]{2,}|[VX])(?![\p{L}\p{M}]))/u;
const startsWithDayOrMonth = /^\p{Nd}{1,2}\.(?:\p{Nd}{4})?(?!\p{Nd})/u;
const startsWithYear = /^\p{Nd}{4}(?!\p{Nd})/u;
const startsWithShortNumber = /^\p{Nd}{1,4}(?!\p{Nd})/u;
const dayAndMonth = /^\p{Nd}{1,2}\.\p{Nd}{1,2}$/u;
const endsWithNumber = /\p{Nd} ?$/u;
const endsWithOrdinal = /\p{Nd}\. ?$/u;
const firstWordPattern = /^[\p{L}\p{M}]+/u;
const sentenceStart = /^["'«„“(¿¡]*([\p{Lu}\p{Lt}\p{Lo}][\p{L}\p{M}]*['’]?)/u;

interface Token {
  /** As written, without the final stop and without spaces. */
  text: string;
  start: number;
}

/** Returns the token directly before a full stop at the end of a segment, or null if there is none. */
function tokenBeforeStop(text: string, end: number): Token | null {
  let stop = end;
  while (stop > 0 && text[stop - 1] === ' ') stop -= 1;
  while (stop > 0 && closing.test(text[stop - 1] ?? '')) stop -= 1;
  if (text[stop - 1] !== '.') return null;
  const from = Math.max(0, stop - 1 - longestAbbreviation);
  const before = text.slice(from, stop - 1);
  const match = abbreviationAtEnd.exec(before);
  if (!match) return null;
  // What the cut shortens to one or two letters is no initial.
  const isCut = match.index === 0 && from > 0;
  const found = isCut ? match[0].slice(match[0].lastIndexOf(' ') + 1) : match[0];
  return { text: found.replaceAll(' ', ''), start: stop - 1 - found.length };
}

/** Returns whether a number with a stop is an ordinal or part of a date: `3. Mai`, `3. 4. 2024`. */
function continuesNumber(before: string, following: string, data: LanguageData): boolean {
  if (startsWithDayOrMonth.test(following)) return true;
  if (endsWithOrdinal.test(before) && startsWithShortNumber.test(following)) return true;
  const next = firstWordPattern.exec(following)?.[0].toLowerCase() ?? '';
  return data.ordinalFollowers.has(next) || germanMonths.has(next);
}

/** Returns whether the text starts with a function word that can only have its capital at the start of a sentence. */
function startsWithFunctionWord(following: string, { functionWords }: LanguageData): boolean {
  const word = sentenceStart.exec(following)?.[1]?.toLowerCase().replace('’', "'");
  if (word === undefined || !functionWords) return false;
  return functionWords.has(word) || (word.endsWith("'") && functionWords.has(word.slice(0, -1)));
}

/** Returns whether an abbreviation of several words continues: "EE." before "UU.". */
function isKnownWithNext(form: string, following: string, data: LanguageData): boolean {
  const next = startsWithAbbreviation.exec(following)?.[1]?.toLowerCase();
  const both = `${form}.${next}`;
  return next !== undefined && (data.abbreviations.has(both) || data.finalAbbreviations?.has(both) === true);
}

/**
 * Returns whether a sentence continues after the full stop at the end of a segment, because the stop belongs to an
 * abbreviation, an initial, an ordinal or a date. `end` is the index after the stop and the spaces that follow.
 */
export function continuesSentence(text: string, end: number, data: LanguageData): boolean {
  const token = tokenBeforeStop(text, end);
  if (!token) return false;
  const following = text.slice(end, end + lookahead).trimStart();
  const before = text.slice(Math.max(0, token.start - 3), token.start);
  const form = token.text.toLowerCase();
  if (digits.test(token.text)) return continuesNumber(before, following, data);
  if (dayAndMonth.test(token.text)) return startsWithYear.test(following);
  const mayEnd = startsWithFunctionWord(following, data);
  const isUnit = endsWithNumber.test(before);
  if (data.abbreviations.has(form)) return !(isUnit && mayEnd);
  const isNumbered = numberedAbbreviations.has(form) || (!isUnit && vowelless.test(token.text));
  if (isNumbered && startsWithNumeral.test(following)) return true;
  if (isKnownWithNext(form, following, data)) return true;
  const isInitial = [...token.text].length === 1 && token.text !== 'I' && !isUnit;
  if (!isInitial && !dottedInitials.test(form) && !data.finalAbbreviations?.has(form)) return false;
  if (startsWithDigit.test(following)) return hasLowerCase.test(token.text);
  return !mayEnd;
}
