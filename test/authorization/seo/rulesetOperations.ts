import { once, writing } from '../matrix/calls.ts';
import type { Operation } from '../matrix/Operation.ts';
import type { Rule } from '../matrix/rules.ts';

/** Thresholds need the permission of administrators. */
const administers: Rule = { kind: 'holds', permission: 'seo:admin' };

/** Thresholds and weights of the installation. */
export const rulesetOperations: readonly Operation[] = [
  {
    field: 'Query.seoRuleset',
    rule: administers,
    selection: 'version',
  },
  {
    field: 'Query.seoRulesetVersions',
    rule: administers,
    selection: 'nodes { version }',
  },
  {
    field: 'Mutation.replaceSeoRuleset',
    rule: administers,
    selection: 'ruleset { version }',
    cases: [once(() => writing({}, { overrides: [{ path: '/scoring/rating/good', value: 81 }] }))],
  },
];
