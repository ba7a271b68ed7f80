import { type GraphQLObjectType, type GraphQLSchema, isObjectType } from 'graphql';
import { type Change, toChange } from '../Change.ts';
import type { Field, GuardLanguage } from './GuardLanguage.ts';

/**
 * Compares the conditions of two supergraphs for callers: guards of root fields, nested fields and types, and other
 * traits of the language. The public schema contains none of them.
 */
export function diffGuards<Guard>(
  base: GraphQLSchema,
  next: GraphQLSchema,
  language: GuardLanguage<Guard>,
): Change[] {
  return Object.values(next.getTypeMap()).flatMap((type) => {
    if (!isObjectType(type) || type.name.startsWith('__')) return [];
    const before = base.getType(type.name);
    const known = isObjectType(before) ? before : undefined;
    const fields = Object.values(type.getFields());
    if (isRootType(type, next)) {
      return fields.flatMap((field) =>
        diffRootField(known?.getFields()[field.name], field, type.name, language),
      );
    }
    if (!known) return [];
    return [
      ...diffGuard(language.read(known), language.read(type), type.name, language),
      ...fields.flatMap((field) => diffNestedField(known, type, field.name, language)),
    ];
  });
}

function isRootType(type: GraphQLObjectType, schema: GraphQLSchema): boolean {
  return [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].includes(type);
}

function diffRootField<Guard>(
  before: Field | undefined,
  after: Field,
  type: string,
  language: GuardLanguage<Guard>,
): Change[] {
  const path = `${type}.${after.name}`;
  const guard = language.read(after);
  if (!guard && language.isRequired)
    return [toChange('guard-missing', path, `${path} has no guard, so no caller may use it.`)];
  if (!before) return [];
  return [
    ...diffGuard(language.read(before), guard, path, language),
    ...(language.compareTraits?.(before, after, path) ?? []),
  ];
}

/** Compares a nested field. A field's own guard replaces that of its type; a field without one has that of its type. */
function diffNestedField<Guard>(
  before: GraphQLObjectType,
  after: GraphQLObjectType,
  name: string,
  language: GuardLanguage<Guard>,
): Change[] {
  const [was, is] = [before.getFields()[name], after.getFields()[name]];
  if (!was || !is) return [];
  const [own, present] = [language.read(was), language.read(is)];
  if (!own && !present) return [];
  const path = `${after.name}.${name}`;
  return diffGuard(own ?? language.read(before), present ?? language.read(after), path, language);
}

function diffGuard<Guard>(
  before: Guard | null,
  after: Guard | null,
  path: string,
  language: GuardLanguage<Guard>,
): Change[] {
  const { added, dropped } = language.compare(before, after);
  const changes: Change[] = [];
  const was = before ? language.describe(before) : 'no guard';
  const is = after ? language.describe(after) : 'no guard';
  if (added.length > 0) {
    const message = `${path} demands ${added.join(', ')} now (was: ${was}; is: ${is}).`;
    changes.push(toChange('guard-stricter', path, message));
  }
  if (dropped.length === 0) return changes;
  const demands = `${path} no longer demands ${dropped.join(', ')} (was: ${was}; is: ${is}).`;
  // Closing a public field has limited effect, because its data may already have been read.
  if (!after) changes.push(toChange('guard-opened', path, demands));
  else if (language.isPublic(after))
    changes.push(toChange('guard-opened', path, `${path} is public now, with or without a token.`));
  else changes.push(toChange('guard-looser', path, demands));
  return changes;
}
