import type { Ruleset } from '../../engine/ruleset/Ruleset.ts';
import { ruleset2026 } from '../../engine/ruleset/ruleset2026.ts';

/** Thresholds and weights of every installation that has not replaced any. */
export const baseRuleset: Ruleset = ruleset2026;
