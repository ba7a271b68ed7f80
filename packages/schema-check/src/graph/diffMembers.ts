import {
  type GraphQLField,
  type GraphQLInputObjectType,
  type GraphQLInterfaceType,
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isRequiredInputField,
  isScalarType,
} from 'graphql';
import { type Change, toChange } from '../Change.ts';

/**
 * Returns the differences of two schemas that `findBreakingChanges` and `findDangerousChanges` of graphql-js do not
 * report: defaults of input members, `@oneOf`, new types of an interface, specifications of scalars, and safe changes.
 */
export function diffMembers(base: GraphQLSchema, next: GraphQLSchema): Change[] {
  return Object.values(next.getTypeMap())
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) => {
      const before = base.getType(type.name);
      return before ? diffType(before, type) : addedType(type, base);
    });
}

function addedType(type: GraphQLNamedType, base: GraphQLSchema): Change[] {
  const changes = [toChange('type-added', type.name, `${type.name} was added.`)];
  if (!isObjectType(type)) return changes;
  for (const { name } of type.getInterfaces()) {
    if (!isInterfaceType(base.getType(name))) continue;
    const message = `${type.name} was added as a possible type of the interface ${name}.`;
    changes.push(toChange('possible-type-added', `${name}.${type.name}`, message));
  }
  return changes;
}

function diffType(before: GraphQLNamedType, after: GraphQLNamedType): Change[] {
  if (isComposite(before) && isComposite(after)) return diffFields(before, after);
  if (isInputObjectType(before) && isInputObjectType(after)) return diffInput(before, after);
  if (isEnumType(before) && isEnumType(after)) {
    return after.getValues().flatMap((value) => {
      const present = before.getValue(value.name);
      return present ? diffDeprecation(present, value, `${after.name}.${value.name}`) : [];
    });
  }
  if (!isScalarType(before) || !isScalarType(after) || before.specifiedByURL === after.specifiedByURL)
    return [];
  const message = `${after.name} is specified by ${after.specifiedByURL ?? 'nothing'}, before by ${before.specifiedByURL ?? 'nothing'}.`;
  return [toChange('scalar-specification-changed', after.name, message)];
}

function isComposite(type: GraphQLNamedType): type is GraphQLObjectType | GraphQLInterfaceType {
  return isObjectType(type) || isInterfaceType(type);
}

function diffFields(
  before: GraphQLObjectType | GraphQLInterfaceType,
  after: GraphQLObjectType | GraphQLInterfaceType,
): Change[] {
  const present = before.getFields();
  return Object.values(after.getFields()).flatMap((field) => {
    const path = `${after.name}.${field.name}`;
    const known = present[field.name];
    return known ? diffField(known, field, path) : [toChange('field-added', path, `${path} was added.`)];
  });
}

function diffField(
  before: GraphQLField<unknown, unknown>,
  after: GraphQLField<unknown, unknown>,
  path: string,
): Change[] {
  const changes = diffDeprecation(before, after, path);
  if (isStricter(before.type, after.type)) {
    changes.push(
      toChange(
        'field-type-narrowed',
        path,
        `${path} is ${String(after.type)}, before ${String(before.type)}.`,
      ),
    );
  }
  for (const argument of after.args) {
    const known = before.args.find(({ name }) => name === argument.name);
    if (!known) continue;
    const argumentPath = `${path}(${argument.name}:)`;
    if (isStricter(argument.type, known.type)) changes.push(relaxed(argumentPath, known, argument));
    if (known.defaultValue === undefined && argument.defaultValue !== undefined) {
      const message = `${argumentPath} has the default ${JSON.stringify(argument.defaultValue)} now.`;
      changes.push(toChange('argument-default-changed', argumentPath, message));
    }
    changes.push(...diffDeprecation(known, argument, argumentPath));
  }
  return changes;
}

function diffInput(before: GraphQLInputObjectType, after: GraphQLInputObjectType): Change[] {
  const changes: Change[] = [];
  if (before.isOneOf !== after.isOneOf) {
    const words = after.isOneOf ? 'takes exactly one member now' : 'no longer takes exactly one member';
    changes.push(
      toChange(after.isOneOf ? 'one-of-added' : 'one-of-removed', after.name, `${after.name} ${words}.`),
    );
  }
  const present = before.getFields();
  for (const member of Object.values(after.getFields())) {
    const known = present[member.name];
    if (!known) continue;
    const path = `${after.name}.${member.name}`;
    if (isStricter(member.type, known.type)) changes.push(relaxed(path, known, member));
    changes.push(...diffDefault(known, member, path), ...diffDeprecation(known, member, path));
  }
  return changes;
}

type Member = ReturnType<GraphQLInputObjectType['getFields']>[string];

function diffDefault(before: Member, after: Member, path: string): Change[] {
  const [was, is] = [JSON.stringify(before.defaultValue), JSON.stringify(after.defaultValue)];
  if (was === is) return [];
  const message = `${path} has the default ${is ?? 'none'}, before ${was ?? 'none'}.`;
  const isRequired = isRequiredInputField(after) && !isRequiredInputField(before);
  // A member whose type also became non-null is reported by its type.
  if (isRequired && String(before.type) === String(after.type)) {
    return [toChange('input-field-became-required', path, `${message} It is non-null, so it must be sent.`)];
  }
  return [toChange('input-field-default-changed', path, message)];
}

function relaxed(path: string, before: { type: unknown }, after: { type: unknown }): Change {
  return toChange(
    'input-type-relaxed',
    path,
    `${path} is ${String(after.type)}, before ${String(before.type)}.`,
  );
}

/** Returns whether `after` is `before` with more exclamation marks; graphql-js reports other differences. */
function isStricter(before: unknown, after: unknown): boolean {
  const [was, is] = [String(before), String(after)];
  if (was === is || was.replaceAll('!', '') !== is.replaceAll('!', '')) return false;
  let position = 0;
  for (const character of is) {
    if (was[position] === character) position += 1;
    else if (character !== '!') return false;
  }
  return position === was.length;
}

function diffDeprecation(
  before: { deprecationReason?: string | null | undefined },
  after: { deprecationReason?: string | null | undefined },
  path: string,
): Change[] {
  const [was, is] = [before.deprecationReason != null, after.deprecationReason != null];
  if (was === is) return [];
  return [
    is
      ? toChange('deprecation-added', path, `${path} is deprecated: ${after.deprecationReason}`)
      : toChange('deprecation-removed', path, `${path} is no longer deprecated.`),
  ];
}
