import { buildSubgraph, type Subgraph } from '../platform/subgraph/buildSubgraph.ts';
import { aiAcknowledgement } from './ai/acknowledgement/resolvers.ts';
import { aiBudget } from './ai/budget/resolvers.ts';
import { aiGate } from './ai/gate/resolvers.ts';
import { aiSettings } from './ai/settings/resolvers.ts';
import { aiSuggestion } from './ai/suggestion/resolvers.ts';
import { analysis } from './analysis/analyze/resolvers.ts';
import { dismissal } from './analysis/dismissal/resolvers.ts';
import { erasure } from './analysis/erasure/erasures.ts';
import { recommendation } from './analysis/recommendation/resolvers.ts';
import { snapshot } from './analysis/snapshot/resolvers.ts';
import { suggestion } from './analysis/suggestion/resolvers.ts';
import { warmAnalysis } from './analysis/threads/warmAnalysis.ts';
import { auditJob } from './audits/audit-job/resolvers.ts';
import { event } from './feed/resolvers.ts';
import { check } from './pages/check/resolvers.ts';
import { object } from './pages/object/resolvers.ts';
import { record } from './pages/record/resolvers.ts';
import { ruleset } from './pages/ruleset/resolvers.ts';
import { siteIndex } from './pages/site-index/resolvers.ts';

/** Builds the search-optimization subgraph, interface B. */
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
    // The process is ready without it; tables that are not loaded yet are loaded with the first analysis.
    warm: async (platform) => void warmAnalysis(platform),
  });
}
