import { isId } from '../../../platform/ids/newId.ts';
import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { Resolvers } from '../../seo.generated.ts';
import { findAiSettings } from './aiSettings.ts';
import { AiSettingsModel, type StoredAiSettings } from './model.ts';
import { aiSettingsProblems } from './readAiChanges.ts';
import { updateSeoAiSettings } from './updateSeoAiSettings.ts';

/** Parent of the resolvers of the settings. */
export type SeoAiSettingsParent = StoredAiSettings;

const resolvers: Resolvers = {
  Query: { seoAiSettings: (_, _arguments, context) => findAiSettings(context) },
  Mutation: { updateSeoAiSettings: (_, { input }, context) => updateSeoAiSettings(input, context) },
  SeoAiSettings: {
    apiKeySet: ({ apiKey }) => apiKey !== null,
    apiKeyLast4: ({ apiKey }) => apiKey?.last4 ?? null,
    currency: (_, _arguments, { installation }) => installation.defaultCurrency,
    updatedBy: ({ updatedBy }) => (updatedBy !== null && isId('user', updatedBy) ? { id: updatedBy } : null),
  },
};

/** Settings of AI suggestions. */
export const aiSettings: Resource = {
  resolvers,
  inputRules: { updateSeoAiSettings: aiSettingsProblems },
  models: [AiSettingsModel],
};
