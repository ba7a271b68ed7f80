import type { Change } from '../Change.ts';
import type { Json } from './Json.ts';
import { changeAt, type Polarity, type Position } from './Position.ts';
import { isAnnotation, typesOf, valuesOf } from './schemaShape.ts';

/** Bounds for which a higher value accepts less, and those for which a lower value accepts less. */
const lowerBounds = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'] as const;
const upperBounds = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'] as const;

/** Keywords that are judged here or by `diffObjects`. */
const judged = new Set<string>([
  ...lowerBounds,
  ...upperBounds,
  'type',
  'enum',
  'const',
  'format',
  'pattern',
  'multipleOf',
  'uniqueItems',
  'items',
  'properties',
  'required',
  'additionalProperties',
  'patternProperties',
]);

/** A wider format accepts every value of a narrower one. */
const widerFormats: Readonly<Record<string, string>> = { int32: 'int64', float: 'double' };

/** Range of values of the integer formats. */
const integerBits: Readonly<Record<string, number>> = { int32: 32, int64: 64 };

/** Compares the constraints on one value: type, enum, format, bounds, pattern. */
export function diffValues(polarity: Polarity, before: Json, after: Json, position: Position): Change[] {
  const type = diffTypes(polarity, before, after, position);
  // Bounds and formats are not reported if the type differs.
  if (type.some(({ severity }) => severity === 'breaking')) return type;
  return [
    ...type,
    ...diffEnums(polarity, before, after, position),
    ...diffFormats(polarity, before, after, position),
    ...diffBounds(polarity, before, after, position),
    ...diffPatterns(polarity, before, after, position),
    ...diffOthers(polarity, before, after, position),
  ];
}

/** Returns what only the first set accepts, and what only the second does; undefined accepts everything. */
function compare(
  before: readonly string[] | undefined,
  after: readonly string[] | undefined,
  covers: (set: readonly string[], item: string) => boolean = (set, item) => set.includes(item),
) {
  const isLost = before ? before.some((item) => after && !covers(after, item)) : after !== undefined;
  const isGained = after ? after.some((item) => before && !covers(before, item)) : before !== undefined;
  return { isLost, isGained };
}

function diffTypes(polarity: Polarity, before: Json, after: Json, position: Position): Change[] {
  const [was, is] = [typesOf(before), typesOf(after)];
  const covers = (set: readonly string[], item: string) =>
    set.includes(item) || (item === 'integer' && set.includes('number'));
  const { isLost, isGained } = compare(was, is, covers);
  const words = `is ${is?.join(' or ') ?? 'of any type'}, before ${was?.join(' or ') ?? 'of any type'}.`;
  if (polarity === 'request' ? isLost : isGained)
    return [changeAt(`${polarity}-type-changed`, position, words)];
  if (isGained) return [changeAt('request-type-widened', position, words)];
  return isLost ? [changeAt('response-type-narrowed', position, words)] : [];
}

function diffEnums(polarity: Polarity, before: Json, after: Json, position: Position): Change[] {
  const [was, is] = [valuesOf(before), valuesOf(after)];
  const changes: Change[] = [];
  if (was && is) {
    for (const value of was.filter((known) => !is.includes(known)))
      changes.push(changeAt(`${polarity}-enum-narrowed`, position, `is never ${value} now.`, value));
    for (const value of is.filter((present) => !was.includes(present)))
      changes.push(changeAt(`${polarity}-enum-widened`, position, `may be ${value} now.`, value));
  }
  if (!was && is)
    changes.push(changeAt(`${polarity}-enum-narrowed`, position, 'is limited to listed values now.'));
  if (was && !is)
    changes.push(changeAt(`${polarity}-enum-widened`, position, 'is not limited to listed values now.'));
  return changes;
}

