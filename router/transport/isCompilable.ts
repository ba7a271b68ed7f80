import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isEnumType,
  isInputObjectType,
  isNonNullType,
  isScalarType,
  isSpecifiedScalarType,
  Kind,
  type SelectionSetNode,
  TypeInfo,
  typeFromAST,
  type ValueNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';

const unambiguousName = /^_?[A-Za-z0-9]+$/;

/**
 * Returns whether graphql-jit 0.8.9 executes a query exactly as graphql-js does. Otherwise the query must be
 * interpreted. This is the case if
 * - a variable is inside an input object literal: if omitted, it would arrive as null;
 * - a variable's type is a recursive input object, whose compilation would not end;
 * - a variable's type has a non-null member with a default, which would be required;
 * - a response name has an inner underscore: the paths `a_b.c` and `b.c_a` share one `info`, so a resolver that depends
 *   on `info` would get the wrong field; these names include `__proto__`;
 * - `@skip` or `@include` apply to one of several selections of the same object, because skipped fields are selected;
 * - a literal or default of a custom scalar does not survive a JSON round trip;
 * - the type of an object is resolved asynchronously.
 *
 * See `docs/adr/router/0002-run-queries-on-graphql-jit-mutations-on-graphql-js.md`.
 */
export function isCompilable(schema: GraphQLSchema, document: DocumentNode): boolean {
  let compilable = true;
  let hasCondition = false;
  let objectDepth = 0;
  const refuse = () => {
    compilable = false;
  };
  const typeInfo = new TypeInfo(schema);
  const checkLiteral = (node: ValueNode) => {
    const type = typeInfo.getInputType();
    if (type != null && !isPlainType(type) && !isPlainLiteral(type, node)) refuse();
  };
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      VariableDefinition(node) {
        const type = typeFromAST(schema, node.type);
        if (type === undefined || !isPlainInput(type as GraphQLInputType)) refuse();
        // Skipped, because the definition of a variable is not a use of it.
        return node.defaultValue === undefined ? false : undefined;
      },
      ObjectValue: {
        enter(node) {
          objectDepth++;
          checkLiteral(node);
        },
        leave() {
          objectDepth--;
        },
      },
      Variable() {
        if (objectDepth > 0) refuse();
      },
      Directive(node) {
        if (node.name.value === 'skip' || node.name.value === 'include') hasCondition = true;
      },
      Field(node) {
        if (!isUnambiguous((node.alias ?? node.name).value)) refuse();
        if (typeInfo.getFieldDef()?.args.some((argument) => !isJson(argument.defaultValue)) === true)
          refuse();
        const type = typeInfo.getType();
        if (type != null && resolvesTypeAsynchronously(schema, getNamedType(type))) refuse();
      },
      IntValue: checkLiteral,
      FloatValue: checkLiteral,
      StringValue: checkLiteral,
      BooleanValue: checkLiteral,
      EnumValue: checkLiteral,
    }),
  );
  return compilable && !(hasCondition && selectsObjectTwice(document));
}

function isUnambiguous(responseName: string): boolean {
  return responseName === '__typename' || unambiguousName.test(responseName);
}

function isPlainType(type: GraphQLInputType): boolean {
  const named = getNamedType(type);
  if (isScalarType(named)) return isSpecifiedScalarType(named);
  return !isEnumType(named) || named.getValues().every(({ value }) => isJson(value));
}

/** Returns whether a literal is a text that its custom scalar accepts as a text. */
function isPlainLiteral(type: GraphQLInputType, node: ValueNode): boolean {
  const named = getNamedType(type);
  if (!isScalarType(named) || node.kind !== Kind.STRING) return false;
  try {
    return typeof named.parseLiteral(node) === 'string';
  } catch {
    return false;
  }
}

/** Returns whether an input type contains neither itself nor a non-null member with a default. */
function isPlainInput(type: GraphQLInputType, path: ReadonlySet<unknown> = new Set()): boolean {
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return true;
  if (path.has(named)) return false;
  const inner = new Set([...path, named]);
  return Object.values(named.getFields()).every(
    (field) =>
      !(isNonNullType(field.type) && field.defaultValue !== undefined) && isPlainInput(field.type, inner),
  );
}

/** Returns whether `JSON.parse(JSON.stringify(value))` is an equal value. */
function isJson(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return typeof value === 'string' || typeof value === 'boolean';
  if (Array.isArray(value)) return value.every(isJson);
  const prototype: unknown = Object.getPrototypeOf(value);
  return (prototype === null || prototype === Object.prototype) && Object.values(value).every(isJson);
}

function resolvesTypeAsynchronously(schema: GraphQLSchema, type: GraphQLNamedType): boolean {
  if (!isAbstractType(type)) return false;
  const decisions = [type.resolveType, ...schema.getPossibleTypes(type).map((possible) => possible.isTypeOf)];
  return decisions.some((decide) => decide?.constructor.name === 'AsyncFunction');
}

/** Returns whether an object is selected by several field nodes under one response name. */
function selectsObjectTwice(document: DocumentNode): boolean {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of document.definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  }
  const fieldsOf = (selectionSet: SelectionSetNode, into: FieldNode[]): FieldNode[] => {
    for (const selection of selectionSet.selections) {
      if (selection.kind === Kind.FIELD) {
        into.push(selection);
        continue;
      }
      const fragment =
        selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection;
      if (fragment !== undefined) fieldsOf(fragment.selectionSet, into);
    }
    return into;
  };
  let twice = false;
  visit(document, {
    SelectionSet(node) {
      const names = fieldsOf(node, [])
        .filter((field) => field.selectionSet !== undefined)
        .map((field) => (field.alias ?? field.name).value);
      if (new Set(names).size < names.length) twice = true;
    },
  });
  return twice;
}
