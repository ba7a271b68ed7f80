import type { Ask, AskSubgraph } from '../../subgraphs/platform/context/AskSubgraph.ts';
import type { Subgraph } from '../../subgraphs/platform/subgraph/buildSubgraph.ts';
import { askHere } from './askHere.ts';
import { askOverHttp } from './askOverHttp.ts';

/**
 * Sends queries between subgraphs: in this process if the subgraph runs here, otherwise to its address.
 *
 * @param local subgraphs of this process, by name
 * @param remote addresses of the others, by name
 */
export function askSubgraphs(
  local: ReadonlyMap<string, Subgraph>,
  remote: Readonly<Record<string, string | undefined>>,
): AskSubgraph {
  const asks = new Map<string, Ask>();
  const open = (name: string, document: string): Ask => {
    const subgraph = local.get(name);
    if (subgraph) return askHere(() => subgraph.schema, document);
    const url = remote[name];
    if (url !== undefined) return askOverHttp(name, url, document);
    throw new Error(`This process neither runs the subgraph "${name}" nor has its address.`);
  };
  return async ({ subgraph, document }, variables, context) => {
    const ask = asks.get(document) ?? open(subgraph, document);
    asks.set(document, ask);
    return ask(variables, context);
  };
}
