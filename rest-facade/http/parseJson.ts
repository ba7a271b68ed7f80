import { isUtf8 } from 'node:buffer';
import { Refusal } from './Refusal.ts';

/** Deepest nesting of a body; nothing in the schema needs more, and serializers recurse. */
export const maxJsonDepth = 20;

const quote = 34;
const backslash = 92;
const colon = 58;

/**
 * Text of a body.
 *
 * @throws Refusal 400 `invalid_json` if the bytes are no UTF-8
 */
export function toText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Refusal('invalid_json', 'The body is not UTF-8 text.');
  return bytes.toString('utf8');
}

/**
 * Parses JSON (RFC 8259) of bounded depth whose objects name each member once: with a repeated name two parsers see
 * two different requests. `__proto__` stays an ordinary member, which no input knows.
 *
 * @throws Refusal 400 `invalid_json`
 */
export function parseJson(text: string): unknown {
  const members = scan(text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal('invalid_json', 'The body is not JSON.');
  }
  if (countMembers(value) !== members)
    throw new Refusal('invalid_json', 'An object of the body names a member twice.');
  return value;
}

/** One pass over the text: bounds its depth and counts its members, by the colons outside of strings. */
function scan(text: string): number {
  let depth = 0;
  let colons = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === colon) colons += 1;
    // [ and { differ from ] and } in one bit: 91, 123 open, 93, 125 close.
    else if (code === 91 || code === 123) {
      depth += 1;
      if (depth > maxJsonDepth)
        throw new Refusal('invalid_json', `The body is nested deeper than ${maxJsonDepth}.`);
    } else if (code === 93 || code === 125) depth -= 1;
  }
  return colons;
}

/** Position of the closing quote; the end of the text if there is none (the parser refuses it then). */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1) {
    let slashes = 0;
    while (text.charCodeAt(end - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return end;
    end = text.indexOf('"', end + 1);
  }
  return text.length;
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countMembers(item);
    return count;
  }
  for (const member of Object.values(value)) count += 1 + countMembers(member);
  return count;
}
