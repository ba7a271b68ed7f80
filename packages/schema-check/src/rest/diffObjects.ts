import type { Change } from '../Change.ts';
import { type Json, membersOf, textsOf } from './Json.ts';
import { changeAt, itemAt, memberAt, type Polarity, type Position, type SchemaDiff } from './Position.ts';

/** Compares what a form holds: properties, properties by pattern, items, and members that are not named. */
export function diffObjects(
  polarity: Polarity,
  before: Json,
  after: Json,
  position: Position,
  diff: SchemaDiff,
): Change[] {
  const items =
    before.items === undefined && after.items === undefined
      ? []
      : diff(polarity, before.items, after.items, itemAt(position));
  return [
    ...diffProperties(polarity, before, after, position, diff),
    ...diffPatterns(polarity, before, after, position, diff),
    ...items,
    ...diffOpenness(polarity, before, after, position, diff),
  ];
}

function diffProperties(
  polarity: Polarity,
  before: Json,
  after: Json,
  position: Position,
  diff: SchemaDiff,
): Change[] {
  const [known, present] = [membersOf(before.properties), membersOf(after.properties)];
  const [wasRequired, isRequired] = [new Set(textsOf(before.required)), new Set(textsOf(after.required))];
  const changes: Change[] = [];
  for (const [name, schema] of known) {
    const at = memberAt(position, name);
    if (!present.has(name)) {
      const words = polarity === 'request' ? 'is refused or ignored now.' : 'is gone.';
      changes.push(changeAt(`${polarity}-property-removed`, at, words));
      continue;
    }
    if (wasRequired.has(name) !== isRequired.has(name)) {
      changes.push(
        isRequired.has(name)
          ? changeAt(`${polarity}-property-became-required`, at, 'is always there now.')
          : changeAt(`${polarity}-property-became-optional`, at, 'may be absent now.'),
      );
    }
    changes.push(...diff(polarity, schema, present.get(name), at));
  }
  for (const name of present.keys()) {
    if (known.has(name)) continue;
    const isDemanded = polarity === 'request' && isRequired.has(name);
    const kind = isDemanded ? 'request-required-property-added' : (`${polarity}-property-added` as const);
    changes.push(changeAt(kind, memberAt(position, name), isDemanded ? 'is demanded now.' : 'was added.'));
  }
  return changes;
}

/** Compares name patterns; a pattern is treated as a name of many members. */
function diffPatterns(
  polarity: Polarity,
  before: Json,
  after: Json,
  position: Position,
  diff: SchemaDiff,
): Change[] {
  const [known, present] = [membersOf(before.patternProperties), membersOf(after.patternProperties)];
  const changes: Change[] = [];
  for (const [pattern, schema] of known) {
    const at = memberAt(position, pattern);
    changes.push(
      ...(present.has(pattern)
        ? diff(polarity, schema, present.get(pattern), at)
        : [changeAt(`${polarity}-property-removed`, at, 'is gone.')]),
    );
  }
  for (const pattern of present.keys()) {
    if (known.has(pattern)) continue;
    changes.push(changeAt(`${polarity}-property-added`, memberAt(position, pattern), 'was added.'));
  }
  return changes;
}

/**
 * Compares additional members. They matter in a request, where they may be refused, and where a schema describes them.
 */
function diffOpenness(
  polarity: Polarity,
  before: Json,
  after: Json,
  position: Position,
  diff: SchemaDiff,
): Change[] {
  const [was, is] = [before.additionalProperties ?? true, after.additionalProperties ?? true];
  if (was === false || is === false) {
    if (was === is || polarity === 'response') return [];
    return is === false
      ? [changeAt('request-closed', position, 'refuses members that are not named now.')]
      : [changeAt('request-opened', position, 'takes members that are not named now.')];
  }
  return was === true && is === true ? [] : diff(polarity, was, is, memberAt(position, '*'));
}
