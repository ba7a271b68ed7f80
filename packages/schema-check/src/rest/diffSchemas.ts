import type { Change } from '../Change.ts';
import { diffObjects } from './diffObjects.ts';
import { diffValues } from './diffValues.ts';
import { type Json, toObject } from './Json.ts';
import { resolve } from './OpenApi.ts';
import { changeAt, memberAt, type Polarity, type Position, type SchemaDiff } from './Position.ts';
import { type SchemaShape, toSchemaShape } from './schemaShape.ts';

/** Creates the comparison of the schemas of two documents. Each pair of named schemas is compared once. */
export function createSchemaDiff(base: Json, next: Json): SchemaDiff {
  const compared = new Set<string>();
  const diff: SchemaDiff = (polarity, before, after, position) => {
    const [was, is] = [toObject(before).$ref, toObject(after).$ref];
    let at = position;
    if (typeof was === 'string' && typeof is === 'string') {
      const key = `${polarity} ${was} ${is}`;
      if (compared.has(key)) return [];
      compared.add(key);
      // A schema that is referenced in many places is one schema with one change.
      if (was === is) at = { place: was.replace('#/components/', ''), member: '' };
    }
    const shapes = [shapeOf(before, base), shapeOf(after, next)] as const;
    const defaults = diffDefaults(polarity, before, after, position);
    return [...defaults, ...diffShapes(polarity, shapes, at, diff)];
  };
  return diff;
}

/** Compares defaults, which are next to the reference or the alternatives they belong to. */
function diffDefaults(polarity: Polarity, before: unknown, after: unknown, position: Position): Change[] {
  const [was, is] = [before, after].map((schema) => JSON.stringify(toObject(schema).default));
  if (polarity === 'response' || was === is) return [];
  const words = `has the default ${is ?? 'none'}, before ${was ?? 'none'}.`;
  return [changeAt('request-default-changed', position, words)];
}

function shapeOf(schema: unknown, document: Json): SchemaShape {
  const isReference = typeof toObject(schema).$ref === 'string';
  const found = isReference ? resolve(schema, document) : schema;
  const shape = toSchemaShape(found);
  // A named schema among the variants may itself have several forms, or null.
  const variants = shape.variants.map((variant) => {
    if (typeof variant.$ref !== 'string') return { variant, inner: undefined };
    const found = resolve(variant, document);
    // Its name in the document may change; its title identifies it.
    const named = typeof found.title === 'string' ? { ...variant, title: found.title } : variant;
    return { variant: named, inner: toSchemaShape(found) };
  });
  const anything = shape.anything || variants.some(({ inner }) => inner?.anything);
  return {
    anything,
    nullable: shape.nullable || variants.some(({ inner }) => inner?.nullable),
    variants: anything
      ? []
      : variants.flatMap(({ variant, inner }) =>
          inner && inner.variants.length > 1 ? inner.variants : [variant],
        ),
  };
}

type Shapes = readonly [before: SchemaShape, after: SchemaShape];

function diffShapes(polarity: Polarity, [was, is]: Shapes, position: Position, diff: SchemaDiff): Change[] {
  if (was.anything && is.anything) return [];
  if (was.anything) {
    return polarity === 'request'
      ? [changeAt('request-type-changed', position, 'took any value before.')]
      : [changeAt('response-type-narrowed', position, 'could be any value before.')];
  }
  if (is.anything) {
    return polarity === 'request'
      ? [changeAt('request-type-widened', position, 'takes any value now.')]
      : [changeAt('response-type-changed', position, 'may be any value now.')];
  }
  return [...diffNull(polarity, [was, is], position), ...diffVariants(polarity, [was, is], position, diff)];
}

function diffNull(polarity: Polarity, [was, is]: Shapes, position: Position): Change[] {
  if (was.nullable === is.nullable) return [];
  if (polarity === 'request') {
    return is.nullable
      ? [changeAt('request-null-accepted', position, 'may be null now.')]
      : [changeAt('request-null-refused', position, 'must not be null now.')];
  }
  return is.nullable
    ? [changeAt('response-became-nullable', position, 'may be null now.')]
    : [changeAt('response-never-null', position, 'is never null now.')];
}

function diffVariants(polarity: Polarity, [was, is]: Shapes, position: Position, diff: SchemaDiff): Change[] {
  const pairs = pair(was.variants, is.variants);
  const changes = pairs.both.flatMap(([before, after]) => {
    if (typeof before.$ref === 'string' || typeof after.$ref === 'string') {
      return diff(polarity, before, after, position);
    }
    const values = diffValues(polarity, before, after, position);
    // Changes of members are not reported if the type differs.
    const isOtherType = values.some(({ kind }) => kind === `${polarity}-type-changed`);
    return isOtherType ? values : [...values, ...diffObjects(polarity, before, after, position, diff)];
  });
  for (const variant of pairs.removed) {
    const kind = polarity === 'request' ? 'request-variant-removed' : 'response-variant-removed';
    changes.push(
      changeAt(kind, memberAt(position, `<${nameOf(variant)}>`), 'is no longer one of the forms.'),
    );
  }
  for (const variant of pairs.added) {
    const kind = polarity === 'request' ? 'request-variant-added' : 'response-variant-added';
    changes.push(changeAt(kind, memberAt(position, `<${nameOf(variant)}>`), 'is one of the forms now.'));
  }
  return changes;
}

/** Pairs forms by name; the name of a single form does not matter. */
function pair(before: readonly Json[], after: readonly Json[]) {
  const both: (readonly [Json, Json])[] = [];
  const removed: Json[] = [];
  const added = [...after];
  for (const variant of before) {
    const index = added.findIndex((candidate) => nameOf(candidate) === nameOf(variant));
    const [partner] = index === -1 ? [] : added.splice(index, 1);
    if (partner) both.push([variant, partner]);
    else removed.push(variant);
  }
  const [lone, other] = [removed[0], added[0]];
  if (lone && other && (before.length === 1 || after.length === 1)) {
    both.push([lone, other]);
    return { both, removed: removed.slice(1), added: added.slice(1) };
  }
  return { both, removed, added };
}

function nameOf({ $ref, title, type }: Json): string {
  if (typeof title === 'string') return title;
  return typeof $ref === 'string' ? $ref.slice($ref.lastIndexOf('/') + 1) : String(type ?? 'any');
}
