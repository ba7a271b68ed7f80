import { buildSubgraph, type Subgraph } from '../platform/subgraph/buildSubgraph.ts';
import { aiAcknowledgement } from './ai/acknowledgement/resolvers.ts';
import { aiBudget } from './ai/budget/resolvers.ts';
import { aiGate } from './ai/gate/resolvers.ts';
import { aiSettings } from './ai/settings/resolvers.ts';
import { aiSuggestion } from './ai/suggestion/resolvers.ts';
import { analysis } from './analysis/resolvers.ts';
import { warmAnalysis } from './analysis/warmAnalysis.ts';
import { auditJob } from './audit-job/resolvers.ts';
import { check } from './check/resolvers.ts';
import { dismissal } from './dismissal/resolvers.ts';
import { event } from './event/resolvers.ts';
import { object } from './object/resolvers.ts';
import { recommendation } from './recommendation/resolvers.ts';
import { record } from './record/resolvers.ts';
import { ruleset } from './ruleset/resolvers.ts';
import { erasure } from './snapshot/erasures.ts';
import { snapshot } from './snapshot/resolvers.ts';
import { suggestion } from './suggestion/resolvers.ts';
import { siteIndex } from './surrounding/resolvers.ts';

/** The search-optimization subgraph, interface B. */
export default function buildSeo(): Subgraph {
  const resources = [
    object,
    siteIndex,
    analysis,
    record,
    snapshot,
    erasure,
    check,
    ruleset,
    auditJob,
    aiSettings,
    aiAcknowledgement,
    aiBudget,
    aiGate,
    aiSuggestion,
    event,
    recommendation,
    suggestion,
    dismissal,
  ];
  return buildSubgraph('seo', resources, {
    // The process is ready without it: what is not loaded yet is loaded with the first analysis.
    warm: async (platform) => void warmAnalysis(platform),
  });
}
