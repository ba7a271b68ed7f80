import { catalan } from './ca.ts';
import type { Grammar } from './Grammar.ts';
import { hebrew } from './he.ts';
import { hungarian } from './hu.ts';
import { indonesian } from './id.ts';
import { swedish } from './sv.ts';
import { turkish } from './tr.ts';

/** Grammars by language code, of languages whose function words come from a stop-word list. */
export const furtherGrammars: ReadonlyMap<string, Grammar> = new Map([
  ['ca', catalan],
  ['he', hebrew],
  ['hu', hungarian],
  ['id', indonesian],
  ['sv', swedish],
  ['tr', turkish],
]);
