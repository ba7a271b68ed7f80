import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { ApiClientModel } from './model.ts';

export const apiClient: Resource = { models: [ApiClientModel] };
