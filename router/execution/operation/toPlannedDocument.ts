import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  Kind,
  type OperationDefinitionNode,
  print,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { fragmentsOf, responseNameOf } from './filterRootFields.ts';

interface Normalisation {
  readonly schema: GraphQLSchema;
  readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>;
}

/** The object types that a position can hold, by name. */
type Possible = ReadonlySet<string>;

const typenameField: FieldNode = { kind: Kind.FIELD, name: { kind: Kind.NAME, value: '__typename' } };

/**
 * Returns the equivalent operation in its simplest form: without named fragments and fragments that always or never
 * apply, and with every field once. The planner gets only this form. It omits fields below which no fragment can apply
 * (for the client they are still null or an object), and panics on some repetitions.
 */
export function toPlannedDocument(
  document: DocumentNode,
  operation: OperationDefinitionNode,
  schema: GraphQLSchema,
): DocumentNode {
  const root = schema.getRootType(operation.operation);
  if (root == null) throw new Error(`The schema has no ${operation.operation} type.`);
  const normalisation = { schema, fragments: fragmentsOf(document) };
  const selectionSet = normalise(normalisation, root, new Set([root.name]), [operation.selectionSet]);
  return { kind: Kind.DOCUMENT, definitions: [{ ...operation, selectionSet }] };
}

function normalise(
  normalisation: Normalisation,
  type: GraphQLCompositeType,
  possible: Possible,
  selectionSets: readonly SelectionSetNode[],
): SelectionSetNode {
  const collected = new Map<string, { readonly node: FieldNode; readonly nested: SelectionSetNode[] }>();
  const fragments: SelectionNode[] = [];
  const finished = new Set<string>();

  const collect = (selections: readonly SelectionNode[]): void => {
    for (const selection of selections) {
      const directives = selection.directives ?? [];
      if (selection.kind === Kind.FIELD) {
        const node = isTypename(selection) && isAbstractType(type) ? withoutAlias(selection) : selection;
        const key = [responseNameOf(node), ...directives.map(print)].join(' ');
        const known = collected.get(key) ?? { node, nested: [] };
        collected.set(key, known);
        if (selection.selectionSet !== undefined) known.nested.push(selection.selectionSet);
        continue;
      }
      const fragment =
        selection.kind === Kind.FRAGMENT_SPREAD
          ? normalisation.fragments.get(selection.name.value)
          : selection;
      if (fragment === undefined) continue;
      if (selection.kind === Kind.FRAGMENT_SPREAD && directives.length === 0) {
        if (finished.has(selection.name.value)) continue;
        finished.add(selection.name.value);
      }
      const condition = fragment.typeCondition?.name.value ?? type.name;
      const applicable = intersect(possible, possibleNames(normalisation.schema, condition));
      if (applicable.size === 0) continue;
      if (
        applicable.size === possible.size &&
        directives.length === 0 &&
        isWider(normalisation.schema, condition, type)
      ) {
        collect(fragment.selectionSet.selections);
        continue;
      }
      const inner = normalisation.schema.getType(condition);
      if (!isCompositeType(inner)) continue;
      fragments.push({
        kind: Kind.INLINE_FRAGMENT,
        typeCondition: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: condition } },
        directives,
        selectionSet: normalise(normalisation, inner, applicable, [fragment.selectionSet]),
      });
    }
  };
  for (const selectionSet of selectionSets) collect(selectionSet.selections);

  const fields = [...collected.values()].map(({ node, nested }) =>
    normaliseField(normalisation, type, node, nested),
  );
  const selections = [...fields, ...fragments];
  return { kind: Kind.SELECTION_SET, selections: selections.length === 0 ? [typenameField] : selections };
}

function isTypename({ name }: FieldNode): boolean {
  return name.value === '__typename';
}

/**
 * Removes the alias of a `__typename`. The client's `__typename` is the resolved type of an object, under any alias.
 * The planner lets an alias ask for the type of an object that represents an interface, and the object would keep that
 * name.
 */
function withoutAlias(node: FieldNode): FieldNode {
  const { kind, name, directives = [] } = node;
  return { kind, name, directives };
}

function normaliseField(
  normalisation: Normalisation,
  parent: GraphQLCompositeType,
  node: FieldNode,
  nested: readonly SelectionSetNode[],
): FieldNode {
  const field = 'getFields' in parent ? parent.getFields()[node.name.value] : undefined;
  const type = field === undefined ? undefined : getNamedType(field.type);
  const { alias, ...unaliased } = node;
  // The planner treats `name: name` and `name` as a conflict.
  const plain: FieldNode = alias?.value === node.name.value ? unaliased : node;
  if (nested.length === 0 || !isCompositeType(type)) return plain;
  const possible = possibleNames(normalisation.schema, type.name);
  return { ...plain, selectionSet: normalise(normalisation, type, possible, nested) };
}

function possibleNames(schema: GraphQLSchema, name: string): Possible {
  const type = schema.getType(name);
  if (!isAbstractType(type)) return new Set([name]);
  return new Set(schema.getPossibleTypes(type).map((possible: GraphQLObjectType) => possible.name));
}

/** Returns whether every field of the condition's type can be selected on the type itself. */
function isWider(schema: GraphQLSchema, condition: string, type: GraphQLCompositeType): boolean {
  if (condition === type.name) return true;
  const conditionType = schema.getType(condition);
  return isAbstractType(conditionType) && 'getInterfaces' in type && schema.isSubType(conditionType, type);
}

function intersect(first: Possible, second: Possible): Possible {
  return new Set([...first].filter((name) => second.has(name)));
}
