import { createSelectionTest } from '../../../platform/auth/selectionTest.ts';
import { renderDescription } from '../../../platform/markdown/renderMarkdown.ts';
import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import { findLanguage } from '../../languages/language/LanguageParent.ts';
import { loadLanguageSettings } from '../../languages/language/languageSettings.ts';
import { loadMarketplaceObject } from '../../objects/marketplaceObject.ts';
import { marketplaceTypes } from '../../objects/ObjectRef.ts';
import { editorial, locate } from '../../records/editorial.ts';
import { findTranslation } from '../../records/findTranslation.ts';
import { TranslationModel } from '../../records/model.ts';
import { assertReaches } from '../../records/policy.ts';
import { isLive, isSource, statusOf, toTranslationParent } from '../../records/TranslationParent.ts';
import { groupOf } from '../../relations/group/RelationGroupParent.ts';
import type { Resolvers } from '../../translation.generated.ts';
import { compareWithSource, sourceDigestOf } from '../reading/compareWithSource.ts';
import { findVisible } from '../reading/findVisible.ts';
import { linkedOf } from '../reading/linkedOf.ts';
import { resolveTranslation } from '../reading/resolveTranslation.ts';
import { resolveTranslations } from '../reading/resolveTranslations.ts';
import { textsOf } from '../reading/textsOf.ts';
import { urlOf } from '../reading/urlOf.ts';
import { translationCoverage } from '../work/translationCoverage.ts';
import { workList } from '../work/workList.ts';
import { allowedFor, historyOf, toSource } from '../work/workOf.ts';
import { bulkChangeTranslationStatus, markTranslationsOutdated } from './changeMany.ts';
import { changeState, changeTranslationStatus } from './changeTranslationStatus.ts';
import { createTranslation } from './createTranslation.ts';
import { outdatedJob } from './outdatedJob.ts';
import { replaceTranslationState } from './replaceTranslationState.ts';
import { updateTranslationContent } from './updateTranslationContent.ts';

/** Tests whether members for editors are selected, besides what readers see. */
const asksForWork = createSelectionTest(
  [
    'group',
    'status',
    'outdated',
    'outdatedSince',
    'changedSourceFields',
    'source',
    'sourceLanguage',
    'sourceDigest',
    'currentSourceDigest',
    'allowedTransitions',
    'assigneeId',
    'note',
    'dueAt',
    'history',
  ],
  'translation',
);

