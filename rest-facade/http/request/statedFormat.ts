import { Refusal } from '../Refusal.ts';

/** Parameter of routes with several response formats. */
export const formatName = 'format';

/**
 * Returns the media type of the query parameter, which takes precedence over `Accept` and is removed from the query.
 * Undefined if it is missing.
 *
 * @param types media types by the name of the format
 * @throws Refusal 400 for another format, and for several
 */
export function takeFormat(
  query: Map<string, string[]>,
  types: Readonly<Record<string, string>>,
): string | undefined {
  const stated = query.get(formatName);
  if (!stated) return undefined;
  query.delete(formatName);
  const [name = ''] = stated;
  if (stated.length > 1)
    throw new Refusal('unsupported_parameter', `The parameter "${formatName}" appears twice.`);
  if (Object.hasOwn(types, name)) return types[name];
  const names = Object.keys(types).join(' or ');
  throw new Refusal('malformed_request', `The parameter "${formatName}" must be ${names}.`);
}
