import { checkDigits } from './vatCheckDigits.ts';

/** Formats of VAT numbers after the prefix (VIES; CH: UID; GB: HMRC; NO: Brønnøysund). */
const forms: Readonly<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CH: /^E\d{9}(MWST|TVA|IVA)$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^[1-9]\d{8}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^([A-Z]\d{7}[A-Z\d]|\d{8}[A-Z])$/,
  FI: /^\d{8}$/,
  FR: /^[A-HJ-NP-Z\d]{2}\d{9}$/,
  GB: /^(\d{9}|\d{12}|GD[0-4]\d{2}|HA[5-9]\d{2})$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^(\d{7}[A-W][A-IW]?|\d[A-Z+*]\d{5}[A-W])$/,
  IT: /^\d{11}$/,
  LT: /^(\d{7}1\d|\d{10}1\d)$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^\d{9}B\d{2}$/,
  NO: /^\d{9}MVA$/,
  PL: /^\d{10}$/,
  PT: /^[1-9]\d{8}$/,
  RO: /^[1-9]\d{1,9}$/,
  SE: /^\d{10}(0[1-9]|[1-8]\d|9[0-4])$/,
  SI: /^[1-9]\d{7}$/,
  SK: /^[1-9]\d[2-47-9]\d{7}$/,
};

/**
 * Prefixes that differ from the ISO 3166-1 code of the country. Northern Ireland has a separate code for trade in
 * goods.
 */
const prefixesOf: Readonly<Record<string, readonly string[]>> = { GR: ['EL'], GB: ['GB', 'XI'] };
const formOf: Readonly<Record<string, string>> = { XI: 'GB' };
/** Countries whose form is not known here. */
const anyForm = /^[A-Z\d]{4,20}$/;

/** Returns a VAT number in capitals without separators. */
export function normalizeVatId(text: string): string {
  return text.replace(/[\s.\-/]/g, '').toUpperCase();
}

/**
 * Returns the error in a VAT number: its prefix, its format, or its check digits if their algorithm is published. Null
 * if there is none; the number may still belong to another business, or not exist.
 *
 * @param vatId normalized
 * @param country ISO 3166-1 alpha-2 code of the business
 */
export function findVatIdFault(vatId: string, country: string): string | null {
  const prefixes = prefixesOf[country] ?? [country];
  if (!prefixes.some((prefix) => prefix in forms || prefix in formOf))
    return anyForm.test(vatId) ? null : 'A VAT number must have 4 to 20 letters and digits.';
  const prefix = prefixes.find((one) => vatId.startsWith(one));
  if (!prefix) return `A VAT number of this country must begin with ${prefixes.join(' or ')}.`;
  const key = formOf[prefix] ?? prefix;
  const body = vatId.slice(2);
  if (!forms[key]?.test(body)) return `This is not a valid VAT number format for ${prefix}.`;
  return checkDigits[key]?.(body) === false ? 'The check digits of this VAT number are wrong.' : null;
}