const resolvers: Resolvers = {
  Query: {
    translation: async (_, { id }, context) => {
      const object = await findTranslation(context, id);
      assertReaches(context, 'translations:read', object, 'translation_not_found');
      return toTranslationParent(await loadLanguageSettings(context), object, 'editorial');
    },
    resolveTranslation: (_, args, context) => resolveTranslation(context, args),
    resolveTranslations: (_, args, context, info) => resolveTranslations(context, args, !asksForWork(info)),
    translations: (_, args, context) => workList(context, args),
    translationCoverage: (_, { objectType }, context) => translationCoverage(context, objectType),
  },
  Mutation: {
    createTranslation: (_, { input }, context) => createTranslation(input, context),
    replaceTranslationState: (_, { input }, context) => replaceTranslationState(input, context),
    changeTranslationStatus: (_, { input }, context) => changeTranslationStatus(input, context),
    updateTranslationContent: (_, { input }, context) => updateTranslationContent(input, context),
    bulkChangeTranslationStatus: (_, { input }, context) => bulkChangeTranslationStatus(input, context),
    markTranslationsOutdated: (_, { input }, context) => markTranslationsOutdated(input, context),
    acknowledgeSourceChange: (_, { input }, context) => {
      const { sourceDigest } = input;
      return changeState(context, input, { sourceDigest, outdated: false });
    },
    assignTranslation: (_, { input }, context) => {
      const { assigneeId = null, dueAt = null } = input;
      return changeState(context, input, { assigneeId, dueAt });
    },
  },
  TranslationFields: {
    descriptionHtml: ({ description }) => (description ? renderDescription(description) : null),
  },
  Translation: {
    __resolveReference: ({ id }, context) => findVisible(context, id ?? ''),
    id: ({ record }) => record?._id ?? null,
    groupId: ({ record }) => record?.groupId ?? null,
    group: editorial(async (parent, context) => groupOf(context, await locate(context, parent))),
    language: ({ code }, _, context) => findLanguage(context, code),
    languageCode: ({ code }) => code,
    bcp47: async ({ code }, _, context) => (await findLanguage(context, code))?.entry.bcp47 ?? null,
    direction: async ({ code }, _, context) => {
      const language = await findLanguage(context, code);
      return language?.entry.direction ?? null;
    },
    ref: async (parent, _, context) => ({
      type: parent.ref.type,
      objectId: parent.ref.id,
      url: await urlOf(context, parent),
    }),
    objectId: ({ ref }) => ref.id,
    object: async (parent, _, context) => {
      const { marketplaceObject, accessSource } = parent;
      const owned = await loadMarketplaceObject(context, marketplaceObject, accessSource);
      return owned.exists
        ? { __typename: marketplaceTypes[marketplaceObject.type], id: marketplaceObject.id }
        : null;
    },
    isSource: (parent) => isSource(parent),
    origin: ({ record }) => record?.origin ?? 'linked',
    live: async (parent, _, context) =>
      isLive(parent, await loadMarketplaceObject(context, parent.marketplaceObject, parent.accessSource)),
    fields: (parent, { view }, context) => textsOf(context, parent, view),
    url: (parent, _, context) => urlOf(context, parent),
    publishedAt: ({ record }) => record?.publishedAt ?? null,
    status: editorial(async (parent, context) => statusOf(parent, (await locate(context, parent)).owned)),
    outdated: editorial(
      async (parent, context) => (await compareWithSource(context, parent)).outdated,
      compareWithSource,
    ),
    outdatedSince: editorial(async (parent, context) => {
      const { outdated } = await compareWithSource(context, parent);
      return outdated ? (parent.record?.outdatedSince ?? null) : null;
    }, compareWithSource),
    changedSourceFields: editorial(
      async (parent, context) => (await compareWithSource(context, parent)).changed,
      compareWithSource,
    ),
    source: editorial(({ record }) => toSource(record?.derivedFrom ?? null)),
    sourceLanguage: editorial(({ record }, context) =>
      findLanguage(context, record?.derivedFrom?.language ?? null),
    ),
    sourceDigest: editorial(({ record }) => record?.derivedFrom?.digest ?? null),
    currentSourceDigest: editorial(
      async (parent, context) => (await sourceDigestOf(context, parent))?.digest ?? null,
      sourceDigestOf,
    ),
    allowedTransitions: editorial(async (parent, context) =>
      allowedFor(context, await locate(context, parent)),
    ),
    assigneeId: editorial(({ record }) => record?.assigneeId ?? null),
    note: editorial(({ record }) => record?.note ?? null),
    dueAt: editorial(({ record }) => record?.dueAt ?? null),
    history: (parent, { first }, context) =>
      editorial(() => historyOf(context, parent, first))(parent, {}, context),
    version: ({ record }) => record?.version ?? 0,
    createdAt: ({ record }) => record?.createdAt ?? null,
    updatedAt: ({ record }) => record?.updatedAt ?? null,
  },
  TranslationFailure: { translationId: ({ id }) => id },
  TranslationConnection: {
    totalCount: async ({ count }) => (await count()).value,
    totalCountIsExact: async ({ count }) => (await count()).isExact,
  },
  TranslationResolution: {
    matched: ({ matchedCode }, _, context) => findLanguage(context, matchedCode),
    linked: (parent, _, context) => linkedOf(context, parent),
  },
  ResolvedTranslationAnswer: {
    __resolveType: (answer) => ('data' in answer ? 'ResolvedTranslationBatch' : 'ResolvedTranslation'),
  },
};

export const translation: Resource = {
  resolvers,
  models: [TranslationModel],
  jobs: [outdatedJob],
};
