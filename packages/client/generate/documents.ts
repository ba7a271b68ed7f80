import { codegen } from '@graphql-codegen/core';
import * as typescriptOperations from '@graphql-codegen/typescript-operations';
import {
  type DocumentNode,
  type GraphQLSchema,
  isInputObjectType,
  Kind,
  type OperationDefinitionNode,
  parse,
  print,
  printSchema,
  stripIgnoredCharacters,
  typeFromAST,
} from 'graphql';
import type { Route } from '../../../schema/route/Route.ts';

/** The event stream has no separate route. */
const subscriptions = [
  `subscription events($after: String) {
    events(after: $after) { cursor event { id type at resource { type resourceId } } }
  }`,
];

/** TypeScript types of the scalars in responses. */
export const scalarTypes: Readonly<Record<string, string>> = {
  ID: 'string',
  DateTime: 'string',
  LanguageTag: 'string',
  MinorUnits: 'number',
  Micros: 'number',
  URL: 'string',
  JSON: 'unknown',
};

const config = {
  strictScalars: true,
  scalars: scalarTypes,
  enumsAsTypes: true,
  useTypeImports: true,
  skipTypename: true,
  namingConvention: 'keep',
  dedupeFragments: true,
};

/**
 * Returns the GraphQL operation of every route as a typed document: a constant with its text and the types of its
 * result and variables, so that a bundle contains only used ones.
 */
export async function typedDocuments(api: GraphQLSchema, routes: readonly Route[]): Promise<string> {
  const operations = new Map(
    [...routes.map(({ document }) => document), ...subscriptions.map((text) => parse(text))].map(
      (document) => [operationIn(document).name?.value ?? '', document],
    ),
  );
  const sorted = [...operations].sort(([a], [b]) => (a < b ? -1 : 1));
  const types = await codegen({
    filename: 'documents.generated.ts',
    schema: parse(printSchema(api)),
    documents: sorted.map(([name, document]) => ({
      location: name,
      document: withOwnFragments(document, name),
    })),
    config,
    plugins: [{ typescriptOperations: {} }],
    pluginMap: { typescriptOperations },
  });
  const constants = sorted.map(([name, document]) => constantOf(api, name, document));
  return `import type { TypedDocument } from '../graphql/TypedDocument.ts';\n\n${types.trim()}\n\n${constants.join('\n')}\n`;
}

/** Renames fragments by operation, because two documents may use the same name. */
function withOwnFragments(document: DocumentNode, operation: string): DocumentNode {
  let text = print(document);
  for (const [, name = ''] of text.matchAll(/^fragment (\w+) on/gm))
    text = text
      .replaceAll(new RegExp(`\\.\\.\\.${name}\\b`, 'g'), `...${operation}_${name}`)
      .replace(new RegExp(`^fragment ${name} on`, 'm'), `fragment ${operation}_${name} on`);
  return parse(text);
}

function operationIn({ definitions }: DocumentNode): OperationDefinitionNode {
  const found = definitions.find((node) => node.kind === Kind.OPERATION_DEFINITION);
  if (!found) throw new Error('a document without an operation');
  return found;
}

function constantOf(api: GraphQLSchema, name: string, document: DocumentNode): string {
  const operation = operationIn(document);
  const kind = operation.operation;
  const typeName = `${name}${kind.charAt(0).toUpperCase()}${kind.slice(1)}`;
  const text = stripIgnoredCharacters(print(document));
  const keyed = takesKey(api, operation) ? ', keyed: true' : '';
  return (
    `/** ${kind} \`${name}\` */\n` +
    `export const ${name}: TypedDocument<${typeName}, ${typeName}Variables> = { text: ${JSON.stringify(text)}${keyed} };`
  );
}

/** Returns whether its input has a member for an idempotency key. */
function takesKey(api: GraphQLSchema, { variableDefinitions = [] }: OperationDefinitionNode): boolean {
  const input = variableDefinitions.find(({ variable }) => variable.name.value === 'input');
  const type =
    input && typeFromAST(api, input.type.kind === Kind.NON_NULL_TYPE ? input.type.type : input.type);
  return isInputObjectType(type) && Object.hasOwn(type.getFields(), 'idempotencyKey');
}
