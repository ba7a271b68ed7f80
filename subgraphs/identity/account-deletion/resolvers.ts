import type { Resource } from '../../platform/subgraph/buildSubgraph.ts';
import { accountDeletions } from './accountDeletions.ts';

export const accountDeletion: Resource = { jobs: [accountDeletions] };
