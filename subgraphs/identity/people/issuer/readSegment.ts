import { scanJson } from '../../../../schema/scanJson.ts';

/** Levels of lists and objects in a token; the claims of no known issuer have more than four. */
const deepest = 20;

/**
 * Returns the JSON object in a segment of a token; null if it is invalid. Duplicate member names are invalid, because
 * issuer and verifier could read different values.
 */
export function readSegment(segment: string): Record<string, unknown> | null {
  const bytes = Buffer.from(segment, 'base64url');
  const text = bytes.toString('utf8');
  const { members, tooDeepAt } = scanJson(text, deepest);
  if (tooDeepAt !== -1) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return null;
  return countMembers(value) === members ? (value as Record<string, unknown>) : null;
}

function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  if (Array.isArray(value)) return value.reduce<number>((sum, item) => sum + countMembers(item), 0);
  return Object.values(value).reduce<number>((sum, item) => sum + 1 + countMembers(item), 0);
}
