import { outlineOf } from './imagined.ts';

/**
 * Lists the differences of an answer from its example in members, kinds of values, texts and booleans. Ids, times,
 * addresses and secrets must be of the same kind. Numbers, such as counts, can differ.
 *
 * @param actual with all entries of its lists, of which the example shows some
 * @returns findings, each with the place in the answer
 */
export function unlike(example: unknown, actual: unknown, place = ''): string[] {
  if (typeof example === 'string' && typeof actual === 'string')
    return outlineOf(example) === outlineOf(actual)
      ? []
      : [`${place} is "${actual.slice(0, 80)}", not "${example.slice(0, 80)}"`];
  if (kindOf(example) !== kindOf(actual)) return [`${place} is ${kindOf(actual)}, not ${kindOf(example)}`];
  if (typeof example === 'boolean') return example === actual ? [] : [`${place} is ${String(actual)}`];
  if (Array.isArray(example) && Array.isArray(actual)) {
    if (actual.length < example.length || (actual.length > 0 && example.length === 0))
      return [`${place} has ${actual.length} entries, not ${example.length}`];
    return example.flatMap((entry, index) => unlikeEntry(entry, actual, index, place));
  }
  if (example === null || typeof example !== 'object') return [];
  return unlikeMembers(example as Members, actual as Members, place);
}

/** Sorts entries, because those with equal timestamps can be in any order. */
function unlikeEntry(example: unknown, actual: readonly unknown[], index: number, place: string): string[] {
  const findings = unlike(example, actual[index], `${place}/${index}`);
  const isElsewhere = findings.length > 0 && actual.some((entry) => unlike(example, entry).length === 0);
  return isElsewhere ? [] : findings;
}

type Members = Readonly<Record<string, unknown>>;

function unlikeMembers(example: Members, actual: Members, place: string): string[] {
  const shown = outlined(example);
  const present = outlined(actual);
  const lost = [...shown.keys()]
    .filter((name) => !present.has(name))
    .map((name) => `${place}/${name} is missing`);
  const more = [...present.keys()]
    .filter((name) => !shown.has(name))
    .map((name) => `${place}/${name} is not shown`);
  const both = [...shown].filter(([name]) => present.has(name));
  return [
    ...lost,
    ...more,
    ...both.flatMap(([name, value]) => unlike(value, present.get(name), `${place}/${name}`)),
  ];
}

function outlined(members: Members): Map<string, unknown> {
  return new Map(Object.entries(members).map(([name, member]) => [outlineOf(name), member]));
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'a list' : typeof value;
}
