import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import { AiMonthModel, AiSpendingModel, AiUserDayModel } from './model.ts';

/** Budget of suggestions by a model. */
export const aiBudget: Resource = { models: [AiMonthModel, AiSpendingModel, AiUserDayModel] };
