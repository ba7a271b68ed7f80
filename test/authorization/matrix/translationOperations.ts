import { languageOperations } from '../translation/languageOperations.ts';
import { relationOperations } from '../translation/relationOperations.ts';
import { translationOperations as ofTranslations } from '../translation/translationOperations.ts';
import type { Operation } from './Operation.ts';

/** Interface C, a file per group of methods. */
export const translationOperations: readonly Operation[] = [
  ...languageOperations,
  ...relationOperations,
  ...ofTranslations,
];
