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
    linkRelation: (_, { input }, context) => linkRelation(input, context),
    unlinkRelation: (_, { input }, context) => unlinkRelation(input, context),
    mergeRelationGroups: (_, { input }, context) => mergeRelationGroups(input, context),
    setRelationSource: (_, { input }, context) => setRelationSource(input, context),
    assignObjectLanguage: (_, { input }, context) => assignObjectLanguage(input, context),
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
  records: { RelationGroup: { idType: 'group', read: (id, context) => findGroup(context, id) } },
  models: [RelationGroupModel],
  jobs: [erasuresJob, lateErasuresJob],
};
