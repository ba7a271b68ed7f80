import type { Ruleset } from '../engine/ruleset/Ruleset.ts';
import { ruleset2026 } from '../engine/ruleset/ruleset2026.ts';

/** Thresholds and weights that analyses use now. */
export const currentRuleset: Ruleset = ruleset2026;
