import { aiOperations } from '../seo/aiOperations.ts';
import { analysisOperations } from '../seo/analysisOperations.ts';
import { auditJobOperations } from '../seo/auditJobOperations.ts';
import { recommendationOperations } from '../seo/recommendationOperations.ts';
import { rulesetOperations } from '../seo/rulesetOperations.ts';
import type { Operation } from './Operation.ts';

/** Interface B, a file per group of methods. */
export const seoOperations: readonly Operation[] = [
  ...analysisOperations,
  ...auditJobOperations,
  ...rulesetOperations,
  ...aiOperations,
  ...recommendationOperations,
];
