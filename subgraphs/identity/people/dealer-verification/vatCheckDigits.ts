/** Whether the check digits of a VAT number fit; the form has been checked, the prefix is not part of it. */
type Check = (body: string) => boolean;

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';

function digitsOf(text: string): number[] {
  return [...text].map(Number);
}

function weigh(text: string, weights: readonly number[]): number {
  const digits = digitsOf(text);
  return weights.reduce((sum, weight, index) => sum + weight * (digits[index] ?? 0), 0);
}

/** Luhn formula (ISO/IEC 7812-1, annex B) over all digits. */
const luhn: Check = (text) =>
  digitsOf(text)
    .reverse()
    .reduce((sum, digit, index) => sum + (index % 2 ? digitSum(digit * 2) : digit), 0) %
    10 ===
  0;

function digitSum(number: number): number {
  return Math.floor(number / 10) + (number % 10);
}

/** ISO/IEC 7064, MOD 11,10 over all digits. */
const mod11Mod10: Check = (text) => {
  let product = 10;
  for (const digit of digitsOf(text.slice(0, -1))) {
    const sum = (digit + product) % 10 || 10;
    product = (sum * 2) % 11;
  }
  return (11 - product) % 10 === Number(text.at(-1));
};

/**
 * Returns a check by the weighted sum modulo 11 of all but the last digit. `toDigit` maps the remainder to the check
 * digit.
 */
function modulo11(weights: readonly number[], toDigit: (rest: number) => number): Check {
  return (text) => toDigit(weigh(text, weights) % 11) === Number(text.at(-1));
}

/** 11 minus the remainder; 11 maps to 0. Numbers with check digit 10 are not issued. */
const complement = (rest: number): number => (11 - rest) % 11;

const descending = (from: number, to: number): number[] =>
  Array.from({ length: from - to + 1 }, (_, index) => from - index);

const checkAustria: Check = (body) => {
  const sum = digitsOf(body.slice(1, 8)).reduce(
    (total, digit, index) => total + (index % 2 ? digitSum(digit * 2) : digit),
    4,
  );
  return (10 - (sum % 10)) % 10 === Number(body.at(-1));
};

/** Legal entities only: ten digits identify a natural person. */
const checkBulgaria: Check = (body) => {
  if (body.length === 10) return true;
  const first = weigh(body, [1, 2, 3, 4, 5, 6, 7, 8]) % 11;
  const digit = first === 10 ? weigh(body, [3, 4, 5, 6, 7, 8, 9, 10]) % 11 : first;
  return digit % 10 === Number(body.at(-1));
};

const oddDigitsOfCyprus = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21];
const checkCyprus: Check = (body) => {
  const sum = digitsOf(body.slice(0, 8)).reduce(
    (total, digit, index) => total + (index % 2 ? digit : (oddDigitsOfCyprus[digit] ?? 0)),
    0,
  );
  return letters[sum % 26] === body.at(-1);
};

/** Legal entities only: nine and ten digits identify a natural person. */
const checkCzechia: Check = (body) =>
  body.length !== 8 || modulo11(descending(8, 2), (rest) => (11 - rest) % 10)(body);

const personLetters = 'TRWAGMYFPDXBNJZSQVHLCKE';
const companyLetters = 'JABCDEFGHI';
/** DNI and NIE of natural persons, NIF of persons without a number (K, L, M), and CIF of all others. */
const checkSpain: Check = (body) => {
  const last = body.at(-1) ?? '';
  const person = /^[XYZ]/.test(body) ? String('XYZ'.indexOf(body.charAt(0))) + body.slice(1) : body;
  if (/^\d/.test(person)) return personLetters[Number(person.slice(0, 8)) % 23] === last;
  const digits = body.slice(1, 8);
  if (/^[KLM]/.test(body) && personLetters[Number(digits) % 23] === last) return true;
  const sum = digitsOf(digits).reduce(
    (total, digit, index) => total + (index % 2 ? digit : digitSum(digit * 2)),
    0,
  );
  const check = (10 - (sum % 10)) % 10;
  return last === String(check) || last === companyLetters[check];
};

/** Keys with letters have no published formula. */
const checkFrance: Check = (body) => {
  const key = body.slice(0, 2);
  return /\D/.test(key) || (12 + 3 * (Number(body.slice(2)) % 97)) % 97 === Number(key);
};

/**
 * Modulus 97, or 9755 for numbers issued since 2010. Government departments and health authorities have no check
 * digits.
 */
