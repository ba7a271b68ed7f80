import { createHash } from 'node:crypto';
import { analysisLimits, assertAtMost } from './assertLimits.ts';
import type { AnalysisInput } from './contract.ts';
import type { Ruleset } from './ruleset/Ruleset.ts';

/**
 * Returns JSON with sorted keys and without absent members, so that equal inputs give equal text. Unlike RFC 8785 it
 * accepts lone surrogates, which real texts contain (as `\ud800`).
 */
function toCanonicalJson(value: unknown, depth: number): string {
  assertAtMost('json.depth', analysisLimits.jsonDepth, depth);
  if (Array.isArray(value)) {
    return `[${value.map((entry) => toCanonicalJson(entry ?? null, depth + 1)).join(',')}]`;
  }
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, member]) => `${JSON.stringify(key)}:${toCanonicalJson(member, depth + 1)}`);
    return `{${members.join(',')}}`;
  }
  return JSON.stringify(value) ?? 'null';
}

/**
 * Cache of canonical rulesets. A ruleset is never changed, only replaced, and is a third of the hashed text of a
 * typical page.
 */
const canonicalRulesets = new WeakMap<Ruleset, string>();

function canonicalOf(ruleset: Ruleset): string {
  const known = canonicalRulesets.get(ruleset);
  if (known !== undefined) return known;
  const canonical = toCanonicalJson(ruleset, 1);
  canonicalRulesets.set(ruleset, canonical);
  return canonical;
}

/**
 * Returns `sha256:<hex>` over the canonical input and the whole ruleset. Analyses with the same hash and engine version
 * are equal, byte for byte. Throws `AnalysisLimitError` for JSON nested deeper than 64 levels.
 */
export function hashInput(input: AnalysisInput, ruleset: Ruleset): string {
  const canonical = `{"input":${toCanonicalJson(input, 1)},"ruleset":${canonicalOf(ruleset)}}`;
  return `sha256:${createHash('sha256').update(canonical, 'utf8').digest('hex')}`;
}
