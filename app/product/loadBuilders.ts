import type { Subgraph } from '../../subgraphs/platform/subgraph/buildSubgraph.ts';
import { subgraphNames } from '../configuration/federation.ts';

/**
 * Loads the named subgraphs; default: all in `supergraph.yaml`. The default export of `server.ts` builds one.
 *
 * @returns builders by name
 */
export async function loadBuilders(
  names: readonly string[] = subgraphNames,
): Promise<Record<string, () => Subgraph>> {
  const builders = names.map(async (name): Promise<[string, () => Subgraph]> => {
    const server = (await import(`../../subgraphs/${name}/server.ts`)) as { default: () => Subgraph };
    return [name, server.default];
  });
  return Object.fromEntries(await Promise.all(builders));
}
