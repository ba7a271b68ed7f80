import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import { keepPages } from './indexPages.ts';
import { SeoPageModel } from './model.ts';

/** The objects of other subgraphs, as lists and comparisons of pages know them. */
export const siteIndex: Resource = { resolvers: {}, models: [SeoPageModel], jobs: [keepPages] };
