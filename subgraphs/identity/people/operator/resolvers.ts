import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import { OperatorModel } from './model.ts';

export const operator: Resource = { models: [OperatorModel] };
