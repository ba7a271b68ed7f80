import { LRUCache } from 'lru-cache';
import type { Platform } from '../../../platform/context/Platform.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { type ScopedCollection, scoped } from '../../../platform/installation/scoped.ts';
import type { Ruleset } from '../../engine/ruleset/Ruleset.ts';
import { applyStored } from './applyOverrides.ts';
import { baseRuleset } from './baseRuleset.ts';
import { RulesetModel, type StoredRuleset } from './model.ts';

/** A ruleset with the version from which it was created. */
export interface InstallationRuleset {
  /** Stored version; null before a number is replaced. */
  readonly stored: StoredRuleset | null;
  readonly ruleset: Ruleset;
}

interface CacheEntry {
  active: InstallationRuleset;
  readAt: number;
}

/** Maximum age of the cache in milliseconds, after which changes of other processes are read. */
const maxAgeMs = 5000;
const caches = new WeakMap<Platform, LRUCache<string, CacheEntry>>();

/**
 * Returns the current thresholds and weights of the installation, which are the same for the whole request. A change
 * reaches every process within five seconds.
 */
export async function loadRuleset(context: RequestContext): Promise<Ruleset> {
  return (await loadActive(context)).ruleset;
}

/** Returns the current ruleset with its version. */
export function loadActive(context: RequestContext): Promise<InstallationRuleset> {
  return context.loader(readOnce)();
}

/**
 * Returns the ruleset of a stored analysis or a job by its name; null if this version of the product does not support
 * it.
 */
export async function findRuleset(context: RequestContext, name: string): Promise<Ruleset | null> {
  if (name === baseRuleset.id) return baseRuleset;
  const active = await loadRuleset(context);
  if (active.id === name) return active;
  const version = versionOf(name);
  const stored = version === null ? null : await rulesetsOf(context).findOne({ version });
  return stored && toInstallationRuleset(context, stored).ruleset;
}

/** Returns the name of a version, as in `2026.1+3` for base and version; the base's own name without overrides. */
export function nameOf({ version, overrides }: Pick<StoredRuleset, 'version' | 'overrides'>): string {
  return overrides.length === 0 ? baseRuleset.id : `${baseRuleset.id}+${version}`;
}

/** Returns the installation's versions. */
export function rulesetsOf(context: RequestContext): ScopedCollection<StoredRuleset> {
  return scoped(RulesetModel, context.installationId);
}

/** Returns the ruleset of a version and caches the latest one for later requests of this process. */
export function rememberRuleset(context: RequestContext, stored: StoredRuleset): InstallationRuleset {
  const active = toInstallationRuleset(context, stored);
  remember(context, active);
  return active;
}

function readOnce(context: RequestContext): () => Promise<InstallationRuleset> {
  let reading: Promise<InstallationRuleset> | undefined;
  return () => (reading ??= read(context));
}

async function read(context: RequestContext): Promise<InstallationRuleset> {
  const known = cacheOf(context.platform).get(context.installationId);
  if (known && context.platform.now() - known.readAt < maxAgeMs) return known.active;
  const version = known?.active.stored?.version ?? 0;
  const newer = await rulesetsOf(context).findOne({ version: { $gt: version } }, { sort: { version: -1 } });
  const active = newer
    ? toInstallationRuleset(context, newer)
    : (known?.active ?? { stored: null, ruleset: baseRuleset });
  remember(context, active);
  return active;
}

/** Caches a version, unless a read that started before a change would restore an earlier one. */
function remember({ platform, installationId }: RequestContext, active: InstallationRuleset): void {
  const cache = cacheOf(platform);
  const known = cache.get(installationId)?.active;
  const isLater = (known?.stored?.version ?? 0) > (active.stored?.version ?? 0);
  cache.set(installationId, { active: isLater && known ? known : active, readAt: platform.now() });
}

function toInstallationRuleset({ platform }: RequestContext, stored: StoredRuleset): InstallationRuleset {
  const { ruleset, dropped } = applyStored(baseRuleset, stored.overrides, nameOf(stored));
  if (dropped.length > 0) {
    const { installationId, version } = stored;
    platform.log.warn({ installationId, version, dropped }, 'overrides that the base ruleset does not have');
  }
  return { stored, ruleset };
}

function versionOf(name: string): number | null {
  const [base, version, ...rest] = name.split('+');
  if (base !== baseRuleset.id || rest.length > 0 || !/^[1-9]\d{0,8}$/.test(version ?? '')) return null;
  return Number(version);
}

function cacheOf(platform: Platform): LRUCache<string, CacheEntry> {
  let cache = caches.get(platform);
  if (!cache) {
    cache = new LRUCache({ max: 1000 });
    caches.set(platform, cache);
  }
  return cache;
}
