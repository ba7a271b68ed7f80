import type { FieldProblem } from '../../../../schema/Problem.ts';
import { problem } from '../../../platform/errors/AppError.ts';
import { isDeceptive } from '../../kernel/text/checkLine.ts';

const phone = /^\+[1-9]\d{6,14}$/;
/**
 * Matches region and city, or a bare name such as `UTC`. Offsets are refused, because they have no daylight saving
 * time.
 */
const timeZone = /^[A-Z]\w*([/+-][\w+-]+)*$/;
const spellings = new Map(Intl.supportedValuesOf('timeZone').map((name) => [name.toLowerCase(), name]));

/** A finding about a text of a profile, or null. */
type Check = (value: string, pointer: string) => FieldProblem | null;

export const checkDisplayName: Check = (value, pointer) => {
  const length = [...value.trim()].length;
  if (length < 1 || length > 60) return problem(pointer, 'A display name must have 1 to 60 characters.');
  return isDeceptive(value)
    ? problem(pointer, 'A display name must not contain control or text-direction characters.')
    : null;
};

export const checkName: Check = (value, pointer) => {
  const length = [...value.trim()].length;
  if (length < 1 || length > 100) return problem(pointer, 'A name must have 1 to 100 characters.');
  return isDeceptive(value)
    ? problem(pointer, 'A name must not contain control or text-direction characters.')
    : null;
};

export const checkPhone: Check = (value, pointer) =>
  phone.test(value)
    ? null
    : problem(pointer, 'A phone number must have the E.164 format, such as +4930123456.');

export const checkTimeZone: Check = (value, pointer) =>
  isTimeZone(value) ? null : problem(pointer, 'A time zone must be an IANA name, such as Europe/Berlin.');

/**
 * Returns whether a name is a time zone. The runtime lists one name for each zone, an old one for some; `Europe/Kyiv`
 * and `Asia/Kolkata` are valid as well.
 */
function isTimeZone(name: string): boolean {
  if (name.length > 60 || !timeZone.test(name)) return false;
  const spelling = spellings.get(name.toLowerCase());
  if (spelling !== undefined) return spelling === name;
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

/** Checks that a language is one of the installation's languages. */
export function checkLocale(locales: readonly string[]): Check {
  return (value, pointer) =>
    locales.includes(value) ? null : problem(pointer, `The language must be one of: ${locales.join(', ')}.`);
}
