import type { Cell, Operation } from '../Operation.ts';
import { breadthOf, isInOrder } from '../people.ts';
import type { Rule } from '../rules.ts';

/** settled 8: installation-wide lists need the capability over the whole installation. */
const readsAllLanguages: Rule = {
  kind: 'holds any',
  permissions: ['translations:read', 'languages:manage', 'translations:manage'],
};
/** Languages: translation.md 2.2 and 2.3, settled 8. */
export const languageOperations: readonly Operation[] = [
  {
    field: 'Query.languages',
    source: 'the language projection is public; scope=all: 401, 403',
    rule: { kind: 'public' },
    routes: { 'GET {rest_root}/translation/v1/languages': 200 },
    selection: 'items { code }',
    cases: [
      {
        name: 'active',
        call: () => ({ variables: {} }),
        check: (data) => expect(codesIn(data)).toEqual(['en', 'de', 'fr']),
      },
      {
        name: 'all',
        rule: readsAllLanguages,
        call: () => ({ variables: { scope: 'ALL' }, query: { scope: 'all' } }),
        check: (data) => expect(codesIn(data)).toEqual(['en', 'de', 'fr', 'ar']),
      },
    ],
  },
  {
    field: 'Query.language',
    source: 'public; a language that readers do not get yet is for those who may read all of them',
    rule: { kind: 'public' },
    selection: 'code',
    cases: [
      {
        name: 'active',
        call: () => ({ variables: { code: 'de' } }),
        check: (data) => expect(data.code).toBe('de'),
      },
      {
        name: 'inactive',
        call: () => ({ variables: { code: 'ar' } }),
        check: (data, cell) => expect(data?.code ?? null).toBe(knowsAllLanguages(cell) ? 'ar' : null),
      },
    ],
  },
  {
    field: 'Query.defaultLanguage',
    source: 'the language projection is public',
    rule: { kind: 'public' },
    selection: 'code',
    cases: [{ call: () => ({ variables: {} }) }],
  },
  {
    field: 'Query.negotiateLanguage',
    source: 'the language projection is public',
    rule: { kind: 'public' },
    selection: 'code',
    cases: [{ call: () => ({ variables: { acceptLanguage: 'de' } }) }],
  },
];

function codesIn(data: any): string[] {
  return (data.items ?? data.data).map(({ code }: { code: string }) => code);
}

function knowsAllLanguages({ who, style }: Cell): boolean {
  return style === 'graphql' && isInOrder(who) && breadthOf(who, 'translations:read') === 'any';
}
