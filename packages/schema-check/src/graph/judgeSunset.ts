import { type GraphQLSchema, isEnumType, isInputObjectType, isInterfaceType, isObjectType } from 'graphql';
import { type Change, toChange } from '../Change.ts';

const kinds: ReadonlySet<string> = new Set(['field-removed', 'argument-removed', 'enum-value-removed']);
const sunset = /\bremoved after (\d{4}-\d{2}-\d{2})\b/i;

/**
 * Makes the removal of a deprecated member breaking before the end of its last day, which its reason states: `removed
 * after 2027-05-31`. Other changes are returned unchanged.
 *
 * @param today day of the check, `YYYY-MM-DD`
 */
export function judgeSunset(change: Change, base: GraphQLSchema, today: string): Change {
  const until = findSunset(change, base);
  if (until === null || today > until) return change;
  const { kind, path, message } = change;
  const rule = `It is deprecated and may not be removed before the end of ${until}.`;
  return toChange(kind, path, `${message} ${rule}`, 'breaking');
}

function findSunset({ kind, path }: Change, base: GraphQLSchema): string | null {
  if (!kinds.has(kind)) return null;
  const [, typeName = '', name = '', argument] = /^(\w+)\.(\w+)(?:\((\w+):\))?$/.exec(path) ?? [];
  return sunset.exec(reasonOf(base, typeName, name, argument) ?? '')?.[1] ?? null;
}

function reasonOf(
  schema: GraphQLSchema,
  typeName: string,
  name: string,
  argument: string | undefined,
): string | null | undefined {
  const type = schema.getType(typeName);
  if (isEnumType(type)) return type.getValue(name)?.deprecationReason;
  if (isInputObjectType(type)) return type.getFields()[name]?.deprecationReason;
  if (!isObjectType(type) && !isInterfaceType(type)) return undefined;
  const field = type.getFields()[name];
  if (argument === undefined) return field?.deprecationReason;
  return field?.args.find((candidate) => candidate.name === argument)?.deprecationReason;
}
