import { invalidFields } from '../../../platform/errors/AppError.ts';
import { firstOutbox } from '../../../platform/events/outbox.ts';
import type { Installation } from '../../../platform/installation/Installation.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { checkLanguageSettings } from './checkLanguageSettings.ts';
import { LanguageSettingsModel, type LanguageSettingsRecord, type UrlStrategy } from './model.ts';
import { type LanguagePlan, toLanguageEntries } from './toLanguageEntries.ts';

/** A configuration to be stored; the order of the languages is their order. */
export interface LanguageSettingsPlan {
  languages: readonly LanguagePlan[];
  /** Default language; the first active one by default. */
  defaultCode?: string;
  /** Base URL; the installation's by default. */
  baseUrl?: string;
  /** URL strategy; `directory` by default. */
  urlStrategy?: UrlStrategy;
  /** True by default. */
  hideDefaultPrefix?: boolean;
}

/**
 * Stores the first configuration of an installation, for seeds and new installations.
 *
 * @throws AppError `validation_failed` with every broken rule; MongoDB's 11000 if there is one already
 */
export async function createLanguageSettings(
  installation: Pick<Installation, 'id' | 'baseUrl'>,
  plan: LanguageSettingsPlan,
  now: Date = new Date(),
): Promise<LanguageSettingsRecord> {
  const languages = toLanguageEntries(plan.languages);
  const settings = {
    _id: installation.id,
    version: 1,
    defaultCode: plan.defaultCode ?? languages.find(({ active }) => active)?.code ?? '',
    baseUrl: (plan.baseUrl ?? installation.baseUrl).replace(/\/$/, ''),
    urlStrategy: plan.urlStrategy ?? 'directory',
    hideDefaultPrefix: plan.hideDefaultPrefix ?? true,
    languages,
    createdAt: now,
    updatedAt: now,
    ...firstOutbox({ platform: { now: () => now.getTime() } }, 'language.changed'),
  };
  const problems = checkLanguageSettings(settings);
  if (problems.length > 0) throw invalidFields(problems);
  return scoped(LanguageSettingsModel, installation.id).insert(settings);
}
