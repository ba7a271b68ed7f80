import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { MediaModel } from './model.ts';

export const media: Resource = { models: [MediaModel] };
