import { type DocumentNode, execute, type GraphQLSchema, parse } from 'graphql';
import type { Ask } from '../context/AskSubgraph.ts';
import type { RequestContext } from '../context/RequestContext.ts';

/** Result of an operation on a schema of this process. */
interface Answer {
  readonly data?: object | null | undefined;
  readonly errors?:
    | readonly { readonly message: string; readonly originalError?: Error | null | undefined }[]
    | undefined;
}

/** Executes an operation on a schema of this process. */
export type Execute = (
  variables: Readonly<Record<string, unknown>>,
  context: RequestContext,
) => Answer | Promise<Answer>;

/**
 * Asks an owning subgraph of the same process: runs an operation on its schema with the caller's identity, one level
 * deeper. Every guard of the owner applies, as over HTTP.
 *
 * @param ownerSchema called at the first question, because subgraphs of one process are built in any order
 * @param source the operation
 * @param prepare prepares the operation once; interpreted by graphql-js by default
 */
export function askLocally(
  ownerSchema: () => GraphQLSchema,
  source: string,
  prepare: (schema: GraphQLSchema, document: DocumentNode) => Execute = interpret,
): Ask {
  const document = parse(source, { noLocation: true });
  let executeQuestion: Execute | undefined;
  return async (variables, context) => {
    executeQuestion ??= prepare(ownerSchema(), document);
    const { data, errors } = await executeQuestion({ ...variables }, context.descend());
    if (data) return data as Awaited<ReturnType<Ask>>;
    const [error] = errors ?? [];
    throw error?.originalError ?? error ?? new Error('The owning subgraph gave no answer.');
  };
}

function interpret(schema: GraphQLSchema, document: DocumentNode): Execute {
  return (variables, context) =>
    execute({ schema, document, variableValues: variables, contextValue: context });
}
