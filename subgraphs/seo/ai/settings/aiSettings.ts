import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { type ScopedCollection, scoped } from '../../../platform/installation/scoped.ts';
import { AiSettingsModel, defaultChoices, type StoredAiSettings } from './model.ts';

/** Settings with which a provider can be called. */
export interface ConfiguredAi extends StoredAiSettings {
  baseUrl: string;
  model: string;
}

/** Returns the settings of the installation, or the defaults. */
export async function findAiSettings(
  context: Pick<RequestContext, 'installationId'>,
): Promise<StoredAiSettings> {
  const { installationId } = context;
  const stored = await aiSettingsOf(context).findOne({ _id: installationId });
  return stored ?? { ...firstSettings(installationId), installationId };
}

/** Returns the default settings of an installation. */
export function firstSettings(installationId: string): Omit<StoredAiSettings, 'installationId'> {
  return {
    _id: installationId,
    ...defaultChoices,
    apiKey: null,
    revision: 0,
    updatedAt: null,
    updatedBy: null,
  };
}

/** Returns the collection with the installation's only record of settings. */
export function aiSettingsOf({
  installationId,
}: Pick<RequestContext, 'installationId'>): ScopedCollection<StoredAiSettings> {
  return scoped(AiSettingsModel, installationId);
}

/**
 * Returns whether a provider can be called. URL and model must be configured, and the key unless the operator hosts the
 * model.
 */
export function isConfigured(
  { platform }: Pick<RequestContext, 'platform'>,
  settings: StoredAiSettings,
): settings is ConfiguredAi {
  const { baseUrl, model, apiKey } = settings;
  if (baseUrl === null || model === null) return false;
  return apiKey !== null || platform.privateAiHosts.has(new URL(baseUrl).host);
}

/** Returns the host of the provider, with its port if it is not the default; null if none is configured. */
export function providerHostOf({ baseUrl }: Pick<StoredAiSettings, 'baseUrl'>): string | null {
  return baseUrl === null ? null : new URL(baseUrl).host;
}
