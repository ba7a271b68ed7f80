import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLError,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { type DocumentLimits, documentRefusal, inputRefusal, pageSizeArguments } from './DocumentLimits.ts';
import { estimateNodes } from './estimateNodes.ts';
import { createMeasure } from './measureSelections.ts';
import { readRootFieldLimits } from './readRootFieldLimits.ts';

/**
 * Checks all limits of a document that do not depend on its variables, in time linear in the document. The document
 * need not be valid, because this runs before the more expensive validation.
 *
 * @param schema the API schema, for types and page sizes; `@guard__limits` is read from `supergraph`
 * @returns one error for each exceeded limit, with the limit and the value: `GRAPHQL_VALIDATION_FAILED` for the
 *   document's structure, `BAD_USER_INPUT` for sizes in literals
 */
export function checkDocumentLimits(
  document: DocumentNode,
  schema: GraphQLSchema,
  limits: DocumentLimits,
  supergraph: GraphQLSchema = schema,
): GraphQLError[] {
  const fragments = new Map<string, FragmentDefinitionNode>();
  const operations: OperationDefinitionNode[] = [];
  for (const node of document.definitions) {
    if (node.kind === Kind.FRAGMENT_DEFINITION) fragments.set(node.name.value, node);
    if (node.kind === Kind.OPERATION_DEFINITION) operations.push(node);
  }
  const measure = createMeasure(fragments);
  const errors = [...checkDocument(document, limits), ...checkLiterals(document, schema, supergraph, limits)];
  for (const operation of operations) {
    const { depth, selections, aliases, rootFields } = measure(operation);
    const check = (value: number, limit: number, text: (value: number) => string) => {
      if (value > limit) errors.push(documentRefusal(`${text(value)}; at most ${limit} are allowed.`));
    };
    check(depth, limits.depth, (value) => `The operation is ${value} levels deep`);
    check(aliases, limits.aliases, (value) => `The operation has ${value} aliases`);
    check(rootFields, limits.rootFields, (value) => `The operation has ${value} root fields`);
    check(selections, limits.selections, (value) => `The operation selects ${value} fields`);
    const nodes = estimateNodes(schema, fragments, operation, defaultVariables(operation), limits);
    if (nodes > limits.nodes) errors.push(tooManyNodes(nodes, limits));
  }
  return errors;
}

export function tooManyNodes(nodes: number, limits: DocumentLimits): GraphQLError {
  return inputRefusal(
    `The operation could return ${nodes} objects; at most ${limits.nodes} are allowed. Request smaller pages.`,
  );
}

/** Returns values of variables that the document states. */
export function defaultVariables(operation: OperationDefinitionNode): Record<string, unknown> {
  const values: Record<string, unknown> = {};
  for (const { variable, defaultValue } of operation.variableDefinitions ?? []) {
    if (defaultValue?.kind === Kind.INT) values[variable.name.value] = Number(defaultValue.value);
  }
  return values;
}

function checkDocument(document: DocumentNode, limits: DocumentLimits): GraphQLError[] {
  let directives = 0;
  let introspects = false;
  visit(document, {
    Directive() {
      directives++;
    },
    Field({ name }) {
      if (name.value === '__schema' || name.value === '__type') introspects = true;
    },
  });
  const errors: GraphQLError[] = [];
  if (directives > limits.directives) {
    errors.push(
      documentRefusal(`The document has ${directives} directives; at most ${limits.directives} are allowed.`),
    );
  }
  if (introspects && !limits.introspection) errors.push(documentRefusal('Introspection is disabled.'));
  return errors;
}

/** Returns the errors in page sizes and lists in literals. */
function checkLiterals(
  document: DocumentNode,
  schema: GraphQLSchema,
  supergraph: GraphQLSchema,
  limits: DocumentLimits,
): GraphQLError[] {
  const errors: GraphQLError[] = [];
  const typeInfo = new TypeInfo(schema);
  // A longer list is allowed only below the root field that states it.
  const allowed = [limits.arrayItems];
  visit(
    document,
    visitWithTypeInfo(typeInfo, {
      Field: {
        enter(node) {
          const operationType = rootOperationType(schema, typeInfo);
          const own = operationType && readRootFieldLimits(supergraph, operationType, node.name.value).arrays;
          allowed.push(own ?? allowed.at(-1) ?? limits.arrayItems);
        },
        leave() {
          allowed.pop();
        },
      },
      Argument({ name, value }) {
        if (!pageSizeArguments.has(name.value) || value.kind !== Kind.INT) return;
        const size = Number(value.value);
        if (size > limits.pageSize) errors.push(pageTooLarge(name.value, size, limits));
      },
      ListValue({ values }) {
        const limit = allowed.at(-1) ?? limits.arrayItems;
        if (values.length > limit) {
          errors.push(inputRefusal(`A list has ${values.length} items; at most ${limit} are allowed.`));
        }
      },
    }),
  );
  return errors;
}

export function pageTooLarge(argument: string, size: number, limits: DocumentLimits): GraphQLError {
  return inputRefusal(
    `The argument "${argument}" requests a page of ${size}; at most ${limits.pageSize} are allowed.`,
  );
}

function rootOperationType(
  schema: GraphQLSchema,
  typeInfo: TypeInfo,
): OperationDefinitionNode['operation'] | null {
  const parent = typeInfo.getParentType();
  if (parent == null) return null;
  if (parent === schema.getQueryType()) return 'query' as OperationDefinitionNode['operation'];
  if (parent === schema.getMutationType()) return 'mutation' as OperationDefinitionNode['operation'];
  return parent === schema.getSubscriptionType()
    ? ('subscription' as OperationDefinitionNode['operation'])
    : null;
}
