import { LRUCache } from 'lru-cache';
import type { Platform } from '../../../platform/context/Platform.ts';
import type { RequestContext } from '../../../platform/context/RequestContext.ts';
import { type ScopedCollection, scoped } from '../../../platform/installation/scoped.ts';
import type { Ruleset } from '../../engine/ruleset/Ruleset.ts';
import { applyStored } from './applyOverrides.ts';
import { baseRuleset } from './baseRuleset.ts';
import { RulesetModel, type StoredRuleset } from './model.ts';

/** A ruleset with the version it was made of. */
export interface InstallationRuleset {
  /** Null until a number is replaced. */
  readonly stored: StoredRuleset | null;
  readonly ruleset: Ruleset;
}

interface CacheEntry {
  active: InstallationRuleset;
  readAt: number;
}

/** Age after which another process's change is looked for. */
const maxAgeMs = 5000;
const caches = new WeakMap<Platform, LRUCache<string, CacheEntry>>();

/**
 * Thresholds and weights that the request's installation uses now, the same ones for the whole request; a change
 * takes at most five seconds to reach every process.
 */
export async function loadRuleset(context: RequestContext): Promise<Ruleset> {
  return (await loadActive(context)).ruleset;
}

/** The same with its version. */
export function loadActive(context: RequestContext): Promise<InstallationRuleset> {
  return context.loader(readOnce)();
}

/**
 * The ruleset of this name, as a stored analysis or a job names it; null if this version of the product cannot
 * compute it.
 */
export async function findRuleset(context: RequestContext, name: string): Promise<Ruleset | null> {
  if (name === baseRuleset.id) return baseRuleset;
  const active = await loadRuleset(context);
  if (active.id === name) return active;
  const version = versionOf(name);
  const stored = version === null ? null : await rulesetsOf(context).findOne({ version });
  return stored && toInstallationRuleset(context, stored).ruleset;
}

/** Name of a version: `2026.1+3`, the base and the version; the base's own where nothing is replaced. */
export function nameOf({ version, overrides }: Pick<StoredRuleset, 'version' | 'overrides'>): string {
  return overrides.length === 0 ? baseRuleset.id : `${baseRuleset.id}+${version}`;
}

/** The installation's versions. */
export function rulesetsOf(context: RequestContext): ScopedCollection<StoredRuleset> {
  return scoped(RulesetModel, context.installationId);
}

/** A version with the ruleset that it makes; later requests of this process see it at once if it is the newest. */
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

/** A read that began before a change and ends behind it does not bring the earlier version back. */
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
