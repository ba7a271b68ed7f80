import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  isObjectType,
  valueFromASTUntyped,
} from 'graphql';
import { describeGuard, type Guard, readGuard } from '../../guards/readGuard.ts';
import { readTraits } from '../../route/readTraits.ts';
import { type Change, toChange } from '../Change.ts';
import { compareGuards } from './compareGuards.ts';

type Field = GraphQLField<unknown, unknown>;

const limitNames = ['arrays', 'bodyBytes', 'timeoutMs'] as const;

/**
 * Compares what two supergraphs demand of callers: the guards of root fields, nested fields and types, and limits,
 * idempotency and rate classes of root fields. The public schema shows none of it.
 */
export function diffGuards(base: GraphQLSchema, next: GraphQLSchema): Change[] {
  return Object.values(next.getTypeMap()).flatMap((type) => {
    if (!isObjectType(type) || type.name.startsWith('__')) return [];
    const before = base.getType(type.name);
    const known = isObjectType(before) ? before : undefined;
    const fields = Object.values(type.getFields());
    if (isRootType(type, next)) {
      return fields.flatMap((field) => diffRootField(known?.getFields()[field.name], field, type.name));
    }
    if (!known) return [];
    return [
      ...diffGuard(readGuard(known), readGuard(type), type.name),
      ...fields.flatMap((field) => diffNestedField(known, type, field.name)),
    ];
  });
}

function isRootType(type: GraphQLObjectType, schema: GraphQLSchema): boolean {
  return [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].includes(type);
}

function diffRootField(before: Field | undefined, after: Field, type: string): Change[] {
  const path = `${type}.${after.name}`;
  const guard = readGuard(after);
  if (!guard) return [toChange('guard-missing', path, `${path} has no guard, so no caller may use it.`)];
  if (!before) return [];
  return [...diffGuard(readGuard(before), guard, path), ...diffTraits(before, after, path)];
}

/** A guard of its own takes the place of that of the type; without one on either side the type says it all. */
function diffNestedField(before: GraphQLObjectType, after: GraphQLObjectType, name: string): Change[] {
  const [was, is] = [before.getFields()[name], after.getFields()[name]];
  if (!was || !is) return [];
  const [own, present] = [readGuard(was), readGuard(is)];
  if (!own && !present) return [];
  return diffGuard(own ?? readGuard(before), present ?? readGuard(after), `${after.name}.${name}`);
}

function diffGuard(before: Guard | null, after: Guard | null, path: string): Change[] {
  const { added, dropped } = compareGuards(before, after);
  const changes: Change[] = [];
  const was = before ? describeGuard(before) : 'no guard';
  const is = after ? describeGuard(after) : 'no guard';
  if (added.length > 0) {
    const message = `${path} demands ${added.join(', ')} now (was: ${was}; is: ${is}).`;
    changes.push(toChange('guard-stricter', path, message));
  }
  if (dropped.length === 0) return changes;
  const demands = `${path} no longer demands ${dropped.join(', ')} (was: ${was}; is: ${is}).`;
  // Who let in everybody cannot take it back: whatever was kept has been read by then.
  if (!after) changes.push(toChange('guard-opened', path, demands));
  else if (after.public)
    changes.push(toChange('guard-opened', path, `${path} is public now, with or without a token.`));
  else changes.push(toChange('guard-looser', path, demands));
  return changes;
}

function diffTraits(before: Field, after: Field, path: string): Change[] {
  const [was, is] = [readTraits(before), readTraits(after)];
  const changes = diffIdempotency(was.idempotent, is.idempotent, path);
  if (was.rateClass !== is.rateClass) {
    const message = `${path} is charged to ${is.rateClass ?? 'no budget'}, before to ${was.rateClass ?? 'no budget'}.`;
    changes.push(toChange('rate-class-changed', path, message));
  }
  return [...changes, ...diffLimits(before, after, path)];
}

type Idempotency = { readonly required: boolean } | undefined;

function diffIdempotency(before: Idempotency, after: Idempotency, path: string): Change[] {
  if (before && !after) {
    const message = `${path} no longer honours the idempotency key: a retry has a second effect.`;
    return [toChange('idempotency-removed', path, message)];
  }
  if (before?.required === after?.required) return [];
  return after?.required
    ? [toChange('idempotency-required', path, `${path} refuses requests without an idempotency key now.`)]
    : [toChange('idempotency-added', path, `${path} honours an idempotency key, which may be left out.`)];
}

function diffLimits(before: Field, after: Field, path: string): Change[] {
  const [was, is] = [readLimits(before), readLimits(after)];
  return limitNames.flatMap((name) => {
    const [old, now] = [was.get(name), is.get(name)];
    if (old === now) return [];
    const isLower = old !== undefined && now !== undefined && now < old;
    const message = `The limit ${name} of ${path} is ${now ?? 'the default'}, before ${old ?? 'the default'}.`;
    return [toChange(isLower ? 'limit-lowered' : 'limit-changed', `${path} ${name}`, message)];
  });
}

function readLimits(field: Field): Map<string, number> {
  const directive = field.astNode?.directives?.find(({ name }) => name.value === 'limits');
  return new Map(
    (directive?.arguments ?? []).map(({ name, value }) => [name.value, Number(valueFromASTUntyped(value))]),
  );
}
