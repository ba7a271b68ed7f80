import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import { toLanguageParent } from '../../languages/language/LanguageParent.ts';
import { loadLanguageSettings } from '../../languages/language/languageSettings.ts';
import { assertMayReadAllLanguages } from '../../languages/language/policy.ts';
import { RelationGroupModel } from '../../records/memberships/model.ts';
import type { Resolvers } from '../../translation.generated.ts';
import { erasuresJob, lateErasuresJob } from '../erasure/erasures.ts';
import { sourceOf } from '../group/RelationGroupParent.ts';
import { findGroup, relationGroup } from '../group/relationGroup.ts';
import { assignObjectLanguage } from './assignObjectLanguage.ts';
import { linkRelation } from './linkRelation.ts';
import { mergeRelationGroups } from './mergeRelationGroups.ts';
import { setRelationSource } from './setRelationSource.ts';
import { unlinkRelation } from './unlinkRelation.ts';

const resolvers: Resolvers = {
  Query: {
    relationGroup: (_, args, context) => relationGroup(context, args),
  },
  Mutation: {
    linkRelation: (_, { input }, context) => linkRelation(context, input),
    unlinkRelation: (_, { input }, context) => unlinkRelation(context, input),
    mergeRelationGroups: (_, { input }, context) => mergeRelationGroups(context, input),
    setRelationSource: (_, { input }, context) => setRelationSource(context, input),
    assignObjectLanguage: (_, { input }, context) => assignObjectLanguage(context, input),
  },
  RelationGroup: {
    __resolveReference: ({ id }, context) => findGroup(context, id ?? ''),
    source: (group) => sourceOf(group),
    members: ({ members }, { view }) =>
      members.filter(({ live }) => live || view !== 'public').map(({ translation }) => translation),
    missingLanguages: async ({ codes }, { scope }, context) => {
      if (scope === 'all') await assertMayReadAllLanguages(context);
      const settings = await loadLanguageSettings(context);
      return settings.all
        .filter(({ code, active }) => (active || scope === 'all') && !codes.has(code))
        .map((entry) => toLanguageParent(settings, entry));
    },
    missingCodes: async ({ codes }, _, context) => {
      const { all } = await loadLanguageSettings(context);
      return all.filter(({ code, active }) => active && !codes.has(code)).map(({ code }) => code);
    },
  },
};

export const relation: Resource = {
  resolvers,
  models: [RelationGroupModel],
  jobs: [erasuresJob, lateErasuresJob],
};
