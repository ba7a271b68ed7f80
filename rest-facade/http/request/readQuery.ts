import { shown } from '../../../schema/Problem.ts';
import { Refusal } from '../Refusal.ts';

/** Maximum number of parameters of a query; enough for every route, and few enough to be cheap. */
const maxParameters = 200;

/**
 * Reads a query (or a form body, which has the same syntax) into name -> texts in order of appearance. A `+` is a
 * space, names and texts are decoded once.
 *
 * @throws Refusal 400 `malformed_request` for an escape that is no UTF-8 or no escape, and for a flood of parameters
 */
export function readQuery(text: string): Map<string, string[]> {
  const query = new Map<string, string[]>();
  if (text === '') return query;
  const pairs = text.split('&', maxParameters + 1);
  if (pairs.length > maxParameters) {
    throw new Refusal('malformed_request', `The query must have at most ${maxParameters} parameters.`);
  }
  for (const pair of pairs) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = decodeText(equals === -1 ? pair : pair.slice(0, equals));
    const value = equals === -1 ? '' : decodeText(pair.slice(equals + 1));
    const present = query.get(name);
    if (present) present.push(value);
    else query.set(name, [value]);
  }
  return query;
}

function decodeText(text: string): string {
  return text.includes('%') || text.includes('+') ? decodeEscapes(text.replaceAll('+', ' ')) : text;
}

/**
 * Decodes the escapes of a path segment or parameter exactly once.
 *
 * @throws Refusal 400 `malformed_request`
 */
export function decodeEscapes(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Refusal('malformed_request', `"${shown(text)}" contains a percent-encoding that is not UTF-8.`);
  }
}
