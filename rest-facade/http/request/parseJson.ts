import { isUtf8 } from 'node:buffer';
import { describeDeepJson, scanJson } from '../../../schema/scanJson.ts';
import { Refusal } from '../Refusal.ts';

/** Maximum nesting of a body; the schema needs less, and serializers are recursive. */
export const maxJsonDepth = 20;

/**
 * Returns the text of a body.
 *
 * @throws Refusal 400 `invalid_json` if the bytes are not UTF-8
 */
export function toText(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new Refusal('invalid_json', 'The body is not valid UTF-8.');
  return bytes.toString('utf8');
}

/**
 * Parses JSON (RFC 8259) of bounded depth whose objects name each member once: with a repeated name two parsers see
 * two different requests. `__proto__` stays an ordinary member, which no input knows.
 *
 * @throws Refusal 400 `invalid_json`
 */
export function parseJson(text: string): unknown {
  const { members, tooDeepAt } = scanJson(text, maxJsonDepth);
  if (tooDeepAt !== -1) throw new Refusal('invalid_json', describeDeepJson(tooDeepAt, maxJsonDepth));
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Refusal('invalid_json', 'The body is not valid JSON.');
  }
  if (countMembers(value) !== members)
    throw new Refusal('invalid_json', 'An object in the body has the same member twice.');
  return value;
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