const checkBritain: Check = (body) => {
  if (/^\D/.test(body)) return true;
  const sum = weigh(body, descending(8, 2)) + Number(body.slice(7, 9));
  return sum % 97 === 0 || (sum + 55) % 97 === 0;
};

const lettersOfIreland = 'WABCDEFGHIJKLMNOPQRSTUV';
const checkIreland: Check = (body) => {
  // The old format: its second character is a letter or a sign, and its first digit comes last.
  const isOld = /^\d\D/.test(body);
  const digits = isOld ? `0${body.slice(2, 7)}${body.charAt(0)}` : body.slice(0, 7);
  const second = body.length === 9 ? Math.max(lettersOfIreland.indexOf(body.charAt(8)), 0) : 0;
  return lettersOfIreland[(weigh(digits, descending(8, 2)) + 9 * second) % 23] === body.charAt(7);
};

const checkLithuania: Check = (body) => {
  const isShort = body.length === 9;
  const weights = isShort ? [1, 2, 3, 4, 5, 6, 7, 8] : [1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2];
  const others = isShort ? [3, 4, 5, 6, 7, 8, 9, 1] : [3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4];
  const first = weigh(body, weights) % 11;
  return (first === 10 ? weigh(body, others) % 11 : first) % 10 === Number(body.at(-1));
};

/** Legal entities only: numbers of persons begin with a day, 0 to 3. */
const checkLatvia: Check = (body) =>
  Number(body.charAt(0)) <= 3 || weigh(body, [9, 1, 4, 8, 3, 10, 2, 5, 7, 6, 1]) % 11 === 3;

/** The citizen's number modulo 11, or since 2020 the whole modulo 97 (ISO/IEC 7064). */
const checkNetherlands: Check = (body) => {
  if (weigh(body, descending(9, 2)) % 11 === Number(body.charAt(8))) return true;
  const asNumbers = [...`NL${body}`].map((sign) => String(Number.parseInt(sign, 36))).join('');
  return BigInt(asNumbers) % 97n === 1n;
};

const checkRomania: Check = (body) => {
  const sum = weigh(body.slice(0, -1).padStart(9, '0'), [7, 5, 3, 2, 1, 7, 5, 3, 2]);
  return ((sum * 10) % 11) % 10 === Number(body.at(-1));
};

/**
 * Check digits by prefix, as published by the tax authorities. Numbers without a published formula pass. Refusing a
 * real business is worse than passing a wrong number to the staff who verify it.
 */
export const checkDigits: Readonly<Record<string, Check>> = {
  AT: checkAustria,
  BE: (body) => 97 - (Number(body.slice(0, 8)) % 97) === Number(body.slice(8)),
  BG: checkBulgaria,
  CH: (body) => modulo11([5, 4, 3, 2, 7, 6, 5, 4], complement)(body.slice(1, 10)),
  CY: checkCyprus,
  CZ: checkCzechia,
  DE: mod11Mod10,
  DK: (body) => weigh(body, [2, 7, 6, 5, 4, 3, 2, 1]) % 11 === 0,
  EE: (body) => (10 - (weigh(body, [3, 7, 1, 3, 7, 1, 3, 7]) % 10)) % 10 === Number(body.at(-1)),
  EL: modulo11([256, 128, 64, 32, 16, 8, 4, 2], (rest) => rest % 10),
  ES: checkSpain,
  FI: modulo11([7, 9, 10, 5, 8, 4, 2], complement),
  FR: checkFrance,
  GB: checkBritain,
  HR: mod11Mod10,
  HU: (body) => (10 - (weigh(body, [9, 7, 3, 1, 9, 7, 3]) % 10)) % 10 === Number(body.at(-1)),
  IE: checkIreland,
  IT: luhn,
  LT: checkLithuania,
  LU: (body) => Number(body.slice(0, 6)) % 89 === Number(body.slice(6)),
  LV: checkLatvia,
  MT: (body) => 37 - (weigh(body, [3, 4, 6, 7, 8, 9]) % 37) === Number(body.slice(6)),
  NL: checkNetherlands,
  NO: (body) => modulo11([3, 2, 7, 6, 5, 4, 3, 2], complement)(body.slice(0, 9)),
  PL: modulo11([6, 5, 7, 2, 3, 4, 5, 6, 7], (rest) => rest),
  PT: modulo11(descending(9, 2), (rest) => (rest < 2 ? 0 : 11 - rest)),
  RO: checkRomania,
  SE: (body) => luhn(body.slice(0, 10)),
  SI: modulo11(descending(8, 2), (rest) => (rest === 0 ? -1 : (11 - rest) % 10)),
  SK: (body) => Number(body) % 11 === 0,
};