/** Returns whether the bounds of a value are within the range of an integer format. */
function isWithin({ minimum, maximum }: Json, format: string | undefined): boolean {
  const bits = integerBits[format ?? ''];
  if (bits === undefined || typeof minimum !== 'number' || typeof maximum !== 'number') return false;
  const limit = 2 ** (bits - 1);
  return minimum >= -limit && maximum < limit;
}

function diffFormats(polarity: Polarity, before: Json, after: Json, position: Position): Change[] {
  const [was, is] = [before.format, after.format].map((format) =>
    typeof format === 'string' ? format : undefined,
  );
  if (was === is) return [];
  const words = `has the format ${is ?? 'none'}, before ${was ?? 'none'}.`;
  const isWider = is === undefined || (was !== undefined && widerFormats[was] === is);
  // The format of an integer only restates the bounds that the value already had.
  if (polarity === 'request' && was === undefined && isWithin(before, is)) return [];
  const isNarrower = was === undefined || (is !== undefined && widerFormats[is] === was);
  if (polarity === 'request' && isWider) return [changeAt('request-format-removed', position, words)];
  if (polarity === 'response' && isNarrower) return [changeAt('response-format-added', position, words)];
  return [changeAt(`${polarity}-format-changed`, position, words)];
}

/**
 * Compares bounds. The first statement of a bound may document what was already refused; only the server's tests can
 * show it.
 */
function diffBounds(polarity: Polarity, before: Json, after: Json, position: Position): Change[] {
  const changes: Change[] = [];
  const report = (keyword: string, isTighter: boolean) => {
    const words = `has ${keyword} ${wordOf(after[keyword])}, before ${wordOf(before[keyword])}.`;
    const change = isTighter ? 'tightened' : 'relaxed';
    const isFirst = polarity === 'request' && isTighter && before[keyword] === undefined;
    const kind = isFirst ? 'request-bound-stated' : (`${polarity}-bound-${change}` as const);
    changes.push(changeAt(kind, position, words, keyword));
  };
  for (const [keywords, direction] of [[lowerBounds, 1] as const, [upperBounds, -1] as const]) {
    for (const keyword of keywords) {
      const [was, is] = [before[keyword], after[keyword]];
      if (was === is) continue;
      const isTighter = typeof is === 'number' && (typeof was !== 'number' || (is - was) * direction > 0);
      report(keyword, isTighter);
    }
  }
  if (before.multipleOf !== after.multipleOf) {
    const [was, is] = [Number(before.multipleOf), Number(after.multipleOf)];
    // Multiples of 6 are multiples of 3; without a step every value is accepted.
    report('multipleOf', !(after.multipleOf === undefined || was % is === 0));
  }
  if ((before.uniqueItems === true) !== (after.uniqueItems === true)) {
    report('uniqueItems', after.uniqueItems === true);
  }
  return changes;
}

function diffPatterns(polarity: Polarity, before: Json, after: Json, position: Position): Change[] {
  const [was, is] = [before.pattern, after.pattern];
  if (was === is) return [];
  const words = `has the pattern ${wordOf(is)}, before ${wordOf(was)}.`;
  if (polarity === 'request') {
    return [
      changeAt(is === undefined ? 'request-pattern-removed' : 'request-pattern-changed', position, words),
    ];
  }
  return [
    changeAt(was === undefined ? 'response-pattern-added' : 'response-pattern-changed', position, words),
  ];
}

function wordOf(value: unknown): string {
  return value === undefined ? 'none' : String(value);
}

/** Returns refusals for keywords that cannot be compared, instead of skipping them. */
function diffOthers(polarity: Polarity, before: Json, after: Json, position: Position): Change[] {
  const keywords = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keywords]
    .filter((keyword) => !judged.has(keyword) && !isAnnotation(keyword))
    .filter((keyword) => JSON.stringify(before[keyword]) !== JSON.stringify(after[keyword]))
    .map((keyword) =>
      changeAt(
        `${polarity}-schema-incomparable`,
        position,
        `differs in "${keyword}", which is not judged.`,
        keyword,
      ),
    );
}
