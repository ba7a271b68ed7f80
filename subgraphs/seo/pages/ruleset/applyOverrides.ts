import { mergeRuleset, RulesetError } from '../../engine/ruleset/mergeRuleset.ts';
import type { Ruleset } from '../../engine/ruleset/Ruleset.ts';
import type { RulesetOverride } from './model.ts';

/** A renamed ruleset with replaced numbers, and the overrides that did not apply. */
export interface AppliedOverrides {
  readonly ruleset: Ruleset;
  /** Overrides of a member that this base no longer has, or that it bounds differently. */
  readonly dropped: readonly RulesetOverride[];
}

/** Refused overrides: `index` is that of the one to blame. */
export class OverrideError extends Error {
  override readonly name = 'OverrideError';
  readonly index: number;

  constructor(index: number, message: string) {
    super(message);
    this.index = index;
  }
}

interface Branch {
  [key: string]: Branch | number;
}

/**
 * Returns a ruleset with overrides, all applied together, so that a pair of limits may move as one.
 *
 * @param name of the new ruleset; without overrides, the base itself is returned
 * @throws OverrideError for an unknown path, a path without a number, limits in the wrong order
 */
export function applyOverrides(base: Ruleset, overrides: readonly RulesetOverride[], name: string): Ruleset {
  if (overrides.length === 0) return base;
  const tree = toTree(overrides);
  try {
    return { ...mergeRuleset(base, tree), id: name };
  } catch (error) {
    if (!(error instanceof RulesetError)) throw error;
    throw new OverrideError(findBlamed(overrides, error.pointer), error.message);
  }
}

/**
 * Returns a ruleset with overrides that were accepted before, perhaps for an older base. Overrides that no longer fit
 * are omitted, so that they do not stop every analysis of the installation.
 */
export function applyStored(
  base: Ruleset,
  overrides: readonly RulesetOverride[],
  name: string,
): AppliedOverrides {
  const kept = [...overrides];
  const dropped: RulesetOverride[] = [];
  for (;;) {
    try {
      return { ruleset: { ...applyOverrides(base, kept, name), id: name }, dropped };
    } catch (error) {
      if (!(error instanceof OverrideError)) throw error;
      dropped.push(...kept.splice(error.index, 1));
    }
  }
}

function toTree(overrides: readonly RulesetOverride[]): Branch {
  // Without a prototype, `__proto__` is an ordinary name, which no ruleset has.
  const root = Object.create(null) as Branch;
  for (const [index, { path, value }] of overrides.entries()) {
    const [first, ...keys] = path.split('/');
    const last = keys.pop();
    if (first !== '' || last === undefined)
      throw new OverrideError(index, 'a path must begin with a slash, such as /scoring/rating/good');
    let at = root;
    for (const key of keys) {
      at[key] ??= Object.create(null) as Branch;
      const next = at[key];
      if (typeof next === 'number') throw new OverrideError(index, 'another path is a prefix of this path');
      at = next;
    }
    if (last in at)
      throw new OverrideError(index, 'another path sets the same value or has this path as its prefix');
    at[last] = value;
  }
  return root;
}

/** Returns the override at a refused path, or within it if two limits contradict each other. */
function findBlamed(overrides: readonly RulesetOverride[], pointer: string): number {
  const index = overrides.findIndex(({ path }) => path === pointer || path.startsWith(`${pointer}/`));
  return Math.max(index, 0);
}
