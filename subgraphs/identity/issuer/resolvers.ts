import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { IssuerModel } from './model.ts';

export const issuer: Resource = { models: [IssuerModel] };
