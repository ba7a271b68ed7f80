import { isIP } from 'node:net';
import { isCardNumber, isIban } from './checksums.ts';

/** Text to replace. */
export type RedactionKind =
  | 'key'
  | 'url_query'
  | 'email'
  | 'iban'
  | 'card'
  | 'vin'
  | 'ip'
  | 'coordinates'
  | 'phone'
  | 'plate'
  | 'address'
  | 'name';

interface Range {
  readonly start: number;
  readonly end: number;
}

/** Finds one kind in a text, in linear time: every repetition of a pattern is bounded. */
export interface Detector {
  readonly kind: RedactionKind;
  find(text: string): Range[];
}

const isDigit = /\d/;

/**
 * Returns a detector for a pattern.
 *
 * @param group of the pattern to replace; the whole match by default. The pattern must then have the flag `d`
 */
function pattern(
  kind: RedactionKind,
  expression: RegExp,
  accept: (found: string) => boolean = () => true,
  group = 0,
): Detector {
  return {
    kind,
    find: (text) =>
      [...text.matchAll(expression)].flatMap((match) => {
        const [start, end] = match.indices?.[group] ?? [match.index, match.index + match[0].length];
        return accept(text.slice(start, end)) ? [{ start, end }] : [];
      }),
  };
}

/** Returns a detector that shortens a match to its longest accepted prefix. */
function shrinking(kind: RedactionKind, expression: RegExp, accept: (found: string) => boolean): Detector {
  const longest = (found: string): number => {
    let length = found.length;
    while (length > 0 && (/[ -]/.test(found.charAt(length - 1)) || !accept(found.slice(0, length))))
      length -= 1;
    return length;
  };
  return {
    kind,
    find: (text) =>
      [...text.matchAll(expression)].flatMap(({ index, 0: found }) => {
        const length = longest(found);
        return length === 0 ? [] : [{ start: index, end: index + length }];
      }),
  };
}

/** JSON Web Tokens (RFC 7519), and the prefixes of keys of large issuers. */
const tokens =
  /\beyJ[\w-]{8,2048}\.[\w-]{4,4096}\.[\w-]{0,1024}|\b(?:sk|pk|rk|whsec|ghp|gho|ghs|glpat|xox[abp]|AKIA|ASIA|AIza)[-_]?[\w-]{12,200}\b/gu;
/** Long words of mixed letters and digits, which no language has. */
const secrets = /(?<![\w+/=-])[\w+/=-]{32,512}(?![\w+/=-])/gu;
/** Matches a query string from the question mark on. The path is public, but the query may name a person. */
const queries = /\b(?:https?:\/\/|www\.)[^\s<>"'?#]{1,500}([?#][^\s<>"']{1,2000})/dgu;
/** RFC 5321 allows 64 characters before the sign. */
const emails =
  /[\p{L}\p{N}._%+-]{1,64}\s?(?:@|\(at\)|\[at\])\s?[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu;
const ibans = /\b[A-Z]{2}\d{2}(?:[ -]?[A-Z0-9]){11,30}\b/giu;
const cards = /(?<!\d)\d(?:[ -]?\d){12,18}(?!\d)/gu;
/** ISO 3779: 17 characters without I, O and Q. */
const vins = /\b[A-HJ-NPR-Z0-9]{17}\b/giu;
const addresses4 = /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])/gu;
const addresses6 = /(?<![\w:])(?:[0-9a-f]{0,4}:){2,7}[0-9a-f]{0,4}(?![\w:])/giu;
const positions = /(?<![\d.])[-+]?\d{1,3}\.\d{3,10}\s{0,2}[,;]\s{0,2}[-+]?\d{1,3}\.\d{3,10}(?![\d.])/gu;
/** International, or national with its leading zero; at least seven digits in groups. */
const phones =
  /(?<![\w.,€$£])(?:\+\d{1,3}|00\d{1,3}|\(?0\d{1,5}\)?|\(\d{3}\))(?:[\s./()-]{0,3}\d){5,13}(?![\d.,]?\d)/gu;
/**
 * Matches a district, a hyphen or the place of the seals, letters and digits. Without the hyphen, it would match model
 * names.
 */
