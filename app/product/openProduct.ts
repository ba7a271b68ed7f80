import type { Router } from '../../router/createRouter.ts';
import type { Configuration } from '../configuration/readConfiguration.ts';
import { openRouters, type Routers } from '../federation/openRouters.ts';
import { type OpenSubgraphs, openSubgraphs, type SubgraphOptions } from './openSubgraphs.ts';

/** Subgraphs of this process, and the transport to all subgraphs. */
export interface Product extends OpenSubgraphs {
  readonly routers: Routers;
}

/** Product and its router. */
export interface RoutedProduct extends Product {
  readonly router: Router;
}

/** Opens the named subgraphs in this process, and routers for these and the subgraphs of other processes. */
export async function openProduct(configuration: Configuration, options: SubgraphOptions): Promise<Product> {
  const opened = await openSubgraphs(configuration, options);
  const { subgraphs: local, remote, platform } = opened;
  const routers = openRouters(configuration, { local, remote, platform });
  return {
    ...opened,
    routers,
    async close() {
      await routers.close();
      await opened.close();
    },
  };
}
