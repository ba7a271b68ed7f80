import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
  TypeNameMetaFieldDef,
} from 'graphql';

/** Member of a response: the selections under one response key. */
export interface FieldShape {
  readonly key: string;
  readonly type: GraphQLOutputType;
  readonly description: string | null | undefined;
  readonly deprecationReason: string | null | undefined;
  /** Selected under `@skip` or `@include`, so it may be absent. */
  readonly conditional: boolean;
  /** Present if the type has members. */
  readonly shape?: SelectionShape;
}

/** Selections of a value: its members for every possible object type. */
export interface SelectionShape {
  readonly variants: readonly { readonly type: GraphQLObjectType; readonly fields: readonly FieldShape[] }[];
}

/** Source for looking up names. */
interface Source {
  schema: GraphQLSchema;
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
}

interface Collected {
  name: string;
  conditional: boolean;
  selectionSets: SelectionSetNode[];
}

/** Returns the shape of `data` of a document's only operation. The document must be valid for the schema. */
export function shapeOfOperation(schema: GraphQLSchema, document: DocumentNode): SelectionShape {
  const fragments = new Map<string, FragmentDefinitionNode>();
  let shape: SelectionShape = { variants: [] };
  for (const node of document.definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
  }
  for (const node of document.definitions) {
    if (node.kind !== Kind.OPERATION_DEFINITION) continue;
    const root = schema.getRootType(node.operation);
    if (root) shape = shapeOf({ schema, fragments }, [root], [node.selectionSet]);
  }
  return shape;
}

function shapeOf(
  source: Source,
  types: readonly GraphQLObjectType[],
  selectionSets: readonly SelectionSetNode[],
): SelectionShape {
  return {
    variants: types.map((type) => {
      const collected = new Map<string, Collected>();
      for (const { selections } of selectionSets) collect(source, type, selections, false, collected);
      return { type, fields: [...collected].flatMap(([key, entry]) => toField(source, type, key, entry)) };
    }),
  };
}

function toField(
  source: Source,
  parent: GraphQLObjectType,
  key: string,
  { name, conditional, selectionSets }: Collected,
): FieldShape[] {
  const field = name === '__typename' ? TypeNameMetaFieldDef : parent.getFields()[name];
  if (!field) return [];
  const { type, description, deprecationReason } = field;
  const named = getNamedType(type);
  if (!isCompositeType(named)) return [{ key, type, description, deprecationReason, conditional }];
  const types = isAbstractType(named) ? source.schema.getPossibleTypes(named) : [named];
  const shape = shapeOf(source, types, selectionSets);
  return [{ key, type, description, deprecationReason, conditional, shape }];
}

function collect(
  source: Source,
  type: GraphQLObjectType,
  selections: readonly SelectionNode[],
  conditional: boolean,
  into: Map<string, Collected>,
): void {
  for (const node of selections) {
    const depends = conditional || isConditional(node);
    if (node.kind === Kind.FIELD) {
      const key = node.alias?.value ?? node.name.value;
      const entry = into.get(key) ?? { name: node.name.value, conditional: depends, selectionSets: [] };
      entry.conditional &&= depends;
      if (node.selectionSet) entry.selectionSets.push(node.selectionSet);
      into.set(key, entry);
      continue;
    }
    const fragment = node.kind === Kind.FRAGMENT_SPREAD ? source.fragments.get(node.name.value) : node;
    if (!fragment || !applies(source.schema, type, fragment.typeCondition?.name.value)) continue;
    collect(source, type, fragment.selectionSet.selections, depends, into);
  }
}

function isConditional(node: SelectionNode): boolean {
  return (node.directives ?? []).some(({ name }) => name.value === 'skip' || name.value === 'include');
}

function applies(schema: GraphQLSchema, type: GraphQLObjectType, condition: string | undefined): boolean {
  if (condition === undefined || condition === type.name) return true;
  const conditionType = schema.getType(condition);
  return isAbstractType(conditionType) && schema.isSubType(conditionType, type);
}

/**
 * Returns the member at a path of response keys, in any variant that selects it, also inside lists. Undefined if no
 * variant selects it.
 */
export function findMember(
  shape: SelectionShape | undefined,
  path: readonly string[],
): FieldShape | undefined {
  const [key, ...rest] = path;
  for (const { fields } of shape?.variants ?? []) {
    const field = fields.find((candidate) => candidate.key === key);
    if (!field) continue;
    const found = rest.length === 0 ? field : findMember(field.shape, rest);
    if (found) return found;
  }
  return undefined;
}