const plates = /\b\p{Lu}{1,3}-\p{Lu}{1,2}[ -]?\d{1,4}[EH]?\b/gu;
const namedPlates =
  /(?:kennzeichen|licen[cs]e plate|registration(?: number)?|immatriculation|matr[ií]cula|targa)\s{0,3}[:#]?\s{0,3}([\p{Lu}\d][\p{Lu}\d -]{3,10}[\p{Lu}\d])/dgiu;
const germanEndings = inAnyCase(String.raw`stra(?:ß|ss)e|str\.|weg|platz|allee|gasse|ring|damm|ufer`);
const otherEndings = inAnyCase(String.raw`street|st\.|road|rd\.|avenue|ave\.?|lane|drive|boulevard`);
const otherBeginnings = inAnyCase(String.raw`rue|via|calle|avenida|rua|avenue|boulevard|piazza|plaza`);
const germanStreet = String.raw`(?:\p{Lu}[\p{L}.']{1,30}[ -]){0,2}\p{Lu}[\p{L}.']{1,30}(?:${germanEndings})|(?:\p{Lu}[\p{L}.']{1,30}[ -]){1,3}(?:Stra(?:ß|ss)e|Str\.|Weg|Platz|Allee|Gasse|Ring|Damm|Ufer)`;
const otherStreet = String.raw`(?:\p{Lu}[\p{L}.']{1,30}[ -]){1,3}(?:${otherEndings})|(?:${otherBeginnings})(?:[ -]\p{L}[\p{L}.']{0,30}){1,4}`;
const street = `(?:${germanStreet}|${otherStreet})`;
const houseNumber = String.raw`\d{1,4} ?\p{L}?(?!\p{L})`;
const postcode = String.raw`(?:\p{Lu}{1,2}-)?\d{4,6}(?:-\d{3,4})?`;
const town = String.raw`\p{Lu}\p{Ll}[\p{L}-]{0,40}`;
const between = String.raw`[\s,|–-]{1,4}`;
/** Matches a street with its number near a postcode, in either order. A street alone is not personal data. */
const streets = [
  `${street},? ${houseNumber}${between}${postcode} ${town}`,
  String.raw`(?<!\d)\d{1,4} ?\p{L}?,? (?:${otherStreet})${between}(?:${town}(?: ${town})?,? )?${postcode}`,
  `${postcode} ${town}${between}${street},? ${houseNumber}`,
].map((expression) => new RegExp(expression, 'gu'));

/**
 * Spells out upper and lower case, because inline modifiers of regular expressions are too recent to rely on for
 * redaction.
 */
function inAnyCase(expression: string): string {
  return expression.replaceAll(/\p{L}/gu, (letter) => {
    const [lower, upper] = [letter.toLowerCase(), letter.toUpperCase()];
    return upper.length === 1 && upper !== lower ? `[${lower}${upper}]` : letter;
  });
}

/** All detectors, in descending order of certainty. Text that one has matched is not searched by the others. */
export const detectors: readonly Detector[] = [
  pattern('key', tokens),
  pattern('url_query', queries, undefined, 1),
  pattern('email', emails),
  shrinking('iban', ibans, isIban),
  pattern('vin', vins, (found) => isDigit.test(found) && /[a-z]/i.test(found)),
  pattern('key', secrets, (found) => isDigit.test(found) && /[a-z]/.test(found) && /[A-Z]/.test(found)),
  shrinking('card', cards, isCardNumber),
  pattern('ip', addresses4, (found) => isIP(found) === 4),
  pattern('ip', addresses6, (found) => isIP(found) === 6 && /[0-9a-f]/i.test(found)),
  pattern('coordinates', positions, isPosition),
  ...streets.map((expression) => pattern('address', expression)),
  pattern('phone', phones, (found) => found.replaceAll(/\D/g, '').length >= 7),
  pattern('plate', plates),
  pattern('plate', namedPlates, (found) => isDigit.test(found), 1),
];

const longestName = 100;

/** Returns a detector for known names, as whole words in any case. A single short word is too common to be matched. */
export function namesOf(names: readonly string[]): Detector {
  const known = names
    .map((name) => name.normalize('NFKC').trim())
    .filter((name) => name.length >= 4 && name.length <= longestName);
  if (known.length === 0) return { kind: 'name', find: () => [] };
  const alternatives = [...new Set(known)].sort((one, other) => other.length - one.length).map(escape);
  return pattern(
    'name',
    new RegExp(`(?<![\\p{L}\\p{N}])(?:${alternatives.join('|')})(?![\\p{L}\\p{N}])`, 'giu'),
  );
}

function escape(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`);
}

function isPosition(found: string): boolean {
  const [latitude = 0, longitude = 0] = found.split(/[,;]/).map(Number);
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
}
