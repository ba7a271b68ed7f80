import type { Resource } from '../../../platform/subgraph/buildSubgraph.ts';
import type { Resolvers } from '../../translation.generated.ts';
import { buildChain } from '../resolution/buildChain.ts';
import { nameLanguage } from '../resolution/nameLanguage.ts';
import { homeUrlOf } from './homeUrlOf.ts';
import { toLanguageParent } from './LanguageParent.ts';
import { loadLanguageSettings, readLanguageSettings } from './languageSettings.ts';
import { findVisibleLanguage, languages } from './languages.ts';
import { LanguageSettingsModel } from './model.ts';
import { namesOf } from './namesOf.ts';
import { negotiate } from './negotiate.ts';
import {
  createLanguage,
  reorderLanguages,
  setDefaultLanguage,
  setLanguageActive,
  updateLanguage,
  updateLanguageAddresses,
} from './writeLanguages.ts';

const resolvers: Resolvers = {
  Query: {
    languages: (_, args, context) => languages(context, args),
    language: (_, { code }, context) => findVisibleLanguage(context, (index) => nameLanguage(index, code)),
    languageAddresses: async (_, _args, context) => {
      const { version, baseUrl, urlStrategy, hideDefaultPrefix } = await readLanguageSettings(context);
      return { version, baseUrl, urlStrategy, hideDefaultPrefix };
    },
    defaultLanguage: async (_, _args, context) => {
      const settings = await loadLanguageSettings(context);
      return toLanguageParent(settings, settings.default);
    },
    negotiateLanguage: async (_, { acceptLanguage }, context) => {
      const settings = await loadLanguageSettings(context);
      return toLanguageParent(settings, negotiate(settings, acceptLanguage));
    },
  },
  Mutation: {
    createLanguage: (_, { input }, context) => createLanguage(input, context),
    updateLanguage: (_, { input }, context) => updateLanguage(input, context),
    setLanguageActive: (_, { input }, context) => setLanguageActive(input, context),
    setDefaultLanguage: (_, { input }, context) => setDefaultLanguage(input, context),
    reorderLanguages: (_, { input }, context) => reorderLanguages(input, context),
    updateLanguageAddresses: (_, { input }, context) => updateLanguageAddresses(input, context),
  },
  Language: {
    __resolveReference: ({ code }, context) =>
      findVisibleLanguage(context, ({ byCode }) => byCode.get(code) ?? null),
    code: ({ entry }) => entry.code,
    locale: ({ entry }) => entry.locale,
    bcp47: ({ entry }) => entry.bcp47,
    names: ({ entry, reader }, { in: asked }) => namesOf(entry, asked ?? reader),
    direction: ({ entry }) => entry.direction,
    active: ({ entry }) => entry.active,
    default: ({ entry, settings }) => settings.default === entry,
    order: ({ entry, settings }) => settings.all.indexOf(entry),
    homeUrl: ({ entry, settings }) => homeUrlOf(entry, settings.urls),
    fallbacks: ({ entry }) => entry.fallbacks,
    resolutionChain: ({ entry, settings }) =>
      buildChain(settings, [entry.code], 'chain').links.map(({ code }) => code),
  },
};

export const language: Resource = {
  resolvers,
  models: [LanguageSettingsModel],
};
