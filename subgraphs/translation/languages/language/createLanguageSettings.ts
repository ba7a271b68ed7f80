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
  /** The first active language unless given. */
  defaultCode?: string;
  /** The installation's unless given. */
  baseUrl?: string;
  /** `directory` unless given. */
  urlStrategy?: UrlStrategy;
  /** True unless given. */
  hideDefaultPrefix?: boolean;
}

/**
 * Stores the first configuration of an installation; for seeds and for the making of an installation.
 *
 * @throws AppError `validation_failed` with every broken rule; MongoDB's 11000 when there is one already
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
