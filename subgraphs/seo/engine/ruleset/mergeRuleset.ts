import type { Ruleset } from './Ruleset.ts';

/** Any part of a ruleset; omitted members are unchanged. */
export type RulesetOverrides = DeepPartial<Ruleset>;
type DeepPartial<T> = T extends object ? { [Key in keyof T]?: DeepPartial<T[Key]> } : T;

export class RulesetError extends Error {
  override readonly name = 'RulesetError';
  readonly code = 'validation_failed';
  /** JSON pointer to the refused value. */
  readonly pointer: string;

  constructor(pointer: string, message: string) {
    super(`${pointer || '/'}: ${message}`);
    this.pointer = pointer;
  }
}

type Branch = Record<string, unknown>;

const profiles = new Set(['article', 'product', 'collection', 'page']);
const largestNumber = 1_000_000;
/** Tables with a key per language; an override may add a language that the base does not name. */
const openTables = [
  '/thresholds/sentences.length/words',
  '/thresholds/sentences.length/characters',
  '/thresholds/sentences.length/longShare',
];

function isBranch(value: unknown): value is Branch {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function templateFor(base: Branch, key: string, pointer: string): unknown {
  if (Object.hasOwn(base, key)) return base[key];
  if (openTables.includes(pointer) && /^[a-z]{2,3}$/.test(key)) return base.default ?? Object.values(base)[0];
  // A check with new points in a profile is then run by that profile.
  if (pointer.startsWith('/points/') && profiles.has(key)) return 0;
  return undefined;
}

function mergeLeaf(base: unknown, override: unknown, pointer: string): unknown {
  if (typeof base === 'number') {
    if (
      typeof override !== 'number' ||
      !Number.isFinite(override) ||
      override < 0 ||
      override > largestNumber
    ) {
      throw new RulesetError(pointer, `expected a number from 0 to ${largestNumber}`);
    }
    return override;
  }
  if (typeof override !== 'string' || override.length === 0 || override.length > 64) {
    throw new RulesetError(pointer, 'expected a text of 1 to 64 characters');
  }
  return override;
}

function merge(base: unknown, override: unknown, pointer: string): unknown {
  if (override === undefined) return base;
  if (!isBranch(base)) return mergeLeaf(base, override, pointer);
  if (!isBranch(override)) throw new RulesetError(pointer, 'expected an object');
  const merged: Branch = { ...base };
  for (const [key, value] of Object.entries(override)) {
    const template = templateFor(base, key, pointer);
    const childPointer = `${pointer}/${key}`;
    if (template === undefined) throw new RulesetError(childPointer, 'unknown member');
    merged[key] = merge(template, value, childPointer);
  }
  return merged;
}

/** Checks the order of `good` and `ok`. An override can change their values, but not which one is stricter. */
function assertOrder(base: unknown, merged: unknown, pointer: string): void {
  if (!isBranch(merged) || !isBranch(base)) return;
  const { min, max, good, ok } = merged;
  if (typeof min === 'number' && typeof max === 'number' && min > max) {
    throw new RulesetError(pointer, 'min must not be greater than max');
  }
  if (typeof good === 'number' && typeof ok === 'number') {
    const rises = Number(base.good) > Number(base.ok);
    const falls = Number(base.good) < Number(base.ok);
    if ((rises && good < ok) || (falls && good > ok))
      throw new RulesetError(pointer, `good must not be ${rises ? 'less' : 'greater'} than ok`);
  }
  for (const [key, value] of Object.entries(merged)) {
    assertOrder(templateFor(base, key, pointer), value, `${pointer}/${key}`);
  }
}

/**
 * Returns a ruleset with some numbers replaced; the base is not modified. Throws `RulesetError` for unknown members,
 * values of another type, negative or huge numbers and limits in the wrong order.
 */
export function mergeRuleset(base: Ruleset, overrides: RulesetOverrides): Ruleset {
  const merged = merge(base, overrides, '');
  assertOrder(base, merged, '');
  return merged as Ruleset;
}
