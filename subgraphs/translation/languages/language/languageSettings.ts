import { LRUCache } from 'lru-cache';
import type { Platform } from '../../../platform/context/Platform.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import type { Installation } from '../../../platform/installation/Installation.ts';
import { scoped } from '../../../platform/installation/scoped.ts';
import { toCanonicalTag } from '../../../platform/language/toCanonicalTag.ts';
import { createLanguageIndex, type LanguageIndex } from '../resolution/ConfiguredLanguage.ts';
import type { HomeUrlRules } from './homeUrlOf.ts';
import { type LanguageEntry, LanguageSettingsModel, type LanguageSettingsRecord } from './model.ts';
import { toLanguageEntries } from './toLanguageEntries.ts';

/** The language configuration of an installation, ready to be searched; the same object until it changes. */
export interface LanguageSettings extends LanguageIndex<LanguageEntry> {
  readonly version: number;
  readonly urls: HomeUrlRules;
}

/** A configuration without the times of its changes, and without its unpublished events. */
export type StoredSettings = Omit<LanguageSettingsRecord, 'createdAt' | 'updatedAt' | 'outbox'>;

interface CacheEntry {
  settings: LanguageSettings;
  readAt: number;
}

/** Age after which the version is checked again. */
const maxAgeMs = 5000;
const caches = new WeakMap<Platform, LRUCache<string, CacheEntry>>();
const reading = new WeakMap<RequestContext, LanguageSettings | Promise<LanguageSettings>>();

/**
 * Returns the configuration of the request's installation, the same one for the whole request. A fresh one comes from
 * memory; otherwise one command reads a newer version, if there is one.
 */
export function loadLanguageSettings(context: RequestContext): LanguageSettings | Promise<LanguageSettings> {
  let settings = reading.get(context);
  if (settings === undefined) {
    const known = cacheOf(context.platform).get(context.installationId);
    const fresh = known !== undefined && context.platform.now() - known.readAt < maxAgeMs;
    settings = fresh ? known.settings : read(context, known?.settings);
    reading.set(context, settings);
  }
  return settings;
}

/**
 * Returns the currently stored configuration without caches; the default one if the installation has not configured
 * languages.
 */
export async function readLanguageSettings({ installation }: RequestContext): Promise<StoredSettings> {
  const stored = await scoped(LanguageSettingsModel, installation.id).findOne({ _id: installation.id });
  return stored ?? unconfigured(installation);
}

/** Stores the written languages in the cache, for this request and later ones. */
export function rememberLanguageSettings(
  context: RequestContext,
  record: LanguageSettingsRecord,
): LanguageSettings {
  const settings = toSettings(record);
  cacheOf(context.platform).set(context.installationId, { settings, readAt: context.platform.now() });
  reading.set(context, settings);
  return settings;
}

async function read(context: RequestContext, known: LanguageSettings | undefined): Promise<LanguageSettings> {
  const { platform, installation } = context;
  const newer = await scoped(LanguageSettingsModel, installation.id).findOne({
    _id: installation.id,
    ...(known ? { version: { $ne: known.version } } : {}),
  });
  const settings = newer ? toSettings(newer) : (known ?? toSettings(unconfigured(installation)));
  cacheOf(platform).set(installation.id, { settings, readAt: platform.now() });
  return settings;
}

function toSettings(record: StoredSettings): LanguageSettings {
  const { version, defaultCode, languages, baseUrl, urlStrategy, hideDefaultPrefix } = record;
  return {
    ...createLanguageIndex(languages, defaultCode),
    version,
    urls: { baseUrl, urlStrategy, hideDefaultPrefix, defaultCode },
  };
}

/**
 * Returns the default configuration: the languages of the installation, with the first one as default. It has version
 * 0, so that the first stored configuration is newer.
 */
function unconfigured({ id, baseUrl, locales }: Installation): StoredSettings {
  const tags = new Set(locales.flatMap((locale) => toCanonicalTag(locale) ?? []));
  if (tags.size === 0) tags.add('en');
  const languages = toLanguageEntries([...tags].map((tag) => ({ code: tag.toLowerCase(), bcp47: tag })));
  const [first] = languages as [LanguageEntry];
  return {
    _id: id,
    installationId: id,
    version: 0,
    defaultCode: first.code,
    baseUrl,
    urlStrategy: 'directory',
    hideDefaultPrefix: true,
    languages,
  };
}

function cacheOf(platform: Platform): LRUCache<string, CacheEntry> {
  let cache = caches.get(platform);
  if (!cache) {
    cache = new LRUCache({ max: 1000 });
    caches.set(platform, cache);
  }
  return cache;
}
