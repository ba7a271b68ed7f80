import type { FindPassives, LanguageData } from '../LanguageData.ts';

/** Grammar of a language whose function words come from its stop-word list. */
export type Grammar = Pick<LanguageData, 'transitions' | 'findPassives'>;

/** Returns the detector for languages whose passive is one word. */
export function wordPassive(isPassive: (form: string) => boolean): FindPassives {
  return (sentence) =>
    sentence.flatMap(({ form }, index) => (isPassive(form) ? [{ first: index, last: index }] : []));
}
