import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { indexPagesJob } from './indexPages.ts';
import { IndexedPageModel } from './model.ts';

/** What a page is compared with. */
export const surrounding: Resource = { resolvers: {}, models: [IndexedPageModel], jobs: [indexPagesJob] };
