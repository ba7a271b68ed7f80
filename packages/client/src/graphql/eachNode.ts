import type { Graphql, GraphqlOptions } from './createGraphql.ts';
import type { AnyDocument } from './TypedDocument.ts';

/** Page of a list. */
export interface Connection<Node> {
  readonly nodes: readonly Node[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor?: string | null };
}

/**
 * Iterates over the nodes of a connection, page by page. The operation has the variable `$after`.
 *
 * @param connectionOf returns the connection of a result
 */
export async function* eachNode<Result, Variables, Node>(
  graphql: Graphql,
  document: AnyDocument<Result, Variables>,
  variables: Variables,
  connectionOf: (result: Result) => Connection<Node> | null | undefined,
  options: GraphqlOptions = {},
): AsyncGenerator<Node, void, undefined> {
  let after: string | null | undefined;
  do {
    const next = after === undefined ? variables : { ...variables, after };
    const run = graphql as (...rest: unknown[]) => Promise<Result>;
    const connection = connectionOf(await run(document, next, options));
    yield* connection?.nodes ?? [];
    after = connection?.pageInfo.hasNextPage ? connection.pageInfo.endCursor : null;
  } while (after);
}
