import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import { AiMonthModel, AiSpendingModel, AiUserDayModel } from './model.ts';

/** What suggestions by a model may cost, and did. */
export const aiBudget: Resource = { models: [AiMonthModel, AiSpendingModel, AiUserDayModel] };
