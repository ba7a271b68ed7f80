import { isId } from '../../../platform/ids/newId.ts';
import { findPage } from '../../../platform/pagination/findPage.ts';
import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { Resolvers } from '../../seo.generated.ts';
import { baseRuleset } from './baseRuleset.ts';
import { RulesetModel, type StoredRuleset } from './model.ts';
import { replaceSeoRuleset } from './replaceSeoRuleset.ts';
import { type InstallationRuleset, loadActive, nameOf, rulesetsOf } from './rulesets.ts';

/** Parent of the resolvers of a ruleset. */
export type SeoRulesetParent = InstallationRuleset;

/** Parent of the resolvers of an earlier version. */
export type SeoRulesetVersionParent = StoredRuleset;

const resolvers: Resolvers = {
  Query: {
    seoRuleset: (_, _args, context) => loadActive(context),
    seoRulesetVersions: (_, { first, after }, context) =>
      findPage({
        context,
        collection: rulesetsOf(context),
        filter: {},
        sort: [{ key: 'version', direction: -1 }],
        first,
        after,
      }),
  },
  Mutation: {
    replaceSeoRuleset: async (_, { input }, context) => ({
      ruleset: await replaceSeoRuleset(input, context),
    }),
  },
  SeoRuleset: {
    name: ({ ruleset }) => ruleset.id,
    base: () => baseRuleset.id,
    version: ({ stored }) => stored?.version ?? 0,
    overrides: ({ stored }) => stored?.overrides ?? [],
    points: ({ ruleset }) => ruleset.points,
    thresholds: ({ ruleset }) => ruleset.thresholds,
    scoring: ({ ruleset }) => ruleset.scoring,
    changedAt: ({ stored }) => stored?.createdAt ?? null,
    changedBy: ({ stored }) => toUser(stored?.createdBy),
  },
  SeoRulesetVersion: {
    name: (stored) => nameOf(stored),
    changedAt: ({ createdAt }) => createdAt,
    changedBy: ({ createdBy }) => toUser(createdBy),
  },
};

function toUser(id: string | undefined): { id: string } | null {
  return id !== undefined && isId('user', id) ? { id } : null;
}

/** Thresholds and weights of the installation. */
export const ruleset: Resource = { resolvers, models: [RulesetModel] };
